"""A request written as OpenAI's chat completions want it, and rewritten for servers that refuse a part of it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from terma.chat import ChatMessage, ChatRequest, ToolSpec

Body = dict[str, Any]
# What a request can do without, the most telling name first: a refusal names the field.
_DROPPABLE = ("stream_options", "response_format", "temperature", "stop")


def body(request: ChatRequest) -> Body:
    """The JSON object of a streamed request."""
    spec = request.spec
    made: Body = {
        "model": spec.model,
        "messages": messages(request.messages),
        "stream": True,
        "stream_options": {"include_usage": True},
    }
    if spec.temperature is not None:
        made["temperature"] = spec.temperature
    if spec.max_tokens:
        made["max_tokens"] = spec.max_tokens
    if request.tools:
        made["tools"] = [_tool(tool) for tool in request.tools]
    if request.stop:
        made["stop"] = list(request.stop)
    if request.response_format is not None:
        made["response_format"] = dict(request.response_format)
    return made


def messages(turns: tuple[ChatMessage, ...]) -> list[Body]:
    """The turns as JSON objects."""
    return [_message(turn) for turn in turns]


def _message(turn: ChatMessage) -> Body:
    made: Body = {"role": turn.role, "content": turn.content}
    if turn.images:
        pictures = [{"type": "image_url", "image_url": {"url": url}} for url in turn.images]
        made["content"] = [{"type": "text", "text": turn.content}, *pictures]
    if turn.tool_calls:
        made["content"] = turn.content or None
        made["tool_calls"] = [
            {"id": call.id, "type": "function", "function": {"name": call.name, "arguments": call.arguments}}
            for call in turn.tool_calls
        ]
    if turn.tool_call_id:
        made["tool_call_id"] = turn.tool_call_id
    return made


def _tool(tool: ToolSpec) -> Body:
    function = {"name": tool.name, "description": tool.description, "parameters": dict(tool.parameters)}
    return {"type": "function", "function": function}


def without_what_was_refused(sent: Mapping[str, Any], refusal: str) -> tuple[Body, str] | None:
    """The body again, without the field that the server's 400 or 422 complains of, and that field's name.

    None when the refusal is about something else. Mistral and older vLLM refuse `stream_options`; OpenAI's reasoning
    models want `max_completion_tokens` and no temperature."""
    if "max_tokens" in sent and "max_completion_tokens" in refusal:
        renamed = {**sent, "max_completion_tokens": sent["max_tokens"]}
        del renamed["max_tokens"]
        return renamed, "max_tokens"
    for name in _DROPPABLE:
        quoted = any(f"{mark}{name}" in refusal for mark in "'\"`./ ")
        if name in sent and (quoted or (name == "stream_options" and "include_usage" in refusal)):
            return {key: value for key, value in sent.items() if key != name}, name
    return None
