"""Command lines as a terminal shows them, compared with command lines as a shell remembers them."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice

# Keeps what tells a command line from another; key(a + b) == key(a) + key(b).
Key = Callable[[str], str]

_OURS = re.compile(r"\s*(?:\?why|(?:command\s+)?terma(?:\s|\Z))")
_BLANK = re.compile(r"[\s;]+")  # bash writes the lines of a command into its history with `; ` between them
_NOT_PLAIN = re.compile(r"[^!-:<-~]+")
_RIGHT = re.compile(r" {3,}\S[^\n]*\Z")
_MARGIN = 32  # characters: the longest PS2 that is expected ("cmdsubst heredoc> ")
_TRIES = 64  # places in one row at which a command may begin


def is_ours(command: str) -> bool:
    """Whether `command` is a question to us or an order for us, and never "the last command"."""
    return bool(_OURS.match(command))


def squeeze(text: str) -> str:
    """`text` without what wrapping, alignment and bash's history change."""
    return _BLANK.sub("", text)


def low_bytes(text: str) -> str:
    """The ASCII in `text` as GNU screen's hardcopy gives it, which keeps the lowest byte of each character."""
    return _NOT_PLAIN.sub("", "".join(chr(ord(char) & 0xFF) for char in text))


def same_command(one: str, other: str) -> bool:
    """Whether two shells' or a screen's ways to write a command line mean the same line."""
    return squeeze(one.replace("\\\n", "")) == squeeze(other.replace("\\\n", ""))


@dataclass(frozen=True, slots=True)
class Spot:
    """A command line on the screen: its first and last row, what stands left of it (the prompt) and right of it."""

    first: int
    last: int
    before: str
    after: str


class Shown:
    """Rows of a terminal, top first, in which command lines are looked for from the bottom.

    A line may go on in the next row because it was wrapped there (shells wrap their own, and the terminal does not
    know), or because it has several lines; then a prompt for the rest of it (PS2) may stand before each."""

    def __init__(self, rows: Sequence[str], key: Key) -> None:
        self.rows = rows
        self._key = key
        self._keys = [key(row) for row in rows]

    def find(self, command: str, bottom: int) -> Iterator[Spot]:
        """Where `command` stands above row `bottom`, the lowest first."""
        need = self._key(command)
        for row in range(bottom - 1, -1, -1) if need else ():
            for at in islice(_places(self._keys[row], need[0]), _TRIES):
                spot = self._whole(row, at, need, bottom)
                if spot:
                    yield spot

    def _whole(self, row: int, at: int, need: str, bottom: int) -> Spot | None:
        """The spot that begins with character `at` of the row's key, if all of `need` follows."""
        first, before = row, self.rows[row][: self._index(row, at + 1) - 1]
        tail = self._keys[row][at:]
        while not tail.startswith(need):
            took = _beginning(need, tail) or (
                row == first and _beginning(need, self._without_right(row)[at:])
            )
            row += 1
            if not took or row == bottom:
                return None
            need = need[len(took) :]
            tail = _behind_ps2(self._keys[row], need)
        done = len(self._keys[row]) - len(tail) + len(need)
        return Spot(first, row, before, self.rows[row][self._index(row, done) :])

    def ends(self, spot: Spot) -> bool:
        """Whether nothing that tells a command from another follows on the row."""
        return not self._key(spot.after)

    def _without_right(self, row: int) -> str:
        return self._key(_RIGHT.sub("", self.rows[row].rstrip()))

    def _index(self, row: int, count: int) -> int:
        """How much of the row's text holds the first `count` characters of its key."""
        text = self.rows[row]
        return bisect_left(range(len(text)), count, key=lambda end: len(self._key(text[:end])))


def _places(key: str, char: str) -> Iterator[int]:
    at = key.find(char)
    while at >= 0:
        yield at
        at = key.find(char, at + 1)


def _beginning(need: str, tail: str) -> str:
    """How much of `need` a row that ends in `tail` shows: all of `tail`, or none. A backslash that joins lines is
    not part of what bash remembers."""
    if tail and need.startswith(tail):
        return tail
    joined = tail.removesuffix("\\")
    return joined if joined and need.startswith(joined) else ""


def _behind_ps2(key: str, need: str) -> str:
    """`key` from where `need` goes on, behind at most a PS2; "" when it does not."""
    for skipped in range(min(len(key), _MARGIN + 1)):
        tail = key[skipped:]
        if tail.startswith(need) or _beginning(need, tail):
            return tail
    return ""
