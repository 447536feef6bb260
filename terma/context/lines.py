"""Command lines as a terminal shows them, compared with command lines as a shell remembers them."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice

# Keeps what tells a command line from another; key(a + b) == key(a) + key(b).
Key = Callable[[str], str]

_NOT_PLAIN = re.compile(r"[^!-:<-~]+")
_RIGHT = re.compile(r"(.*\S) {3,}\S")
_MARGIN = 32  # characters: the longest PS2 that is expected ("cmdsubst heredoc> ")
_START = 4  # characters of a command that are looked for first
_TRIES = 64  # places in one row at which a command may begin


def squeeze(text: str) -> str:
    """`text` without what wrapping, alignment and bash's history change (it joins lines with `; `)."""
    return "".join(text.replace(";", " ").split())


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
        self._known: dict[int, str] = {}  # what is sought mostly stands near the bottom

    def find(self, command: str, bottom: int) -> Iterator[Spot]:
        """Where `command` stands above row `bottom`, the lowest first."""
        need = self._key(command)
        for row in range(bottom - 1, -1, -1) if need else ():
            for at in islice(_places(self._key_of(row), need), _TRIES):
                spot = self._whole(row, at, need, bottom)
                if spot:
                    yield spot

    def _whole(self, first: int, at: int, need: str, bottom: int) -> Spot | None:
        """The spot that begins with character `at` of the key of row `first`, if all of `need` follows."""
        row, tail = first, self._key_of(first)[at:]
        while not tail.startswith(need):
            took = _beginning(need, tail)
            if not took and row == first and "   " in self.rows[row]:
                right = _RIGHT.match(self.rows[row])
                took = _beginning(need, self._key(right[1])[at:]) if right else ""
            row += 1
            if not took or row == bottom:
                return None
            need = need[len(took) :]
            tail = _behind_ps2(self._key_of(row), need)
        before = self.rows[first][: self._index(first, at + 1) - 1]
        done = len(self._key_of(row)) - len(tail) + len(need)
        return Spot(first, row, before, self.rows[row][self._index(row, done) :])

    def ends(self, spot: Spot) -> bool:
        """Whether nothing that tells a command from another follows on the row."""
        return not self._key(spot.after)

    def _key_of(self, row: int) -> str:
        if row not in self._known:
            self._known[row] = self._key(self.rows[row])
        return self._known[row]

    def _index(self, row: int, count: int) -> int:
        """How much of the row's text holds the first `count` characters of its key."""
        text = self.rows[row]
        return bisect_left(range(len(text)), count, key=lambda end: len(self._key(text[:end])))


def _places(key: str, need: str) -> Iterator[int]:
    """Where in `key` the beginning of `need` stands, be it cut off by the end of the row."""
    start = need[:_START]
    at = key.find(start)
    while at >= 0:
        yield at
        at = key.find(start, at + 1)
    for length in range(len(start) - 1, 0, -1):
        if key.endswith(start[:length]):
            yield len(key) - length


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
