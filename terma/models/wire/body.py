"""A request written as OpenAI's chat completions want it, and rewritten for servers that refuse a part of it."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from terma.chat import ChatMessage, ChatRequest, ToolSpec

Body = dict[str, Any]
# What a request can do without, the most telling name first: a refusal names the field.
_DROPPABLE = ("grammar", "stream_options", "response_format", "temperature", "stop")
# How chat templates refuse a system turn: Gemma's, Mistral's, and what vLLM and llama.cpp make of them.
_NO_SYSTEM = re.compile(
    r"system['\"`]? (?:role|message)|role[^.\n]{0,20}['\"`]system|only user and assistant roles|roles must alternate",
    re.I,
)
# Refusals of a field that do not name it, and llama.cpp's word for a grammar that it cannot use.
_UNTOLD = re.compile(
    r"samplers?\b|(?:unknown|unrecogni[sz]ed|unexpected|extra|additional|unsupported)\b.{0,40}"
    r"\b(?:field|argument|parameter|propert|input|key)",
    re.I | re.S,
)


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
    if request.grammar and spec.small:  # llama.cpp's own field; one with a fallback may end at a larger model
        made["grammar"] = request.grammar
    return made


def messages(turns: tuple[ChatMessage, ...]) -> list[Body]:
    """The turns as JSON objects."""
    return [_message(turn) for turn in turns]


def marked(turns: list[Body]) -> list[Body]:
    """With Anthropic's marks of what it may keep for the next request: the system text with the tools, which come
    before it there, and everything up to the last turn, which that request repeats."""
    whole = [at for at, turn in enumerate(turns) if turn.get("content")]
    wanted = {at for at in whole if turns[at]["role"] == "system"} | set(whole[-1:])
    return [_kept(turn) if at in wanted else turn for at, turn in enumerate(turns)]


def _kept(turn: Body) -> Body:
    content = turn["content"]
    parts = [{"type": "text", "text": content}] if isinstance(content, str) else list(content)
    return {**turn, "content": [*parts[:-1], {**parts[-1], "cache_control": {"type": "ephemeral"}}]}


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
    function = {"name": tool.name, "description": tool.description, "parameters": _asked(tool.parameters)}
    return {"type": "function", "function": function}


def _asked(schema: Mapping[str, Any]) -> Body:
    """A schema as a model needs it: what is checked here and says nothing new costs tokens in each request."""
    asked = {key: value for key, value in schema.items() if key != "additionalProperties"}
    if not asked.get("required"):
        asked.pop("required", None)
    properties = asked.get("properties")
    if isinstance(properties, Mapping):
        asked["properties"] = {
            name: {key: value for key, value in one.items() if key != "default"}
            if isinstance(one, Mapping)
            else one
            for name, one in properties.items()
        }
    return asked


def without_what_was_refused(sent: Mapping[str, Any], refusal: str) -> tuple[Body, str] | None:
    """The body again, without the field that the server's 400 or 422 complains of, and that field's name.

    A system turn that is refused goes in front of the first turn of the user ("system"). None when the refusal is about
    something else. Mistral and older vLLM refuse `stream_options`; OpenAI's reasoning
    models want `max_completion_tokens` and no temperature."""
    if "max_tokens" in sent and "max_completion_tokens" in refusal:
        renamed = {**sent, "max_completion_tokens": sent["max_tokens"]}
        del renamed["max_tokens"]
        return renamed, "max_tokens"
    for name in _DROPPABLE:
        quoted = any(f"{mark}{name}" in refusal for mark in "'\"`./ ")
        if name in sent and (quoted or (name == "stream_options" and "include_usage" in refusal)):
            return {key: value for key, value in sent.items() if key != name}, name
    if refuses_system(refusal) and any(turn["role"] == "system" for turn in sent["messages"]):
        return {**sent, "messages": _told_by_the_user(sent["messages"])}, "system"
    if "grammar" in sent and _UNTOLD.search(refusal):
        return {key: value for key, value in sent.items() if key != "grammar"}, "grammar"
    return None


def refuses_system(refusal: str) -> bool:
    """Whether a server says that the model's chat template knows no system turn."""
    return bool(_NO_SYSTEM.search(refusal))


def _told_by_the_user(turns: list[Body]) -> list[Body]:
    """The turns with what the system said in front of the first turn of the user."""
    said = "\n\n".join(str(turn["content"]) for turn in turns if turn["role"] == "system")
    rest = [turn for turn in turns if turn["role"] != "system"]
    at = next((n for n, turn in enumerate(rest) if turn["role"] == "user"), -1)
    if at < 0:
        return [{"role": "user", "content": said}, *rest]
    content = rest[at]["content"]
    told: Any = (
        f"{said}\n\n{content}" if isinstance(content, str) else [{"type": "text", "text": said}, *content]
    )
    return [*rest[:at], {**rest[at], "content": told}, *rest[at + 1 :]]
