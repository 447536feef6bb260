"""One request to a chat model: the secrets taken out on the way, what was sent kept to be shown, its cost counted."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Awaitable, Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal, Protocol

from terma.chat import (
    ChatEvent,
    ChatMessage,
    ChatModel,
    ChatRequest,
    Command,
    Finish,
    ModelSpec,
    ToolCall,
    ToolSpec,
    Usage,
)
from terma.errors import UnsureAnswer
from terma.suggest.gbnf import Vocabulary, grammar
from terma.suggest.prompt import WORDS, Place
from terma.suggest.standing import Standing
from terma.text import one_line
from terma.types import Candidate, Fix, Problem, Query, WhyQuery

Lead = Literal["auto", "engine", "model"]


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
class Offers:
    """What the embedded engine has for a sentence: candidates that it would insert, others that it would not, best
    first, and the error with which it would say so."""

    sure: tuple[Candidate, ...] = ()
    near: tuple[Candidate, ...] = ()
    unsure: UnsureAnswer | None = None


@dataclass(frozen=True, slots=True)
class Task:
    """What the model is, and how it is asked."""

    role: str
    spec: ModelSpec


class Grounds(Protocol):
    """What is known of a failure without a model: lines for its context, an answer of its own, a judge of fixes."""

    @property
    def facts(self) -> tuple[str, ...]: ...

    @property
    def text(self) -> str: ...

    @property
    def fixes(self) -> tuple[Fix, ...]: ...

    @property
    def known(self) -> bool: ...

    def holds(self, command: str) -> bool: ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Helpers:
    """What this room is handed by the agent, which knows the others.

    `hide` takes the secrets out of messages and says how to put them back; `told` learns what is sent, and may refuse;
    `offers` asks the embedded engine, which leads as `lead` says, and whose answer is shown when a model is silent
    `beside_after` seconds after the key (0: never); `facts` are lines for a model of what that engine and this machine
    know of the sentence; `vocabulary` is what bounds a small model's answer, of the programs that are named to it.
    `check` says what of a command is not so on this machine, `checks` whether that could be told at all, `is_words`
    whether a line is no command; `standing` is how the model fared so far; `ground` what is known of a failure."""

    place: Callable[[Query | WhyQuery], Awaitable[Place]]
    hide: Callable[[Sequence[ChatMessage]], tuple[tuple[ChatMessage, ...], Callable[[str], str]]]
    told: Callable[[str, Sequence[ChatMessage]], None]
    used: Callable[[Usage], None]
    protocols: Protocols
    offers: Callable[[Query], Awaitable[Offers]] | None = None
    facts: Callable[[Query, Offers], Awaitable[Sequence[str]]] | None = None
    lead: Lead = "auto"
    beside_after: float = 0.001
    check: Callable[[str, Query], Awaitable[Sequence[Problem]]] | None = None
    is_words: Callable[[str, Query], Awaitable[bool]] | None = None
    checks: Callable[[str, Query], Awaitable[bool]] | None = None
    standing: Standing = field(default_factory=Standing)
    vocabulary: Callable[[Query, Offers, Sequence[str]], Awaitable[Vocabulary]] | None = None
    second_try: bool = True
    ground: Callable[[WhyQuery], Awaitable[Grounds]] | None = None


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
    vocabulary: Vocabulary | None = None,
) -> AsyncGenerator[ChatEvent | Restore, None]:
    """The model's events, Usage taken out; the first event is the Restore. A `vocabulary` bounds the answer where the
    server can do that. Raises ModelError."""
    hidden, restore = helpers.hide(messages)
    helpers.told(task.spec.name, hidden)
    yield Restore(restore)
    events = model.chat(
        ChatRequest(spec=task.spec, messages=hidden, tools=tools, grammar=_bounds(hidden, vocabulary))
    )
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


def _bounds(messages: Sequence[ChatMessage], vocabulary: Vocabulary | None) -> str:
    """A grammar of what may be answered, from the question as it leaves."""
    if vocabulary is None:
        return ""
    sent = next(message.content for message in messages if message.role == "user")
    return grammar(vocabulary, sent.rpartition(WORDS)[2].partition("\n")[0], sent)


def cut_off(spec: ModelSpec, end: Finish) -> str:
    """What to say of an answer that `end` cut off, and what to do."""
    if not end.at_limit:
        return f"cut off by its server ({one_line(end.reason, 60)}); ask in other words"
    limit = f" of {spec.max_tokens} tokens" if spec.max_tokens else " of tokens"
    if spec.provider == "local":
        return f"cut off at the limit{limit} that this model's context leaves; ask for less at once"
    return f"cut off at the limit{limit}; ask for less at once, or raise models.NAME.max_tokens"


def as_it_is(text: str) -> str:
    """For a text without secrets."""
    return text


def smaller(place: Place) -> Place:
    """A place for a model that reads little."""
    return replace(place, files=place.files[:8], past=(), aliases={}, tools=place.tools[:10])
