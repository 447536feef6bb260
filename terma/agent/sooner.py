"""While a model says nothing about a failure, the embedded engine's explanation is shown; the model's follows. And a
program that reads an answer as a whole waits for no silent model where the embedded engine has one."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from contextlib import aclosing, suppress
from dataclasses import replace
from functools import partial

from terma.agent.patience import SOON, Listener, Patience
from terma.errors import TermaError
from terma.risk import assess
from terma.types import Delta, Explained, Final, Fix, Note, Provider, Query, WhyEvent, WhyQuery

_MOST = 2  # fixes that are shown before the end, where all of them stand with their risks


class Sooner:
    """One explanation by `model`, or of `other` before it. `early` is the other's end once it was shown; `spoke` says
    whether the model has begun. One that `was_set` and `is_read_whole` has its own time, and `held` is what the other
    says if that fails, too; of what `auto` chose `patience` says when it is given up for the other's fix."""

    def __init__(
        self,
        model: Provider,
        other: Provider,
        patience: Patience,
        is_read_whole: bool = False,
        was_set: bool = False,
    ) -> None:
        self._model, self._other, self._is_read_whole, self._was_set = model, other, is_read_whole, was_set
        self._patience = patience
        self.early: Explained | None = None
        self.held: list[WhyEvent] = []
        self.spoke = False

    async def explain(self, query: WhyQuery) -> AsyncGenerator[WhyEvent, None]:
        """Raises what the model raises, or that it was silent."""
        if not self._is_read_whole or self._was_set:
            async with aclosing(self._in_company(query)) as events:
                async for event in events:
                    yield event
            return
        name, has_fix = self._model.name, partial(self._has_fix, query)
        answer = self._patience.unless_silent(name, self._model.explain(query), has_fix)
        async with aclosing(answer) as events:
            async for event in events:
                self.spoke = self.spoke or isinstance(event, Delta)
                yield event

    async def _in_company(self, query: WhyQuery) -> AsyncGenerator[WhyEvent, None]:
        async with (
            Listener(self._model.explain(query)) as listener,
            aclosing(listener.events(SOON)) as events,
        ):
            async for event in events:
                if event is None and self._is_read_whole:
                    await self._hold(query)
                elif event is None:
                    async with aclosing(self._before(query)) as others:
                        async for other in others:
                            yield other
                elif isinstance(event, Explained) and self.early is not None:
                    yield replace(event, fixes=(*event.fixes, *self.early.fixes))
                else:
                    if isinstance(event, Delta):
                        if self.early is not None and not self.spoke:
                            yield Delta(f"{self._model.name}:\n\n")
                        self.spoke = True
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


async def knows(engine: Provider, query: Query) -> bool:
    """Whether `engine` has a command for the words."""
    with suppress(TermaError):
        async with aclosing(engine.translate(query)) as events:  # type: ignore[type-var]
            async for event in events:
                if isinstance(event, Final):
                    return bool(event.candidates)
    return False
