"""The answers to questions about what ran here: facts of the record, and where it has none, that it has none."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from terma.agent.chat.deeds.asked import About, Asked
from terma.agent.chat.deeds.by_work import acts, named_by
from terma.agent.chat.deeds.of_all import OF_ALL, UNKNOWN
from terma.agent.chat.deeds.of_one import (
    MAX_LISTED,
    OF_ONE,
    commands,
    how_it_went,
    listed,
    may_have_failed,
    name,
    not_run,
)
from terma.agent.chat.deeds.record import REFUSED, Deed, Record
from terma.agent.chat.deeds.senses import Sense
from terma.text import one_line

NOT_ALL = "Earlier parts of this conversation are left out of my memory: this may not be all."
_LISTS: frozenset[About] = frozenset(
    ("count", "failed", "worked", "all_well", "longest", "shortest", "ours", "asked", "refused", "approved")
)


@dataclass(frozen=True, slots=True)
class Answer:
    """Markdown to say, or a command: to be proposed again (`again`), else to be explained; or a failure to be
    explained."""

    text: str = ""
    command: str = ""
    again: bool = False
    failure: Deed | None = None


def answer(asked: Asked, known: Record, sense: Sense) -> Answer | None:
    """None where the record has nothing that could be meant, and other words of the question may."""
    if not known.deeds and asked.about in ("failed", "worked"):
        return None  # a machine's services fail too
    if asked.about in OF_ALL:
        text = OF_ALL[asked.about](asked, known)
        return Answer(f"{text}\n\n{NOT_ALL}" if asked.about in _LISTS and not known.whole else text)
    if asked.about == "list":
        return _list(asked, known.deeds) if known.deeds else None
    if asked.about == "duration" and asked.words.has("all"):
        return _took(asked, known)
    if asked.about == "acts":
        told = acts(asked.thing, known, sense)
        return Answer(told) if told else None
    if asked.thing:
        return Answer(named_by(asked.thing, known, sense))
    if not known.known:
        return Answer(UNKNOWN)
    deed = _meant(asked, known.deeds)
    if deed is None:
        return Answer(f"I know of {commands(len(known.deeds))} only:\n\n{listed(known.deeds)}")
    if asked.about == "repeat":
        return Answer(command=deed.command, again=True)
    if asked.about == "explain":
        return Answer(command=deed.command)
    if deed.by == REFUSED:
        wished = (
            f"You asked: {one_line(deed.wish, 200)} - " if asked.about == "why_ours" and deed.wish else ""
        )
        return Answer(f"{wished}{not_run(deed)}")
    if asked.about == "why":
        return Answer(failure=deed) if may_have_failed(deed) else Answer(how_it_went(deed))
    said = OF_ONE[asked.about](deed, known)
    if known.refused_last and not (asked.words.named or asked.words.nth or asked.words.shift):
        if asked.about == "undo":
            return Answer(
                f"{name(known.refused[-1].command)} was not run: nothing of it is to be taken back."
            )
        said = f"{name(known.refused[-1].command)} was not run. Before that: {said}"
    return Answer(said)


def _list(asked: Asked, deeds: Sequence[Deed]) -> Answer:
    single = asked.words.has("command", "thing") and not asked.words.plural
    if asked.words.shift and asked.words.has("run", "do") and not single:
        return _on_one_side(asked, deeds)
    if asked.words.shift:
        deed = _meant(asked, deeds)
        return Answer(listed([deed]) if deed else "There is none that I know of.")
    if not asked.words.nth:
        return Answer(listed(deeds[-_how_many(asked) :]))
    deed = _meant(asked, deeds)
    return Answer(listed([deed] if deed else deeds))


def _on_one_side(asked: Asked, deeds: Sequence[Deed]) -> Answer:
    """What ran before, or after, the command that is named."""
    meant = _meant(replace(asked, words=replace(asked.words, shift=0)), deeds)
    at = next((at for at, deed in enumerate(deeds) if deed is meant), 0)
    side = deeds[:at] if asked.words.shift < 0 else deeds[at + 1 :]
    return Answer(listed(side) if side else "Nothing that I know of.")


def _how_many(asked: Asked) -> int:
    words = asked.words
    if words.number > 0:
        return min(words.number, MAX_LISTED)
    return 1 if words.has("last") and words.has("command") and not words.plural else MAX_LISTED


def _meant(asked: Asked, deeds: Sequence[Deed]) -> Deed | None:
    words = asked.words
    found = [deed for deed in words.named if deed.by != REFUSED] or list(words.named or deeds)
    said_how = asked.about not in ("status", "why") or words.has("status")  # else that is what is asked
    if words.has("fail") and said_how:
        found = [deed for deed in found if deed.status > 0] or found
    if not found or words.nth > len(found):
        return None
    meant = found[words.nth - 1] if words.nth else found[-1]
    at = next((at for at, deed in enumerate(deeds) if deed is meant), -1) + words.shift
    return meant if not words.shift else deeds[at] if at in range(len(deeds)) else None


def _took(asked: Asked, known: Record) -> Answer | None:
    """How long all together took."""
    timed = [deed.seconds for deed in known.deeds if deed.seconds >= 0]
    if not timed:
        return None
    return Answer(f"The {commands(len(timed))} whose time is known took {sum(timed):.1f} s together.")
