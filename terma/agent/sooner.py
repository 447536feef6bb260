"""While a model says nothing about a failure, the embedded engine's explanation is shown; the model's follows. And a
program that reads an answer as a whole waits for no silent model where the embedded engine has one."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import aclosing, suppress
from dataclasses import replace
from typing import TypeVar

from terma.chat import ModelError
from terma.errors import TermaError
from terma.risk import assess
from terma.types import Delta, Event, Explained, Final, Fix, Note, Provider, Query, WhyEvent, WhyQuery

E = TypeVar("E", WhyEvent, Event)
SOON = 2.0  # seconds of silence, as at the prompt
_MOST = 2  # fixes that are shown before the end, where all of them stand with their risks
_UNREAD = 64  # events of a model that nobody has taken yet


class Sooner:
    """One explanation by `model`, or of `other` before it. `early` is the other's end once it was shown; `spoke` says
    whether the model has begun. Where it `is_read_whole` nothing is shown before: a silent model is given up as soon as
    the other has a fix; one that `was_set` has its own time, and `held` is what the other says if that fails, too."""

    def __init__(
        self, model: Provider, other: Provider, is_read_whole: bool = False, was_set: bool = False
    ) -> None:
        self._model, self._other, self._is_read_whole, self._was_set = model, other, is_read_whole, was_set
        self.early: Explained | None = None
        self.held: list[WhyEvent] = []
        self.spoke = False

    async def explain(self, query: WhyQuery) -> AsyncGenerator[WhyEvent, None]:
        """Raises what the model raises, or that it was silent."""
        async with aclosing(_with_silence(self._model.explain(query))) as events:
            async for event in events:
                if event is None and self._is_read_whole and self._was_set:
                    await self._hold(query)
                elif event is None and self._is_read_whole:
                    if await self._has_fix(query):
                        raise _silent(self._model)
                elif event is None:
                    async with aclosing(self._before(query)) as others:
                        async for other in others:
                            yield other
                else:
                    if isinstance(event, Delta):
                        if self.early is not None and not self.spoke:
                            yield Delta(f"{self._model.name}:\n\n")
                        self.spoke = True
                    if isinstance(event, Explained) and self.early is not None:
                        yield replace(event, fixes=(*event.fixes, *self.early.fixes))
                    else:
                        yield event

    async def _has_fix(self, query: WhyQuery) -> bool:
        with suppress(TermaError):
            async with aclosing(self._other.explain(query)) as events:  # type: ignore[type-var]
                async for event in events:
                    if isinstance(event, Explained):
                        return bool(event.fixes)
        return False

    async def _hold(self, query: WhyQuery) -> None:
        with suppress(TermaError):
            async with aclosing(self._other.explain(query)) as events:  # type: ignore[type-var]
                self.held = [event async for event in events]

    async def _before(self, query: WhyQuery) -> AsyncGenerator[WhyEvent, None]:
        """What the other says, and that the model is still awaited."""
        try:
            async with aclosing(self._other.explain(query)) as events:  # type: ignore[type-var]
                async for event in events:
                    if isinstance(event, Explained):
                        self.early = event
                    else:
                        yield event
        except TermaError:  # the model is asked still
            return
        harmless = [fix.command for fix in self._fixes() if assess(fix.command).level == "low"]
        yield Delta("".join(f"\n\n    {command}" for command in harmless[:_MOST]))
        # The last word of a text is held back until it ends: here it is the dots.
        yield Delta(f"\n\n{self._other.name} · {self._model.name} has said nothing yet …\n\n")
        yield Note("thinking")

    def _fixes(self) -> tuple[Fix, ...]:
        return self.early.fixes if self.early is not None else ()


async def unless_silent(query: Query, model: Provider, other: Provider) -> AsyncGenerator[Event, None]:
    """The model's answer to a sentence. Raises what the model raises, or that it was silent where `other` knows one."""
    async with aclosing(_with_silence(model.translate(query))) as events:
        async for event in events:
            if event is not None:
                yield event
            elif await _knows(other, query):
                raise _silent(model)


async def _knows(engine: Provider, query: Query) -> bool:
    with suppress(TermaError):
        async with aclosing(engine.translate(query)) as events:  # type: ignore[type-var]
            async for event in events:
                if isinstance(event, Final):
                    return bool(event.candidates)
    return False


def _silent(model: Provider) -> ModelError:
    return ModelError("timeout", f"{model.name} said nothing for {SOON:g} s", "terma models --check")


async def _with_silence(events: AsyncIterator[E]) -> AsyncGenerator[E | None, None]:
    """The events, and None once where no word came SOON enough. They are read in a task of their own: what they wait
    with ends where it began."""
    read: asyncio.Queue[E | BaseException | None] = asyncio.Queue(_UNREAD)

    async def pump() -> None:
        try:
            async with aclosing(events):  # type: ignore[type-var]
                async for event in events:
                    await read.put(event)
            await read.put(None)
        except Exception as error:
            await read.put(error)

    task = asyncio.create_task(pump())
    silent_at: float | None = asyncio.get_running_loop().time() + SOON
    try:
        while True:
            try:
                async with asyncio.timeout_at(silent_at):
                    event = await read.get()
            except TimeoutError:
                silent_at = None
                yield None
                continue
            if isinstance(event, BaseException):
                raise event
            if event is None:
                return
            if not isinstance(event, Note):
                silent_at = None
            yield event
    finally:
        task.cancel()
        with suppress(asyncio.CancelledError):
            await task
