"""The body of an answer as JSON objects, whether the server streams them or gives one."""

from __future__ import annotations

import asyncio
import contextlib
import json
from collections.abc import AsyncGenerator, AsyncIterator
from typing import Any

from terma.chat import ModelSpec
from terma.models.wire.failures import bad_response, broken_off, from_words
from terma.models.wire.sse import EventParser, ServerEvent

MAX_BODY = 8 * 2**20  # bytes of an answer in one piece
DRAIN = (
    0.05  # seconds for the end of the body behind [DONE]; a body read to its end leaves a connection to reuse
)
DONE: dict[str, Any] = {"done": True}  # the end of an answer, as an object of its own
_LAST = "[DONE]"


async def objects(body: AsyncIterator[bytes], spec: ModelSpec) -> AsyncGenerator[dict[str, Any], None]:
    """Each JSON object of the stream. The last one is DONE where the server said [DONE], or where it
    gave the whole answer at once, whatever `stream` asked for.

    Raises ModelError for an error object in mid-stream, and for what is no JSON."""
    parser: EventParser | None = None
    async for chunk in body:
        if parser is None:
            if not chunk.strip():
                continue
            if chunk.lstrip()[:1] in (b"{", b"[", b"<"):
                yield await _whole(chunk, body, spec)
                yield DONE
                return
            parser = EventParser()
        for event in _fed(parser, chunk, spec):
            if event.data.strip() == _LAST:
                await _drain(body)
                yield DONE
                return
            yield _object(event, spec)
    for event in parser.close() if parser else ():
        if event.data.strip() == _LAST:
            yield DONE
            return
        yield _object(event, spec)


def _fed(parser: EventParser, chunk: bytes, spec: ModelSpec) -> list[ServerEvent]:
    try:
        return parser.feed(chunk)
    except ValueError as error:
        raise bad_response(str(error), spec) from error


def _object(event: ServerEvent, spec: ModelSpec) -> dict[str, Any]:
    try:
        parsed = json.loads(event.data)
    except ValueError:
        if event.event == "error":
            raise from_words(event.data, spec) from None
        raise bad_response("sent an event that is not JSON", spec) from None
    if not isinstance(parsed, dict):
        raise bad_response("sent an event that is no object", spec)
    if event.event == "error" or parsed.get("error") or parsed.get("object") == "error":
        raise from_words(event.data, spec)
    return parsed


async def _whole(start: bytes, body: AsyncIterator[bytes], spec: ModelSpec) -> dict[str, Any]:
    pieces = [start]
    size = len(start)
    async for chunk in body:
        pieces.append(chunk)
        size += len(chunk)
        if size > MAX_BODY:
            raise bad_response("sent an answer without end", spec)
    text = b"".join(pieces).decode("utf-8", "replace")
    try:
        parsed = json.loads(text)
    except ValueError:
        if text.lstrip().startswith("{"):
            raise broken_off(spec) from None
        raise bad_response("sent a page that is no chat completion", spec) from None
    if not isinstance(parsed, dict) or parsed.get("error") or "choices" not in parsed:
        if isinstance(parsed, dict) and parsed.get("error"):
            raise from_words(text, spec)
        raise bad_response("sent JSON that is no chat completion", spec)
    return parsed


async def _drain(body: AsyncIterator[bytes]) -> None:
    with contextlib.suppress(TimeoutError):
        async with asyncio.timeout(DRAIN):
            async for _ in body:
                pass
