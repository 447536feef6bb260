"""What stands beside a value in the sentence: the other one of two that are named together, and a word that bounds it
in time, where that is the name of an option."""

from __future__ import annotations

from itertools import pairwise

from terma import regex as re
from terma.offline.intent import ACTIONS, CHANGE, ORDERS
from terma.offline.trust.association import Association
from terma.offline.trust.command import simples
from terma.offline.trust.facts import Facts

_VERBS = ACTIONS | CHANGE | ORDERS
_IS = frozenset("is are was were be been".split())
_BOUNDS = frozenset("since until before after".split())
_PLACED = frozenset("in on from to at of under with".split())
_APART = re.compile(r"[/,=:]")


def both(facts: Facts, command: str, table: Association) -> bool:
    """Of "react and react-dom" the one does not stand in the command without the other."""
    tokens = facts.sentence.tokens
    flat = [word for simple in simples(command) for word in simple.words]
    words = {part for word in flat for part in (word, *_APART.split(word))}
    operands = {word for simple in simples(command) for word in simple.operands}
    for i in range(len(tokens) - 2):
        one, joint, other = tokens[i : i + 3]
        if joint.text.lower() != "and" or one.kind not in ("word", "ident") or one.stop:
            continue
        if i and tokens[i - 1].text.lower() in _IS:
            continue  # "HEAD is bad and v1 good"
        named = one.text.lower() not in table.ordinary and one.norm not in _VERBS
        lost = one.text not in words if one.text.isalpha() else one.text not in command
        if named and other.value in words and other.kind != "word" and lost:
            return False
        if named and one.value in operands and _is_lost(facts, i + 2, command, table):
            return False
    return True


def _is_lost(facts: Facts, at: int, command: str, table: Association) -> bool:
    """Whether the second of two that end a clause is a name, and the command has nothing of it: "restart dovecot and
    postfix"."""
    tokens = facts.sentence.tokens
    other, behind = tokens[at], tokens[at + 1 : at + 2]
    return (
        other.kind == "word"
        and not other.stop
        and other.norm not in _VERBS
        and other.text.lower() not in table.ordinary
        and all(one.stop or one.text.lower() in _PLACED for one in behind)
        and other.norm not in command.lower()
    )


def behind_its_option(facts: Facts, command: str, table: Association) -> bool:
    """What stands behind "since" stands behind `--since`, where the program has that, and behind no other option."""
    bounded = [
        (f"--{cue.text.lower()}", token.value)
        for cue, token in pairwise(facts.sentence.tokens)
        if cue.text.lower() in _BOUNDS
    ]
    for simple in simples(command) if bounded else ():
        name = f"{simple.program} {simple.sub}".strip()
        given = [word.partition("=") for word in simple.words if word[:2] == "--"]
        for said, value in bounded:
            known = f"{name} {said}" in table.tokens
            if known and any(option != said and word == value for option, _, word in given):
                return False
    return True
