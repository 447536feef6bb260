"""The screen of a full-screen program, drawn by a terminal emulator: pyghostty where it is installed, else pyte.

Both come with the extra `[screen]`. What an emulator must show stands in `Emulator`; pyte is guarded against the
sequences that crash it.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Protocol

from terma.errors import UsageError
from terma.output.cells import width
from terma.sessions import styled
from terma.sessions.questions import Answers
from terma.sessions.styled import Run
from terma.text import sanitize

if TYPE_CHECKING:
    from terma.picture.cells import Grid

SETTLED = 0.1  # seconds of quiet that make a picture whole
MAX_UNREST = 0.6  # seconds after which it is taken as it is: some programs never rest
# Modes that whoever attaches must have as well: application keys, mouse, bracketed paste.
_SHARED_MODES = (1, 9, 1000, 1002, 1003, 1004, 1005, 1006, 2004)
_CURSOR_SHOWN = 25
_KEY = 100  # rows of a private key of 4096 bits, as a narrow terminal wraps it


class Emulator(Protocol):
    """What draws. Rows and columns count from 0."""

    def feed(self, data: bytes) -> None: ...
    def resize(self, columns: int, rows: int) -> None:
        """Lines that wrapped at the old width are wrapped at the new one."""

    def rows(self) -> list[str]:
        """The text of each row, without blanks at its end."""

    def cells(self) -> list[list[Run]]:
        """The same with how it looks."""

    def grid(self) -> Grid:
        """The same cell by cell, for a picture. Rows that did not change since the last call are the same objects."""

    def above(self, rows: int) -> tuple[str, int]:
        """What stood so many rows above, as a screen with SGR sequences, and how many rows above that really is: the
        history may be shorter, or none."""

    def cursor(self) -> tuple[int, int]: ...
    def alternate(self) -> bool:
        """Whether the alternate screen is shown, as full-screen programs have it."""

    def mode(self, number: int) -> int:
        """1 set, 2 reset, 0 not known (as DECRPM says it)."""


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
    """The screen of one session."""

    def __init__(self, columns: int, rows: int) -> None:
        self.columns, self.lines = columns, rows
        self._emulator = emulator(columns, rows)
        self._answers = Answers(self._emulator)

    def feed(self, data: bytes) -> None:
        """Draw what was printed and answer what it asks."""
        self._answers.feed(data)

    def answer_with(self, answer: Callable[[bytes], None]) -> None:
        """`answer` types the reply to a program's question."""
        self._answers.answer_with(answer)

    def above(self, rows: int) -> tuple[str, int]:
        """What has left the screen, as Emulator has it."""
        return self._emulator.above(rows)

    def just_above(self) -> str:
        """The rows right above the screen, without their looks: as many as a private key may take."""
        pieces: list[str] = []
        for number in range(1, -(-_KEY // self.lines) + 1):
            shown, back = self.above(number * self.lines)
            new = back - (number - 1) * self.lines  # the last of them may be the first ones that are kept
            if new <= 0:
                break
            rows = ["".join(run.text for run in row).rstrip() for row in styled.parse(shown)]
            pieces.insert(0, "\n".join((rows + [""] * self.lines)[:new]))
        return "\n".join(pieces)

    def resize(self, columns: int, rows: int) -> None:
        self.columns, self.lines = columns, rows
        self._emulator.resize(columns, rows)

    async def settled(self, session: Any) -> None:
        """Wait until the program rests, or has drawn for long enough."""
        deadline = time.monotonic() + MAX_UNREST
        while session.quiet() < SETTLED and time.monotonic() < deadline:
            await session.change(max(SETTLED - session.quiet(), 0.005))

    def picture(self, cells: bool = False) -> dict[str, Any]:
        """The screen as text, with its size, cursor (from 0), whether it is the alternate one, and what stands out.

        With `cells`, "ansi" holds its rows as text and colours."""
        row, column = self._emulator.cursor()
        shown = {
            "screen": "\n".join(map(sanitize, self._emulator.rows())).rstrip("\n"),
            "columns": self.columns,
            "rows": self.lines,
            "cursor_row": row,
            "cursor_column": column,
            "cursor_shown": self._emulator.mode(_CURSOR_SHOWN) != 2,
            "alternate_screen": self._emulator.alternate(),
        }
        looks = self._emulator.cells()
        shown["highlighted"] = styled.highlighted(looks)
        return shown | ({"ansi": styled.ansi(looks)} if cells else {})

    def before_cursor(self) -> str:
        """What stands in the cursor's row before it, without blanks at its end."""
        row, column = self._emulator.cursor()
        text, at = "", 0
        for char in self._emulator.rows()[row]:
            at += width(char)
            if at > column:
                break
            text += char
        return sanitize(text).rstrip()

    def grid(self) -> Grid:
        """Its cells with their colours, for a picture of it."""
        return self._emulator.grid()

    def redraw(self) -> bytes:
        """What makes another terminal show the same and send the same keys."""
        row, column = self._emulator.cursor()
        modes = [f"\x1b[?{mode}h" for mode in _SHARED_MODES if self._emulator.mode(mode) == 1]
        hide = "\x1b[?25l" if self._emulator.mode(_CURSOR_SHOWN) == 2 else ""
        start = "\x1b[?1049h" if self._emulator.alternate() else ""
        text = styled.ansi(self._emulator.cells()).rstrip("\n").replace("\n", "\r\n")
        place = f"\x1b[{row + 1};{column + 1}H"
        return f"{start}\x1b[2J\x1b[H{text}{place}{''.join(modes)}{hide}".encode("utf-8", "replace")
