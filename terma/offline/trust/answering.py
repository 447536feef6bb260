"""Whether a command only looks: by what its programs are known to do, or because the very same one, values aside, was
what people were answered with when they asked a question (training/associate learns which)."""

from __future__ import annotations

from collections.abc import Container
from typing import Protocol

from terma.offline.trust.association import values_of
from terma.offline.trust.command import Simple, harm, pieces, simples
from terma.offline.trust.effects import effect_of, runs_a_file
from terma.offline.trust.facts import Facts


class Table(Protocol):
    """What was learned: the simple commands that answered questions."""

    @property
    def answers(self) -> Container[str]: ...


def sign(simple: Simple, values: frozenset[str]) -> str:
    """What one simple command says, values aside; "" of one that writes or loses something, or is known to look."""
    if simple.writes or effect_of(simple) != "change":
        return ""
    return " ".join(pieces(simple, values))


def only_looks(facts: Facts, command: str, table: Table) -> bool:
    """Whether nothing is changed, as far as that is known or was learned."""
    parsed = simples(command)
    values = values_of(facts.sentence, [word for simple in parsed for word in simple.words])
    changing = [simple for simple in parsed if effect_of(simple) != "look"]
    if changing:
        return all(sign(simple, values) in table.answers or _named(simple, values) for simple in changing)
    return harm(command) == "look"


def _named(simple: Simple, values: frozenset[str]) -> bool:
    """Whether it runs a program of the person's own that they named: how long that takes is told by running it."""
    return runs_a_file(simple) and simple.operands[0] in values
