"""git and its kin: what rewrites history, throws uncommitted work away, publishes, or deletes on the remote."""

from __future__ import annotations

import re

from terma.risk.model import Call, Finding, Findings
from terma.risk.rules.table import operand_texts, rows

_THROWS = "throws away uncommitted changes"

RULES = rows("""
git | push | -n --dry-run | low
git | push | --force -f --mirror | high history: overwrites history on the remote
git | push | --force-with-lease --force-if-includes | medium history: overwrites history on the remote
git | push | --delete -d --prune | high history: deletes on the remote
git | reset | --hard --merge | high history: throws away uncommitted changes
git | reset | --soft | low
git | reset | --mixed --keep | medium history: moves the branch to another commit
git | clean | -n --dry-run | low
git | clean | -f --force -x -d | high deletes: deletes files that git does not track
git | clean | -i --interactive | medium deletes: deletes files that git does not track
git | branch | -D --force -f | high history: deletes branches, merged or not
git | branch | -d --delete | medium history: deletes branches
git | branch | -M -C | medium history: overwrites a branch
git | commit | --amend | medium history: rewrites history
git | rebase | --abort --continue --skip --show-current-patch --quit | low
git | rebase |  | high history: rewrites history
git | pull | --force | medium history: rewrites history
git | filter-branch, filter-repo, fast-import |  | high history: rewrites history of the whole repository
git | replace, commit-tree | -d -f | high history: rewrites history
git | stash drop, stash clear |  | high history: deletes stashed changes
git | checkout | -f --force | high history: throws away uncommitted changes
git | switch | -f --force --discard-changes | high history: throws away uncommitted changes
git | checkout | -B | medium history: overwrites a branch
git | switch | -C | medium history: overwrites a branch
git | restore | --staged -S !--worktree !-W | low
git | restore |  | high history: throws away uncommitted changes
git | rm | --cached -n | low
git | rm | -r | high deletes: deletes files, recursively
git | rm |  | medium deletes: deletes files
git | reflog expire, reflog delete, prune |  !-n !--dry-run | high history: deletes what could still be recovered
git | gc | --prune | high history: deletes what could still be recovered
git | tag | -d --delete | medium history: deletes tags
git | tag | -f --force | medium history: overwrites a tag
git | update-ref | -d --stdin | high history: deletes a reference
git | update-ref, symbolic-ref | 1 !-q !--short | medium history: moves a reference by hand
git | worktree remove | -f --force | high history: deletes a worktree with what is not committed
git | worktree remove, worktree prune |  | medium history: deletes a worktree
git | remote remove, remote rm, remote prune | !-n !--dry-run | medium history: deletes a remote
git | remote set-url, remote add | +http://* | medium network: fetches code without encryption
git | submodule deinit |  | medium deletes: empties a submodule
git | submodule foreach |  | low
git | read-tree | --reset -u | high history: throws away uncommitted changes
git | checkout-index | -f -a | high history: throws away uncommitted changes
git | merge, cherry-pick, revert, am | --abort | medium history: throws away a merge half done
git | lfs prune, annex drop, annex dropunused |  | high deletes: deletes files that git keeps
git | daemon, instaweb |  | medium network: offers the repository to others
git | bundle create, archive |  | low
git | update-index | --assume-unchanged --skip-worktree | medium history: hides changes from git
git | config | --get --get-all --list -l --get-regexp --show-origin | low
gh | repo delete, release delete, secret delete, issue delete, gist delete, run delete, cache delete, variable \
    delete, label delete, ssh-key delete, gpg-key delete, codespace delete, project delete | \
    | high deletes: deletes on the remote
gh | repo edit | --visibility=public | high leaks: shows a repository to everybody
gh | repo archive, repo rename |  | medium changes: changes a repository for everybody
gh | repo create | --public | medium leaks: shows a repository to everybody
gh | pr merge | --admin | high grants: merges past the rules of the repository
gh | pr merge |  | medium history: merges on the remote
gh | ssh-key add, gpg-key add, repo deploy-key add |  | medium grants: adds a key to an account
gh | extension install |  | medium runs-unknown-code: installs a program of somebody else's
gh | codespace ssh |  | low
gh | workflow run, workflow disable, run rerun, run cancel, workflow enable, release create | \
    | medium changes: starts or stops work on the remote
glab | repo delete, release delete, mr delete, issue delete, variable delete |  \
    | high deletes: deletes on the remote
glab | mr merge |  | medium history: merges on the remote
bfg git-filter-repo git-filter-branch |  |  | high history: rewrites history of the whole repository
hg | strip, histedit, rollback, purge, evolve, prune, rebase |  | high history: rewrites history
hg | commit | --amend | medium history: rewrites history
hg svn | revert, update, up, clean | -C --clean -R --recursive --all -a \
    | high history: throws away uncommitted changes
svn | revert, cleanup | 1 | medium history: throws away uncommitted changes
svn | delete, rm, del | +*://* | high deletes: deletes on the remote
svn | delete, rm, del |  | medium deletes: deletes files
svnadmin | setrevprop, setlog | --bypass-hooks | high history: rewrites history past its guards
svnadmin | setrevprop, hotcopy, setlog |  | medium history: rewrites history
jj | abandon, op restore, op abandon, util gc, restore |  | high history: rewrites history
p4 | obliterate, delete |  | high history: deletes on the server
""")


def _git(call: Call) -> Findings:
    """What hangs on the form of an operand: a refspec, a path after `--`."""
    verb, *rest = operand_texts(call) or [""]
    if verb == "push" and not call.flags() & {"-n", "--dry-run"}:
        if "staged" in call.words[0].holds:
            yield Finding("high", "sends a key or a password away", "leaks")
        if any(spec.startswith("+") for spec in rest[1:]):
            yield Finding("high", "overwrites history on the remote", "history")
        if any(spec.startswith(":") and len(spec) > 1 for spec in rest[1:]):
            yield Finding("high", "deletes on the remote", "history")
    elif verb == "checkout" and not call.flags() & {"-b", "--orphan", "--track", "-t"}:
        if "-B" in call.flags() and call.flags() & {"-f", "--force"}:
            yield Finding("high", _THROWS, "history")
        if "--" in [word.text for word in call.args] or any(path in (".", "./", "*", ":/") for path in rest):
            yield Finding("high", _THROWS, "history")
        elif len(rest) > 1:
            yield Finding("medium", "overwrites files with those of another commit", "history")
    elif verb == "reset" and "--soft" not in call.flags() and any("~" in one or "^" in one for one in rest):
        yield Finding("medium", "moves the branch to another commit", "history")
    elif verb == "add" and any(word.holds & {"secret", "private"} for word in call.args):
        yield Finding("medium", "puts a secret into the repository", "leaks")


def _api(call: Call) -> Findings:
    """`gh api -X DELETE`, `-X PATCH …/refs`: what is asked of the server by hand."""
    if operand_texts(call)[:1] != ["api"]:
        return
    method = call.value("-X", "--method")
    verb = method.text.upper() if method else ""
    if verb == "DELETE":
        yield Finding("high", "deletes on the remote", "deletes")
    elif verb in ("PATCH", "PUT", "POST"):
        texts = " ".join(word.text for word in call.args)
        force = (
            "force=true" in texts
            or "/refs/" in texts
            or re.search("protection|visibility|permission=(?:admin|maintain)", texts)
        )
        kind, reason = (
            ("history", "moves a branch on the remote")
            if "refs" in texts
            else ("changes", "changes something on the remote")
        )
        yield Finding("high" if force else "medium", reason, kind)  # type: ignore[arg-type]


CHECKS = {"git": _git, "gh": _api, "glab": _api}
