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
Family = list[tuple[int, list[str]]]  # the lines with as many words: index and words of each


def odd_lines(lines: list[str]) -> list[int]:
    """The indices of the odd ones, in order."""
    first = max(len(lines) - MOST_LINES, 0)
    families: dict[int, Family] = defaultdict(list)
    for index in range(first, len(lines)):
        if len(lines[index]) <= LONGEST:
            words = lines[index].translate(_BETWEEN).split()
            if 1 < len(words) <= MOST_WORDS:
                families[len(words)].append((index, words))
    found: set[int] = set()
    for count, family in families.items():
        if len(family) >= FAMILY:
            for place in range(count):
                found.update(_odd_in(family, place))
    return sorted(found | _of_another_form(list(families.values())))


def _odd_in(family: Family, place: int) -> list[int]:
    counted = Counter(words[place] for _, words in family)
    if len(counted) == 1:
        return []
    rare = max(RARE * len(family), 1)
    common = {word: times for word, times in counted.items() if times > rare}
    one_usual = counted.most_common(1)[0][1] >= SHARE * len(family)
    if not one_usual and sum(common.values()) < len(family) - rare:
        return []
    return [index for index, words in family if words[place] not in common]


def _of_another_form(families: list[Family]) -> set[int]:
    """The few lines with another number of words, where nearly all have one and share words in a place."""
    total = sum(map(len, families))
    main = max(families, key=len, default=[])
    if len(main) < max(FAMILY, SHARE * total) or not _has_form(main):
        return set()
    rare = max(RARE * total, 1)
    return {index for family in families if len(family) <= rare for index, _ in family}


def _has_form(family: Family) -> bool:
    """Whether there is a place where nearly all of its lines have the same word."""
    return any(
        Counter(words).most_common(1)[0][1] >= SHARE * len(family)
        for words in zip(*(words for _, words in family), strict=True)
    )
