"""What is measured of a draft against its sentence: the numbers that the learned acceptance decides by."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

from terma.offline.draft import Context
from terma.offline.index import Index
from terma.offline.rank import Weighed
from terma.offline.trust.asked import FAR, Asked, seen
from terma.offline.trust.association import Association, places
from terma.offline.trust.command import Simple, effect
from terma.offline.trust.pairing import NOTHING, Pairing, Said, paired
from terma.offline.trust.prose import copied_runs
from terma.offline.trust.tagger import against
from terma.offline.trust.verify import broken
from terma.offline.trust.words import bare_values
from terma.records import dataclass

_PAIRED = (
    "paired",
    "paired_words",
    "paired_pieces",
    "word_worst",
    "word_second",
    "piece_worst",
    "piece_second",
)
_RIVAL = (
    "score", "coverage", "fit_worst", "fit_mean", "unfit", "asked_mean", "likely", "kind_mean", "value_lost",
    "odd_values", *_PAIRED[:3],
)  # fmt: skip
NAMES = (
    "score", "coverage", "prior", "left", "lost", "grammar", "case", "knowledge", "holes", "effect",
    "asks_change", "clash", "question", "words", "literals", "broken", "fit_worst", "fit_second", "fit_mean", "unfit",
    "unfit_share", "asked_worst", "asked_mean", "unasked", "bare", "run", "unknown", "denials", "denied_unfit", "fixed",
    "rank", "lead", "same_program", "same_command", "here", "foreign", "commands", "steps", "alike", "votes", "apart",
    "missed", "edits", "kin", "options", "likely", "likelier", "likely_all", "kind_worst", "kind_mean", "kind_odd",
    "value_lost", "value_lost_worst", "odd_values", "odd_value_worst",
    *_PAIRED, *(f"ahead_{name}" for name in _RIVAL),
)  # fmt: skip
_RIVALS = tuple(NAMES.index(name) for name in _RIVAL)
_EFFECT = {"look": 0.0, "change": 1.0, "destroy": 2.0}


class Alone(NamedTuple):
    """What is measured of a draft before it is paired and held beside the others of its sentence."""

    command: str
    features: tuple[float, ...]
    words: tuple[Said, ...]
    pieces: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Measured:
    """A draft with its features, in the order of NAMES, and the names of the facts that it breaks."""

    one: Weighed
    features: tuple[float, ...]
    broken: tuple[str, ...]
    unfit: tuple[int, ...]  # tokens that go with nothing in the command
    alone: Alone


def measure(
    about: Asked,
    drafts: Sequence[Weighed],
    context: Context,
    index: Index,
    table: Association,
    pairing: Pairing | None,
) -> list[Measured]:
    """The drafts (likeliest first) measured, each beside the others."""
    programs = [one.draft.command.split(None, 1)[0] if one.draft.command else "" for one in drafts]
    bare = [_bare(one.draft.command) for one in drafts]
    found = []
    for rank, one in enumerate(drafts):
        other = max((o.prior for k, o in enumerate(drafts) if bare[k] != bare[rank]), default=0.0)
        company = (
            float(min(rank, 12)), one.prior - other,
            sum(programs[rank] == name for name in programs[:6]) / min(6, len(drafts)),
            float(sum(bare[rank] == text for text in bare) > 1),
        )  # fmt: skip
        found.append(_measure(about, one, context, index, table, company))
    rows = compared([one.alone for one in found], pairing)
    return [replace(one, features=row) for one, row in zip(found, rows, strict=True)]


def compared(found: Sequence[Alone], pairing: Pairing | None) -> list[tuple[float, ...]]:
    """The features of all drafts of a sentence: each paired, and how far each is ahead of the best of the others in
    what tells commands apart."""
    rows = [
        (*one.features, *(pairing.measure(one.words, one.pieces) if pairing else NOTHING)) for one in found
    ]
    bare = [_bare(one.command) for one in found]
    done = []
    for rank, row in enumerate(rows):
        others = [other for k, other in enumerate(rows) if bare[k] != bare[rank]]
        done.append(
            (*row, *(row[at] - max((other[at] for other in others), default=row[at]) for at in _RIVALS))
        )
    return done


def _bare(command: str) -> str:
    return re.sub(r"\W+", " ", command)


def _measure(
    about: Asked, one: Weighed, context: Context, index: Index, table: Association, company: tuple[float, ...]
) -> Measured:
    facts, command = about.facts, one.draft.command
    parsed, says, fitting, unfit, reverse, unseen = seen(about, command, table)
    wrong = broken(facts, command, context, table, one.draft.heard)
    does = _EFFECT[effect(command)]
    source = one.draft.source
    denied = facts.denied
    run = max((len(tokens_) for _, tokens_ in copied_runs(facts, command)), default=0)
    heavy = sorted(fitting.values())
    case = one.draft.evidence
    features = (
        one.draft.score, one.coverage, one.prior, float(len(one.left)), float(one.lost),
        float(source.startswith("grammar.")), float(source.startswith("case")),
        float(not source.startswith(("grammar.", "case", "history"))), float(len(one.draft.placeholders)), does,
        about.change, does * max(0.0, 2.0 - about.change) if does else 0.0, float(facts.question),
        float(len(about.keys)), float(len(facts.literals)), float(len(wrong)),
        heavy[0] if heavy else 0.0, heavy[1] if len(heavy) > 1 else 0.0,
        sum(heavy) / len(heavy) if heavy else 0.0, float(len(unfit)), len(unfit) / max(1, len(fitting)),
        min(reverse, default=0.0), sum(reverse) / len(reverse) if reverse else 0.0,
        float(sum(value < 0.5 for value in reverse) + unseen),
        float(len(bare_values(facts, command, context, index))), float(run), float(about.unknown),
        float(len(facts.denials)), float(sum(i in denied for i in unfit)), float(about.fixed), *company,
        float(one.here), about.foreign, float(len(parsed)), float(facts.steps), *case,
        float(sum(len(simple.options) for simple in parsed)),
        *_likely(about, parsed), *_kinds(about, parsed, table),
        *against(about.tags, facts.sentence.tokens, parsed, about.own, context.names()),
    )  # fmt: skip
    words, pieces = paired(facts, about.said, parsed, command, says)
    return Measured(one, features, wrong, unfit, Alone(command, features, words, pieces))


def _kinds(about: Asked, parsed: tuple[Simple, ...], table: Association) -> tuple[float, float, float]:
    """How usual values of these kinds are where the command has them: the worst, the mean, how many are odd."""
    named = {form: token for token in about.facts.sentence.tokens for form in (token.text, token.value)}
    found = [
        max(FAR, min(3.0, table.holds(place, named[value])))
        for simple in parsed
        for place, value in places(simple)
        if value in named
    ]
    if not found:
        return 0.0, 0.0, 0.0
    return min(found), sum(found) / len(found), float(sum(value < -0.7 for value in found))


def _likely(about: Asked, parsed: tuple[Simple, ...]) -> tuple[float, float, float]:
    """How likely the first program is for such words, how many are likelier, and the least likely of all that run."""
    if not about.likely:
        return 0.0, 0.0, 0.0
    lowest = min(about.likely.values()) - 1.0
    values = [about.likely.get(simple.program, lowest) for simple in parsed] or [lowest]
    likelier = sum(value > values[0] for value in about.likely.values())
    return max(-12.0, values[0]), float(min(12, likelier)), max(-12.0, min(values))
