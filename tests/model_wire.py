"""How OpenAI, Anthropic and Gemini write an answer: each as a stream of pieces, the last of them its end, or whole."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    from tests.model_server import Reply


@dataclass(frozen=True)
class Call:
    """A tool call whose arguments come in these fragments."""

    id: str
    name: str
    arguments: tuple[str, ...]


class Format(Protocol):
    def stream(self, reply: Reply) -> Iterator[bytes]: ...
    def whole(self, reply: Reply) -> Iterator[bytes]: ...


def sse(data: object, event: str = "") -> bytes:
    """One server-sent event."""
    head = f"event: {event}\n" if event else ""
    return (
        f"{head}data: {data if isinstance(data, str) else json.dumps(data, ensure_ascii=False)}\n\n".encode()
    )


def format_of(path: str) -> str:
    """The format that a path asks for."""
    if path.endswith("/messages"):
        return "anthropic"
    return "gemini" if "enerateContent" in path else "openai"


class OpenAI:
    def _chunk(self, delta: dict[str, Any], finish: str | None = None, **more: Any) -> bytes:
        choice = {"index": 0, "delta": delta, "finish_reason": finish}
        return sse({"id": "c1", "object": "chat.completion.chunk", "created": 1, "model": "scripted",
                    "choices": [choice], **more})  # fmt: skip

    def stream(self, reply: Reply) -> Iterator[bytes]:
        for text in reply.reasoning:
            yield self._chunk({"reasoning_content": text})
        for text in reply.pieces:
            yield self._chunk({"content": text})
        for index, call in enumerate(reply.calls):
            function = {"name": call.name, "arguments": ""}
            start = {"index": index, "id": call.id, "type": "function", "function": function}
            yield self._chunk({"tool_calls": [start]})
        for number in range(max((len(call.arguments) for call in reply.calls), default=0)):
            for index, call in enumerate(reply.calls):  # interleaved, as parallel calls may come
                if number < len(call.arguments):
                    part = {"index": index, "function": {"arguments": call.arguments[number]}}
                    yield self._chunk({"tool_calls": [part]})
        end = self._chunk({}, "tool_calls" if reply.calls else reply.finish)
        if reply.usage is not None:
            end += sse({"id": "c1", "object": "chat.completion.chunk", "created": 1, "model": "scripted",
                        "choices": [], "usage": self._usage(reply)})  # fmt: skip
        yield end + sse("[DONE]")

    def _usage(self, reply: Reply) -> dict[str, int]:
        prompt, completion = reply.usage or (0, 0)
        return {
            "prompt_tokens": prompt,
            "completion_tokens": completion,
            "total_tokens": prompt + completion,
        }

    def whole(self, reply: Reply) -> Iterator[bytes]:
        message: dict[str, Any] = {"role": "assistant", "content": "".join(reply.pieces)}
        if reply.calls:
            message["tool_calls"] = [
                {"id": c.id, "type": "function", "function": {"name": c.name, "arguments": "".join(c.arguments)}}
                for c in reply.calls
            ]  # fmt: skip
        choice = {"index": 0, "message": message, "finish_reason": reply.finish}
        body = {
            "id": "c1",
            "object": "chat.completion",
            "created": 1,
            "model": "scripted",
            "choices": [choice],
        }
        yield json.dumps({**body, "usage": self._usage(reply)}).encode()


class Anthropic:
    def stream(self, reply: Reply) -> Iterator[bytes]:
        prompt, completion = reply.usage or (0, 0)
        message = {"id": "m1", "type": "message", "role": "assistant", "content": [], "model": "scripted",
                   "stop_reason": None, "usage": {"input_tokens": prompt, "output_tokens": 1}}  # fmt: skip
        yield self._event("message_start", message=message) + self._event(
            "content_block_start", index=0, content_block={"type": "text", "text": ""}
        )
        for text in reply.pieces:
            yield self._event("content_block_delta", index=0, delta={"type": "text_delta", "text": text})
        for index, call in enumerate(reply.calls, 1):
            block = {"type": "tool_use", "id": call.id, "name": call.name, "input": {}}
            yield self._event("content_block_stop", index=index - 1) + self._event(
                "content_block_start", index=index, content_block=block
            )
            for part in call.arguments:
                delta = {"type": "input_json_delta", "partial_json": part}
                yield self._event("content_block_delta", index=index, delta=delta)
        stop = "tool_use" if reply.calls else {"stop": "end_turn", "length": "max_tokens"}[reply.finish]
        yield (
            self._event("content_block_stop", index=len(reply.calls))
            + self._event("message_delta", delta={"stop_reason": stop}, usage={"output_tokens": completion})
            + self._event("message_stop")
        )

    def _event(self, kind: str, **fields: Any) -> bytes:
        return sse({"type": kind, **fields}, kind)

    def whole(self, reply: Reply) -> Iterator[bytes]:
        prompt, completion = reply.usage or (0, 0)
        content = [{"type": "text", "text": "".join(reply.pieces)}]
        yield json.dumps({"id": "m1", "type": "message", "role": "assistant", "content": content,
                          "model": "scripted", "stop_reason": "end_turn",
                          "usage": {"input_tokens": prompt, "output_tokens": completion}}).encode()  # fmt: skip


class Gemini:
    def _part(self, parts: list[dict[str, Any]], reply: Reply, finish: str | None = None) -> dict[str, Any]:
        candidate: dict[str, Any] = {"content": {"parts": parts, "role": "model"}, "index": 0}
        if finish:
            candidate["finishReason"] = finish
        prompt, completion = reply.usage or (0, 0)
        usage = {"promptTokenCount": prompt, "candidatesTokenCount": completion,
                 "totalTokenCount": prompt + completion}  # fmt: skip
        return {"candidates": [candidate], "usageMetadata": usage, "modelVersion": "scripted"}

    def stream(self, reply: Reply) -> Iterator[bytes]:
        for text in reply.pieces:
            yield sse(self._part([{"text": text}], reply))
        calls = [
            {"functionCall": {"name": call.name, "args": json.loads("".join(call.arguments))}} for call in reply.calls
        ]  # fmt: skip
        finish = {"stop": "STOP", "length": "MAX_TOKENS"}[reply.finish]
        yield sse(self._part(calls or [{"text": ""}], reply, finish))

    def whole(self, reply: Reply) -> Iterator[bytes]:
        yield json.dumps(self._part([{"text": "".join(reply.pieces)}], reply, "STOP")).encode()


FORMATS: dict[str, Format] = {"openai": OpenAI(), "anthropic": Anthropic(), "gemini": Gemini()}
