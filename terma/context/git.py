"""The state of the git repository that the person stands in, read without running anything that the repository names.

Branch, operation and remotes come from files under .git; one `git status` counts changes and is cut off after LIMIT.
Hooks, fsmonitor, submodules and optional locks are off for it, and it is not run at all where the repository's own
configuration names a filter, which git would run. File names are those of gitrepository-layout(5), the output that of
git-status(1), porcelain version 2."""

from __future__ import annotations

import asyncio
import os
import re
from dataclasses import dataclass
from pathlib import Path

from terma.context.run import output_of
from terma.errors import TermaError
from terma.text import one_line

LIMIT = 0.3  # seconds for `git status`
_MOST = 256 * 1024  # bytes of a file under .git
_OFF = (
    "--no-optional-locks --no-pager -c core.fsmonitor=false -c core.hooksPath=/dev/null -c safe.bareRepository=explicit"
).split()
_STATUS = "status --porcelain=v2 --branch --untracked-files=normal --ignore-submodules=all".split()
_NAMED_BY = ("GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE")
# What lies under .git while it lasts. A rebase comes before the cherry-pick that it does underneath.
_OPERATIONS = {
    "rebase-merge": "rebase",
    "rebase-apply/applying": "am",
    "rebase-apply": "rebase",
    "MERGE_HEAD": "merge",
    "CHERRY_PICK_HEAD": "cherry-pick",
    "REVERT_HEAD": "revert",
    "BISECT_LOG": "bisect",
}
_SECTION = re.compile(r'^\s*\[\s*([A-Za-z0-9.-]+)(?:\s+"((?:[^"\\]|\\.)*)")?\s*\]', re.M)
_RUNS = ("filter", "include", "includeif")  # an included file may name a filter
_REMOTE = re.compile(r"^\s*remote\s*=\s*(\S+)", re.M)


@dataclass(frozen=True, slots=True)
class GitState:
    """`root` is the working tree's top. `branch` is "" with a detached head, `commit` short and "" before the first
    one, `upstream` like "origin/main" or "". `operation` is merge, rebase, am, cherry-pick, revert, bisect or "".
    `remote` is what a bare `git push` would use, "" without remotes. The counts (files; commits for `ahead` and
    `behind`) mean nothing unless `counted`: git took too long, or must not be run here."""

    root: str
    branch: str = ""
    commit: str = ""
    upstream: str = ""
    operation: str = ""
    remote: str = ""
    counted: bool = False
    ahead: int = 0
    behind: int = 0
    staged: int = 0
    unstaged: int = 0
    untracked: int = 0
    conflicted: int = 0

    @property
    def line(self) -> str:
        """The state as one line: `git: on main, 2 ahead of origin/main, 1 staged; a merge is under way`."""
        parts = [f"on {self.branch}" if self.branch else f"detached at {self.commit}"]
        if not self.commit:
            parts.append("no commit yet")
        if self.upstream:
            gaps = [
                f"{count} {word}"
                for count, word in ((self.ahead, "ahead of"), (self.behind, "behind"))
                if count
            ]
            parts.append(f"{' and '.join(gaps) or 'follows'} {self.upstream}")
        elif self.branch and self.counted:
            parts.append("no upstream")
        kinds = ("staged", "unstaged", "untracked", "conflicted")
        changes = [f"{count} {kind}" for kind in kinds if (count := getattr(self, kind))]
        if self.counted:
            parts += changes or ["nothing changed"]
        under_way = (
            f"; {'an' if self.operation == 'am' else 'a'} {self.operation} is under way"
            if self.operation
            else ""
        )
        return one_line("git: " + ", ".join(parts) + under_way)


async def state(cwd: str, path: str = "", limit: float = LIMIT) -> GitState | None:
    """The state of the repository around the absolute path `cwd`; None when there is none.

    `path` is the asking shell's PATH. Raises nothing but CancelledError."""
    try:
        found = read(cwd)
    except (OSError, ValueError):
        return None
    if found is None or not found[1]:
        return found and found[0]
    try:
        async with asyncio.timeout(limit):
            named = [part for name in _NAMED_BY if name in os.environ for part in ("-u", name)]
            git = [*(["env", *named] if named else []), "git", *_OFF, "-C", cwd, *_STATUS]
            told = await output_of(git, path=path, env={"GIT_OPTIONAL_LOCKS": "0", "LC_ALL": "C"})
    except (TimeoutError, TermaError, OSError):
        return found[0]
    return _with_counts(found[0], told.decode("utf-8", "replace"))


