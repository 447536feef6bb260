"""Programs ask their terminal things (who are you, where is the cursor): answers them, and keeps them from others.

Asked is the live stream alone: what is read again later is never answered again. A person's own terminal, attached,
gets the stream without the questions: it would answer as well, into the program.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Protocol

_LONGEST = 256  # bytes of a question
_ASKS = re.compile(
    rb"\x1b\[(?:(?P<da>0?c)|(?P<da2>>0?c)|=0?c|(?P<dsr>[56]n)|\?\d+n|(?P<mode>\?\d+)\$p|\d+\$p|>0?q|\?u|1[1-9]t|2[01]t)"
    rb"|\x1b\](?:(?P<colour>1[0-2]);\?|4;\d+;\?|52;[^;\x07\x1b]{0,8};\?)(?:\x07|\x1b\\)"
    rb"|\x1bP[$+]q[^\x07\x1b]{0,200}\x1b\\"
)
_CUT = re.compile(rb"\x1b(?:\[[^\x07\x1b]{0,200}|[\]P][^\x07\x1b]{0,200}\x1b?)?\Z")
_COMPLETE = re.compile(rb"\x1b\[[0-?]*[ -/]*[@-~]")
_INK, _GROUND = b"ffff/ffff/ffff", b"0000/0000/0000"


class Screen(Protocol):
    """What is asked about."""

    def feed(self, data: bytes) -> None: ...
    def cursor(self) -> tuple[int, int]: ...
    def mode(self, number: int) -> int:
        """1 set, 2 reset, 0 not known (DECRPM)."""


class Blank:
    """Where no screen is kept: the cursor counts as being in the corner."""

    def feed(self, data: bytes) -> None:
        pass

    def cursor(self) -> tuple[int, int]:
        return 0, 0

    def mode(self, number: int) -> int:
        return 0


class Answers:
    """Feeds a screen and answers what is asked, at the place in the stream where it is asked."""

    def __init__(self, screen: Screen) -> None:
        self._answer: Callable[[bytes], None] = lambda data: None
        self._screen = screen
        self._rest = b""

    def answer_with(self, answer: Callable[[bytes], None]) -> None:
        """`answer` types a reply into the program."""
        self._answer = answer

    def feed(self, data: bytes) -> None:
        """The next piece of what the program prints."""
        if b"\x1b" not in data and not self._rest:
            self._screen.feed(data)
            return
        known, text, at = len(self._rest), self._rest + data, 0
        for found in _ASKS.finditer(text):
            end = found.end() - known
            self._screen.feed(data[at:end])
            at = end
            self._reply(found)
        self._screen.feed(data[at:])
        self._rest = _unfinished(text)

    def _reply(self, found: re.Match[bytes]) -> None:
        if found["da"]:
            self._answer(b"\x1b[?62;22c")
        elif found["da2"]:
            self._answer(b"\x1b[>1;10;0c")
        elif found["dsr"] == b"5n":
            self._answer(b"\x1b[0n")
        elif found["dsr"]:
            row, column = self._screen.cursor()
            self._answer(b"\x1b[%d;%dR" % (row + 1, column + 1))
        elif found["mode"]:
            number = found["mode"][1:]
            self._answer(b"\x1b[?%s;%d$y" % (number, self._screen.mode(int(number))))
        elif found["colour"]:
            value = _GROUND if found["colour"] == b"11" else _INK
            self._answer(b"\x1b]%s;rgb:%s\x1b\\" % (found["colour"], value))


class Unasking:
    """A stream without the questions in it."""

    def __init__(self) -> None:
        self._rest = b""

    def filter(self, data: bytes) -> bytes:
        """What of `data`, and of what was held back before, may go on."""
        text = _ASKS.sub(b"", self._rest + data)
        self._rest = _unfinished(text)
        return text[: len(text) - len(self._rest)]

    def rest(self) -> bytes:
        """End of the stream: what was held back."""
        rest, self._rest = self._rest, b""
        return rest


def _unfinished(text: bytes) -> bytes:
    """The beginning of a sequence at the very end, which may become a question."""
    cut = _CUT.search(text, max(len(text) - _LONGEST, 0))
    if cut is None or _COMPLETE.match(cut[0]):
        return b""
    return cut[0]
