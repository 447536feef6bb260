"""What a terminal shows, cell by cell, in a form of no emulator's own.

Cells are tuples, not dataclasses: a screen has thousands, they are hashed and compared for each frame, and an
unchanged row must cost nothing.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

RGB = tuple[int, int, int]  # red, green, blue, 0..255
Colour = int | RGB | None  # an index of the palette (0..255), a colour, or the terminal's default


class Style(NamedTuple):
    """How a cell is drawn; a picture shows neither blinking nor a line through it."""

    foreground: Colour = None
    background: Colour = None
    bold: bool = False
    dim: bool = False
    italic: bool = False
    underline: bool = False
    reverse: bool = False
    hidden: bool = False
    blink: bool = False
    strike: bool = False


PLAIN = Style()


class Cell(NamedTuple):
    """One character: a code point with its combining marks, " " when empty. What is two cells wide stands in the first
    one with `wide`, and the second holds ""."""

    text: str = " "
    style: Style = PLAIN
    wide: bool = False


Row = tuple[Cell, ...]
BLANK = Cell()


@dataclass(frozen=True, slots=True)
class Grid:
    """A whole screen. `cursor` is (row, column) from 0, None when hidden; `inverted` is the terminal's reverse video
    (DECSCNM). A row that did not change is best handed over as the same object again."""

    rows: tuple[Row, ...]
    cursor: tuple[int, int] | None = None
    inverted: bool = False


def grid_of(text: str, columns: int, rows: int, cursor: tuple[int, int] | None = None) -> Grid:
    """A screen of plain text, one line a row, cut at its edges."""
    lines = text.split("\n")[:rows]
    filled = [tuple(map(Cell, line[:columns].ljust(columns))) for line in lines]
    return Grid((*filled, *[(BLANK,) * columns] * (rows - len(filled))), cursor)
