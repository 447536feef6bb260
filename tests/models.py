"""What tests of models share: a way to ask one, and to stop asking, on an event loop that lives on between requests."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Callable
from contextlib import aclosing
from typing import Any

from terma.chat import (
    ChatEvent,
    ChatMessage,
    ChatModel,
    ChatRequest,
    ModelError,
    ModelSpec,
    TextDelta,
    ToolSpec,
)
from tests.conftest import WAIT
from tests.model_server import ModelServer

KEY = "sk-test-0123456789abcdef"
TOOL = ToolSpec(
    "propose",
    "Propose a command.",
    {"type": "object", "properties": {"command": {"type": "string"}}, "required": ["command"]},
)


class Speaker:
    """One provider on one loop. `model` is the name a request gives to OpenAI's format."""

    def __init__(self, provider: ChatModel) -> None:
        self.provider = provider
        self.model = "openai/scripted" if provider.name == "litellm" else "scripted"
        self.runner = asyncio.Runner()

    def warm(self) -> Speaker:
        """Have what is slow to start behind it: on a busy machine litellm takes longer than a test should wait."""
        with ModelServer() as server:
            self.ask(self.request(server, first_token_timeout=110.0))
        return self

    def close(self) -> None:
        self.runner.run(self.provider.close())
        self.runner.close()

    def request(
        self, server: ModelServer | str, tools: tuple[ToolSpec, ...] = (), **spec: Any
    ) -> ChatRequest:
        base = server if isinstance(server, str) else server.base
        made = {"model": self.model, "api_base": base, "api_key": KEY, "retries": 0} | spec
        made = ModelSpec(provider=self.provider.name, **made)
        return ChatRequest(spec=made, messages=(ChatMessage("user", "list files"),), tools=tools)

    def ask(self, request: ChatRequest) -> list[ChatEvent]:
        """Every event of the answer."""
        return self.runner.run(collect(self.provider.chat(request)))

    def fail(self, request: ChatRequest) -> tuple[ModelError, list[ChatEvent]]:
        """The error, and the events before it."""
        events: list[ChatEvent] = []
        try:
            self.runner.run(collect(self.provider.chat(request), events))
        except ModelError as error:
            return error, events
        raise AssertionError(f"no error, but {events}")

    def cancel_once(self, request: ChatRequest, ready: Callable[[list[ChatEvent]], object]) -> None:
        """Ask, and cancel the task as soon as `ready` is true of the events so far."""

        async def work() -> None:
            events: list[ChatEvent] = []
            task = asyncio.create_task(collect(self.provider.chat(request), events))
            async with asyncio.timeout(WAIT):
                while not ready(events):
                    assert not task.done(), task
                    await asyncio.sleep(0.005)
            task.cancel()
            await asyncio.wait([task])
            assert task.cancelled()

        self.runner.run(work())


async def collect(
    answer: AsyncGenerator[ChatEvent, None], into: list[ChatEvent] | None = None
) -> list[ChatEvent]:
    events = [] if into is None else into
    async with aclosing(answer) as found:
        async for event in found:
            events.append(event)
    return events


def text(events: list[ChatEvent]) -> str:
    return "".join(event.text for event in events if isinstance(event, TextDelta))


def of(kind: type, events: list[ChatEvent]) -> list[Any]:
    return [event for event in events if isinstance(event, kind)]
