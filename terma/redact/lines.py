"""Which lines of a text hold one of the literals that rules go by: found by their words, in one pass over all lines."""

from __future__ import annotations

import functools
import re
from collections.abc import Iterator

from terma.redact.vocabulary import Vocabulary, is_name, look_for

Span = tuple[int, int]
# How much of a line is read around a hint, in characters: most of a line of a megabyte is of no interest.
BEFORE, AFTER = 150, 1200
OPENS = frozenset(":=|>-+({[,\"'\\")
_WORD = re.compile(r"[a-z0-9_-]+$")
_BY_PIECE: dict[bytes, list[str]] = {}


def look_for_lines(literal: str) -> None:
    """Every text's lines with `literal`, in lower case, can be asked for from now on."""
    _BY_PIECE.setdefault(look_for(literal), []).append(literal)


class HotLines:
    """The lines that hold a hint, each with the line after it where a value may stand there.

    Of a long line only what is near the hint. No search leaves the window, so that time stays linear."""

    def __init__(self, words: Vocabulary) -> None:
        self._low = words.low
        self._plain = words.plain
        self._found: dict[str, list[Span]] = {}
        hot, start, low = frozenset(words.hot), 0, words.low
        rows = words.mapped.split(b"\n")
        for number, row in enumerate(rows):
            end = start + len(row)
            if found := hot.intersection(row.split()):
                here: set[str] = set()
                for word in found:
                    sure, perhaps = _literals(word, words.hot[word])
                    here.update(sure)
                    if perhaps:
                        line = low[start:end]
                        here.update([literal for literal in perhaps if literal in line])
                if here:
                    after = len(rows[number + 1]) if number + 1 < len(rows) else 0
                    self._add(here, start, end, short=len(row) < BEFORE and len(row) + after < AFTER - 2)
            start = end + 1
        for literal in _BY_PIECE.get(b"", ()):
            if windows := list(_windows(low, literal, 0, len(low))):
                self._found[literal] = windows

    def _add(self, literals: set[str], start: int, end: int, *, short: bool) -> None:
        if short:
            stop = -1 if end >= len(self._low) else _line_after(self._low, start, end, len(self._low))
            window = (start, len(self._low) if stop < 0 else stop)
            for literal in literals:
                self._found.setdefault(literal, []).append(window)
        else:
            for literal in literals:
                self._found.setdefault(literal, []).extend(_windows(self._low, literal, start, end))

    def hold(self, hints: tuple[str, ...]) -> bool:
        """Whether one of `hints` stands anywhere."""
        return not self._found.keys().isdisjoint(hints)

    def of(self, hints: tuple[str, ...]) -> list[Span]:
        """Those that hold one of `hints`, in order."""
        return _joined(sorted({span for hint in hints for span in self._near(hint)}))

    def _near(self, hint: str) -> list[Span]:
        if not self._plain and hint not in self._found:  # the words are not the text's own
            return list(_windows(self._low, hint, 0, len(self._low)))
        return self._found.get(hint, [])


@functools.lru_cache(4_000)
def _literals(word: bytes, pieces: tuple[bytes, ...]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """What stands on each line with `word`, which may be a tool's name, and what may."""
    name = word.decode()
    known = [literal for piece in pieces for literal in _BY_PIECE.get(piece, ())]
    sure = tuple(literal for literal in known if literal in name)
    tools = (name + " ", name + "\t") if is_name(word) else ()
    return sure, (*(literal for literal in known if not _WORD.match(literal)), *tools)


def _windows(low: str, hint: str, first: int, last: int) -> Iterator[Span]:
    """Around each `hint` between `first` and `last`."""
    at = low.find(hint, first, last)
    while at >= 0:
        limit = min(at + AFTER, len(low))
        start = low.rfind("\n", max(0, at - BEFORE), at) + 1 or max(0, at - BEFORE)
        end = low.find("\n", at, limit)
        after = _line_after(low, start, end, limit) if end >= 0 else limit
        yield start, limit if after < 0 else after
        at = low.find(hint, end if end >= 0 else max(at + 1, limit - BEFORE), last)


def _line_after(low: str, start: int, end: int, limit: int) -> int:
    """The end of the line after the one of `start` to `end`, or `end` when that leaves nothing open."""
    last = low[end - 1 : end] if low[end - 1 : end] not in " \t\r" else low[start:end].rstrip()[-1:]
    if (
        last in OPENS
        or low.find("name", start, end) >= 0
        or low.find("key:", start, end) >= 0
        or low.find("assw", start, end) >= 0
    ):
        return low.find("\n", end + 1, limit)
    return end


def _joined(ranges: list[Span]) -> list[Span]:
    merged: list[Span] = []
    for start, end in ranges:
        if merged and start <= merged[-1][1] + 1:
            merged[-1] = (merged[-1][0], max(end, merged[-1][1]))
        else:
            merged.append((start, end))
    return merged
