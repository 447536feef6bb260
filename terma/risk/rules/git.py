"""git: what rewrites history, throws uncommitted work away, or deletes on the remote."""

from __future__ import annotations

from terma.risk.model import Call, Finding, Findings
from terma.risk.rules.table import Rule, operand_texts

_REWRITES = "rewrites history"
_THROWS = "throws away uncommitted changes"

RULES = (
    Rule("git", "high", "overwrites history on the remote", "push", "--force -f --mirror"),
    Rule(
        "git", "medium", "overwrites history on the remote", "push", "--force-with-lease --force-if-includes"
    ),
    Rule("git", "high", "deletes on the remote", "push", "--delete -d --prune"),
    Rule("git", "high", _THROWS, "reset", "--hard --merge"),
    Rule("git", "medium", "moves the branch to another commit", "reset", "--soft --mixed --keep"),
    Rule("git", "low", "", "clean", "-n"),
    Rule("git", "high", "deletes files that git does not track", "clean", "-f --force"),
    Rule("git", "medium", "deletes files that git does not track", "clean", "-i --interactive"),
    Rule("git", "high", "deletes branches, merged or not", "branch", "-D --force -f"),
    Rule("git", "medium", "deletes branches", "branch", "-d --delete"),
    Rule("git", "medium", "overwrites a branch", "branch", "-M -C"),
    Rule("git", "medium", _REWRITES, "commit", "--amend"),
    Rule("git", "low", "", "rebase", "--abort --continue --skip --show-current-patch --quit"),
    Rule("git", "high", _REWRITES, "rebase"),
    Rule("git", "medium", _REWRITES, "pull", "--rebase -r", unless="--no-rebase"),
    Rule("git", "high", _REWRITES + " of the whole repository", "filter-branch|filter-repo|fast-import"),
    Rule("git", "high", _REWRITES, "replace|commit-tree", "-d -f"),
    Rule("git", "high", "deletes stashed changes", "stash drop|stash clear"),
    Rule("git", "high", _THROWS, "checkout", "-f --force"),
    Rule("git", "high", _THROWS, "switch", "-f --force --discard-changes"),
    Rule("git", "medium", "overwrites a branch", "checkout", "-B"),
    Rule("git", "medium", "overwrites a branch", "switch", "-C"),
    Rule("git", "low", "", "restore", "--staged -S", unless="--worktree -W"),
    Rule("git", "high", _THROWS, "restore"),
    Rule("git", "low", "", "rm", "--cached"),
    Rule("git", "high", "deletes files, recursively", "rm", "-r"),
    Rule("git", "medium", "deletes files", "rm"),
    Rule("git", "high", "deletes what could still be recovered", "reflog expire|reflog delete|prune"),
    Rule("git", "high", "deletes what could still be recovered", "gc", "--prune"),
    Rule("git", "medium", "deletes tags", "tag", "-d --delete"),
    Rule("git", "medium", "overwrites a tag", "tag", "-f --force"),
    Rule("git", "high", "deletes a reference", "update-ref", "-d"),
    Rule("git", "medium", "deletes a worktree", "worktree remove|worktree prune"),
    Rule("git", "medium", "deletes a remote", "remote remove|remote rm"),
    Rule("git", "medium", "empties a submodule", "submodule deinit"),
    Rule(
        "gh",
        "high",
        "deletes on the remote",
        "repo delete|release delete|secret delete|issue delete|gist delete",
    ),
    Rule("gh", "medium", "merges on the remote", "pr merge"),
    Rule("bfg git-filter-repo", "high", _REWRITES + " of the whole repository"),
    Rule("hg", "high", _REWRITES, "strip|histedit|rollback"),
    Rule("hg svn", "high", _THROWS, "revert|update", "-C --clean -R --recursive --all -a"),
)


def _git(call: Call) -> Findings:
    """What hangs on the form of an operand: a refspec, a path after `--`."""
    verb, *rest = operand_texts(call) or [""]
    if verb == "push":
        if any(spec.startswith("+") for spec in rest[1:]):
            yield Finding("high", "overwrites history on the remote")
        if any(spec.startswith(":") and len(spec) > 1 for spec in rest[1:]):
            yield Finding("high", "deletes on the remote")
    elif verb == "checkout" and not call.flags() & {"-b", "--orphan", "--track", "-t"}:
        if "--" in [word.text for word in call.args] or any(path in (".", "./", "*", ":/") for path in rest):
            yield Finding("high", _THROWS)
        elif len(rest) > 1:
            yield Finding("medium", "overwrites files with those of another commit")
    elif verb == "reset" and any("~" in spec or "^" in spec for spec in rest):
        yield Finding("medium", "moves the branch to another commit")


CHECKS = {"git": _git}
