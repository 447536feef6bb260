"""The worker's loop: several requests at once, each a task that a cancel message ends; leaves when idle."""

from __future__ import annotations

import asyncio
import contextlib
import math
import os
import socket
from contextlib import aclosing
from typing import Any

from terma.chat import ModelError
from terma.models.policy.overheard import overheard
from terma.models.worker import calls, messages

# What may be looked up on a network, or wants credentials from one, before anything is asked.
_SLOW_TO_NAME = ("bedrock", "sagemaker", "vertex_ai", "azure", "watsonx", "oci", "databricks", "snowflake")


class Serving:
    """Answers over `connection` until its other end closes, or nothing was asked for `idle` seconds."""

    def __init__(self, connection: socket.socket, idle: float) -> None:
        self._connection = connection
        self._idle = idle
        self._tasks: dict[int, asyncio.Task[None]] = {}
        self._others: set[asyncio.Task[None]] = set()
        self._last = 0.0

    async def run(self) -> None:
        """Return when there is nobody left to answer."""
        reader, self._writer = await asyncio.open_connection(sock=self._connection, limit=messages.MAX_LINE)
        await _warm("openai/warm")
        await self._say({"ready": True})
        loop = asyncio.get_running_loop()
        self._last = loop.time()
        while True:
            rest = self._last + self._idle - loop.time()
            if rest <= 0 and not self._tasks:
                await self._say({"bye": True})
                return
            try:
                async with asyncio.timeout(
                    None if rest == math.inf else max(rest, 1.0) if self._tasks else rest
                ):
                    raw = await reader.readline()
            except TimeoutError:
                continue
            if not raw:
                return
            self._take(messages.read(raw))

    def _take(self, message: dict[str, Any]) -> None:
        if message["do"] == "chat":
            task = asyncio.create_task(self._answer(message["id"], message["request"]))
            self._tasks[message["id"]] = task
        elif message["do"] == "cancel":
            if (running := self._tasks.get(message["id"])) is not None:
                running.cancel()
        elif message["do"] == "warm":
            warming = asyncio.create_task(_warm(message["model"]))
            self._others.add(warming)
            warming.add_done_callback(self._others.discard)

    async def _answer(self, number: int, request: dict[str, Any]) -> None:
        wanted = messages.request_in(request)
        said = calls.events(wanted)
        if wanted.spec.verbose:
            said = overheard(said, (wanted.spec.api_key,))
        try:
            async with aclosing(said) as events:
                async for event in events:
                    await self._say({"id": number, "event": messages.event_out(event)})
            await self._say({"id": number, "end": True})
        except ModelError as error:
            await self._say({"id": number, "error": messages.error_out(error)})
        finally:
            del self._tasks[number]
            self._last = asyncio.get_running_loop().time()

    async def _say(self, message: dict[str, Any]) -> None:
        self._writer.write(messages.line(message))
        await self._writer.drain()


async def _warm(model: str) -> None:
    """Run litellm's code for a model once: a made-up answer, then a connection that this machine refuses at once.

    Nothing leaves the machine: port 9 of the loopback. Where credentials are fetched first, only the made-up answer."""
    from litellm import acompletion

    said = {"model": model, "messages": [{"role": "user", "content": "hi"}], "stream": True}
    with contextlib.suppress(Exception):
        async for _ in await acompletion(**said, mock_response="hi"):
            pass
    if model.partition("/")[0] in _SLOW_TO_NAME or "HTTP_PROXY" in os.environ:  # a proxy would be asked
        return
    with contextlib.suppress(Exception):
        await acompletion(
            **said, api_base="http://127.0.0.1:9", api_key="none", max_retries=0, num_retries=0, timeout=2.0
        )
