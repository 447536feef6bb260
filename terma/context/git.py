"""The state of the git repository that the person stands in, found without running anything that it names.

Branch, operation and remotes come from files. The counts come from `git status`, which never sees the repository's
configuration: it runs in a git directory of terma's own making, which borrows the objects and the index and knows
neither filter nor monitor, hook, remote or promise (`_stand_in`). The output is that of git-status(1), porcelain
version 2.
"""

from __future__ import annotations

import asyncio
import os
import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from terma import reading
from terma.context.repository import Repository, around
from terma.context.run import output_of
from terma.context.scratch import folder
from terma.errors import TermaError
from terma.text import one_line

LIMIT = 0.3  # seconds for `git status`
_MOST = 256 * 1024  # bytes of a list that is handed on
_STATUS = (
    "--no-optional-locks --no-pager -c core.hooksPath=/dev/null -c core.fsmonitor=false"
    " status --porcelain=v2 --branch --untracked-files=normal --ignore-submodules=all"
).split()
# What of a repository's own settings says how its files lie on the disk, in words that can say nothing else.
_TAKEN = {
    "filemode": ("true", "false"),
    "symlinks": ("true", "false"),
    "ignorecase": ("true", "false"),
    "precomposeunicode": ("true", "false"),
    "autocrlf": ("true", "false", "input"),
}


@dataclass(frozen=True, slots=True)
class GitState:
    """`root` is the working tree's top. `branch` is "" with a detached head, `commit` short and "" before the first
    one, `upstream` like "origin/main" or "". `operation` is merge, rebase, am, cherry-pick, revert, bisect or "".
    `remote` is what a bare `git push` would use, "" without remotes. `readable` is false where neither branch nor
    commit can be told. The counts (files; commits for `ahead` and `behind`) mean nothing unless `counted`: git took
    too long, or was not there."""

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
    readable: bool = True

    @property
    def line(self) -> str:
        """The state as one line: `git: on main, 2 ahead of origin/main, 1 staged; a merge is under way`."""
        parts = [f"on {self.branch}" if self.branch else f"detached at {self.commit}"]
        if not self.readable:
            parts = ["a repository, its branch is not known"]
        elif not self.commit:
            parts.append("no commit yet")
        if self.upstream and self.counted:
            gaps = [
                f"{count} {word}"
                for count, word in ((self.ahead, "ahead of"), (self.behind, "behind"))
                if count
            ]
            parts.append(f"{' and '.join(gaps) or 'follows'} {self.upstream}")
        elif self.upstream:
            parts.append(f"follows {self.upstream}")
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
        found = await asyncio.to_thread(around, cwd)
    except (OSError, ValueError):
        return None
    return None if found is None else await counted(found, path, limit)


def read(cwd: str) -> tuple[GitState, Repository] | None:
    """What the files say of the repository around `cwd`, without counts. None when there is none.

    Raises OSError, ValueError when what is there cannot be read."""
    found = around(cwd)
    return None if found is None else (_of(found), found)


async def counted(found: Repository, path: str, limit: float = LIMIT) -> GitState:
    """The state with counts, if git gives them within `limit` seconds. Raises nothing but CancelledError."""
    state = _of(found)
    if not found.readable:
        return state
    try:
        async with asyncio.timeout(limit):
            with folder() as made:
                environment = await asyncio.to_thread(_stand_in, made, found)
                git = ["git", "-C", str(found.root), *_STATUS]
                told = await output_of(git, path=_outside(path, found.root), env=environment, bare=True)
    except (TimeoutError, TermaError, OSError, ValueError):
        return state
    return _with_counts(state, told.decode("utf-8", "replace"))


def _of(found: Repository) -> GitState:
    return GitState(
        str(found.root),
        found.branch,
        found.commit[:7],
        found.upstream.removeprefix("refs/remotes/").removeprefix("refs/heads/")
        if found.object_at(found.upstream)
        else "",
        found.operation,
        found.remote,
        readable=found.readable,
    )


