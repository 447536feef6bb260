"""The lines that are not like their many neighbours: one status among a thousand others, one row that failed.

Lines with as many words belong together. Where nearly all of them have the same few words in a place, those that have
another one are what a person looks for; so are the few lines of another form where nearly all have one.
"""

from __future__ import annotations

from collections import Counter, defaultdict

FAMILY = 20  # so many lines have as many words as each other, or they say nothing of one another
SHARE = 0.9  # of a family has the usual word in a place, or of all lines the usual form
RARE = 0.02  # of a family, at most, has the odd word
MOST_WORDS = 40
MOST_LINES = 100_000  # that are looked at, from the end
LONGEST = 1_000  # characters of a line

_BETWEEN = str.maketrans(",;|", "   ")  # what separates words as blanks do


class _Family:
    """The lines with as many words: their indices, and the words of all in each place."""

    def __init__(self) -> None:
        self.indices: list[int] = []
        self.words: list[list[str]] = []

    def columns(self) -> list[tuple[str, ...]]:
        return list(zip(*self.words, strict=True))

    def by_key(self) -> list[_Family]:
        """Those that begin alike, where a few words begin them all: the members of JSON and the like."""
        begin = Counter(words[0] for words in self.words)
        if not 1 < len(begin) <= MOST_WORDS:
            return []
        kin = {word: _Family() for word, times in begin.items() if times >= FAMILY}
        for index, words in zip(self.indices, self.words, strict=True):
            if words[0] in kin:
                kin[words[0]].indices.append(index)
                kin[words[0]].words.append(words)
        return list(kin.values())


def odd_lines(lines: list[str]) -> dict[int, bool]:
    """The indices of the odd ones, in order; True for the member of a record, which its neighbours tell of."""
    first = max(len(lines) - MOST_LINES, 0)
    families: dict[int, _Family] = defaultdict(_Family)
    for index in range(first, len(lines)):
        if len(lines[index]) <= LONGEST:
            words = lines[index].translate(_BETWEEN).split()
            if 1 < len(words) <= MOST_WORDS:
                families[len(words)].indices.append(index)
                families[len(words)].words.append(words)
    found: set[int] = set()
    members: set[int] = set()
    shared: dict[int, bool] = {}  # whether nearly all lines of a family have the same word in some place
    for count, family in families.items():
        if len(family.indices) >= FAMILY:
            for column in family.columns():
                odd, usual = _odd_in(family.indices, column)
                found.update(odd)
                shared[count] = shared.get(count, False) or usual
            for kin in family.by_key():
                for column in kin.columns()[1:]:
                    members.update(_odd_in(kin.indices, column)[0])
    found |= _of_another_form(families, shared)
    return {index: index in members for index in sorted(found | members)}


def _odd_in(indices: list[int], column: tuple[str, ...]) -> tuple[list[int], bool]:
    """(the lines with an odd word there, whether nearly all have one word there)."""
    counted = Counter(column)
    usual = max(counted.values()) >= SHARE * len(column)
    if len(counted) == 1:
        return [], usual
    rare = max(RARE * len(column), 1)
    common = {word: times for word, times in counted.items() if times > rare}
    if not usual and sum(common.values()) < len(column) - rare:
        return [], usual
    return [index for index, word in zip(indices, column, strict=True) if word not in common], usual


def _of_another_form(families: dict[int, _Family], shared: dict[int, bool]) -> set[int]:
    """The few lines with another number of words, where nearly all have one and share words in a place."""
    sizes = {count: len(family.indices) for count, family in families.items()}
    total = sum(sizes.values())
    main = max(sizes, key=sizes.__getitem__, default=0)
    if sizes.get(main, 0) < max(FAMILY, SHARE * total) or not shared.get(main, False):
        return set()
    rare = max(RARE * total, 1)
    return {index for count, family in families.items() if sizes[count] <= rare for index in family.indices}
