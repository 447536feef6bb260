"""A chat model as an engine: a prompt in, a command or an explanation out, with the embedded engine beside it.

The secrets in a prompt are taken out before the model is asked, and put back in the command, which stays here.
"""

from __future__ import annotations

import asyncio
import re
from collections import OrderedDict
from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable, Sequence
from contextlib import aclosing, suppress
from dataclasses import dataclass, field, replace

from terma.chat import (
    ChatEvent,
    ChatMessage,
    ChatModel,
    ChatRequest,
    Command,
    ModelError,
    ModelSpec,
    TextDelta,
    ToolCall,
    ToolSpec,
    Usage,
)
from terma.errors import TermaError, UnknownAnswer
from terma.suggest.prompt import Place, for_command, for_why
from terma.suggest.reply import CommandStream
from terma.types import (
    Candidate,
    Delta,
    Event,
    Explained,
    Final,
    Fix,
    Note,
    Output,
    Query,
    Translator,
    WhyEvent,
    WhyQuery,
)

MAX_KEPT = 32  # sentences whose answers are kept, for the same key again
AGAIN = 0.7  # the temperature of another candidate: at 0 a model says the same
PLACEHOLDER_TAIL = re.compile(r"<(?:S(?:E(?:C(?:R(?:E(?:T(?:_\d*)?)?)?)?)?)?)?\Z")

PROPOSE = ToolSpec(
    "propose_fix",
    "Offer one command that does what was meant. It is put on the person's prompt and never run for them.",
    {
        "type": "object",
        "properties": {
            "command": {"type": "string", "description": "the whole command line"},
            "description": {"type": "string", "description": "what it does, in a few words"},
        },
        "required": ["command"],
    },
)
IN_JSON = (
    "When there is a fix, end with one line of JSON and nothing after it: "
    '{"commands": [{"command": "the whole command line", "description": "what it does"}]}'
)


@dataclass(frozen=True, slots=True)
class Task:
    """What the model is: its prompt, and how it is asked. `shorter` says how a prompt that is too long is cut."""

    role: str
    spec: ModelSpec


@dataclass(frozen=True, slots=True, kw_only=True)
class Helpers:
    """What this room is handed by the agent, which knows the others."""

    place: Callable[[Query | WhyQuery], Awaitable[Place]]
    hide: Callable[[Sequence[ChatMessage]], tuple[tuple[ChatMessage, ...], Callable[[str], str]]]
    told: Callable[[str, Sequence[ChatMessage]], None]
    used: Callable[[Usage], None]
    commands: Callable[[str], Sequence[Command]]
    call: Callable[[ToolCall], Command | None]
    beside: Translator | None = None  # the embedded engine, for a slow model
    beside_after: float = 0.3  # seconds
    check: Callable[[str, Query], Awaitable[Sequence[str]]] | None = None
    second_try: bool = True


@dataclass(slots=True)
class _Sentence:
    """What was answered to one sentence so far, and what the embedded engine offered meanwhile."""

    answers: list[Candidate] = field(default_factory=list)
    beside: str = ""


