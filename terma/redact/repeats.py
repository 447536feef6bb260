"""Which secrets of a session may stand in a text again: told by its words, not by one search for each secret.

A secret that is met again as it was is known by one of its runs of letters and digits, which is a word of the text.
One that something was glued to is known by a part of its longest run, which stands inside of a longer word; or by a
run between two others, to which nothing can be glued. The few that have neither are always searched for."""

from __future__ import annotations

import re
from collections.abc import Iterator

LONG = 16  # characters of a secret that is no part of a word
PART = 8  # of the longest run of one, by which it is known inside of a word
RUN = re.compile(r"[A-Za-z0-9]{4,}", re.ASCII)
DIGIT = re.compile(r"[0-9]")
_ALNUM = bytes(byte if bytes([byte]).isalnum() else 32 for byte in range(256))


class Repeats:
    """The secrets that are hidden wherever they stand, numbered as they came."""

    def __init__(self) -> None:
        self._values: list[str] = []
        self._by_run: dict[bytes, list[int]] = {}
        self._by_part: dict[bytes, list[int]] = {}
        self._always: list[int] = []  # long, and of short runs alone
        self._of_letters = False  # whether a part may stand in a word that has no digit, as most have none

    def __len__(self) -> int:
        return len(self._values)

    def add(self, value: str) -> None:
        """One more, unless no run of it could be known."""
        runs = list(RUN.finditer(value))
        if not runs:
            return
        number = len(self._values)
        self._values.append(value)
        longest = max((run[0] for run in runs), key=len)
        self._by_run.setdefault(longest.encode(), []).append(number)
        if len(value) < LONG:
            return
        if len(longest) >= PART:
            self._by_part.setdefault(self._part(longest).encode(), []).append(number)
        elif inner := [run[0] for run in runs if run.start() and run.end() < len(value)]:
            self._by_run.setdefault(max(inner, key=len).encode(), []).append(number)
        else:
            self._always.append(number)

    def _part(self, run: str) -> str:
        """PART characters of `run`, with a digit where it has one."""
        digit = DIGIT.search(run)
        if digit is None:
            self._of_letters = True
            return run[:PART]
        end = max(PART, digit.end())
        return run[end - PART : end]

    def in_text(self, text: str, known: int) -> set[str]:
        """Those that may stand in `text`, but for the first `known`."""
        if len(self._values) <= known:
            return set()
        return {self._values[number] for number in self._numbers(text) if number >= known}

    def _numbers(self, text: str) -> Iterator[int]:
        yield from self._always
        words = set(text.encode("ascii", "replace").translate(_ALNUM).split())
        for run in self._by_run.keys() & words:
            yield from self._by_run[run]
        if not (parts := self._by_part):
            return
        found: set[bytes] = set()
        for word in [word for word in words if len(word) > PART and (self._of_letters or not word.isalpha())]:
            found.update(parts.keys() & [word[at : at + PART] for at in range(len(word) - PART + 1)])
        for part in found:
            yield from parts[part]
