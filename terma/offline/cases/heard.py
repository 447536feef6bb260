"""What of a sentence a remembered one says word for word: there a person has answered it, whatever rules make of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from terma.offline.asking import is_question
from terma.offline.cases.align import Item
from terma.offline.draft import Heard
from terma.offline.intent import CHANGE
from terma.offline.tokens import Token
from terma.offline.trust.facts import Denial, Facts

BETWEEN = 2  # remembered words that may stand among those of a denial


def heard(items: Sequence[Item], values: Mapping[int, int], facts: Facts) -> Heard:
    """`values`: item number -> token index, as the case is aligned. What asks by its question mark alone ("immutable
    flag on a.conf?") is not what was answered: a remembered sentence keeps none."""
    tokens = facts.sentence.tokens
    said = {item.norm for item in items if not item.kind}
    same = {i for n, i in values.items() if tokens[i].kind == "word" and tokens[i].text == items[n].example}
    filled = frozenset(values.values()) - same
    words = frozenset(
        i for i, token in enumerate(tokens) if i in same or (i not in filled and token.norm in said)
    )
    denials = frozenset(denial.at for denial in facts.denials if _denied_so(denial, tokens, items, values))
    by_words = facts.question and is_question(replace(facts.sentence, asks=False))
    return Heard(words, denials, by_words and _asked_so(tokens, items, words))


def _denied_so(
    denial: Denial, tokens: Sequence[Token], items: Sequence[Item], values: Mapping[int, int]
) -> bool:
    """Whether the remembered sentence denies the same: its "no" stands before the same words, each in its order."""
    scope = [i for i in denial.scope if not tokens[i].stop or i in values.values()]
    starts = [n for n, item in enumerate(items) if item.norm == tokens[denial.at].norm]
    return bool(scope) and any(_follow(scope, start, tokens, items, values) for start in starts)


def _follow(
    scope: Sequence[int],
    start: int,
    tokens: Sequence[Token],
    items: Sequence[Item],
    values: Mapping[int, int],
) -> bool:
    at = start + 1
    for i in scope:
        end = min(len(items), at + BETWEEN + 1)
        found = [
            n
            for n in range(at, end)
            if values.get(n) == i or (items[n].norm and items[n].norm == tokens[i].norm)
        ]
        if not found:
            return False
        at = found[0] + 1
    return True


def _asked_so(tokens: Sequence[Token], items: Sequence[Item], words: frozenset[int]) -> bool:
    """Whether the remembered sentence is a question that begins with the same word, and orders no change besides."""
    return (
        bool(items)
        and 0 in words
        and items[0].norm == tokens[0].norm
        and not any(
            item.norm in CHANGE and item.norm not in {tokens[i].norm for i in words} for item in items
        )
    )
