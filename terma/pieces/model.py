"""What a command is told in: pieces with their place in its text, what each does, and who says so."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Literal

UNKNOWN = "not known here"
NO_PROGRAM = "no such program here"
Kind = Literal[
    "program", "subcommand", "option", "operand", "redirect", "operator", "substitution", "assignment", "keyword",
    "comment",
]  # fmt: skip


@dataclass(frozen=True, slots=True)
class Piece:
    """`text` as it is written at [start, end) of the line, in code points; `says` "" when nobody here knows what it
    does; `source`: who says so. `depth`: how far inside other pieces. `risk`: the level that it brings, "" for none."""

    start: int
    end: int
    text: str
    kind: Kind
    says: str = ""
    source: str = ""
    depth: int = 0
    risk: str = ""

    @property
    def told(self) -> str:
        """What is shown of it."""
        return self.says or UNKNOWN


@dataclass(frozen=True, slots=True)
class Asked:
    """A line and where it stands. `shell` is whose line it is ("" for any), `path` its PATH; `aliases` and `functions`
    are that shell's own."""

    line: str
    shell: str = ""
    path: str = ""
    cwd: str = ""
    aliases: Mapping[str, str] = field(default_factory=dict)
    functions: frozenset[str] = frozenset()
    script: bool = False

    def bare(self) -> Asked:
        """As another program or shell finds commands: without what the asking shell defines."""
        return replace(self, aliases={}, functions=frozenset())


@dataclass(frozen=True, slots=True)
class Explained:
    """`pieces` in the order of the line; `level` and `reasons` of its risk; `trouble`: why it could not be read."""

    pieces: tuple[Piece, ...] = ()
    level: str = "low"
    reasons: tuple[str, ...] = ()
    trouble: str = ""
