"""What an output shows of a failure, without any knowledge of programs: the shapes that every answer stands on."""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum


class Weight(IntEnum):
    """How much a line of output says about the failure; of the heaviest lines one is decisive."""

    NOISE = 0  # stack frames, quoted source, usage, bare rules
    PLAIN = 1
    NOTE = 2  # warnings, hints, places to read more
    AFTERMATH = 3  # says that something failed which another line tells
    LOGGED = 4  # an error in a log line
    HINTED = 5  # holds a word that failures are told with
    SPOKEN = 6  # "program: what went wrong"
    ERROR = 7  # labelled as an error, or an error's place


@dataclass(frozen=True, slots=True)
class Place:
    """A position in a file: `line` and `column` from 1, 0 when not told; `index` is the line of output that tells it."""

    file: str
    line: int
    column: int = 0
    index: int = 0
    own: bool = True  # False: inside a library or the language itself

    def __str__(self) -> str:
        column = f":{self.column}" if self.column else ""
        return f"{self.file}:{self.line}{column}"


@dataclass(frozen=True, slots=True)
class Evidence:
    """An output taken apart. `lines` are its lines without boxes, wrapped ones joined; `weights` goes with them.

    `decisive` are the indices of the lines that tell the failure, the first one most. `values` are lines that say what
    was expected and what came; `suggested` are names that the output proposes, `advised` commands that it says to run."""

    lines: tuple[str, ...] = ()
    weights: tuple[Weight, ...] = ()
    decisive: tuple[int, ...] = ()
    places: tuple[Place, ...] = ()
    place: Place | None = None
    names: tuple[str, ...] = ()
    values: tuple[str, ...] = ()
    suggested: tuple[str, ...] = ()
    advised: tuple[str, ...] = ()

    @property
    def line(self) -> str:
        """The line that decides, "" when nothing was printed."""
        return self.lines[self.decisive[0]].strip() if self.decisive else ""

    @property
    def flat(self) -> str:
        """The output as it would stand on an endless line."""
        return "\n".join(self.lines)
