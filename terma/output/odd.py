"""The lines that are not like their many neighbours: one status among a thousand others, one row that failed.

Lines with as many words belong together. Where nearly all of them have the same word in a place, the few that have
another one are what a person looks for.
"""

from __future__ import annotations

from collections import Counter, defaultdict

FAMILY = 20  # so many lines have as many words as each other, or they say nothing of one another
SHARE = 0.9  # of a family has the usual word in a place
RARE = 0.02  # of a family, at most, has the odd word
MOST_WORDS = 40
MOST_LINES = 100_000  # that are looked at, from the end
LONGEST = 1_000  # characters of a line


def odd_lines(lines: list[str]) -> list[int]:
    """The indices of the odd ones, in order."""
    first = max(len(lines) - MOST_LINES, 0)
    families: dict[int, list[tuple[int, list[str]]]] = defaultdict(list)
    for index in range(first, len(lines)):
        if len(lines[index]) <= LONGEST:
            words = lines[index].split()
            if 1 < len(words) <= MOST_WORDS:
                families[len(words)].append((index, words))
    found: set[int] = set()
    for count, family in families.items():
        if len(family) >= FAMILY:
            for place in range(count):
                found.update(_odd_in(family, place))
    return sorted(found)


def _odd_in(family: list[tuple[int, list[str]]], place: int) -> list[int]:
    counted = Counter(words[place] for _, words in family)
    usual, times = counted.most_common(1)[0]
    if not SHARE * len(family) <= times < len(family):
        return []
    rare = max(RARE * len(family), 1)
    return [index for index, words in family if words[place] != usual and counted[words[place]] <= rare]