def _stand_in(made: Path, found: Repository) -> dict[str, str]:
    """Make of the empty folder `made` a git directory with the head, the upstream and the ignored names of `found` and
    with a configuration of ours; the environment in which git uses that. Raises OSError."""
    (made / "refs" / "heads").mkdir(parents=True)
    (made / "info").mkdir()
    on_branch = found.branch and found.operation != "rebase"  # which detaches the head
    (made / "HEAD").write_text("ref: refs/heads/head\n" if on_branch else f"{found.commit}\n", "ascii")
    if found.commit and on_branch:
        (made / "refs/heads/head").write_text(f"{found.commit}\n", "ascii")
    upstream = found.object_at(found.upstream) if on_branch else ""
    if upstream:
        (made / "refs/heads/upstream").write_text(f"{upstream}\n", "ascii")
    (made / "config").write_text("\n".join(_configuration(found, bool(upstream))), "ascii")
    for name in ("info/exclude", "shallow"):
        (made / name).write_text(reading.text(found.shared / name, _MOST), "utf-8")
    if not reading.head(made / "shallow", 1):
        (made / "shallow").unlink()
    return {
        "GIT_DIR": str(made),
        "GIT_WORK_TREE": str(found.root),
        "GIT_INDEX_FILE": str(found.git / "index"),
        "GIT_OBJECT_DIRECTORY": str(found.shared / "objects"),
        "GIT_CONFIG_GLOBAL": "/dev/null",
        "GIT_CONFIG_SYSTEM": "/dev/null",
        "GIT_CONFIG_NOSYSTEM": "1",
        "GIT_ATTR_NOSYSTEM": "1",
        "GIT_OPTIONAL_LOCKS": "0",
        "GIT_NO_LAZY_FETCH": "1",
        "GIT_ALLOW_PROTOCOL": "none",
        "GIT_TERMINAL_PROMPT": "0",
        "HOME": os.environ.get("HOME", "/nonexistent"),  # its .config/git/ignore
        "LC_ALL": "C",
    }


def _configuration(found: Repository, follows: bool) -> Iterator[str]:
    sha256 = len(found.commit) == 64
    yield f"[core]\nbare = false\nrepositoryformatversion = {int(sha256)}"
    for key, value in dict(found.core).items():
        if value.lower() in _TAKEN.get(key, ()):
            yield f"{key} = {value.lower()}"
    if sha256:
        yield "[extensions]\nobjectformat = sha256"
    if follows:
        yield '[branch "head"]\nremote = .\nmerge = refs/heads/upstream'
    yield ""


def _outside(path: str, root: Path) -> str:
    """The folders of `path` (a PATH) that do not lie in the repository, which may have a `git` of its own."""
    top = str(root.resolve())
    folders = (path or os.environ.get("PATH", os.defpath)).split(":")
    kept = [
        one
        for one in folders
        if one.startswith("/") and not f"{os.path.realpath(one)}/".startswith(f"{top}/")
    ]
    return ":".join(kept) or "/nonexistent"


def _with_counts(state: GitState, told: str) -> GitState:
    """`state` with what `git status --porcelain=v2 --branch` told."""
    staged = unstaged = untracked = conflicted = ahead = behind = 0
    for line in told.split("\n"):
        kind, _, rest = line.partition(" ")
        if gaps := re.match(r"# branch\.ab \+(\d+) -(\d+)", line):
            ahead, behind = int(gaps[1]), int(gaps[2])
        elif kind in ("1", "2"):
            staged += rest[:1] != "."
            unstaged += rest[1:2] != "."
        untracked += kind == "?"
        conflicted += kind == "u"
    return replace(
        state, counted=True, ahead=ahead, behind=behind,
        staged=staged, unstaged=unstaged, untracked=untracked, conflicted=conflicted,
    )  # fmt: skip
