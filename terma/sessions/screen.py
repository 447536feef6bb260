"""The screen of a full-screen program, drawn by a terminal emulator: pyghostty where it is installed, else pyte.

Both come with the extra `[screen]`. What an emulator must show stands in `Emulator`; pyte is guarded against the
sequences that crash it. Programs' questions to their terminal are answered here, from the live stream alone: what is
read again later is never answered again.
"""

from __future__ import annotations

import re
import time
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Protocol

from terma.errors import UsageError

if TYPE_CHECKING:
    from terma.picture.cells import Grid

SETTLED = 0.1  # seconds of quiet that make a picture whole
MOST = 0.6  # seconds after which it is taken as it is: some programs never rest
_LONGEST_QUESTION = 64
_QUESTION = re.compile(
    rb"\x1b\[(?:(?P<da>0?c)|(?P<da2>>0?c)|(?P<dsr>[56]n)|\?(?P<mode>\d+)\$p)|\x1b\](?P<colour>1[01]);\?(?:\x07|\x1b\\)"
)
_CUT = re.compile(rb"\x1b(?:[\[\]][^\x07\x1b@-~]{0,40})?\Z")


class Emulator(Protocol):
    """What draws. Rows and columns count from 0."""

    def feed(self, data: bytes) -> None: ...
    def resize(self, columns: int, rows: int) -> None: ...
    def rows(self) -> list[str]: ...
    def cursor(self) -> tuple[int, int]: ...
    def alternate(self) -> bool: ...
    def grid(self) -> Grid: ...
    def redraw(self) -> bytes: ...


def emulator(columns: int, rows: int) -> Emulator:
    """The best that is installed. Raises UsageError when there is none."""
    from terma.sessions import emulators

    for make in (emulators.Ghostty, emulators.Pyte):
        try:
            return make(columns, rows)
        except ImportError:
            continue
    raise UsageError("screens need a terminal emulator", "pip install 'xontrib-terma[screen]'")


class Live:
    """The screen of one session. `answer` types the reply to a program's question."""

    def __init__(self, columns: int, rows: int) -> None:
        self.columns, self.lines = columns, rows
        self.answer: Callable[[bytes], None] = lambda data: None
        self._emulator = emulator(columns, rows)
        self._rest = b""

    def feed(self, data: bytes) -> None:
        """Draw what was printed and answer what it asks."""
        at = 0
        text = self._rest + data
        known = len(self._rest)
        for found in _QUESTION.finditer(text):
            end = found.end() - known
            self._emulator.feed(data[at:end])
            at = end
            self._reply(found)
        self._emulator.feed(data[at:])
        cut = _CUT.search(text, max(len(text) - _LONGEST_QUESTION, 0))
        self._rest = cut[0] if cut else b""

    def _reply(self, found: re.Match[bytes]) -> None:
        if found["da"]:
            self.answer(b"\x1b[?62;22c")
        elif found["da2"]:
            self.answer(b"\x1b[>1;10;0c")
        elif found["dsr"] == b"5n":
            self.answer(b"\x1b[0n")
        elif found["dsr"]:
            row, column = self._emulator.cursor()
            self.answer(b"\x1b[%d;%dR" % (row + 1, min(column, self.columns - 1) + 1))
        elif found["mode"]:
            self.answer(b"\x1b[?%s;0$y" % found["mode"])
        elif found["colour"]:
            value = b"ffff/ffff/ffff" if found["colour"] == b"10" else b"0000/0000/0000"
            self.answer(b"\x1b]%s;rgb:%s\x1b\\" % (found["colour"], value))

    def resize(self, columns: int, rows: int) -> None:
        self.columns, self.lines = columns, rows
        self._emulator.resize(columns, rows)

    async def settled(self, session: Any) -> None:
        """Wait until the program rests, or has drawn for long enough."""
        deadline = time.monotonic() + MOST
        while session.quiet() < SETTLED and time.monotonic() < deadline:
            await session.change(max(SETTLED - session.quiet(), 0.005))

    def picture(self) -> dict[str, Any]:
        """The screen as text, with its size, cursor (from 0) and whether it is the alternate one."""
        row, column = self._emulator.cursor()
        return {
            "screen": "\n".join(self._emulator.rows()).rstrip("\n"),
            "columns": self.columns,
            "rows": self.lines,
            "cursor_row": row,
            "cursor_column": column,
            "alternate_screen": self._emulator.alternate(),
        }

    def grid(self) -> Grid:
        """Its cells with their colours. Rows that did not change since the last call are the same objects."""
        return self._emulator.grid()

    def redraw(self) -> bytes:
        """What makes another terminal show the same."""
        return self._emulator.redraw()
