"""What `auto` chose gives way to the embedded engine when it cannot answer, and says so; what was set never does."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from contextlib import aclosing
from dataclasses import replace
from typing import cast

from terma.chat import ModelError
from terma.errors import UnknownAnswer, UnsureAnswer
from terma.types import (
    Candidate,
    Delta,
    Event,
    Explained,
    Final,
    Note,
    Provider,
    Query,
    Raw,
    WhyEvent,
    WhyQuery,
)


class GivingWay:
    """`first` answers, or `behind` where that is a model which failed before its first word. `notes` are said with the
    answer. One for each question: `name` is whose answer it is by now."""

    def __init__(self, first: Provider, behind: Provider, notes: Sequence[str]) -> None:
        self._now, self._behind = first, behind
        self.notes = list(notes)

    @property
    def name(self) -> str:
        return self._now.name

    @property
    def local(self) -> bool:
        return self._now.local

    async def translate(self, query: Query) -> AsyncIterator[Event]:
        """As the engines' own. Raises UnknownAnswer with the first note as its hint, or ModelError in mid-answer."""
        spoke = False
        try:
            async with aclosing(self._now.translate(query)) as events:  # type: ignore[type-var]
                async for event in events:
                    spoke = spoke or isinstance(event, Delta | Final | Raw)
                    yield self._noted(event)
            return
        except ModelError as error:
            if spoke or self._now is self._behind:
                raise
            yield Note(self._give_way(error))
        except UnknownAnswer as error:
            raise self._unknown(error) from None
        try:
            async with aclosing(self._behind.translate(query)) as events:  # type: ignore[type-var]
                async for event in events:
                    yield self._noted(event)
        except UnknownAnswer as error:
            raise self._unknown(error) from None

    async def explain(self, query: WhyQuery) -> AsyncIterator[WhyEvent]:
        """As the engines' own; behind a model that fell silent in mid-answer stands the other's, too. Raises like
        `translate`."""
        spoke = False
        try:
            async with aclosing(self._now.explain(query)) as events:  # type: ignore[type-var]
                async for event in events:
                    spoke = spoke or isinstance(event, Delta)
                    if isinstance(event, Explained):
                        yield self._closing()
                    yield event
            return
        except ModelError as error:
            if self._now is self._behind:
                raise
            yield Note(self._give_way(error))
            if spoke:
                yield Delta("\n\n")
        async with aclosing(self._behind.explain(query)) as events:  # type: ignore[type-var]
            async for event in events:
                if isinstance(event, Explained):
                    yield self._closing()
                yield event

    def _give_way(self, error: ModelError) -> str:
        said = failed(self._now.name, error)
        self.notes.insert(0, said)
        self._now = self._behind
        return said

    def _noted(self, event: Event) -> Event:
        if not isinstance(event, Final) or not event.candidates or not self.notes:
            return event
        first: Candidate = event.candidates[0]
        note = " · ".join(filter(None, (first.note, *self.notes)))
        return replace(event, candidates=(replace(first, note=note), *event.candidates[1:]))

    def _closing(self) -> WhyEvent:
        return Delta("".join(f"\n\n{note}" for note in self.notes))

    def _unknown(self, error: UnknownAnswer) -> UnknownAnswer:
        if not self.notes or isinstance(error, UnsureAnswer):  # what is near is what to do next
            return error
        return UnknownAnswer(error.message, self.notes[0])


def failed(name: str, error: ModelError) -> str:
    """Why another engine answers, and what to do: for a state line."""
    said = error.message if error.message.startswith(name) else f"{name}: {error.message}"
    return said + (f" ({error.hint})" if error.hint else "")


def giving_way(first: Provider, behind: Provider, notes: Sequence[str]) -> Provider:
    """`first`, as it is where there is nothing to say and nothing to give way from."""
    if first is behind and not notes:
        return first
    return cast(Provider, GivingWay(first, behind, notes))
