"""Whether a sentence is a question, which is answered by looking."""

from __future__ import annotations

from functools import lru_cache

from terma.offline.intent import ACTIONS, ORDERS, orders_change
from terma.offline.sentence import Sentence

_OPENS = frozenset(
    "is are was were am does did has have what whats what's which who whos who's whose where wheres where's when why "
    "whens any isn't aren't doesn't isnt".split()
)
_HOW = frozenset(
    "many much long big large old often far fast full busy hot deep wide heavy high small new slow often's".split()
)
_AUXILIARY = frozenset("i we you they any the this that these those my it".split())
_MAY = frozenset(
    "can could may should must shall".split()
)  # with "I": whether it may be, not that it is done
_ASKS_HOW = frozenset("command commands type way tool program syntax run do".split())
_POLITE = frozenset("please hey hi hello ok okay so tell me show us let know and check see find out".split())
_ORDERS = frozenset(
    "delete remove kill stop start restart move copy save write replace change rename add install create compress "
    "extract commit push restore open close put set store run reload disable enable sort".split()
)


@lru_cache(maxsize=8)
def is_question(sentence: Sentence) -> bool:
    """Whether the sentence asks for facts. "How do I …", "can you …" and "what command …" ask for a command."""
    words = [token.text.lower().replace("’", "'") for token in sentence.tokens]
    while words and words[0] in _POLITE:
        if words[0] in ("see", "check", "find", "show", "tell") and words[1:2] not in (
            ["if"],
            ["whether"],
            ["me"],
        ):
            if words[1:2] and words[1] in _OPENS | {"how", "out"}:
                words = words[1:]
                continue
            return False
        words = words[1:]
    if words[1:3] in (["where", "is"], ["where", "are"]):
        words = words[1:]  # "pip where is numpy": a program is asked
    words = words[_topic(sentence, len(words)) :]
    if not words:
        return False
    if sentence.asks and words[0] not in ACTIONS | ORDERS and not _orders(sentence):
        return True  # "immutable bit on anything in /etc?"
    first, rest = words[0], words[1:]
    asks = (
        first in _OPENS
        or first in ("if", "whether")
        or (first == "how" and bool(rest) and rest[0] in _HOW)
        or (first == "do" and bool(rest) and rest[0] in _AUXILIARY - {"you"})
        or (first in _MAY and bool(rest) and rest[0] in ("i", "we"))
    )
    if not asks or (first in ("what", "which", "whats", "what's") and _ASKS_HOW & set(rest[:5]) & _SHAPES):
        return False
    return not _orders_later(sentence)


def _orders(sentence: Sentence) -> bool:
    """Whether a word orders a change: what somebody will do or did ("before I reload") is no order."""
    tokens = sentence.tokens
    return any(
        orders_change(token)
        and not (
            i > 1
            and tokens[i - 1].text.lower() in _PERSONS
            and tokens[i - 2].text.lower() in ("before", "after", "when")
        )
        for i, token in enumerate(tokens)
    )


_PERSONS = frozenset("i we they he she".split())


def _topic(sentence: Sentence, left: int) -> int:
    """How many of the last `left` words say what is spoken of: "sysctl: is forwarding on" asks behind the colon."""
    tokens = sentence.tokens
    colons = (
        i + left - len(tokens)
        for i in range(1, min(len(tokens) - 1, _TOPIC + 1))
        if ":" in sentence.raw[tokens[i - 1].end : tokens[i].start]
    )
    return max(0, *colons, 0)


_TOPIC = 3  # words before the colon
_SHAPES = frozenset(("command", "commands", "type", "way", "tool", "syntax"))


def _orders_later(sentence: Sentence) -> bool:
    """`which process uses port 80 and kill it`."""
    tokens = sentence.tokens
    return any(
        tokens[i].text.lower() in _ORDERS and tokens[i - 1].text.lower() in ("and", "then")
        for i in range(2, len(tokens))
    )
