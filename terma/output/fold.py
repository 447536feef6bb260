"""Lines that say the same again and again, said once with a count."""

from __future__ import annotations

import re
from functools import lru_cache

EXACT = 3  # so many equal lines or blocks in a row are worth folding
ALIKE = 5  # so many that differ in their numbers alone
LONGEST_BLOCK = 6  # lines

_VARYING = re.compile(r"\b[0-9a-f]*\d[0-9a-f]*\b|\d+|[#=>█▓▒░━╸╺]{2,}|\.{4,}|[ \t]+", re.IGNORECASE)


@lru_cache(maxsize=65_536)
def shape(line: str) -> str:
    """`line` without what differs from one progress report, time stamp or attempt to the next."""
    return _VARYING.sub("0", line)


def fold(lines: list[str]) -> list[str]:
    """`lines`, with each run of repetitions as its first and, where it may differ, its last member.

    A run is one line or a block of up to LONGEST_BLOCK lines, at least EXACT times the same or ALIKE times the same
    but for numbers; runs of blank lines become one."""
    folded: list[str] = []
    at = 0
    while at < len(lines):
        if not lines[at]:
            folded.append("")
            while at < len(lines) and not lines[at]:
                at += 1
            continue
        for size in range(1, min(LONGEST_BLOCK, len(lines) - at - 1) + 1):
            if not _alike(lines[at], lines[at + size]):
                continue
            times, exact = _repetitions(lines, at, size)
            if times:
                folded += _told(lines[at : at + size * times], size, exact)
                at += size * times
                break
        else:
            folded.append(lines[at])
            at += 1
    return folded


def _repetitions(lines: list[str], at: int, size: int) -> tuple[int, bool]:
    """How often the `size` lines at `at` stand there in a row, 0 when too seldom; whether all are equal."""
    end = at + size
    exact = True
    while end < len(lines) and (lines[end] == lines[end - size] or _alike(lines[end], lines[end - size])):
        exact = exact and lines[end] == lines[end - size]
        end += 1
    times = (end - at) // size
    if exact and times >= EXACT:
        return times, True
    equal = _equal(lines, at, size)
    if equal >= EXACT:
        return equal, True
    return (times, False) if times >= ALIKE else (0, False)


def _equal(lines: list[str], at: int, size: int) -> int:
    end = at + size
    while end < len(lines) and lines[end] == lines[end - size]:
        end += 1
    return (end - at) // size


def _alike(one: str, other: str) -> bool:
    return one == other or ((one[:1] == other[:1] or one[:1].isdigit()) and shape(one) == shape(other))


def _told(run: list[str], size: int, exact: bool) -> list[str]:
    times = len(run) // size
    what = "like this" if size == 1 else f"like these {size} lines"
    if exact:
        return [*run[:size], f"… {times - 1:,} more {what}"]
    return [*run[:size], f"… {times - 2:,} more {what}", *run[-size:]]
