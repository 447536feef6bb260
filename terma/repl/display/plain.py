"""A conversation in a pipe or on a terminal that cannot move its cursor: the words alone, and remarks beside them."""

from __future__ import annotations

from collections.abc import Callable

from terma.dialogue import (
    Closed,
    Decided,
    Event,
    Noted,
    Piece,
    Said,
    ToolAnswered,
)
from terma.repl.display.sentences import answered, decided

Write = Callable[[str], None]


class PlainView:
    """`write` takes the answer, `remark` a line each of what is not part of it (standard error)."""

    def __init__(self, write: Write, remark: Write) -> None:
        self._write = write
        self._remark = remark
        self._last = "\n"  # what was written last

    def show(self, event: Event) -> None:
        match event:
            case Piece(text):
                self._say(text)
            case Said(text):
                self._end_line()
            case Noted(text):
                self._aside(text)
            case Decided():
                self._aside(decided(event))
            case ToolAnswered():
                self._aside(answered(event))
            case Closed():
                self._end_line()

    async def drained(self) -> None:
        """All of it is written at once."""

    def stop(self) -> None:
        self._end_line()

    def _say(self, text: str) -> None:
        if text:
            self._write(text)
            self._last = text[-1]

    def _end_line(self) -> None:
        if self._last != "\n":
            self._say("\n")

    def _aside(self, line: str) -> None:
        if line:
            self._end_line()
            self._remark(line + "\n")
