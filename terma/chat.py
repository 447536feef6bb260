"""What terma and a chat model say to each other, whatever the model: one request, a stream of events, a few troubles.

A model is behind an OpenAI-compatible server, or behind litellm: the rest of the code cannot tell which.
"""

from __future__ import annotations

from collections.abc import AsyncGenerator, Mapping, Sequence
from dataclasses import field
from typing import Any, Literal, Protocol

from terma import regex as re
from terma.errors import ProviderError
from terma.records import dataclass
from terma.types import Note

Role = Literal["system", "user", "assistant", "tool"]
Trouble = Literal[
    "no_key",  # the server wants a key and none is set
    "auth",  # it does not take the key
    "no_model",  # it knows no such model
    "no_tools",  # the model cannot call tools: ask for the JSON command protocol instead
    "quota",  # the account has nothing left
    "rate",  # too many requests just now
    "context_length",  # the conversation is longer than the model reads
    "refused",  # it will not answer that
    "bad_request",  # the server does not understand the request
    "server",  # it is there and failed
    "unreachable",  # nothing answers, or the connection broke
    "tls",
    "proxy",
    "timeout",
    "bad_response",  # what came back is no answer
    "not_installed",  # litellm is not
    "worker",  # litellm's process ended
]


class ModelError(ProviderError):
    """A model gave no answer, or not all of it. `retry_after` is in seconds, None when nothing was said of it."""

    def __init__(
        self, code: Trouble, message: str, hint: str = "", *, retry_after: float | None = None
    ) -> None:
        super().__init__(message, hint)
        self.trouble: Trouble = code
        self.code = code
        self.retry_after = retry_after


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelSpec:
    """Which model, where, and how patiently. Resolved: `api_key` is the key itself.

    `api_base` is http://…, https://… or unix:/PATH, "" for the provider's own. `max_tokens` 0: the model's own limit.
    Times are in seconds; `between_tokens` is the longest silence once it speaks. `retries` come after the first try.
    `requests_per_minute` 0: unlimited. `proxy` is a URL, and no other proxy is used; `ca_file` holds the certificates
    to trust instead of the usual ones. `label` is the name that the state line shows."""

    provider: str  # the name of a backend: a module of terma.models, or one that was added
    model: str
    api_base: str = ""
    api_key: str = field(default="", repr=False)
    headers: Mapping[str, str] = field(default_factory=dict, repr=False)
    temperature: float | None = None
    max_tokens: int = 0
    connect_timeout: float = 5.0
    first_token_timeout: float = 60.0
    between_tokens_timeout: float = 30.0
    retries: int = 2
    requests_per_minute: int = 0
    proxy: str = field(default="", repr=False)
    ca_file: str = ""
    label: str = ""
    price: tuple[float, ...] = ()  # dollars for a million tokens: prompt, answer, cached prompt
    verbose: bool = False  # what the libraries beneath log comes as notes
    small: bool = False  # a model that needs a short prompt, and is often wrong

    @property
    def name(self) -> str:
        """What a person calls it."""
        return self.label or self.model


@dataclass(frozen=True, slots=True)
class ToolCall:
    """One whole call of a tool. `arguments` is JSON as the model wrote it, which need not be right."""

    id: str
    name: str
    arguments: str = "{}"


@dataclass(frozen=True, slots=True)
class PastCommand:
    """A command that ended, with what it printed; `status` is -1 where nobody knows it, `seconds` (its duration) below
    0. `output` None: what it printed was not kept."""

    command: str
    status: int
    output: str | None = ""
    seconds: float = -1.0


@dataclass(frozen=True, slots=True)
class ChatMessage:
    """One turn. `tool_calls` are what the assistant called; `tool_call_id` is the call that a tool answers. `images`
    are data: URLs of pictures that belong to a user's turn, for models that can see. `ran` is what the person ran by
    themselves before a user's turn, for a partner that goes by facts: models read of it in `content`."""

    role: Role
    content: str = ""
    tool_calls: tuple[ToolCall, ...] = ()
    tool_call_id: str = ""
    images: tuple[str, ...] = ()
    ran: tuple[PastCommand, ...] = ()

    @classmethod
    def of(cls, turn: Mapping[str, Any]) -> ChatMessage:
        """A turn as JSON has it. Raises ValueError, which says what is out of shape."""
        role, content = turn.get("role"), turn.get("content")
        if role not in ("system", "user", "assistant", "tool"):
            raise ValueError(f"a message has no role {role!r}")
        if not isinstance(content, str):
            raise ValueError("a message has no text")
        calls = tuple(
            ToolCall(_text(call, "id"), _text(call, "name"), _text(call, "arguments"))
            for call in _objects(turn, "tool_calls")
        )
        ran = tuple(
            PastCommand(
                _text(one, "command"),
                _status(one),
                None if one.get("output", "") is None else _text(one, "output"),
                _seconds(one),
            )
            for one in _objects(turn, "ran")
        )
        return cls(role, content, calls, _text(turn, "tool_call_id"), ran=ran)


