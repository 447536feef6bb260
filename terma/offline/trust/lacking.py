"""A condition that a command dropped: a word known to ask for a piece of this very program, where the command has
neither that piece nor any other that the word was ever said for. "Delete evicted pods" is not `kubectl delete pods`."""

from __future__ import annotations

from terma.offline.intent import ACTIONS, CHANGE
from terma.offline.lexicon import LIGHT, STOP
from terma.offline.trust.association import TELLING, Association, keys, values_of
from terma.offline.trust.command import effect, simples, tokens
from terma.offline.trust.facts import Facts
from terma.offline.trust.words import STRONG

_SAYS_LITTLE = STOP | LIGHT | TELLING  # words of any sentence: no conditions
_VERBS = ACTIONS | CHANGE
_JOINS = frozenset(("and", "then", "but"))
ASKS = 0.2  # share of a piece that the word accounts for, from which on the word asks for it
ELSE = 0.1  # of that share, what may at most go to pieces that the command has


def drops(facts: Facts, command: str, table: Association) -> bool:
    """Whether a command that destroys something lacks what a word of the sentence asks for."""
    return effect(command) == "destroy" and bool(lacking(facts, command, table))


def lacking(facts: Facts, command: str, table: Association) -> tuple[str, ...]:
    """The words whose piece of the command's programs is not there."""
    parsed = simples(command)
    flat = [word for simple in parsed for word in simple.words]
    said = frozenset(tokens(command, values_of(facts.sentence, flat)))
    programs = {simple.program for simple in parsed}
    joined = " ".join(flat).lower()
    found = []
    for i, key in keys(facts).items():
        token = facts.sentence.tokens[i]
        names = i + 1 in facts.literals or token.norm in STRONG  # the pid 4711, the namespace shop
        row = None if names or token.norm in _SAYS_LITTLE or _orders(facts, i) else table.row(key)
        if row is None or token.text.lower() in joined:
            continue
        here = max((row.get(piece, 0.0) for piece in said), default=0.0)
        asked = max((share for piece, share in row.items() if _option(piece, programs)), default=0.0)
        if asked >= ASKS and here < asked * ELSE:
            found.append(key)
    return tuple(found)


def _orders(facts: Facts, i: int) -> bool:
    """Whether the word is a verb that orders something: the first of the sentence, or one behind "and" or "then"."""
    tokens = facts.sentence.tokens
    if tokens[i].norm not in _VERBS:
        return False
    return not any(one.norm in _VERBS for one in tokens[:i]) or tokens[i - 1].norm in _JOINS


def _option(piece: str, programs: set[str]) -> bool:
    """Whether it is an option of one of the programs."""
    program, _, rest = piece.partition(" ")
    return program in programs and (rest[:1] == "-" or " -" in rest)
