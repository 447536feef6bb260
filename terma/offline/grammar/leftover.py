"""How much of a sentence a reading left unexplained, and whether it may be offered at all."""

from __future__ import annotations

from terma.offline.sentence import Sentence

# Say nothing about which command is meant, when nothing else took them.
HARMLESS = frozenset(
    "all every each any only just both following linux bash unix command script quickly please currently "
    "now new "
    "specific particular possible existing exist own stored reside residing resid locate located present "
    "placed starting "
    "start one ones thing approx approximately about actual simple basic various exact found whole entire".split()
)


def judge(sentence: Sentence, used: set[int], destructive: bool) -> float:
    """0 when the reading must not be offered, else 0..1: 1 when every word is explained.

    Words that change nothing are added to `used`."""
    left = 0.0
    for index, token in enumerate(sentence.tokens):
        if index in used or token.stop:
            continue
        if token.kind == "path" and token.value == ".":
            used.add(index)
            continue
        if token.kind != "word":
            return 0.0
        if token.text.lower().strip("().,") in HARMLESS or token.norm in HARMLESS:
            used.add(index)
            continue
        left += 1
    if not left:
        return 1.0
    if destructive or left > 2:
        return 0.0
    return 0.75 if left == 1 else 0.5
