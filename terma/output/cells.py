"""Text as terminal cells, since a cursor counts cells and not characters.

A cell is the characters that stand in it; a wide character or a TAB is followed by empty cells. Widths are those
of Unicode's EastAsianWidth (UAX 11): W and F take two cells, marks and format characters none."""

from __future__ import annotations

import re
import unicodedata
from functools import cache, lru_cache

# Everything that may not take exactly one cell lies here; what lies here and does is looked up one by one.
_ODD = (
    "[\u0300-\u036f\u0483-\u1fff\u200b-\u200f\u2028-\u202e\u2060-\u206f\u20d0-\u20ff\u231a-\u23f3\u25fd\u25fe"
    "\u2600-\u27ff\u2b00-\u2bff\u2e80-\U0010ffff]"
)
TAB = 8

Cells = str | list[str]  # a str holds one character a cell


@lru_cache(maxsize=4096)
def width(char: str) -> int:
    """How many cells `char`, one printable character, takes: 0, 1 or 2."""
    if unicodedata.east_asian_width(char) in "WF":
        return 2
    return 0 if unicodedata.category(char) in ("Mn", "Me", "Cf") else 1


@cache
def _odd() -> re.Pattern[str]:
    """Made when it is needed: that takes a moment which short-lived programs would wait for."""
    return re.compile(_ODD)


def split(text: str) -> Cells:
    """`text` (no control characters) as cells; the text itself where each character takes one."""
    if text.isascii() or not _odd().search(text):
        return text
    cells: list[str] = []
    for char in text:
        taken = width(char)
        if taken == 0 and cells:
            mark(cells, len(cells), char)
            continue
        cells.append(char)
        if taken == 2:
            cells.append("")
    return cells


def mark(cells: list[str], at: int, marks: str) -> None:
    """Add `marks`, which take no cell, to the character before the boundary `at` (from 1)."""
    head = at - 1
    while head and not cells[head]:
        head -= 1
    cells[head] += marks


def mend(cells: list[str], at: int) -> None:
    """Blank the wide character or TAB that stands on both sides of the boundary before `at`: it is about to be cut."""
    if not 0 < at < len(cells) or cells[at]:
        return
    start, stop = at - 1, at
    while start and not cells[start]:
        start -= 1
    while stop < len(cells) and not cells[stop]:
        stop += 1
    cells[start:stop] = [" "] * (stop - start)
