"""What is not to be taken away stays: "don't remove duplicates" is no "without duplicates"."""

from __future__ import annotations

from terma.offline.trust.association import Association
from terma.offline.trust.command import tokens
from terma.offline.trust.facts import Facts

_TAKES_AWAY = frozenset("delete skip ignore exclude hide omit drop".split())
ASKS = 2.0  # log odds, from which on the denied word asks for an option


def stays(facts: Facts, command: str, table: Association) -> bool:
    """Whether no option is there that the sentence would ask for if it took away what it says to leave."""
    said = facts.sentence.tokens
    kept = [
        said[i].norm
        for denial in facts.denials
        if denial.scope and said[denial.scope[0]].norm in _TAKES_AWAY and not denial.leaves_out
        for i in denial.scope[1:]
        if not said[i].stop
    ]
    pieces = [piece for piece in tokens(command) if " -" in piece] if kept else []
    return not any((table.asked(piece, [f"not {word}"]) or 0.0) >= ASKS for piece in pieces for word in kept)
