"""A chat model as an engine: a sentence in, a command out as it is written, with the embedded engine beside it."""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import AsyncGenerator, AsyncIterator, Callable, Sequence
from contextlib import aclosing, suppress
from dataclasses import dataclass, field, replace

from terma.chat import ChatEvent, ChatMessage, ChatModel, ModelError, TextDelta
from terma.errors import TermaError, UnknownAnswer
from terma.redact.stream import Showing
from terma.suggest.model_call import Helpers, Restore, Task, as_it_is, call, smaller
from terma.suggest.prompt import Place, for_command
from terma.suggest.prompted_why import explain
from terma.suggest.reply import CommandStream
from terma.suggest.translate import written
from terma.types import Candidate, Delta, Event, Final, Note, Query, Translator, WhyEvent, WhyQuery

MAX_KEPT = 32  # sentences whose answers are kept, for the same key again
AGAIN = 0.7  # the temperature of another candidate: at 0 a model says the same


@dataclass(slots=True)
class _Sentence:
    """What was answered to one sentence so far, and what the embedded engine offered meanwhile."""

    answers: list[Candidate] = field(default_factory=list)
    beside: str = ""


class Prompted:
    """One model in one role. Its answers to a sentence are kept, so that the same key steps on."""

    local = False

    def __init__(self, model: ChatModel, task: Task, helpers: Helpers) -> None:
        self.name = task.spec.name
        self._model = model
        self._task = task
        self._helpers = helpers
        self._sentences: OrderedDict[tuple[str, ...], _Sentence] = OrderedDict()

    async def translate(self, query: Query) -> AsyncIterator[Event]:
        """Deltas of the command as the model writes it. Raises ModelError, or UnknownAnswer with the model's reason."""
        kept = self._kept(query)
        if query.attempt == 0:
            kept.answers.clear()
        answer: Candidate | None
        if query.attempt < len(kept.answers):
            answer = kept.answers[query.attempt]
            yield Delta(answer.command)
        elif kept.beside and query.attempt and not kept.answers:
            answer = Candidate(kept.beside, 0.5, "offline")  # the same key while the model is silent takes it
            kept.answers += [answer] * 2
            yield Delta(answer.command)
        else:
            answer = None
            async with aclosing(self._new(query, kept)) as events:
                async for event in events:
                    if isinstance(event, Candidate):
                        answer = event
                    else:
                        yield event
            if answer is None:
                raise UnknownAnswer(f"{self.name} gave no command", "say it in other words")
            kept.answers.append(answer)
        index = min(query.attempt, len(kept.answers) - 1)
        yield Final((answer,), index, len(kept.answers))

    def _kept(self, query: Query) -> _Sentence:
        key = (query.words, query.cwd, query.shell)
        kept = self._sentences.setdefault(key, _Sentence())
        self._sentences.move_to_end(key)
        while len(self._sentences) > MAX_KEPT:
            self._sentences.popitem(last=False)
        return kept

    async def _new(self, query: Query, kept: _Sentence) -> AsyncGenerator[Delta | Note | Candidate, None]:
        """Ask the model; the last event is the candidate."""
        helpers = self._helpers
        place = await helpers.place(query)
        shown = [answer.command for answer in kept.answers]
        stream, restored = CommandStream(), Showing()
        async with aclosing(self._say(query, place, shown, kept)) as events:
            async for event in events:
                if isinstance(event, Note):
                    yield event
                elif isinstance(event, Restore):
                    restored.restore = event.restore
                elif piece := restored.feed(stream.feed(event)):
                    yield Delta(piece)
        command = restored.restore(stream.close())
        if not command:
            raise UnknownAnswer(stream.refusal or f"{self.name} gave no command", "say it in other words")
        if rest := command[len(restored.given) :]:
            yield Delta(rest)
        note = ""
        if helpers.check is not None:
            problems = await helpers.check(command, query)
            if problems and helpers.second_try:
                yield Note(f"{problems[0]} · asking again")
                better, left = await self._second(query, place, shown, command, problems)
                if len(left) < len(problems):
                    command, problems = better, left
            note = ", ".join(problems)
        yield Candidate(command, 1.0, "", note=note)

    async def _second(
        self, query: Query, place: Place, shown: Sequence[str], command: str, problems: Sequence[str]
    ) -> tuple[str, Sequence[str]]:
        """One more try, told what was wrong: the command and what is wrong with it now. The first one when it fails."""
        assert self._helpers.check is not None
        messages = (
            *for_command(self._task.role, query, place, shown),
            ChatMessage("assistant", command),
            ChatMessage(
                "user", f"On this machine: {'; '.join(problems)}. Answer with a command that works here."
            ),
        )
        stream = CommandStream()
        restore: Callable[[str], str] = as_it_is
        with suppress(TermaError):
            async with aclosing(call(self._model, self._helpers, self._task, messages)) as events:
                async for event in events:
                    if isinstance(event, Restore):
                        restore = event.restore
                    elif isinstance(event, TextDelta):
                        stream.feed(event.text)
            better = restore(stream.close())
            if better and better != command:
                return better, await self._helpers.check(better, query)
        return command, problems

    async def _say(
        self, query: Query, place: Place, shown: Sequence[str], kept: _Sentence
    ) -> AsyncGenerator[str | Note | Restore, None]:
        """The model's words as they come; while it is silent, what the embedded engine would say."""
        task = self._task
        if shown:
            task = replace(
                task, spec=replace(task.spec, temperature=max(task.spec.temperature or 0.0, AGAIN))
            )
        for small in (False, True):
            messages = for_command(task.role, query, smaller(place) if small else place, shown)
            try:
                async with aclosing(
                    self._with_beside(call(self._model, self._helpers, task, messages), query, kept)
                ) as events:
                    async for event in events:
                        if isinstance(event, TextDelta):
                            yield event.text
                        elif isinstance(event, Note | Restore):
                            yield event
                return
            except ModelError as error:
                if error.trouble != "context_length" or small:
                    raise

    async def _with_beside(
        self, events: AsyncGenerator[ChatEvent | Restore, None], query: Query, kept: _Sentence
    ) -> AsyncGenerator[ChatEvent | Restore, None]:
        helpers = self._helpers
        if helpers.beside is None or not helpers.beside_after or query.attempt:
            async with aclosing(events):
                async for event in events:
                    yield event
            return
        upcoming: asyncio.Future[ChatEvent | Restore] = asyncio.ensure_future(anext(events))
        said = False
        try:
            loop = asyncio.get_running_loop()
            deadline: float | None = loop.time() + helpers.beside_after
            while True:
                left = None if deadline is None else max(deadline - loop.time(), 0)
                await asyncio.wait({upcoming}, timeout=left)
                if not upcoming.done():
                    deadline = None
                    if not said and (found := await _first(helpers.beside, query)):
                        kept.beside = found
                        as_shown = written(Candidate(found, 0.5, "offline"), query).command
                        yield Note(f"{as_shown} (offline) · the same key takes it")
                    continue
                try:
                    event = upcoming.result()
                except StopAsyncIteration:
                    return
                if isinstance(event, TextDelta):
                    said, deadline = True, None
                yield event
                upcoming = asyncio.ensure_future(anext(events))
        finally:
            upcoming.cancel()
            with suppress(asyncio.CancelledError, StopAsyncIteration, TermaError):
                await upcoming
            await events.aclose()

    def explain(self, query: WhyQuery) -> AsyncIterator[WhyEvent]:
        """Deltas of markdown, then the fixes. Raises ModelError."""
        return explain(query, self._model, self._task, self._helpers)


async def _first(engine: Translator, query: Query) -> str:
    """The embedded engine's best answer on one line, "" when it has none."""
    with suppress(TermaError):
        async for event in engine.translate(query):
            if isinstance(event, Final) and event.candidates:
                command = event.candidates[0].command
                return command if "\n" not in command else ""
    return ""
