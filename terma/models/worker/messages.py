"""What the agent and litellm's process say to each other: a JSON object a line, over a socket pair.

To the worker: `{"id", "do": "chat", "request"}`, `{"id", "do": "cancel"}`, `{"do": "warm", "model"}`. From it:
`{"ready": true}`, `{"id", "event"}`, `{"id", "error"}`, `{"id", "end": true}`, `{"bye": true}` before it leaves by
itself, `{"fatal": reason}` when litellm cannot be used.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, replace
from typing import Any

from terma.chat import (
    ChatEvent,
    ChatMessage,
    ChatRequest,
    Finish,
    ModelError,
    ModelSpec,
    ReasoningDelta,
    TextDelta,
    ToolCall,
    ToolCallDelta,
    ToolSpec,
    Usage,
)
from terma.types import Note

MAX_LINE = 64 * 2**20  # bytes
_EVENTS = {
    kind.__name__: kind for kind in (TextDelta, ReasoningDelta, ToolCallDelta, ToolCall, Usage, Finish, Note)
}


def line(message: Mapping[str, Any]) -> bytes:
    """One message, as bytes."""
    return json.dumps(message, ensure_ascii=False).encode("utf-8", "replace") + b"\n"


def read(raw: bytes) -> dict[str, Any]:
    """The message of one line. Raises ValueError when it is none."""
    message = json.loads(raw)
    if not isinstance(message, dict):
        raise ValueError("a message is a JSON object")
    return message


def event_out(event: ChatEvent) -> list[Any]:
    """An event as JSON: its name, then its fields."""
    return [type(event).__name__, asdict(event)]


def event_in(said: list[Any]) -> ChatEvent:
    """The event of `event_out`."""
    name, fields = said
    return _EVENTS[name](**fields)


def error_out(error: ModelError) -> dict[str, Any]:
    """A ModelError as JSON."""
    return {
        "code": error.trouble,
        "message": error.message,
        "hint": error.hint,
        "retry_after": error.retry_after,
    }


def error_in(said: dict[str, Any]) -> ModelError:
    """The ModelError of `error_out`."""
    return ModelError(said["code"], said["message"], said["hint"], retry_after=said["retry_after"])


def request_out(request: ChatRequest) -> dict[str, Any]:
    """A request as JSON; the key is in it, and it goes nowhere but to the worker."""
    spec = asdict(request.spec)
    return {
        "spec": {**spec, "headers": dict(request.spec.headers)},
        "messages": [asdict(message) for message in request.messages],
        "tools": [
            {"name": tool.name, "description": tool.description, "parameters": dict(tool.parameters)}
            for tool in request.tools
        ],
        "stop": list(request.stop),
        "response_format": dict(request.response_format) if request.response_format is not None else None,
    }


def request_in(said: dict[str, Any]) -> ChatRequest:
    """The request of `request_out`."""
    turns = [replace(ChatMessage.of(turn), images=tuple(turn["images"])) for turn in said["messages"]]
    return ChatRequest(
        spec=ModelSpec(**said["spec"]),
        messages=tuple(turns),
        tools=tuple(ToolSpec(**tool) for tool in said["tools"]),
        stop=tuple(said["stop"]),
        response_format=said["response_format"],
    )
