"""What each draft of a sentence is worth: by the facts that it breaks, by the acceptance, and where that is not sure,
by a second look."""

from __future__ import annotations

from collections.abc import Container
from typing import NamedTuple

from terma.offline.draft import Draft
from terma.offline.rank import Weighed
from terma.offline.recipes import OWN
from terma.offline.trust.accept import Acceptance
from terma.offline.trust.asked import Asked
from terma.offline.trust.features import Measured
from terma.offline.trust.second_look import Judged, SecondLook, as_read

VERBATIM = 0.995  # prior of a draft whose phrasing is the sentence, word for word
BEFORE_ITS_AUTHOR = frozenset(
    ("steps", "denials")
)  # what its author had before them: that two orders are one, what is left out
LATER = frozenset(("steps",))  # broken by many that are right: stands where the rest is clear
CLEAR = (
    0.6  # confidence that stands though a fact is broken by the letter, or a likelier reading lacks a value
)
WRITTEN = 0.9  # the least confidence of a draft that somebody wrote for just this sentence
UNSURE = -20.0  # log odds of what is not weighed


class Scored(NamedTuple):
    """A draft, the facts that it breaks, its log odds and the share of such answers that were right (0..1)."""

    measured: Measured
    broken: tuple[str, ...]
    total: float
    confidence: float

    @property
    def weighed(self) -> Weighed:
        return self.measured.one

    @property
    def draft(self) -> Draft:
        return self.measured.one.draft


def scored(
    accept: Acceptance,
    second: SecondLook | None,
    about: Asked,
    measured: list[Measured],
    here: Container[str],
) -> list[Scored]:
    """The drafts with what each is worth. `here`: names of things that are there. What the sentence's own words were
    written for needs no second look."""
    found = [_first_look(accept, one) for one in measured]
    could = [n for n, one in enumerate(found) if not (one.broken or one.draft.placeholders)]
    clear = any(is_known(found[n].draft) or word_for_word(found[n].weighed) for n in could)
    if second is None or clear:
        return [_settled(one) for one in found]
    drafts = [
        Judged(one.draft.command, one.measured.features, one.total, one.confidence)
        for one in (found[n] for n in could)
    ]
    tokens, tags = as_read(about.facts.sentence.tokens, about.tags, here)
    for n, judged in zip(could, second.look(tokens, tags, drafts), strict=True):
        found[n] = found[n]._replace(total=judged.total, confidence=judged.confidence)
    return [_settled(one) for one in found]


def _first_look(accept: Acceptance, one: Measured) -> Scored:
    broken = one.broken
    if its_persons(one.one.draft):
        broken = ()
    elif word_for_word(one.one):
        broken = tuple(rule for rule in broken if rule not in BEFORE_ITS_AUTHOR)
    total = accept.total(one.features) if LATER.issuperset(broken) else UNSURE
    return Scored(one, broken, total, accept.calibrated(total))


def _settled(one: Scored) -> Scored:
    """With what is known of where the draft comes from; what breaks a fact is never offered."""
    broken = () if one.confidence >= CLEAR else one.broken
    draft, confidence = one.draft, 0.0 if broken else one.confidence
    if is_known(draft):
        confidence = 1.0
    elif word_for_word(one.weighed) and not broken:
        confidence = max(confidence, WRITTEN)
    return one._replace(broken=broken, confidence=confidence)


def is_known(draft: Draft) -> bool:
    """Whether this person ran it under this name, or said what the words mean."""
    return draft.source == "history" or its_persons(draft)


def its_persons(draft: Draft) -> bool:
    """Whether this person said that it is what these words mean."""
    return draft.source.startswith(OWN) and draft.score >= VERBATIM


def word_for_word(one: Weighed) -> bool:
    """Whether somebody wrote the phrasing of the draft as the sentence has it."""
    return one.prior >= VERBATIM and not one.draft.source.startswith(("case.", "grammar."))
