"""git: branches, tags, paths and the working tree."""

from __future__ import annotations

import re

from terma.offline.explain.case import Case
from terma.offline.explain.families.options import other_case
from terma.offline.explain.line import quote
from terma.offline.explain.near import begins, nearest
from terma.offline.explain.rule import Facts, Rule


def names(case: Case) -> list[str]:
    """Branches and tags, and the remote branches by their short names."""
    repo = case.repo
    if not repo:
        return []
    short = [name.partition("/")[2] for name in repo.remote_branches]
    return [*repo.branches, *(n for n in short if n not in repo.branches), *repo.tags]


def revisions(case: Case) -> list[str]:
    """Every name that a commit can be called by, the remote branches by their full names too."""
    return [*names(case), *(case.repo.remote_branches if case.repo else [])]


def of_remotes(case: Case, word: str) -> list[str]:
    """The one branch of a remote that is called `word` there, by the name that it has here."""
    found = [
        name for name in (case.repo.remote_branches if case.repo else []) if name.partition("/")[2] == word
    ]
    return found if len(found) == 1 and word not in (case.repo.branches if case.repo else ()) else []


def _pathspec(case: Case, facts: Facts) -> list[str]:
    word = facts["name"]
    first = case.operands[0] if case.operands else ""
    if first in ("checkout", "switch", "merge", "rebase", "branch", "log", "diff", "reset", "cherry-pick"):
        near = [*nearest(word, names(case)), *begins(word, names(case))]
        if word in ("main", "master") and not near:
            other = "master" if word == "main" else "main"
            near = [other] if not case.repo or other in case.repo.branches else []
        fixes = [case.swap(word, name) for name in near]
        path = case.near_path(word)
        fixes += [case.swap(word, path)] if path and first in ("checkout", "diff", "log", "reset") else []
        number = bool(
            re.search(r"\d\.\d|^[0-9a-f]{7,40}$|\.[a-z]{1,5}$|[~^@:]", word)
        )  # a release, a commit or a file: nobody makes a branch of that name
        if first == "checkout" and not fixes and len(case.operands) == 2 and not number:
            fixes.append(case.insert("-b", "checkout"))
        if first == "switch" and not fixes and len(case.operands) == 2:
            fixes.append(case.insert("-c", "switch"))
        return fixes
    near_path = case.near_path(word)
    if near_path:
        return [case.swap(word, near_path)]
    if case.exists(word) or not case.repo:  # without the repository at hand, untracked is the likeliest
        return [f"git add -- {quote(word)} && {case.command}"]
    return []


def _pathspec_text(case: Case, facts: Facts) -> str:
    word = facts["name"]
    fixes = _pathspec(case, facts)
    said = f"{word} did not match any file, branch or tag that git knows: no such name exists here."
    if fixes and fixes[0].startswith("git add --"):
        return f"{word} did not match any file known to git: it is untracked. Add it first."
    if fixes and (" -b " in fixes[0] or " -c " in fixes[0]):
        return f"{said} If it is to be a new branch, create it."
    return said + (
        " It looks misspelt." if fixes else " git branch -a lists the branches, git status the files."
    )


def _stashed(case: Case, facts: Facts) -> list[str]:
    subs = case.operands[0] if case.operands else ""
    if "stash" in case.operands[:1]:
        return _under(case)
    pop = " && git stash pop"
    return [f"git stash && {case.command}{pop}", f"git commit -am {quote('Save work in progress')} && {case.command}"
            if subs in ("checkout", "switch", "merge") else ""]  # fmt: skip


def _under(case: Case) -> list[str]:
    """A stash taken out where changes lie: these are put away first, and so the wanted one moves down by one."""
    number = re.search(r"stash@\{(\d+)\}", case.command)
    if number:
        one = f"stash@{{{int(number[1]) + 1}}}"
        return [f"git stash push && {case.swap(number[0], quote(one), raw=True)}"]
    plain = case.operands in (("stash", "pop"), ("stash", "apply"))
    return [f"git stash push && {case.append(quote('stash@{1}'))}"] if plain else []


def _overwritten(case: Case, facts: Facts) -> str:
    files = _files(case)
    return f"Your uncommitted local changes{' to ' + files if files else ''} would be overwritten. Stash or commit them first."


def _files(case: Case) -> str:
    told = case.output.partition("\nOn branch ")[0]  # behind it is the status, with every other file
    found = re.findall(r"^[ \t]+(?!\(use )(\S.*)$", told, re.MULTILINE)[:3]
    if not found and "gitignore" in case.low:
        found = re.findall(r"^(?!hint:|error:|The following|Use -f)(\S.*)$", case.output, re.MULTILINE)[:3]
    return ", ".join(found)


