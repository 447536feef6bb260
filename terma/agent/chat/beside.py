"""The embedded engine beside the model of a conversation: it answers where no model does, and what `auto` chose gives
way to it."""

from __future__ import annotations

import json
import time
from collections.abc import AsyncGenerator, Awaitable, Callable, Sequence
from contextlib import aclosing, suppress
from dataclasses import asdict, replace
from typing import Any

from terma.agent.chat.embedded import Embedded
from terma.agent.chat.secrets import SecretFilter
from terma.agent.choosing import Choosing, PromptRecord
from terma.agent.engines import Choice
from terma.agent.giving import failed
from terma.agent.patience import Patience
from terma.chat import ChatMessage, ModelError, ToolSpec
from terma.errors import TermaError
from terma.models.worker.messages import event_out
from terma.types import Note, Query

Events = AsyncGenerator[list[Any], None]


class Beside:
    """What the embedded engine says to one request. `query` and `typed` are as for Embedded."""

    def __init__(
        self,
        choosing: Choosing,
        messages: Sequence[ChatMessage],
        tools: tuple[ToolSpec, ...],
        query: Query,
        typed: Callable[[], Awaitable[Sequence[str]]],
    ) -> None:
        self._choosing = choosing
        self._messages, self._tools, self._query, self._typed = messages, tools, query, typed
        self.known: list[list[Any]] = []  # its whole answer, where `knows` has asked for it

    async def answer(self, choice: Choice, begins: bool) -> Events:
        """Its events; the notes of `choice` are said where a question `begins`."""
        provider = self._choosing.named(choice.engine)
        text = as_text(self._messages, self._tools)
        self._choosing.tell(PromptRecord(provider.name, time.time(), False, text), provider)
        yield ["Model", {"name": provider.name, "local": True}]
        for note in choice.notes if begins else ():
            yield event_out(Note(note))
        for said in self.known:
            yield said
        if not self.known:
            async with aclosing(self._events(choice)) as events:
                async for said in events:
                    yield said

    async def knows(self, choice: Choice) -> bool:
        """Whether it has an answer, which is kept."""
        with suppress(TermaError):
            self.known = [said async for said in self._events(choice)]
        return bool(self.known)

    async def _events(self, choice: Choice) -> Events:
        kept = SecretFilter(())
        provider = self._choosing.named(choice.engine)
        engine = Embedded(provider, self._query, {tool.name for tool in self._tools}, self._typed)
        async with aclosing(engine.chat(self._messages)) as events:
            async for event in events:
                for shown in kept.shown(event):
                    yield event_out(shown)
        for shown in kept.close():
            yield event_out(shown)


async def giving_way(
    events: Events,
    choice: Choice,
    beside: Beside,
    begins: bool,
    patience: Patience,
    given_up: Callable[[], None],
) -> Events:
    """What `auto` chose gives way to the embedded engine where it cannot answer at all or is silent, and until the next
    question: what follows of this one is not worth another wait. Raises like `events`, and like the engine."""
    assert choice.spec is not None
    name, other, spoke = choice.spec.name, embedded(choice), False
    if begins:
        events = patience.unless_silent(name, events, lambda: beside.knows(other), _is_word)
    try:
        async with aclosing(events) as coming:
            async for said in coming:
                spoke = spoke or _is_word(said)
                yield said
        return
    except ModelError as error:
        if spoke:
            raise
        note = failed(name, error)
    given_up()
    async with aclosing(beside.answer(other, begins)) as answering:
        yield event_out(Note(note))
        async for said in answering:
            yield said


def embedded(choice: Choice) -> Choice:
    """The embedded engine in the place of a model that cannot answer."""
    return replace(choice, engine="offline", spec=None, left=())


def as_text(messages: Sequence[ChatMessage], tools: Sequence[ToolSpec]) -> str:
    """All that is sent, to be read by a person."""
    said = []
    for message in messages:
        calls = "".join(f"\n→ {call.name} {call.arguments}" for call in message.tool_calls)
        said.append(f"[{message.role}]\n{message.content}{calls}")
    if tools:
        said.append("[tools]\n" + "\n".join(json.dumps(asdict(tool), ensure_ascii=False) for tool in tools))
    return "\n\n".join(said)


def _is_word(said: list[Any]) -> bool:
    return said[0] not in ("Model", "Note")