def read(cwd: str) -> tuple[GitState, bool] | None:
    """What the files say of the repository around `cwd`, without counts, and whether git may be asked for those.

    None when there is none. Raises OSError when what is there cannot be read."""
    for folder in (Path(cwd), *Path(cwd).parents) if cwd.startswith("/") else ():
        if (folder / ".git").exists():
            break
    else:
        return None
    git = folder / ".git"
    if git.is_file():  # a worktree or a submodule: the file names the place
        git = (folder / _text(git).removeprefix("gitdir:").strip()).resolve()
    shared = git / _text(git / "commondir").strip() if (git / "commondir").is_file() else git
    head = _text(git / "HEAD").strip()
    branch = head.removeprefix("ref: refs/heads/") if head.startswith("ref: ") else ""
    config = _text(shared / "config") if (shared / "config").is_file() else ""
    if (git / "config.worktree").is_file():
        config += "\n" + _text(git / "config.worktree")
    state = GitState(
        str(folder),
        _rebased(git) or branch,
        _commit(git, shared, head),
        operation=next((name for file, name in _OPERATIONS.items() if (git / file).exists()), ""),
        remote=_remote(config, branch),
    )
    return state, not any(match[1].lower().split(".")[0] in _RUNS for match in _SECTION.finditer(config))


def _text(path: Path) -> str:
    with os.fdopen(os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC), "rb") as file:
        return file.read(_MOST).decode("utf-8", "replace")


def _rebased(git: Path) -> str:
    """The branch that a rebase under way will move; its head is detached meanwhile."""
    for place in ("rebase-merge", "rebase-apply"):
        if (git / place / "head-name").is_file():
            return _text(git / place / "head-name").strip().removeprefix("refs/heads/")
    return ""


def _commit(git: Path, shared: Path, head: str) -> str:
    """The commit at HEAD, shortened; "" when there is none yet."""
    if not head.startswith("ref: "):
        return head[:7]
    name = head.removeprefix("ref: ")
    for place in (git, shared):
        if ".." not in name and (place / name).is_file():
            return _text(place / name).strip()[:7]
    packed = shared / "packed-refs"
    lines = _text(packed).split("\n") if packed.is_file() else []
    return next((line[:7] for line in lines if line.endswith(f" {name}")), "")


def _remote(config: str, branch: str) -> str:
    """The branch's own remote, else origin, else the only one, else ""."""
    names = []
    sections = [*_SECTION.finditer(config)]
    for index, match in enumerate(sections):
        end = sections[index + 1].start() if index + 1 < len(sections) else len(config)
        if match[1].lower() == "remote" and match[2]:
            names.append(match[2])
        elif branch and (match[1].lower(), match[2]) == ("branch", branch):
            own = _REMOTE.search(config, match.end(), end)
            if own:
                return own[1]
    return "origin" if "origin" in names else names[0] if len(names) == 1 else ""


def _with_counts(state: GitState, told: str) -> GitState:
    """`state` with what `git status --porcelain=v2 --branch` told."""
    staged = unstaged = untracked = conflicted = ahead = behind = 0
    upstream, branch, commit = "", state.branch, state.commit
    for line in told.split("\n"):
        kind, _, rest = line.partition(" ")
        if line.startswith("# branch.upstream "):
            upstream = line.removeprefix("# branch.upstream ")
        elif line.startswith("# branch.head ") and "(" not in line:
            branch = line.removeprefix("# branch.head ")
        elif line.startswith("# branch.oid "):
            commit = "" if "(" in line else line.removeprefix("# branch.oid ")[:7]
        elif gaps := re.match(r"# branch\.ab \+(\d+) -(\d+)", line):
            ahead, behind = int(gaps[1]), int(gaps[2])
        elif kind in ("1", "2"):
            staged += rest[:1] != "."
            unstaged += rest[1:2] != "."
        untracked += kind == "?"
        conflicted += kind == "u"
    return GitState(
        state.root, branch, commit, upstream, state.operation, state.remote,
        True, ahead, behind, staged, unstaged, untracked, conflicted,
    )  # fmt: skip