def _untracked(case: Case) -> list[str]:
    block = case.output.partition("Untracked files:")[2].partition("\n\n")[0]
    return re.findall(r"^\t(\S.*)$", block, re.MULTILINE)


def _nothing(case: Case, facts: Facts) -> str:
    if "working tree clean" in case.low:
        return "There is nothing to commit: no changes, the working tree is clean."
    if "no changes added" in case.low:
        changed = re.findall(
            r"^\t(?:modified|deleted|new file|renamed): +(\S.*)$", case.output, re.MULTILINE
        )[:3]
        return f"Nothing is staged, so there is nothing to commit. Changed, but not added: {', '.join(changed) or 'see above'}. -a takes all tracked changes."
    new = _untracked(case)
    return f"Nothing is staged, so there is nothing to commit. {', '.join(new[:3]) or 'What is new'} is untracked: git add takes it in."


def _nothing_fixes(case: Case, facts: Facts) -> list[str]:
    if "working tree clean" in case.low:
        return []
    if "no changes added" in case.low:
        return [case.insert("-a", "commit")]
    new = _untracked(case)
    return [f"git add {quote(new[0]) if len(new) == 1 else '.'} && {case.command}"]


def _ancestor(name: str) -> tuple[str, str]:
    """What a revision starts from, and the steps back: of "main~2^" the two are "main" and "~2^"."""
    found = re.fullmatch(r"([^~^:.]+)([~^][~^\d]*)", name)
    return (found[1], found[2]) if found else (name, "")


def _revision(case: Case, facts: Facts) -> list[str]:
    """The revision that was meant; of a range, the side that is unknown."""
    name, known = facts["name"], revisions(case)
    base, steps = _ancestor(name)
    if steps:  # of "topic~2" the branch may be misspelt; the steps back are as they were meant
        return [case.swap(name, near + steps) for near in nearest(base, known)] if base not in known else []
    dots = re.search(r"\.{2,3}", name)
    if not dots:
        return [case.swap(name, near) for near in nearest(name, known)]
    sides = [name[: dots.start()], name[dots.end() :]]
    meant = [
        side
        if not side or side in known or re.match(r"HEAD|@", side)
        else next(iter(nearest(side, known, 1)), "")
        for side in sides
    ]
    return (
        [case.swap(name, dots.group().join(meant))]
        if all(m or not s for m, s in zip(meant, sides, strict=True))
        else []
    )


def _short_history(case: Case, facts: Facts) -> str:
    base, steps = _ancestor(facts["name"])
    if steps and (base in ("HEAD", "@") or base in revisions(case)):
        return f"{facts['name']} goes back further than the history does: an unknown revision, there are not that many commits."
    return f"{facts['name']} is an unknown revision: no branch, tag, commit or file has that name." + (
        " There is no commit yet." if facts["name"] == "HEAD" else ""
    )


def _is_current(case: Case, name: str) -> bool:
    """Whether `name` is the branch of this very work tree; taken to be where git's files cannot be read."""
    return not case.repo or case.repo.branch in ("", name)


def _held_branch(case: Case, facts: Facts) -> str:
    name, path = facts["name"], facts.get("path")
    if path and not _is_current(case, name):
        return f"The branch {name} is checked out in another work tree, {path}, so it cannot be deleted. git worktree remove frees it once nothing in there is needed."
    return f"The branch {name} is checked out, so it cannot be deleted. Switch to another one first."


