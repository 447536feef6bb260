"""Lines that say the same again and again, said once with a count: equal ones, and the states of one progress report.

Lines that differ in a number, a name or a status say different things, however alike they look, and stay.
"""

from __future__ import annotations

import re

EXACT = 3  # so many equal lines or blocks in a row are worth folding
ALIKE = 5  # so many states of one progress report
LONGEST_BLOCK = 6  # lines

LONGEST_VARYING = 2_000  # characters; of longer lines only equal ones are alike
LONGEST_REPORT = 400  # characters of a progress report

_VARYING = re.compile(r"\b(?=[a-f]*\d)[0-9a-f]++\b|\d+|[#=>█▓▒░━╸╺]{2,}|\.{4,}|[ \t]+", re.IGNORECASE)
_PERCENT = re.compile(r"(?<![\w.])(\d{1,3}(?:\.\d+)?) ?%")
_SIZES = re.compile(r"(?<![\d.])(\d++(?:\.\d++)?) ?([kKMGT]?)i?B? ?(?:/|of) ?\d++(?:\.\d++)? ?[kKMGT]?i?B\b")
_BAR = re.compile(r"[#=>█▓▒░━╸╺]{2,}")
_UNITS = {"": 1, "k": 1e3, "K": 1e3, "M": 1e6, "G": 1e9, "T": 1e12}


def progress(line: str) -> float | None:
    """How far a progress report has come, in a unit of its own; None for a line that is none."""
    if "%" in line and (found := _PERCENT.search(line)):
        return float(found[1])
    if "B" in line and (found := _SIZES.search(line)):
        return float(found[1]) * _UNITS[found[2]]
    return float(max(map(len, bars))) if (bars := _BAR.findall(line)) else None


def shape(line: str) -> str:
    """`line` without what differs from one progress report, time stamp or attempt to the next."""
    return _VARYING.sub("0", line) if len(line) <= LONGEST_VARYING else line


def fold(lines: list[str]) -> list[str]:
    """`lines`, with each run of repetitions as its first and, where it may differ, its last member.

    A run is one line or a block of up to LONGEST_BLOCK lines, at least EXACT times the same or ALIKE times a progress
    report that goes on; runs of blank lines become one."""
    folded: list[str] = []
    compared = _Compared(lines)
    at = 0
    while at < len(lines):
        if not lines[at]:
            folded.append("")
            while at < len(lines) and not lines[at]:
                at += 1
            continue
        for size in range(1, min(LONGEST_BLOCK, len(lines) - at - 1) + 1):
            times, exact = compared.repetitions(at, size)
            if times:
                folded += _told(lines[at : at + size * times], size, exact)
                at += size * times
                break
        else:
            folded.append(lines[at])
            at += 1
    return folded


class _Compared:
    """Lines that are compared with their neighbours; the shape of each is worked out once, and only when asked."""

    def __init__(self, lines: list[str]) -> None:
        self._lines = lines
        self._shapes: list[str | None] = [None] * len(lines)
        self._reached: dict[int, float | None] = {}

    def repetitions(self, at: int, size: int) -> tuple[int, bool]:
        """How often the `size` lines at `at` stand there in a row, 0 when too seldom; whether all are equal."""
        if not self._alike(at, at + size):
            return 0, False
        equal = end = at + size
        while equal < len(self._lines) and self._lines[equal] == self._lines[equal - size]:
            equal += 1
        if (equal - at) // size >= EXACT and not self._goes_on(equal, size):
            return (equal - at) // size, True
        while end < len(self._lines) and self._alike(end - size, end):
            end += 1
        times = (end - at) // size
        if times >= ALIKE:
            return times, (equal - at) // size == times
        return ((equal - at) // size, True) if (equal - at) // size >= EXACT else (0, False)

    def _goes_on(self, end: int, size: int) -> bool:
        return end < len(self._lines) and self._alike(end - size, end)

    def _alike(self, one: int, other: int) -> bool:
        first, second = self._lines[one], self._lines[other]
        if first == second:
            return True
        if other != one + 1:
            return False  # a report follows its earlier state at once; a table may come back to it
        # Comparing first characters is cheap and decides most pairs.
        if not first or not second or (first[0] != second[0] and not first[0].isdigit()):
            return False
        before, after = self._progress(one), self._progress(other)
        if before is None or after is None or before > after:
            return False
        return self._shape(one) == self._shape(other)

    def _progress(self, index: int) -> float | None:
        if index not in self._reached:
            line = self._lines[index]
            self._reached[index] = progress(line) if len(line) <= LONGEST_REPORT else None
        return self._reached[index]

    def _shape(self, index: int) -> str:
        known = self._shapes[index]
        if known is None:
            known = self._shapes[index] = shape(self._lines[index])
        return known


def _told(run: list[str], size: int, exact: bool) -> list[str]:
    times = len(run) // size
    what = "like this" if size == 1 else f"like these {size} lines"
    if exact:
        return [*run[:size], f"… {times - 1:,} more {what}"]
    return [*run[:size], f"… {times - 2:,} more {what}", *run[-size:]]