class Prompted:
    """One model with one role for each job. Its answers to a sentence are kept, so that the same key steps on."""

    local = False

    def __init__(self, model: ChatModel, command: Task, why: Task, helpers: Helpers) -> None:
        self.name = command.spec.name
        self._model = model
        self._command = command
        self._why = why
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
        stream, restored = CommandStream(), _Restored()
        async with aclosing(self._say(query, place, shown, kept)) as events:
            async for event in events:
                if isinstance(event, Note):
                    yield event
                elif isinstance(event, _Restore):
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
            *for_command(self._command.role, query, place, shown),
            ChatMessage("assistant", command),
            ChatMessage(
                "user", f"On this machine: {'; '.join(problems)}. Answer with a command that works here."
            ),
        )
        stream = CommandStream()
        restore: Callable[[str], str] = _same
        with suppress(TermaError):
            async with aclosing(self._chat(messages, self._command, ())) as events:
                async for event in events:
                    if isinstance(event, _Restore):
                        restore = event.restore
                    elif isinstance(event, TextDelta):
                        stream.feed(event.text)
            better = restore(stream.close())
            if better and better != command:
                return better, await self._helpers.check(better, query)
        return command, problems

    async def _say(
        self, query: Query, place: Place, shown: Sequence[str], kept: _Sentence
    ) -> AsyncGenerator[str | Note | _Restore, None]:
        """The model's words as they come; while it is silent, what the embedded engine would say."""
        task = self._command
        if shown:
            task = replace(
                task, spec=replace(task.spec, temperature=max(task.spec.temperature or 0.0, AGAIN))
            )
        for small in (False, True):
            messages = for_command(task.role, query, _smaller(place) if small else place, shown)
            try:
                async with aclosing(self._with_beside(self._chat(messages, task, ()), query, kept)) as events:
                    async for event in events:
                        if isinstance(event, TextDelta):
                            yield event.text
                        elif isinstance(event, Note | _Restore):
                            yield event
                return
            except ModelError as error:
                if error.trouble != "context_length" or small:
                    raise

    async def _with_beside(
        self, events: AsyncGenerator[ChatEvent | _Restore, None], query: Query, kept: _Sentence
    ) -> AsyncGenerator[ChatEvent | _Restore, None]:
        helpers = self._helpers
        if helpers.beside is None or not helpers.beside_after or query.attempt:
            async with aclosing(events):
                async for event in events:
                    yield event
            return
        upcoming: asyncio.Future[ChatEvent | _Restore] = asyncio.ensure_future(anext(events))
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
                        yield Note(f"{found} (offline) · the same key takes it")
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

    async def _chat(
        self, messages: Sequence[ChatMessage], task: Task, tools: tuple[ToolSpec, ...]
    ) -> AsyncGenerator[ChatEvent | _Restore, None]:
        """One request: secrets out first, and kept to be shown. The first event says how to put them back."""
        hidden, restore = self._helpers.hide(messages)
        self._helpers.told(self.name, hidden)
        yield _Restore(restore)
        request = ChatRequest(spec=task.spec, messages=hidden, tools=tools)
        events = self._model.chat(request)
        try:
            async for event in events:
                if isinstance(event, Usage):
                    self._helpers.used(event)
                else:
                    yield event
        finally:
            aclose = getattr(events, "aclose", None)
            if aclose is not None:
                await aclose()

    async def explain(self, query: WhyQuery) -> AsyncIterator[WhyEvent]:
        """Deltas of markdown; the fixes come back as tool calls, or as JSON from a model that calls none."""
        place = await self._helpers.place(query)
        tools: tuple[ToolSpec, ...] = (PROPOSE,)
        small = False
        while True:
            task = self._why if tools else replace(self._why, role=f"{self._why.role}\n\n{IN_JSON}")
            asked = replace(query, output=_shorter(query.output)) if small else query
            messages = for_why(task.role, asked, _smaller(place) if small else place)
            try:
                async with aclosing(self._explained(messages, task, tools)) as events:
                    async for event in events:
                        yield event
                return
            except ModelError as error:
                if error.trouble == "no_tools" and tools:
                    tools = ()
                elif error.trouble == "context_length" and not small:
                    small = True
                else:
                    raise

    async def _explained(
        self, messages: Sequence[ChatMessage], task: Task, tools: tuple[ToolSpec, ...]
    ) -> AsyncGenerator[WhyEvent, None]:
        said, visible = "", _Visible()
        restore: Callable[[str], str] = _same
        proposed: list[Command] = []
        async with aclosing(self._chat(messages, task, tools)) as events:
            async for event in events:
                match event:
                    case _Restore():
                        restore = event.restore
                    case TextDelta(text):
                        said += text
                        if shown := visible.feed(text):
                            yield Delta(shown)
                    case ToolCall() if (command := self._helpers.call(event)) is not None:
                        proposed.append(command)
                    case Note():
                        yield event
        proposed += self._helpers.commands(said)
        if rest := visible.close(bool(proposed)):
            yield Delta(rest)
        yield Explained(tuple(Fix(restore(one.command), 1.0, one.description) for one in proposed))


@dataclass(frozen=True, slots=True)
class _Restore:
    """How the secrets of a request are put back."""

    restore: Callable[[str], str]


def _same(text: str) -> str:
    return text


class _Restored:
    """A stream with its secrets put back: a placeholder that may be under way is held."""

    def __init__(self) -> None:
        self.restore: Callable[[str], str] = _same
        self.given = ""
        self._held = ""

    def feed(self, text: str) -> str:
        text = self._held + text
        tail = PLACEHOLDER_TAIL.search(text)
        cut = tail.start() if tail else len(text)
        self._held = text[cut:]
        piece = self.restore(text[:cut])
        self.given += piece
        return piece


class _Visible:
    """An explanation without the JSON at its end: from a brace or a fence at the start of a line on, text waits."""

    def __init__(self) -> None:
        self._text = ""
        self._given = 0

    def feed(self, text: str) -> str:
        self._text += text
        found = re.search(r"(?m)^[ \t]*(?:\{|```(?:json|\s*\Z|\s*\n\s*\{)|`{1,2}\Z)", self._text)
        end = found.start() if found else len(self._text)
        piece = self._text[self._given : end]
        self._given = max(self._given, end)
        return piece

    def close(self, commands_found: bool) -> str:
        """What waited, when it was no commands after all."""
        return "" if commands_found else self._text[self._given :]


def _smaller(place: Place) -> Place:
    """Half of nothing is enough where a model reads little."""
    return replace(place, files=place.files[:8], past=(), aliases={}, tools=place.tools[:10])


def _shorter(output: Output) -> Output:
    text = output.text
    return output if len(text) <= 2_000 else replace(output, text=f"{text[:500]}\n…\n{text[-1_200:]}")


async def _first(engine: Translator, query: Query) -> str:
    """The embedded engine's best answer on one line, "" when it has none."""
    with suppress(TermaError):
        async for event in engine.translate(query):
            if isinstance(event, Final) and event.candidates:
                command = event.candidates[0].command
                return command if "\n" not in command else ""
    return ""
