"""git: remotes, pushes and pulls, and states in the middle of something."""

from __future__ import annotations

import re

from terma.offline.explain.case import Case
from terma.offline.explain.line import quote
from terma.offline.explain.near import nearest
from terma.offline.explain.rule import Facts, Rule


def _not_repo(case: Case, facts: Facts) -> list[str]:
    url = next((v for v in case.operands[1:] if re.match(r"(\w+://|git@|[\w.-]+@[\w.-]+:)", v)), "")
    if url:
        return [f"git clone {quote(url)}"]
    below = repositories(case)
    if len(below) == 1 and case.operands[:1] not in (("init",), ("clone",)):
        return [f"cd {quote(below[0])} && {case.rest}"]
    return fresh_repository(case)


def _unmerged(case: Case) -> str:
    found = re.findall(r"^(?:U\t|\s*both \w+:\s+)(\S.*)$", case.output, re.MULTILINE)[:3]
    return f" in {', '.join(found)}" if found else ""


def repositories(case: Case) -> list[str]:
    """The folders of this one that are repositories themselves."""
    return [name for name in sorted(case.listing())[:400] if case.exists(f"{name}/.git")]


def _not_repo_text(case: Case, facts: Facts) -> str:
    said = "This folder is not a git repository, nor is any folder above it. "
    below = repositories(case)
    if below:
        more = " and others" if len(below) > 3 else ""
        return f"{said}{', '.join(below[:3])}{more} {'is one' if len(below) == 1 else 'are'}."
    return f"{said}Go to the right folder, or start one here with git init."


# What works in a repository that was made a moment ago, and so may have been meant to begin one.
_BEGINNERS = ("add", "remote", "checkout", "switch", "branch", "config", "submodule", "lfs", "hooks")


def fresh_repository(case: Case) -> list[str]:
    """`git init`, and the command behind it, where that makes sense: what has no commits has nothing to push."""
    sub = case.operands[0] if case.operands else "status"
    if sub in ("status", "log", "init"):
        return ["git init"]
    return [f"git init && {case.command}"] if sub in _BEGINNERS else []


def _rejected(case: Case, facts: Facts) -> list[str]:
    words = case.operands[1:]
    pull = "git pull --rebase" + "".join(f" {quote(word)}" for word in words if ":" not in word)
    return [f"{pull} && {case.command}", case.insert("--force-with-lease", "push")]


def _upstream(case: Case, facts: Facts) -> list[str]:
    told = re.search(r"git push --set-upstream \S+ \S+", case.output)
    if told and case.operands[:1] == ("push",):
        extra = [v for v in case.args[1:] if v.startswith("-") and v not in ("-u", "--set-upstream")]
        return [case.swap("push", told.group()[4:] + "".join(f" {quote(v)}" for v in extra), raw=True)
                if len(case.args) == 1 else " ".join([told.group(), *extra])]  # fmt: skip
    return [told.group()] if told else []


def _add_remote(case: Case, facts: Facts) -> list[str]:
    """The remote that is missing, and the same again; a push names its branch the first time."""
    again = case.command
    if case.args == ("push",) and case.repo and case.repo.branch:
        again = case.swap("push", f"push -u origin {quote(case.repo.branch)}", raw=True)
    return [f"git remote add origin {{url}} && {again}"]


def _tracking(case: Case, facts: Facts) -> list[str]:
    if case.repo and not case.repo.remotes:
        return _add_remote(case, facts)[:1] if case.args == ("push",) else ["git remote add origin {url}"]
    repo = case.repo
    branch = repo.branch if repo else ""
    told = re.search(r"git branch --set-upstream-to=\S+ (\S+)", case.output)
    branch = branch or (told[1] if told else "")
    remote = repo.remotes[0] if repo and repo.remotes else "origin"
    if not branch:
        return []
    return [
        f"git pull {remote} {quote(branch)}",
        f"git branch --set-upstream-to={remote}/{quote(branch)} {quote(branch)} && {case.command}",
    ]


def _remote(case: Case, facts: Facts) -> str:
    known = case.repo.remotes if case.repo else []
    name = facts["name"]
    said = (
        f"There is no such remote: {name}."
        if "no such remote" in case.low
        else f"{name} does not appear to be a git repository, and no remote has that name."
    )
    if known:
        return f"{said} The remotes here: {', '.join(known)}."
    return (
        f"{said} There are none here."
        if {"remove", "rm"} & {*case.operands}
        else f"{said} git remote add {name} URL makes one."
    )


def _remote_fixes(case: Case, facts: Facts) -> list[str]:
    name = facts["name"]
    near = nearest(name, case.repo.remotes if case.repo else ["origin", "upstream"])
    if not near and case.operands[:2] == ("remote", "set-url") and len(case.operands) == 4:
        return [case.swap("set-url", "add")]
    return [case.swap(name, n) for n in near]


