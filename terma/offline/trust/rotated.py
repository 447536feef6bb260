"""Which way round a picture is turned: "counterclockwise by 90" is no `-rotate 90`."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from terma import regex as re
from terma.offline.draft import Context
from terma.offline.trust.command import Simple, simples
from terma.offline.trust.facts import Facts

_CLOCKWISE = frozenset(("clockwise", "cw"))
_COUNTER = frozenset("counterclockwise counter-clockwise anticlockwise anti-clockwise ccw".split())
_TURNS = frozenset(("rotate", "turn"))
_DEGREES = re.compile(r"[+-]?\d+")
_TRANSPOSE = re.compile(r"transpose=(?:([13]|clock\w*)|([02]|cclock\w*))")
_HALF = 180


def rotated(facts: Facts, command: str, _: Context) -> bool:
    """Whether nothing is turned the other way round than the sentence says."""
    said = {token.text.lower() for token in facts.sentence.tokens}
    turns = any(token.norm in _TURNS for token in facts.sentence.tokens)
    clockwise = bool(said & _CLOCKWISE) or (turns and "right" in said)
    counter = bool(said & _COUNTER) or (turns and "left" in said)
    if clockwise == counter or facts.denials:
        return True
    return all(right == clockwise for simple in simples(command) for right in _ways(simple))


def _ways(simple: Simple) -> Iterator[bool]:
    """Of each turn of the command whether it is clockwise: what is more than half a turn goes the other way."""
    for option, value in pairwise(simple.words):
        if option == "-rotate" and _DEGREES.fullmatch(value) and int(value) % 360 not in (0, _HALF):
            yield int(value) % 360 < _HALF
    for word in simple.words:
        for match in _TRANSPOSE.finditer(word):
            yield bool(match[1])
