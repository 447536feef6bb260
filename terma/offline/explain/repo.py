"""What a git repository looks like, read from its files: no git is started for a question."""

from __future__ import annotations

import re
from functools import cached_property
from itertools import islice
from pathlib import Path

from terma import reading

MAX_READ = 1 << 20
MAX_REFS = 2000


class Repo:
    """The repository around a directory."""

    def __init__(self, top: Path, git: Path) -> None:
        self.top, self.git = top, git

    @classmethod
    def around(cls, cwd: str) -> Repo | None:
        """The repository that `cwd` is in, or None."""
        try:
            here = Path(cwd).resolve()
            for folder in (here, *here.parents):
                git = folder / ".git"
                if git.is_dir():
                    return cls(folder, git)
                if reading.is_regular(git):  # a worktree or a submodule
                    target = _read(git).partition("gitdir:")[2].strip()
                    return cls(folder, (folder / target).resolve()) if target else None
        except OSError:
            return None
        return None

    @cached_property
    def branch(self) -> str:
        """The current branch, "" when detached."""
        return _read(self.git / "HEAD").strip().partition("ref: refs/heads/")[2]

    @cached_property
    def _common(self) -> Path:
        other = _read(self.git / "commondir").strip()
        return (self.git / other).resolve() if other else self.git

    def _refs(self, kind: str) -> list[str]:
        base = self._common / "refs" / kind
        try:
            loose = [str(p.relative_to(base)) for p in islice(base.rglob("*"), MAX_REFS) if p.is_file()]
        except OSError:
            loose = []
        pattern = rf"^[0-9a-f]+ refs/{kind}/(.+)$"
        packed = re.findall(pattern, _read(self._common / "packed-refs"), re.MULTILINE)
        return sorted({*loose, *packed})

    @cached_property
    def branches(self) -> list[str]:
        """Local branches."""
        return self._refs("heads")

    @cached_property
    def tags(self) -> list[str]:
        return self._refs("tags")

    @cached_property
    def remote_branches(self) -> list[str]:
        """`origin/main`, and so on."""
        return [name for name in self._refs("remotes") if not name.endswith("/HEAD")]

    @cached_property
    def upstream(self) -> str:
        """The remote branch that the current branch tracks ("origin/main"), "" when none."""
        section = re.search(
            rf'^\[branch "{re.escape(self.branch)}"\]\n((?:[ \t]+.*\n?)*)',
            _read(self._common / "config"),
            re.MULTILINE,
        )
        told = dict(re.findall(r"(\w+)\s*=\s*(\S+)", section[1])) if section and self.branch else {}
        merge = told.get("merge", "").removeprefix("refs/heads/")
        return f"{told.get('remote', 'origin')}/{merge}" if merge else ""

    @cached_property
    def staged(self) -> bool:
        """Whether the index holds files: before the first commit, all of them are staged."""
        try:
            return int.from_bytes(reading.head(self.git / "index", 12)[8:], "big") > 0
        except (OSError, ValueError):
            return False

    @cached_property
    def remotes(self) -> list[str]:
        return re.findall(r'^\[remote "([^"]+)"\]', _read(self._common / "config"), re.MULTILINE)


def _read(file: Path) -> str:
    return reading.text(file, MAX_READ)
