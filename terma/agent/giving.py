"""What `auto` chose gives way to the embedded engine when it cannot answer, and says so; what was set never does, and
while it is silent about a failure the embedded explanation stands before its own."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import AsyncGenerator, AsyncIterator, Callable, Sequence
from contextlib import aclosing
from dataclasses import replace
from functools import partial
from typing import cast

from terma.agent.patience import Patience
from terma.agent.sooner import Sooner, knows
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

_MOST_SHELLS = 256  # whose notes are remembered
Once = Callable[[str], bool]  # whether a note is news to the shell that asks; it is none from then on


class ReadNotes:
    """Which notes a shell has read already: one that it repeats with each answer is no help any more."""

    def __init__(self) -> None:
        self._read: OrderedDict[str, set[str]] = OrderedDict()

    def news(self, shell: str, note: str) -> bool:
        """Whether `shell` reads this for the first time; always, where nobody knows which shell it is."""
        if not shell:
            return True
        read = self._read.setdefault(shell, set())
        self._read.move_to_end(shell)
        if len(self._read) > _MOST_SHELLS:
            self._read.popitem(last=False)
        new = note not in read
        read.add(note)
        return new


class GaveWay:
    """In which conversations what `auto` chose has given way for the question that is being answered."""

    def __init__(self) -> None:
        self._clients: OrderedDict[str, None] = OrderedDict()

    def give(self, client: str) -> None:
        self._clients[client] = None
        if len(self._clients) > _MOST_SHELLS:
            self._clients.popitem(last=False)

    def holds(self, client: str, begins: bool) -> bool:
        """Whether it holds for this request; one that `begins` a question ends it."""
        if begins:
            self._clients.pop(client, None)
        return client in self._clients


class GivingWay:
    """`first` answers, or `behind` where that is a model which failed before its first word. `notes` are said with the
    answer, each as often as `once` says. One for each question: `name` is whose answer it is by now. What `was_set`
    fails where `behind` was not shown yet."""

    def __init__(
        self,
        first: Provider,
        behind: Provider,
        notes: Sequence[str],
        once: Once,
        patience: Patience,
        was_set: bool = False,
    ) -> None:
        self._now, self._behind, self._once, self.was_set = first, behind, once, was_set
        self._patience = patience
        self.is_read_whole = False  # by who sees nothing before the end: a silent model is not awaited then
        self.notes = list(notes)
        self._failed: list[str] = []  # why `first` gave way, said each time

    @property
    def name(self) -> str:
        return self._now.name

    @property
    def local(self) -> bool:
        return self._now.local

    @property
    def said(self) -> list[str]:
        """All that there was to say beside the answer."""
        return [*self._failed, *self.notes]

    async def translate(self, query: Query) -> AsyncIterator[Event]:
        """As the engines' own. Raises UnknownAnswer with the first note as its hint, or ModelError in mid-answer."""
        spoke = False
        try:
            async with aclosing(self._first(query)) as events:  # type: ignore[type-var]
                async for event in events:
                    spoke = spoke or isinstance(event, Delta | Final | Raw)
                    yield self._noted(event)
            return
        except ModelError as error:
            if spoke or self._now is self._behind or self.was_set:
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

    def _first(self, query: Query) -> AsyncIterator[Event]:
        if self.is_read_whole and not self.was_set and self._now is not self._behind:
            events = self._now.translate(query)
            return self._patience.unless_silent(self._now.name, events, partial(knows, self._behind, query))
        return self._now.translate(query)

    async def explain(self, query: WhyQuery) -> AsyncIterator[WhyEvent]:
        """As the engines' own. While a model is silent the other's explanation is shown, and the model's beneath it
        once it comes; behind one that failed stands the other's, too. Raises like `translate`."""
        if self._now is not self._behind:
            sooner = Sooner(self._now, self._behind, self._patience, self.is_read_whole, self.was_set)
            try:
                async with aclosing(self._closed(sooner.explain(query))) as events:
                    async for event in events:
                        yield event
                return
            except ModelError as error:
                if self.was_set and sooner.early is None and not sooner.held:
                    raise
                yield Note(self._give_way(error))
            for event in sooner.held:
                if isinstance(event, Explained):
                    yield self._closing()
                yield event
            if sooner.held:
                return
            if sooner.early is not None:
                yield self._closing()
                yield sooner.early
                return
            if sooner.spoke:
                yield Delta("\n\n")
        async with aclosing(self._closed(self._behind.explain(query))) as events:
            async for event in events:
                yield event

    async def _closed(self, events: AsyncIterator[WhyEvent]) -> AsyncGenerator[WhyEvent, None]:
        """The events, with what is to be said before the end."""
        async with aclosing(events):  # type: ignore[type-var]
            async for event in events:
                if isinstance(event, Explained):
                    yield self._closing()
                yield event

    def _give_way(self, error: ModelError) -> str:
        said = failed(self._now.name, error)
        self._failed.append(said)
        self._now = self._behind
        return said

    def _noted(self, event: Event) -> Event:
        if not isinstance(event, Final) or not event.candidates or not (notes := self._news()):
            return event
        first: Candidate = event.candidates[0]
        note = " · ".join(filter(None, (first.note, *notes)))
        return replace(event, candidates=(replace(first, note=note), *event.candidates[1:]))

    def _closing(self) -> WhyEvent:
        return Delta("".join(f"\n\n{note}" for note in self._news()))

    def _news(self) -> list[str]:
        """What is to be said now."""
        return [*self._failed, *(note for note in self.notes if self._once(note))]

    def _unknown(self, error: UnknownAnswer) -> UnknownAnswer:
        if not self.said or isinstance(error, UnsureAnswer):  # what is near is what to do next
            return error
        return UnknownAnswer(error.message, self.said[0])


def failed(name: str, error: ModelError) -> str:
    """Why another engine answers, and what to do: for a state line."""
    said = error.message if error.message.startswith(name) else f"{name}: {error.message}"
    return said + (f" ({error.hint})" if error.hint else "")


def giving_way(
    first: Provider, behind: Provider, notes: Sequence[str], once: Once, patience: Patience
) -> Provider:
    """`first`, as it is where there is nothing to say and nothing to give way from."""
    if first is behind and not notes:
        return first
    return cast(Provider, GivingWay(first, behind, notes, once, patience))


def keeping_company(first: Provider, behind: Provider) -> Provider:
    """`first`, a model that was set, with `behind` for as long as it is silent about a failure."""
    return cast(Provider, GivingWay(first, behind, (), lambda _: False, Patience(), was_set=True))


def at_once(provider: Provider) -> Provider:
    """`provider`, for who reads its answer as a whole."""
    if isinstance(provider, GivingWay):
        provider.is_read_whole = True
    return provider
