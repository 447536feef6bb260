"""The last rows of what was written, drawn anew in place; all above them is written once and left alone."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Sequence

from terma.output.cells import split, width

_SGR = re.compile(r"\x1b\[[\d;]*m")
Size = tuple[int, int]  # columns, lines


def size_of(handle: int) -> Size:
    """Columns and lines of the terminal behind `handle`; 80 by 24 where nobody knows."""
    try:
        found = os.get_terminal_size(handle)
    except OSError:
        return 80, 24
    return found.columns or 80, found.lines or 24


class Live:
    """Draws on a terminal. `write` is given text with SGR codes at most; a row of `draw` is narrower than the terminal.

    Only rows that changed are drawn, in one write, so nothing flickers. When the terminal became narrower the rows are
    taken to have been wrapped anew, as nearly every terminal does."""

    def __init__(self, write: Callable[[str], None], size: Callable[[], Size], begun: bool = False) -> None:
        """`begun`: the spinner's first row stands there already."""
        self._write = write
        self._size = size
        self._rows: list[str] = ["?"] if begun else []
        self._drawn_at: Size = (0, 0)

    @property
    def room(self) -> int:
        """How many rows may be drawn: one less than the terminal has."""
        return max(self._size()[1] - 1, 1)

    @property
    def columns(self) -> int:
        """How wide a row may be: the last column stays free, since terminals differ in what happens there."""
        return max(self._size()[0] - 1, 10)

    def draw(self, rows: Sequence[str]) -> None:
        """Show `rows`, the last ones where there are more than fit, in the place of those drawn before."""
        wanted = [cut(row, self.columns) for row in rows[-self.room :]]
        size = self._size()
        if wanted == self._rows and size == self._drawn_at:
            return
        if not wanted:
            self.clear()
            return
        if not self._rows or size != self._drawn_at:
            text = self._away() + "\r\n".join(wanted)
        else:
            text = self._difference(wanted)
        self._rows, self._drawn_at = wanted, size
        self._write(text)

    def clear(self) -> None:
        """Take the rows away: what is written next stands where they began."""
        if self._rows:
            self._write(self._away())
        self._rows = []

    def print(self, text: str) -> None:
        """Write `text` for good above the rows, which have to be drawn again. It ends with a newline, or nothing may
        be drawn before one came."""
        away = self._away()
        self._rows = []
        if away or text:
            self._write(away + text.replace("\n", "\r\n"))

    def _difference(self, wanted: list[str]) -> str:
        same = 0
        while same < min(len(wanted), len(self._rows)) and wanted[same] == self._rows[same]:
            same += 1
        last = len(self._rows) - 1
        if same > last:  # rows were added beneath
            return "\r\n" + "\r\n".join(wanted[same:])
        up = last - same
        text = (f"\x1b[{up}A" if up else "") + "\r"
        if same == len(wanted):  # rows went away
            return f"\x1b[{up + 1}A\r{_past(wanted[-1])}\x1b[J"
        text += "\r\n".join(row + "\x1b[K" for row in wanted[same:])
        return text + ("\x1b[J" if len(wanted) < len(self._rows) else "")

    def _away(self) -> str:
        """To the first cell of the first row, and nothing beneath it."""
        if not self._rows:
            return ""
        columns = max(self._size()[0], 1)
        wrapped = sum(max(-(-cells(row) // columns), 1) for row in self._rows)
        up = min(wrapped, max(self._size()[1], 1)) - 1
        return (f"\x1b[{up}A" if up else "") + "\r\x1b[J"


def _past(row: str) -> str:
    count = cells(row)
    return f"\x1b[{count}C" if count else ""


def cells(row: str) -> int:
    """Columns of a row, its SGR codes not counted."""
    return len(split(_SGR.sub("", row)))


def cut(row: str, columns: int) -> str:
    """The row, no wider than `columns`."""
    if cells(row) <= columns:
        return row
    kept, used, at = [], 0, 0
    for code in [*_SGR.finditer(row), None]:
        for char in row[at : code.start() if code else None]:
            used += width(char)
            if used <= columns:
                kept.append(char)
        if code is not None:
            kept.append(code[0])
            at = code.end()
    return "".join(kept)


def tail(text: str, columns: int) -> str:
    """The end of plain text, behind a `…` where all of it is wider than `columns`."""
    if cells(text) <= columns:
        return text
    while text and cells(text) >= columns:
        text = text[1:]
    return f"…{text}"
