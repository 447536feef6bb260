"""Which of the judged drafts are sure enough to be inserted, and which of them comes first."""

from __future__ import annotations

from dataclasses import replace

from terma.offline.intent import orders_change
from terma.offline.rank import Ranked
from terma.offline.trust.answering import only_looks
from terma.offline.trust.association import Association
from terma.offline.trust.command import harm, simples
from terma.offline.trust.facts import Facts


def need(facts: Facts, command: str, table: Association) -> str:
    """Which bound of the acceptance holds for a command: by what it does, and a change that no word of the sentence
    asks for has to be surer than one that was ordered."""
    does = harm(command)
    if does == "change" and only_looks(facts, command, table):
        return "look"
    if does == "look" or any(map(orders_change, facts.sentence.tokens)):
        return does
    return "unasked"


def placed(one: tuple[Ranked, tuple[bool, float]]) -> tuple[float, ...]:
    """Of what is sure enough, that comes first which can be run here, then the surest."""
    ranked, (missing, doubt) = one
    return -ranked.inserts, ranked.inserts and missing, -ranked.candidate.score, doubt


def runnable_instead(found: list[Ranked], here: list[bool], enough: float) -> list[Ranked]:
    """Where only what cannot be run here is sure enough: the likeliest of one program that can be, if all that it says
    (`lsof -i :80`, `lsof -iTCP:80`) are `enough` together: which of them is a matter of taste."""
    if any(one.inserts and runs for one, runs in zip(found, here, strict=True)):
        return found
    could: dict[str, list[int]] = {}
    for n, (one, runs) in enumerate(zip(found, here, strict=True)):
        if runs and one.close and one.keeps:
            could.setdefault(simples(one.candidate.command)[0].program, []).append(n)
    for same in could.values():
        likeliest = max(same, key=lambda n: found[n].candidate.score)
        if sum(found[n].candidate.score for n in same) >= enough:
            return [replace(one, inserts=one.inserts or n == likeliest) for n, one in enumerate(found)]
    return found


def surest(one: Ranked) -> tuple[float, ...]:
    return -one.inserts, -one.candidate.score if one.inserts else 0.0
