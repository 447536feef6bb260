"""Which remembered cases are aligned: found by the words that tell, then chosen by all that a case's text shows at a
glance, values and function words and what stands beside what, too."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import pairwise

from terma.offline.lexicon import STOP
from terma.offline.match import RELATIONS
from terma.offline.tokens import Token

FOUND = 400  # cases that share words enough to be looked at
CLOSE = 48  # of these are aligned
RELATED = 0.4  # what a word counts beside one that means much the same
# What a likeness at a glance is worth beside 1 for the rarest word: a kind of value or its suffix (by how rare it is),
# two that stand together, a function word. Of 634 lines by people who are not remembered a case that gives the right
# command was among the 100 likest by words alone for 406, so for 419 among 48.
KIND, BESIDE, LITTLE = 0.6, 0.1, 0.03


def near(
    tokens: Sequence[Token],
    posts: Mapping[str, Sequence[int]],
    weigh: Callable[[str], float],
    sizes: Sequence[float],
    rows: Sequence[str],
) -> list[int]:
    """The numbers of the CLOSE cases that resemble the sentence most, best first."""
    scores: dict[int, float] = defaultdict(float)
    for norm in dict.fromkeys(token.norm for token in tokens):
        weight = weigh(norm)
        for number in posts.get(norm, ()):
            scores[number] += weight
        for other in RELATIONS.get(norm, ()):
            share = RELATED * weigh(other)
            for number in posts.get(other, ()):
                scores[number] += share
    signs = tuple(_signs(tokens, weigh))
    best: dict[int, float] = {}
    for number in _most({number: score / sizes[number] for number, score in scores.items()}, FOUND):
        row = rows[number]
        seen = sum([worth for worth, text in signs if text in row])
        best[number] = (scores[number] + seen) / sizes[number]
    return _most(best, CLOSE)


def _most(worth: Mapping[int, float], count: int) -> list[int]:
    """The numbers of the `count` cases that are worth most, best first; of two alike the lower number. Sorting all
    values and then few of the cases takes half the time of a heap of them."""
    if len(worth) > count:
        least = sorted(worth.values(), reverse=True)[count - 1]
        kept = [(-value, number) for number, value in worth.items() if value >= least]
    else:
        kept = [(-value, number) for number, value in worth.items()]
    return [number for _, number in sorted(kept)[:count]]


def kinds(kind: str, text: str) -> Iterator[str]:
    """The kinds of a value, as a case's text shows them: `"{file|` and `.flac|`."""
    if kind and kind != "word":
        yield f'"{{{kind}|'
        if end := suffix(text):
            yield f".{end}|"


def suffix(text: str) -> str:
    """Of a file's name, in small letters; "" where it has none."""
    stem, _dot, end = text.rpartition("/")[2].rpartition(".")
    return end.lower() if stem and end.isalnum() and len(end) < MAX_SUFFIX else ""


MAX_SUFFIX = 6


def _signs(tokens: Sequence[Token], weigh: Callable[[str], float]) -> Iterator[tuple[float, str]]:
    """(what it is worth, how it stands in the text of a case)."""
    for norm in {token.norm for token in tokens} & STOP:
        yield LITTLE, f'"{norm}"'
    for sign in {sign for token in tokens for sign in kinds(token.kind, token.text)}:
        yield KIND * weigh(sign), sign
    for one, other in dict.fromkeys((_shown(a), _shown(b)) for a, b in pairwise(tokens)):
        if one and other:
            yield BESIDE, f'"{one}", "{other}"'
        elif one:
            yield BESIDE, f'"{one}", "{{'
        elif other:
            yield BESIDE, f'|{other}", "{other}"'


def _shown(token: Token) -> str:
    return token.norm if token.kind == "word" else ""