PROGRAMS = "git hub gh tig"
RULES = (
    Rule("git.pathspec", "pathspec '", r"pathspec '(?P<name>[^']+)' did not match any file\(s\) known to git", _pathspec_text, _pathspec, program="git hub", rank=30),
    Rule("git.switch_missing", "invalid reference", r"invalid reference: (?P<name>\S+)", _pathspec_text, _pathspec, program="git", rank=30),
    Rule("git.add_missing", "pathspec '", r"pathspec '(?P<name>[^']+)' did not match any files",
         lambda c, f: f"{f['name']} is there, but git does not track it: it did not match any files that git knows." if c.exists(f["name"]) else f"{f['name']} did not match any files: it does not exist here." + (" It looks misspelt." if c.near_path(f["name"]) else " Check the spelling; git status lists what changed."),
         lambda c, f: [c.swap(f["name"], c.near_path(f["name"]))] if c.near_path(f["name"]) else [], rank=31),
    Rule("git.merge_unknown", "not something we can merge", r"merge: (?P<name>\S+) - not something we can merge",
         lambda c, f: f"{f['name']} is not something git can merge: no branch, tag or commit has that name." + "".join(f" {n} is one, of a remote." for n in of_remotes(c, f["name"])),
         lambda c, f: [*(c.swap(f["name"], n.strip()) for n in re.findall(r"Did you mean (?:this|one of these)\?\s+(\S+)", c.output)),
                       *(c.swap(f["name"], n) for n in of_remotes(c, f["name"])),
                       *(c.swap(f["name"], n) for n in nearest(f["name"], names(c)))], rank=30, rewrites=True),
    Rule("git.revision", ("unknown revision", "bad revision", "ambiguous argument"), r"(?:ambiguous argument|bad revision) '(?P<name>[^']+)'",
         _short_history,
         _revision, rank=30),
    Rule("git.upstream_invalid", "invalid upstream", r"invalid upstream '(?P<name>[^']+)'", "{name} is an invalid upstream: no branch, tag or commit has that name.",
         lambda c, f: [c.swap(f["name"], n) for n in nearest(f["name"], revisions(c)) or _renamed(c, f["name"])], program="git", rank=30),
    Rule("git.merge_parent", "no -m option was given", r"commit (?P<name>\w+) is a merge", "The commit is a merge of two lines: git wants to know by -m which parent is the mainline to keep; 1 is the branch that was merged into.",
         lambda c, f: [c.insert("-m 1", next(v for v in c.args if v in ("revert", "cherry-pick")))] if {"revert", "cherry-pick"} & set(c.args) else [], program="git", rank=30),
    Rule("git.patch_corrupt", "corrupt patch at", r"corrupt patch at (?:\S+:|line )(?P<line>\d+)", "The patch is corrupt at line {line}: a hunk is longer or shorter than its @@ line says, as after editing by hand. --recount counts anew.",
         lambda c, f: [c.insert("--recount", "apply")] if "apply" in c.args else [], program="git", rank=30),
    Rule("git.mv_source", "bad source", r"bad source, source=(?P<path>[^,]+)", "{path} is a bad source: it does not exist here, or git does not track it.", lambda c, f: [c.swap(f["path"], c.near_path(f["path"]))] if c.near_path(f["path"]) else [], program="git", rank=30),
    Rule("git.mv_exists", "destination exists", r"destination exists, source=(?P<path>[^,]+), destination=(?P<other>\S+)", "{other} exists already, so git does not move {path} over it. -f does.", lambda c, f: [c.insert("-f", "mv")], program="git", rank=30),
    Rule("git.not_valid_ref", "not a valid object name", r"not a valid object name:? '?(?P<name>[^'\n.]+)", "{name} is not a valid object name: no branch, tag or commit is called so, or there is no commit yet.",
         lambda c, f: [c.swap(f["name"], n) for n in nearest(f["name"], names(c))], rank=32),
    Rule("git.branch_missing", "branch '", r"branch '(?P<name>[^']+)' not found", "There is no branch {name}: not found. git branch lists them.",
         lambda c, f: [c.swap(f["name"], n) for n in nearest(f["name"], names(c))], rank=30),
    Rule("git.not_merged", "not fully merged", r"branch '(?P<name>[^']+)' is not fully merged", "The branch {name} is not fully merged: commits on it would be lost. -D deletes it all the same.",
         lambda c, f: [c.swap("-d", "-D") or c.swap("--delete", "-D"), ], rank=30),
    Rule("git.delete_current", ("checked out at", "used by worktree at", "cannot delete branch"), r"[Cc]annot delete (?:the )?branch '(?P<name>[^']+)'(?: (?:checked out|used by worktree) at '(?P<path>[^']+))?", _held_branch,
         lambda c, f: [f"git switch {_other(c, f['name'])} && {c.command}"] if _other(c, f["name"]) and _is_current(c, f["name"]) else [], rank=30),
    Rule("git.branch_exists", "already exists", r"a branch named '(?P<name>[^']+)' already exists", "A branch named {name} already exists. Switch to it with git switch, or choose another name.",
         lambda c, f: [c.swap("-b", "").replace("''", "").replace("  ", " ")] if "-b" in c.args and len(c.operands) == 2 else [f"git switch {quote(f['name'])}"] if "switch" in c.operands else [], program="git", rank=30, rewrites=True),
    Rule("git.tag_exists", "already exists", r"tag '(?P<name>[^']+)' already exists", "The tag {name} already exists. --force moves it; a tag that others have should not move.",
         lambda c, f: [c.insert("--force", "tag")], program="git", rank=30),
    Rule("git.local_changes", "would be overwritten by", r"local changes to the following files would be overwritten", _overwritten, _stashed, rank=30),
    Rule("git.untracked_overwrite", "untracked working tree files would be overwritten", "", lambda c, f: f"Untracked files would be overwritten: {_files(c)}. Move, add or delete them first.", rank=30),
    Rule("git.unstaged", ("you have unstaged changes", "your index contains uncommitted changes", "uncommitted changes"), r"(?:unstaged|uncommitted) changes",
         "There are unstaged or uncommitted changes, and git starts no {command} over them. Stash or commit them first.", _stashed, program="git", rank=32),
    Rule("git.rm_modified", ("has local modifications", "has changes staged", "have local modifications", "has staged content"), "",
         lambda c, f: f"{_files(c)} has local modifications or staged changes that git rm would lose. --cached keeps the file, -f removes it all the same.",
         lambda c, f: [c.insert("--cached", "rm"), c.insert("-f", "rm")], program="git", rank=30),
    Rule("git.rm_recursive", "not removing", r"not removing '(?P<path>[^']+)' recursively without -r", "{path} is a directory; git rm removes it with -r (recursive).", lambda c, f: [c.insert("-r", "rm")], program="git", rank=30),
    Rule("git.ignored", "ignored by one of your .gitignore", "", lambda c, f: f"{_files(c) or 'The path'} is ignored by a .gitignore file. -f adds it all the same; git check-ignore -v says which line.",
         lambda c, f: [c.insert("-f", "add")], program="git", rank=30),
    Rule("git.nothing", ("nothing to commit", "no changes added to commit", "nothing added to commit"), "",
         _nothing, _nothing_fixes, program="git", rank=34),
    Rule("git.add_nothing", "nothing specified, nothing added", "", "git add was given nothing to add. A dot means all of this folder.", lambda c, f: [c.append(".")], rank=30),
    Rule("git.bisect", "usage: git bisect", r"usage: git bisect \[(?P<names>[a-z|]+)", "git bisect has no such subcommand. It knows {names}.",
         lambda c, f: [c.swap(c.operands[1], n) for n in nearest(c.operands[1], f["names"].split("|"))] if len(c.operands) > 1 else [], rank=30),
    Rule("git.stash_empty", ("no stash entries", "no stash found"), "", "There are no stash entries: the stash is empty. git stash list and git reflog show what was kept.", rank=30),
    Rule("git.stash_missing", "is not a valid reference", r"(?P<name>stash@\{\d+\}|\S+) is not a valid reference", "{name} is not a valid reference: there is no such stash entry. git stash list shows those there are.", rank=30),
    Rule("git.identity", ("please tell me who you are", "unable to auto-detect email address", "empty ident name"), "", "git does not know who you are: no identity (user.name and user.email) is set. Set both once, then commit again.",
         ('git config --global user.name "{{name}}" && git config --global user.email "{{email}}"',), rank=28),
    Rule("git.empty_message", "aborting commit due to empty commit message", "", "The commit was given up: its message was empty. Write one, or give it with -m.", rank=30),
    Rule("git.pathspec_m", "paths with -a does not make sense", r"paths '(?P<path>[^']+)", "git commit -a takes all changes, so naming {path} makes no sense. Leave out one of the two, or quote the message.", rank=30),
    Rule("git.no_commits", ("does not have any commits yet", "your current branch appears to be broken"), r"(?:branch '(?P<name>[^']+)')?", "The branch {name} does not have any commits yet, so there is nothing to show. Commit something first.", rank=30),
    Rule("git.bad_option", ("unknown option", "unknown switch"), r"unknown (?:option|switch):? [`'‘](?P<name>[^'’`]+)", lambda c, f: f"{c.command}: git knows no option {f['name']} here (unknown option)." + "".join(f" {one} is one." for one in other_case(c, f["name"])),
         lambda c, f: [*(c.swap("-" + f["name"], n) for n in other_case(c, f["name"])), *(c.swap("--" + f["name"], n) for n in nearest("--" + f["name"], re.findall(r"--[a-z][\w-]+", c.output)))], program="git", rank=35, typed=("name",)),
)  # fmt: skip


def _renamed(case: Case, name: str) -> list[str]:
    """The same branch under the other name that a first branch has, where it is there."""
    other = re.sub(
        r"(?<![\w-])(?:main|master)$", lambda hit: "main" if hit.group() == "master" else "master", name
    )
    return [other] if other != name and other in revisions(case) else []


def _other(case: Case, name: str) -> str:
    rest = [branch for branch in (case.repo.branches if case.repo else []) if branch != name]
    return next((branch for branch in ("main", "master") if branch in rest), "")
