"""One request to a chat model: the secrets taken out on the way, what was sent kept to be shown, its cost counted."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Awaitable, Callable, Sequence
from dataclasses import dataclass, replace
from typing import Protocol

from terma.chat import (
    ChatEvent,
    ChatMessage,
    ChatModel,
    ChatRequest,
    Command,
    ModelSpec,
    ToolCall,
    ToolSpec,
    Usage,
)
from terma.suggest.prompt import Place
from terma.types import Query, Translator, WhyQuery


class Reading(Protocol):
    """What became certain of a reply: prose for the person, and commands that are whole."""

    @property
    def prose(self) -> str: ...

    @property
    def commands(self) -> tuple[Command, ...]: ...


class Reader(Protocol):
    """Takes the JSON command protocol out of a reply as it streams."""

    def feed(self, text: str) -> Reading: ...

    def close(self) -> Reading: ...


@dataclass(frozen=True, slots=True)
class Protocols:
    """Both ways in which a model proposes commands: a tool, or JSON at the end of its text, as `instruction` says."""

    tool: ToolSpec
    instruction: str
    reader: Callable[[], Reader]
    from_call: Callable[[ToolCall], Sequence[Command]]


@dataclass(frozen=True, slots=True)
class Task:
    """What the model is, and how it is asked."""

    role: str
    spec: ModelSpec


@dataclass(frozen=True, slots=True, kw_only=True)
class Helpers:
    """What this room is handed by the agent, which knows the others.

    `hide` takes the secrets out of messages and says how to put them back; `told` learns what is sent, and may refuse;
    `beside` is the embedded engine, whose answer is offered when a model is silent for `beside_after` seconds (0:
    never). `check` says what of a command is not so on this machine."""

    place: Callable[[Query | WhyQuery], Awaitable[Place]]
    hide: Callable[[Sequence[ChatMessage]], tuple[tuple[ChatMessage, ...], Callable[[str], str]]]
    told: Callable[[str, Sequence[ChatMessage]], None]
    used: Callable[[Usage], None]
    protocols: Protocols
    beside: Translator | None = None
    beside_after: float = 0.3
    check: Callable[[str, Query], Awaitable[Sequence[str]]] | None = None
    second_try: bool = True


@dataclass(frozen=True, slots=True)
class Restore:
    """How the secrets of a request are put back."""

    restore: Callable[[str], str]


async def call(
    model: ChatModel,
    helpers: Helpers,
    task: Task,
    messages: Sequence[ChatMessage],
    tools: tuple[ToolSpec, ...] = (),
) -> AsyncGenerator[ChatEvent | Restore, None]:
    """The model's events, Usage taken out; the first event is the Restore. Raises ModelError."""
    hidden, restore = helpers.hide(messages)
    helpers.told(task.spec.name, hidden)
    yield Restore(restore)
    events = model.chat(ChatRequest(spec=task.spec, messages=hidden, tools=tools))
    try:
        async for event in events:
            if isinstance(event, Usage):
                helpers.used(event)
            else:
                yield event
    finally:
        aclose = getattr(events, "aclose", None)
        if aclose is not None:
            await aclose()


def as_it_is(text: str) -> str:
    """For a text without secrets."""
    return text


def smaller(place: Place) -> Place:
    """A place for a model that reads little."""
    return replace(place, files=place.files[:8], past=(), aliases={}, tools=place.tools[:10])
