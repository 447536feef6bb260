"""The name that was meant: names at the distance of a slip of the finger, the likeliest first."""

from __future__ import annotations

import re
from collections.abc import Iterable

SWAP = 0.8  # neighbours that changed places are the most common slip
_TWICE = 0.9  # one key pressed once too often, or once too few
MAX_NAME = 64


def limit_for(word: str) -> float:
    """How many slips a word of this length may hold and still be the same word."""
    if len(word) <= 2:
        return SWAP
    return 1.0 if len(word) <= 4 else 1.8 if len(word) <= 6 else 2.0 if len(word) <= 9 else 3.0


_ROWS = ("qwertyuiop", "asdfghjkl", "zxcvbnm")
_KEYS = {
    key: (number, place + 0.3 * number) for number, row in enumerate(_ROWS) for place, key in enumerate(row)
}


_BESIDE = frozenset(
    (a, b)
    for a, (row, place) in _KEYS.items()
    for b, (other, there) in _KEYS.items()
    if a != b and abs(row - other) <= 1 and abs(place - there) <= 1.1
)


def distance(a: str, b: str, limit: float) -> float:
    """Edits from `a` to `b`; above `limit`: infinity.

    Insert, delete and replace count 1 each, 0.9 for the key beside and for a key that was pressed twice, or once where
    twice was meant; a swap of neighbours 0.8."""
    if abs(len(a) - len(b)) > limit:
        return float("inf")
    before: list[float] = []
    row = [float(j) for j in range(len(b) + 1)]
    for i, x in enumerate(a, 1):
        older, before, row = before, row, [float(i)]
        for j, y in enumerate(b, 1):
            cost = min(
                before[j] + (_TWICE if i > 1 and a[i - 2] == x else 1),
                row[j - 1] + (_TWICE if j > 1 and b[j - 2] == y else 1),
                before[j - 1] + (0.0 if x == y else 0.9 if (x, y) in _BESIDE else 1.0),
            )
            if i > 1 and j > 1 and x == b[j - 2] and a[i - 2] == y and x != y:
                cost = min(cost, older[j - 2] + SWAP)
            row.append(cost)
        if min(row) > limit + 1:
            return float("inf")
    return row[-1] if row[-1] <= limit else float("inf")


def series(a: str, b: str) -> bool:
    """Whether the two differ in a number alone: v1.0.2 is no misspelt v1.0.3, nor main2 a misspelt main."""
    if numbered(a, b):
        return True
    digits = len(re.findall(r"\d", a)), len(re.findall(r"\d", b))
    same = re.sub(r"\d", "", a) == re.sub(r"\d", "", b)
    return same and (digits[0] == digits[1] > 0 or 0 in digits)


def numbered(a: str, b: str) -> bool:
    """Whether one of the two is the other with a number behind it: log.1 is another file than log."""
    return {re.sub(r"(?<=\w)[._-]\d+$", "", name) for name in (a, b)} < {a, b}


def once(word: str) -> str:
    """`word` with every doubled letter once."""
    return re.sub(r"([A-Za-z])\1", r"\1", word)


def nearest(word: str, names: Iterable[str], count: int = 3, liked: Iterable[str] = ()) -> list[str]:
    """Up to `count` of `names` within a slip of `word`, best first. Among equals the `liked` ones win."""
    if not word or len(word) > MAX_NAME:
        return []
    low, limit = word.lower(), limit_for(word)
    letters, favourites = set(low), set(liked)
    found: list[tuple[float, int, str]] = []
    for name in set(names):
        if name == word or abs(len(name) - len(word)) > limit or len(letters ^ set(name.lower())) > 2 * limit:
            continue
        apart = distance(low, name.lower(), limit)
        if len(word) <= 3 and len(name) == len(word) and apart == 1.0:  # pod is no misspelt pwd
            continue
        if apart <= limit and apart < len(name) and not series(name, word):
            apart += 0.4 * (name[:1].lower() != low[:1]) - 0.5 * (name in favourites)
            apart -= 0.1 * (sorted(name.lower()) == sorted(low)) - 0.05 * (name.islower() != word.islower())
            found.append((apart, abs(len(name) - len(word)), name))
    return [name for _, _, name in sorted(found)[:count]]


def begins(word: str, names: Iterable[str], count: int = 3) -> list[str]:
    """The names that `word` is the beginning of, shortest first: `star` for `start`."""
    if len(word) < 2:
        return []
    return sorted((n for n in set(names) if n.startswith(word) and n != word), key=lambda n: (len(n), n))[
        :count
    ]


def meant(word: str, names: Iterable[str], count: int = 3) -> list[str]:
    """Slips first, then abbreviations."""
    names = list(names)
    slips = nearest(word, names, count)
    return [*slips, *(n for n in begins(word, names, count) if n not in slips)][:count]