PROGRAMS = "git hub gh tig"
RULES = (
    Rule("git.not_a_repo", "not a git repository", "", _not_repo_text, _not_repo, rank=26),
    Rule("git.no_upstream", "no upstream branch", r"current branch (?P<branch>\S+) has no upstream", "The branch {branch} has no upstream: git does not know where to push it. Set the remote's tracking branch once.", _upstream, rank=26),
    Rule("git.no_tracking", ("no tracking information", "no upstream configured"), "", "The current branch has no tracking information (upstream): git does not know which remote branch to pull. Name it, or set it once.", _tracking, rank=26),
    Rule("git.no_destination", ("no configured push destination", "no remote repository specified"), "", "No remote is configured, so there is nowhere to push to or fetch from. Add one: git remote add origin URL.", _add_remote, rank=26),
    Rule("git.rejected", ("non-fast-forward", "fetch first", "updates were rejected"), r"rejected\]? +(?:(?P<branch>\S+) -> )?", "The push was rejected: the remote branch {branch} has commits that you lack, so yours is behind. Pull first, then push again.",
         _rejected, rank=26),
    Rule("git.rejected_hook", ("pre-receive hook declined", "protected branch"), r"(?P<line>(?:remote: )?[^\n]*(?:hook declined|protected branch)[^\n]*)", "The server's rules declined the push (hook declined or protected branch). Push to another branch and open a request from there.", rank=25),
    Rule("git.stale_lease", "stale info", "", "The remote branch moved since your last fetch (stale info), so the forced push was rejected. Fetch and look first.", ("git fetch",), rank=25),
    Rule("git.refspec", "does not match any", r"src refspec (?P<name>\S+) does not match any", lambda c, f: f"There is no local branch {f['name']} to push: src refspec does not match any." + (" Nothing was committed yet." if c.repo and not c.repo.branches else "") + (" Nothing is staged either: git add comes first." if c.repo and not c.repo.branches and not c.repo.staged else ""),
         lambda c, f: [*(c.swap(f["name"], n) for n in _branches(c, f["name"])), *([f"git commit -m 'Initial commit' && {c.command}"] if c.repo and not c.repo.branches and c.repo.staged and c.repo.remotes else [])], rank=26),
    Rule("git.remote_ref", "couldn't find remote ref", r"couldn't find remote ref (?P<name>\S+)", "The remote has no branch {name}: couldn't find that remote ref.", lambda c, f: [c.swap(f["name"], n) for n in _branches(c, f["name"])], rank=26),
    Rule("git.remote_branch", "not found in upstream", r"Remote branch (?P<name>\S+) not found in upstream (?P<remote>\S+)", "The remote {remote} has no branch {name}: not found. git ls-remote --heads lists them.", rank=26),
    Rule("git.remote_exists", "already exists", r"remote (?P<name>\S+) already exists", "A remote {name} already exists. set-url changes where it points.", lambda c, f: [c.swap("add", "set-url")], program="git", rank=26, rewrites=True),
    Rule("git.remote_unknown", ("no such remote", "does not appear to be a git repository"), r"(?:No such remote:? '?|fatal: ')(?P<name>[^'\n]+)", _remote,
         _remote_fixes, rank=27),
    Rule("git.repo_missing", ("repository not found", "repository '"), r"repository '?(?P<name>[^'\n]+?)'? (?:not found|does not exist)", lambda c, f: f"There is no repository at {f['name']}: it does not exist (not found). " + ("Is it misspelt or private, or are you not logged in?" if "://" in f["name"] or "@" in f["name"] else "Check the path."),
         lambda c, f: [c.swap(f["name"], c.near_path(f["name"]))] if "://" not in f["name"] and c.near_path(f["name"]) else []),
    Rule("git.clone_exists", "already exists and is not an empty directory", r"destination path '(?P<path>[^']+)'", "The folder {path} already exists and is not empty, so nothing was cloned. Clone under another name, or pull inside it.",
         lambda c, f: [f"cd {quote(f['path'])} && git pull"] if c.exists(f["path"] + "/.git") else [], rank=26),
    Rule("git.diverged", ("need to specify how to reconcile", "divergent branches", "not possible to fast-forward"), "", "Your branch and the remote's have diverged: both have commits the other lacks. Merge them, or rebase yours on top.",
         lambda c, f: [c.insert("--no-rebase", "pull"), c.insert("--rebase", "pull")] if "pull" in c.operands else [], rank=26),
    Rule("git.conflict", ("conflict (", "automatic merge failed", "fix conflicts"), r"(?:CONFLICT \([^)]*\): [^\n]*?(?: in |: )(?P<path>\S+))?", lambda c, f: ("One side deleted or renamed what the other changed: merge conflict in " if "conflict (" in c.low and not re.search(r"conflict \((?:content|add/add)", c.low) else "Both sides changed the same place: merge conflict in ") + (", ".join([*re.findall(r"Merge conflict in (.+)", c.output), *re.findall(r"CONFLICT \([^)]*\): (\S+) (?:deleted|renamed|added)", c.output)][:3]) or f["path"] or "some files")
         + ". Edit the marked places, git add the files, then go on (git status says how).", rank=26),
    Rule("git.unmerged", ("unmerged files", "you have not concluded your merge", "unmerged paths", "you need to resolve your current index"), r"(?:fatal|error|U\t|hint)[^\n]*(?:unmerged|conflict|resolve)|have not concluded|^Unmerged paths|resolve your current index", lambda c, f: f"An earlier merge is not finished: unmerged files are left with conflicts{_unmerged(c)}. Resolve them and git add them, or give up with git merge --abort.", rank=27),
    Rule("git.no_changes_rebase", "no changes - did you forget to use 'git add'", "", "The patch of this step changes nothing any more: no changes are left. Skip it.", ("git rebase --skip",), rank=26),
    Rule("git.in_rebase", ("already a rebase-merge directory", "already a rebase-apply directory", "rebase in progress"), "", "A rebase is already in progress here. Go on with it, or give it up.", ("git rebase --continue", "git rebase --abort"), rank=26),
    Rule("git.no_rebase", ("no rebase in progress", "no cherry-pick or revert in progress", "there is no merge to abort", "there is no merge in progress", "no merge in progress"), r"(?P<kind>rebase|cherry-pick or revert|merge) (?:to abort|in progress)", "No {kind} is in progress, so there is nothing to continue or abort. git status shows the state.", rank=25),
    Rule("git.lock", "index.lock", r"'(?P<path>[^']*index\.lock)'", "Another git process is at work, or one crashed and left {path}. If none runs, remove that file.", rank=25),
    Rule("git.unrelated", "refusing to merge unrelated histories", "", "The two histories share no commit (unrelated histories), so git refuses to merge. Are these the right repositories?", lambda c, f: [c.append("--allow-unrelated-histories")], rank=26),
    Rule("git.dubious", "dubious ownership", r"repository at '(?P<path>[^']+)'", "{path} belongs to another user (dubious ownership), and git trusts it only when told to.", ("git config --global --add safe.directory {path}",), rank=25),
    Rule("git.auth", ("authentication failed for", "could not read username", "support for password authentication was removed"), r"(?:for '(?P<url>[^']+)')?", lambda c, f: "git has no login for the server, and could not ask for one here: it could not read the username." if "could not read username" in c.low and "authentication failed" not in c.low else "The server did not accept your login: authentication failed. Use a token or an ssh key; a password alone is no longer accepted in many places.", rank=26),
    Rule("git.could_not_read", "could not read from remote repository", "", "git could not read from the remote repository: it does not exist, or you have no access to it. git remote -v shows where it points.", rank=40),
    Rule("git.submodule", "no submodule mapping found", r"path '(?P<path>[^']+)'", "{path} is recorded as a submodule, but .gitmodules does not map it to a URL.", rank=30),
    Rule("git.detached", "you are not currently on a branch", "", lambda c, f: "HEAD is detached: you are on no branch, so git does not know what to " + ("push. Make a branch for these commits." if "push" in c.args else f"{c.operands[0] if c.operands else 'work on'}."), ("git switch -c {{branch}}",), rank=26),
    Rule("git.worktree", "is already checked out at", r"'(?P<name>[^']+)' is already checked out at '(?P<path>[^']+)'", "The branch {name} is already checked out in another work tree, {path}. Work there, or use another branch.", lambda c, f: [_own_branch(c)] if "add" in c.args else [f"cd {quote(f['path'])}"] if c.is_dir(f["path"]) else [], rank=26),
    Rule("git.large", "exceeds github's file size limit", r"File (?P<path>\S+) is", "{path} is larger than the server takes. Take it out of the commits, or use git lfs.", rank=24),
)  # fmt: skip


def _branches(case: Case, name: str) -> list[str]:
    repo = case.repo
    if not repo:
        return [other for other in [{"master": "main", "main": "master"}.get(name, "")] if other]
    known = [*repo.branches, *(n.partition("/")[2] for n in repo.remote_branches)]
    swap = {"master": "main", "main": "master"}.get(name, "")
    return list(dict.fromkeys([*([swap] if swap in known else []), *nearest(name, known)]))


def _own_branch(case: Case) -> str:
    """git worktree add with a branch of its own, named as its folder."""
    folder = case.operands[2].rstrip("/").rpartition("/")[2] if len(case.operands) > 2 else ""
    taken = case.repo.branches if case.repo else []
    return (
        case.insert(f"-b {quote(folder)}", "add")
        if folder and folder not in taken and "-b" not in case.args
        else ""
    )
