"""What something is to begin or end with stands in the command, and be it one letter: "lines that start with A" is no
`grep '^The'`. A word may name a character ("with a dash"): of it nothing is asked."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby

from terma.offline.draft import Context
from terma.offline.trust.facts import Facts

_ENDS = frozenset("start starts starting begin begins beginning end ends ending".split())
_BY = frozenset(("with", "in"))
_NOUNS = frozenset("the a an letter letters word words text string prefix suffix digit character".split())
_LETTERS = 3  # of what may as well be in the middle of another word


def said(facts: Facts, command: str, _: Context) -> bool:
    """Whether the letters and digits of each beginning and end are there."""
    return all(_stands(piece, command) for text in _affixes(facts) for piece in _pieces(text))


def _affixes(facts: Facts) -> Iterator[str]:
    tokens = facts.sentence.tokens
    texts = [token.text.lower() for token in tokens]
    for i in range(2, len(tokens)):
        at = i - 1
        while at > 1 and texts[at] in _NOUNS:
            at -= 1
        token = tokens[i]
        named = token.kind in ("quoted", "ident", "ext") or (len(token.text) == 1 and token.text.isupper())
        if named and texts[at] in _BY and texts[at - 1] in _ENDS:
            yield token.value


def _pieces(text: str) -> list[str]:
    return ["".join(run) for alike, run in groupby(text, str.isalnum) if alike]


def _stands(piece: str, command: str) -> bool:
    if len(piece) >= _LETTERS:
        return piece.lower() in command.lower()
    runs = ["".join(run) for alike, run in groupby(command, str.isalnum) if alike]
    return any(
        piece.lower() in (run.lower(), run[: len(piece)].lower(), run[-len(piece) :].lower()) for run in runs
    )
