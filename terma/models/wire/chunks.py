"""OpenAI's chat completion, streamed or whole, read into events; the dialects of its many imitators included."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from terma.chat import ChatEvent, Finish, ReasoningDelta, TextDelta, Usage
from terma.models.wire.think import ThinkSplitter
from terma.models.wire.toolcalls import ToolCalls


class Answer:
    """`feed` the chunks of one answer as they come, then `close`."""

    def __init__(self) -> None:
        self._think = ThinkSplitter()
        self._calls = ToolCalls()
        self._usage: Usage | None = None
        self.reason = ""  # why it ended; "" while it goes on
        self.empty = True  # nothing of an answer has come

    def feed(self, chunk: Mapping[str, Any]) -> list[ChatEvent]:
        """The events that one chunk brings; a whole answer (`message` in place of `delta`) is one chunk."""
        if isinstance(usage := chunk.get("usage"), Mapping):
            self._usage = _usage(usage, str(chunk.get("model") or ""))
        choices = chunk.get("choices")
        if not isinstance(choices, Sequence) or not choices or not isinstance(choices[0], Mapping):
            return []
        choice = choices[0]
        part = choice.get("delta") or choice.get("message") or {}
        events = self._part(part) if isinstance(part, Mapping) else []
        if isinstance(reason := choice.get("finish_reason"), str) and reason:
            self.reason = reason
        return events

    def close(self) -> list[ChatEvent]:
        """What is left: held text, the tool calls, usage, and the end."""
        calls = self._calls.take()
        events: list[ChatEvent] = [*self._think.close(), *calls]
        if self._usage is not None:
            events.append(self._usage)
        reason = "tool_calls" if calls and self.reason in ("", "stop") else self.reason
        return [*events, Finish(reason or "stop")]

    def _part(self, part: Mapping[str, Any]) -> list[ChatEvent]:
        events: list[ChatEvent] = []
        thought = next(
            (said for key in ("reasoning_content", "reasoning") if isinstance(said := part.get(key), str)), ""
        )
        if thought:
            events.append(ReasoningDelta(thought))
        for kind, text in _pieces(part.get("content")):
            events += [ReasoningDelta(text)] if kind == "thinking" else self._think.feed(text)
        calls = part.get("tool_calls")
        for call in calls if isinstance(calls, Sequence) else ():
            if isinstance(call, Mapping):
                events.append(self._calls.add(call))
        if isinstance(refusal := part.get("refusal"), str) and refusal:
            events.append(TextDelta(refusal))
        if events:
            self.empty = False
        return events


def _pieces(content: object) -> list[tuple[str, str]]:
    """(kind, text) of a content that is a string or, from Mistral's reasoning models, a list of parts."""
    if isinstance(content, str):
        return [("text", content)] if content else []
    found: list[tuple[str, str]] = []
    for part in content if isinstance(content, list) else []:
        if isinstance(part, Mapping) and (kind := part.get("type")) in ("text", "thinking"):
            inner = part.get(str(kind))
            if isinstance(inner, list):
                found += [("thinking", text) for _, text in _pieces(inner)]
            elif isinstance(inner, str) and inner:
                found.append((str(kind), inner))
    return found


def _usage(said: Mapping[str, Any], model: str) -> Usage:
    details = said.get("prompt_tokens_details")
    cached = details.get("cached_tokens") if isinstance(details, Mapping) else 0
    cost = said.get("cost")  # OpenRouter says it
    return Usage(
        prompt_tokens=_count(said.get("prompt_tokens")),
        completion_tokens=_count(said.get("completion_tokens")),
        cached_tokens=_count(cached),
        cost=float(cost) if isinstance(cost, int | float) and not isinstance(cost, bool) else None,
        model=model,
    )


def _count(value: object) -> int:
    return value if isinstance(value, int) and value > 0 else 0