@dataclass(frozen=True, slots=True)
class ToolSpec:
    """A tool the model may call; `parameters` is the JSON schema of its arguments."""

    name: str
    description: str
    parameters: Mapping[str, Any] = field(default_factory=lambda: {"type": "object", "properties": {}})


@dataclass(frozen=True, slots=True, kw_only=True)
class ChatRequest:
    """What is asked of which model. `response_format` is OpenAI's (`{"type": "json_object"}`), None for free text.
    `grammar` is llama.cpp's GBNF for the answer of a small model; others are not sent it."""

    spec: ModelSpec
    messages: tuple[ChatMessage, ...]
    tools: tuple[ToolSpec, ...] = ()
    stop: tuple[str, ...] = ()
    response_format: Mapping[str, Any] | None = None
    grammar: str = ""


@dataclass(frozen=True, slots=True)
class TextDelta:
    """A piece of the answer, raw: whoever shows it sanitizes it."""

    text: str


@dataclass(frozen=True, slots=True)
class ReasoningDelta:
    """A piece of what the model says to itself."""

    text: str


@dataclass(frozen=True, slots=True)
class ToolCallDelta:
    """A piece of a call that is under way, for who shows it live or has to know that the model still speaks. `number`
    tells parallel calls apart, `name` is "" until it is known. The ToolCall that follows holds all of it."""

    number: int
    name: str
    arguments: str


@dataclass(frozen=True, slots=True)
class Usage:
    """Tokens of one answer; `cached` are those of the prompt that a cache held. `cost` is in US dollars, None when
    the price is not known. `model` is the name under which the price was looked up."""

    prompt_tokens: int
    completion_tokens: int
    cached_tokens: int = 0
    cost: float | None = None
    model: str = ""


_AT_LIMIT = frozenset("length max_tokens max_output_tokens model_length".split())
_BY_ITSELF = re.compile(
    r"(?i)stop|eos|end|complete|tool|function|done|finish"
)  # servers have many words for it


@dataclass(frozen=True, slots=True)
class Finish:
    """The end: "stop", "length" (cut by max_tokens), "tool_calls", or what else the server said."""

    reason: str = "stop"

    @property
    def at_limit(self) -> bool:
        """Whether the answer was cut off since it was too long."""
        return self.reason.lower() in _AT_LIMIT

    @property
    def whole(self) -> bool:
        """Whether the model came to its end: not at a limit, a filter (`content_filter`), a fault of the server."""
        return not self.reason or (not self.at_limit and _BY_ITSELF.search(self.reason) is not None)


ChatEvent = TextDelta | ReasoningDelta | ToolCallDelta | ToolCall | Usage | Note | Finish


class ChatModel(Protocol):
    """A way to models: `terma/models/NAME.py` exports one as PLUGIN."""

    name: str

    def chat(self, request: ChatRequest) -> AsyncGenerator[ChatEvent, None]:
        """Text, reasoning, notes and pieces of calls as they come, each ToolCall once, when it is whole, Usage where
        the server tells, and Finish last. Raises ModelError; what came before it stands. Cancelling, or closing the
        iterator, closes the connection to the model at once."""
        ...

    def preload(self, spec: ModelSpec) -> None:
        """Start on the running event loop, without waiting, what the first request to `spec` would wait for. Raises
        nothing: that request says what is wrong."""
        ...

    async def close(self) -> None:
        """Give back connections and processes; `chat` may be called again."""
        ...


@dataclass(frozen=True, slots=True)
class Command:
    """A command line that a model proposes, with what it does; "" when it did not say."""

    command: str
    description: str = ""


def _objects(value: Mapping[str, Any], key: str) -> Sequence[Mapping[str, Any]]:
    found = value.get(key) or []
    if not isinstance(found, list | tuple) or not all(isinstance(one, dict) for one in found):
        raise ValueError(f"{key} of a message is no list of objects")
    return found


def _text(value: Mapping[str, Any], key: str) -> str:
    found = value.get(key) or ""
    if not isinstance(found, str):
        raise ValueError(f"{key} is no text")
    return found


def _seconds(value: Mapping[str, Any]) -> float:
    found = value.get("seconds")
    return float(found) if isinstance(found, int | float) else -1.0


def _status(value: Mapping[str, Any]) -> int:
    found = value.get("status")
    return found if isinstance(found, int) else -1
