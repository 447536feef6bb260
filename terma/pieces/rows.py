"""Pieces as rows of a terminal: what is written on the left, what it does beside it."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator
from dataclasses import dataclass

from terma.output.cells import mend, split
from terma.pieces.model import Explained, Piece
from terma.text import one_line

WIDEST = 26  # cells of the left column
NARROW = 60  # below this many columns it takes a third of them
MARK = "!! "


@dataclass(frozen=True, slots=True)
class Row:
    """One line of text without styles; `risk`: the level that it carries, "" for none."""

    text: str
    risk: str = ""


def rows(
    told: Explained, columns: int, *, most: int = 0, mark: bool = False, wrap: bool = False
) -> Iterator[Row]:
    """Each piece, at most `columns` cells wide, the risk at the end. `most`: so many rows, 0 for all; then how many
    pieces are left out is said. `mark`: risk is marked by `!!`, where no colour can. `wrap`: nothing is cut, long texts
    take several rows."""
    if told.trouble:
        yield Row(clipped(told.trouble, columns))
        return
    room = max(most - (told.level != "low"), 2) if most else len(told.pieces)
    shown = told.pieces if len(told.pieces) <= room else told.pieces[: room - 1]
    names = [_name(piece, mark and told.level != "low") for piece in shown]
    left = min(max(map(cells, names), default=0), WIDEST if columns >= NARROW else max(columns // 3, 8))
    for piece, name in zip(shown, names, strict=True):
        for text in _lines(name, piece, left, columns, wrap):
            yield Row(text, piece.risk)
    if len(shown) < len(told.pieces):
        yield Row(clipped(f"… and {len(told.pieces) - len(shown)} more: terma explain tells all", columns))
    if told.level != "low":
        verdict = f"{told.level} risk: {'; '.join(told.reasons)}"
        for text in textwrap.wrap(verdict, columns) if wrap else [clipped(verdict, columns)]:
            yield Row(text, told.level)


def _name(piece: Piece, mark: bool) -> str:
    before = (MARK if piece.risk else " " * len(MARK)) if mark else ""
    return before + "  " * min(piece.depth, 4) + one_line(piece.text, 400)


def _lines(name: str, piece: Piece, left: int, columns: int, wrap: bool) -> Iterator[str]:
    says = one_line(piece.told, 400)
    if not wrap:
        head = clipped(name, left)
        yield clipped(f"{head}{' ' * (left - cells(head))}  {says}", columns)
        return
    gap, room = left + 2, max(columns - left - 2, 10)
    lines = textwrap.wrap(says, room) or [""]
    if cells(name) > left:
        yield clipped(name, columns)
    else:
        yield f"{name}{' ' * (gap - cells(name))}{lines.pop(0)}"
    for line in lines:
        yield " " * gap + line


def cells(text: str) -> int:
    """How many cells the text takes."""
    return len(split(text))


def clipped(text: str, columns: int) -> str:
    """The text in at most `columns` cells, with an ellipsis where it was cut."""
    if cells(text) <= columns:
        return text
    kept = list(split(text))
    mend(kept, columns - 1)
    return "".join(kept[: max(columns - 1, 0)]).rstrip() + "…"
