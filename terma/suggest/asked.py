"""One question to a chat model: what it is told, its command as it comes, and what of that is not so here."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncGenerator, Callable, Sequence
from contextlib import aclosing, suppress
from dataclasses import dataclass, replace

from terma.chat import ChatMessage, ChatModel, Finish, ModelError, TextDelta
from terma.errors import TermaError
from terma.redact.stream import Showing
from terma.suggest.gbnf import Vocabulary
from terma.suggest.hybrid import MOST_SAID, Said, Sentence, fault_of, may_be_better, weight
from terma.suggest.model_call import Helpers, Offers, Restore, Task, as_it_is, call, cut_off, smaller
from terma.suggest.prompt import Place, for_command
from terma.suggest.reply import CommandStream
from terma.suggest.spoken import spoken
from terma.text import one_line
from terma.types import Candidate, Delta, Note, Problem, Query

AGAIN = 0.7  # the temperature of another candidate: at 0 a model says the same
LOOKED_AT = 3  # of the engine's candidates, for one that runs here


@dataclass(frozen=True, slots=True)
class _Told:
    """What stands in every request about one sentence."""

    query: Query
    place: Place
    shown: tuple[str, ...]
    hints: tuple[str, ...]
    vocabulary: Vocabulary | None


class Asked:
    """A model in one role, asked for one command at a time."""

    def __init__(self, model: ChatModel, task: Task, helpers: Helpers) -> None:
        self._model, self._task, self._helpers = model, task, helpers
        self._name = task.spec.name

    async def command(
        self, query: Query, kept: Sentence, shown_at: float | None
    ) -> AsyncGenerator[Delta | Note | Said, None]:
        """Deltas, and Said last. An empty Note says that nothing of the model is there at `shown_at`; where that time
        has come, it comes ahead of all that is looked up and asked for the model. Raises ModelError."""
        async with aclosing(_with_silence(self._command(query, kept), shown_at)) as events:
            async for event in events:
                yield event

    async def _command(self, query: Query, kept: Sentence) -> AsyncGenerator[Delta | Note | Said, None]:
        told = await self._told(query, kept)
        stream, restored, end = CommandStream(), Showing(), Finish()
        async with aclosing(self._say(told)) as events:
            async for event in events:
                if isinstance(event, Note):
                    yield event
                elif isinstance(event, Finish):
                    end = event
                elif isinstance(event, Restore):
                    restored.restore = event.restore
                elif piece := restored.feed(stream.feed(event)):
                    yield Delta(piece)
        command = restored.restore(stream.close())
        if not end.whole and (not command or stream.is_last):  # the rest of a command may be its sense
            fault = f"{self._name} was {cut_off(self._task.spec, end)}"
            yield Said(fault=fault, refusal=fault)
            return
        if not command:
            refusal = one_line(stream.refusal)
            words = f"{self._name} answered in words: {refusal[:MOST_SAID]}" if refusal else ""
            yield Said(fault=words or f"{self._name} gave no command", refusal=refusal)
            return
        if rest := command[len(restored.given) :]:
            yield Delta(rest)
        async with aclosing(self._checked(told, command, kept.offers)) as last:
            async for one in last:
                yield one

    async def _told(self, query: Query, kept: Sentence) -> _Told:
        helpers = self._helpers
        place, hints = await asyncio.gather(helpers.place(query), self._hints(query, kept.offers))
        bounds = None
        if self._task.spec.small and helpers.vocabulary is not None:
            bounds = await helpers.vocabulary(query, kept.offers, place.tools)
        return _Told(query, place, tuple(answer.command for answer in kept.answers), hints, bounds)

    async def _hints(self, query: Query, offers: Offers) -> tuple[str, ...]:
        if self._helpers.facts is None:
            return ()
        return tuple(await self._helpers.facts(query, offers))

    async def _checked(self, told: _Told, command: str, offers: Offers) -> AsyncGenerator[Note | Said, None]:
        """Said, after a second try where something is wrong with the command that another may do better."""
        helpers, query = self._helpers, told.query
        said = one_line(spoken(command, query.words))
        if not said and helpers.is_words is not None and await helpers.is_words(command, query):
            said = one_line(command)
        if said:
            yield Said(fault=f"{self._name} answered in words: {said[:MOST_SAID]}", refusal=said)
            return
        problems: Sequence[Problem] = ()
        if helpers.check is not None:
            problems = await helpers.check(command, query)
            if problems and helpers.second_try and await self._worth_another(query, problems, offers):
                yield Note(f"{problems[0].text} · asking again")
                better, left = await self._second(told, command, problems)
                if weight(left) < weight(problems):
                    command, problems = better, left
        known = helpers.checks is None or await helpers.checks(command, query)
        yield Said(command, tuple(problems), fault_of(self._name, problems), checked=known)

    async def _worth_another(self, query: Query, problems: Sequence[Problem], offers: Offers) -> bool:
        found = [weight(await self._problems(one, query)) for one in offers.sure[:LOOKED_AT]]
        others = any(not serious for serious, _ in found)
        return may_be_better(problems, query.words, others)

    async def _problems(self, candidate: Candidate, query: Query) -> Sequence[Problem]:
        return await self._helpers.check(candidate.command, query) if self._helpers.check is not None else ()

    async def _second(
        self, told: _Told, command: str, problems: Sequence[Problem]
    ) -> tuple[str, Sequence[Problem]]:
        """One more try, told what was wrong: the command and what is wrong with it now. The first one when it fails."""
        wrong = "; ".join(each.text for each in problems)
        messages = (
            *self._messages(told, told.place),
            ChatMessage("assistant", command),
            ChatMessage("user", f"On this machine: {wrong}. Answer with a command that works here."),
        )
        stream = CommandStream()
        restore: Callable[[str], str] = as_it_is
        with suppress(TermaError):
            async with aclosing(
                call(self._model, self._helpers, self._task, messages, vocabulary=told.vocabulary)
            ) as events:
                async for event in events:
                    if isinstance(event, Restore):
                        restore = event.restore
                    elif isinstance(event, TextDelta):
                        stream.feed(event.text)
            better = restore(stream.close())
            if better and better != command and self._helpers.check is not None:
                return better, await self._helpers.check(better, told.query)
        return command, problems

    def _messages(self, told: _Told, place: Place) -> tuple[ChatMessage, ...]:
        return for_command(self._task.role, told.query, place, told.shown, told.hints)

    async def _say(self, told: _Told) -> AsyncGenerator[str | Note | Restore | Finish, None]:
        """The model's words as they come."""
        task = self._task
        if told.shown:
            task = replace(
                task, spec=replace(task.spec, temperature=max(task.spec.temperature or 0.0, AGAIN))
            )
        for small in (task.spec.small, True):
            messages = self._messages(told, smaller(told.place) if small else told.place)
            try:
                events = call(self._model, self._helpers, task, messages, vocabulary=told.vocabulary)
                async with aclosing(events):
                    async for event in events:
                        if isinstance(event, TextDelta):
                            yield event.text
                        elif isinstance(event, Note | Restore | Finish):
                            yield event
                return
            except ModelError as error:
                if error.trouble != "context_length" or small:
                    raise


async def _with_silence(
    events: AsyncGenerator[Delta | Note | Said, None], shown_at: float | None
) -> AsyncGenerator[Delta | Note | Said, None]:
    """The events, and an empty Note where none came until `shown_at`: ahead of all work for them where that is over."""
    if shown_at is not None and time.monotonic() >= shown_at:
        yield Note("")
        shown_at = None
    if shown_at is None:
        async with aclosing(events):
            async for event in events:
                yield event
        return
    upcoming: asyncio.Future[Delta | Note | Said] = asyncio.ensure_future(anext(events))
    try:
        while True:
            left = None if shown_at is None else max(shown_at - time.monotonic(), 0)
            await asyncio.wait({upcoming}, timeout=left)
            if not upcoming.done():
                shown_at = None
                yield Note("")
                continue
            try:
                event = upcoming.result()
            except StopAsyncIteration:
                return
            if not isinstance(event, Note):  # a note is no answer
                shown_at = None
            yield event
            upcoming = asyncio.ensure_future(anext(events))
    finally:
        upcoming.cancel()
        with suppress(asyncio.CancelledError, StopAsyncIteration, TermaError):
            await upcoming
        await events.aclose()
