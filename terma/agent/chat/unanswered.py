"""The part of a question that an answer leaves open: named, so that the answer is not taken for one to all of it."""

from __future__ import annotations

import re
from collections.abc import Sequence, Set

from terma.offline.lexicon import LIGHT, STOP
from terma.offline.sentence import Sentence
from terma.text import one_line

# What begins a condition or a comparison in English: a command is asked about for one case alone.
NARROWING = frozenset("when if unless while with without that than where after before unlike instead".split())
_NARROWS = re.compile(rf"(?i)\b(?:{'|'.join(sorted(NARROWING))}|by default)\b.*")
_ASKS = frozenset(
    "describe explain compare difference between differ different versus vs stand stands mean means meaning"
    " exactly safe used".split()
)
_WORD = re.compile(r"\w+")


def of_one_case(told: str, behind: str) -> str:
    """`told`, and where the words behind the command ask of one case alone, that nothing is known of that."""
    case = _NARROWS.search(behind)
    return _without(told, case[0]) if told and case else told


def beside(words: Sequence[str], read: Set[int], known: Set[str]) -> list[str]:
    """The words that say something, but for those at `read`, the `known` ones and those in which it is asked."""
    small = STOP | LIGHT | _ASKS | known
    return [
        word
        for at, word in enumerate(words)
        if len(word) > 1 and at not in read and word.lower() not in small
    ]


def and_the_rest(told: str, rest: Sequence[str]) -> str:
    """`told`, and those of the words that it says nothing of."""
    said = norms(told) | {word.lower() for word in _WORD.findall(told)}
    left = [word for word in rest if word.lower() not in said and not norms(word) & said]
    return _without(told, " ".join(left)) if told and left else told


def norms(text: str) -> frozenset[str]:
    """What the words of a text come down to, however they are bent."""
    return frozenset(token.norm for token in Sentence.parse(text[:300]).tokens if not token.stop)


def _without(told: str, part: str) -> str:
    return f"{told}\n\nOf the rest of your question (“{one_line(part.strip(), 80)}”) nothing is known here."
