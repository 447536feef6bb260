"""Two orders in one sentence: a command that does the first alone is no answer."""

from __future__ import annotations

from terma.offline.trust.association import Association, values_of
from terma.offline.trust.command import simples, tokens
from terma.offline.trust.facts import Facts

ANSWERED = 1.0  # log odds: verbs beside right commands of our authors had more than 2, or less than 0


def done(facts: Facts, command: str, table: Association, heard: frozenset[int] = frozenset()) -> bool:
    """Whether there are two commands, or one that is known to do both. `heard`: words that somebody said, too,
    whom this very command answered; nothing beside them but values, and it did all."""
    if facts.steps < 2 and not facts.to_it:
        return True
    if heard.union(facts.literals).issuperset(range(len(facts.sentence.tokens))):
        return True
    parsed = simples(command)
    if len(parsed) > 1 or any(simple.writes for simple in parsed):
        return True
    said = tokens(command, values_of(facts.sentence, parsed[0].words))
    fits = [table.fit(facts.sentence.tokens[i].norm, said) for i in facts.to_it]
    return all(fit is not None and fit > ANSWERED for fit in fits) and (
        facts.steps < 2 or len(parsed[0].options) >= facts.steps
    )
