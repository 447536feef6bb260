"""The model of `terma local` as a way to models: the first question starts its server, all are put to it directly."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Callable
from contextlib import aclosing, suppress
from dataclasses import replace
from pathlib import Path

from terma import backends
from terma import regex as re
from terma.chat import ChatEvent, ChatMessage, ChatModel, ChatRequest, ModelError, ModelSpec
from terma.errors import TermaError
from terma.local import places
from terma.local.places import INSTALL, NAME, Running
from terma.local.process import ensure
from terma.types import Note

SOON = 0.3  # seconds: a start that takes longer is said in a note
SHARE = 4  # an answer may fill this part of the context: small models may not know when to end
_SIZE = re.compile(r"(?<![\w.])a?(\d+(?:\.\d+)?)([bBmM])(?![A-Za-z0-9])")
SMALL = 2_000_000_000  # parameters of a model that needs a short prompt, and is often wrong
HINT = "ask again: it is started anew; terma local status tells more"


class LocalModel:
    """Starts the server when it is wanted; what is asked of it goes to its address."""

    name = NAME

    def __init__(self) -> None:
        self._starting: asyncio.Task[Running] | None = None
        self._warming: asyncio.Task[None] | None = None
        self.beginning: Callable[[], str] = str  # what every question begins with

    async def chat(self, request: ChatRequest) -> AsyncGenerator[ChatEvent, None]:
        """As ChatModel.chat. A server that left between two questions is started again, once."""
        for again in (False, True):
            if places.running() is None:
                async for note in self._started():
                    yield note
            server, spoke = await self._server(), False
            try:
                async with aclosing(
                    _http().chat(replace(request, spec=_spec(request.spec, server)))
                ) as events:
                    async for event in events:
                        spoke = spoke or not isinstance(event, Note)
                        yield event
                return
            except ModelError as error:
                if error.trouble != "unreachable" or not await _gone(server):
                    raise
                if spoke or again:
                    raise ModelError(
                        "server", "the local model's process ended in mid-answer", HINT
                    ) from None

    def preload(self, spec: ModelSpec) -> None:
        """Start the server and let it read the beginning that all questions share."""
        if self._warming is None or self._warming.done():
            self._warming = asyncio.ensure_future(self._warm(spec))

    async def close(self) -> None:
        """Wait for nothing more; the server leaves by itself when it is idle."""
        for task in (self._starting, self._warming):
            if task is not None:
                task.cancel()
                with suppress(asyncio.CancelledError, TermaError):
                    await task

    async def _warm(self, spec: ModelSpec) -> None:
        with suppress(TermaError, OSError):
            if places.running() is not None:
                return  # somebody asked it already
            server = await self._server()
            _http().preload(_spec(spec, server))
            beginning = await asyncio.to_thread(self.beginning)
            if beginning:
                one = replace(_spec(spec, server), max_tokens=1)
                messages = (ChatMessage("system", beginning), ChatMessage("user", "Words:"))
                async with aclosing(_http().chat(ChatRequest(spec=one, messages=messages))) as events:
                    async for _ in events:
                        pass

    async def _started(self) -> AsyncGenerator[Note, None]:
        starting = asyncio.ensure_future(self._server())
        try:
            await asyncio.wait({starting}, timeout=SOON)
            if not starting.done():
                yield Note("the local model is starting")
            await starting
        finally:
            starting.cancel()

    async def _server(self) -> Running:
        """The server that answers; one start serves all who wait for it."""
        if (found := places.running()) is not None:
            return found
        if self._starting is None or self._starting.done():
            self._starting = asyncio.ensure_future(ensure())
        try:
            return await asyncio.shield(self._starting)
        except TermaError as error:
            missing = error.hint == INSTALL
            raise ModelError("not_installed" if missing else "server", error.message, error.hint) from error


def spec(label: str = NAME) -> ModelSpec:
    """The local model for the settings: where its server is, and its limits, are known when it runs."""
    server = places.running()
    return ModelSpec(
        provider=NAME,
        model=NAME,
        api_base=f"unix:{places.socket_path()}",
        max_tokens=_answer(server),
        label=label,
        small=is_small(server),
    )


def is_small(server: Running | None) -> bool:
    """By what the server says, else by the file: a parameter takes half a byte at least."""
    if server is not None and server.parameters:
        return server.parameters < SMALL
    installed = places.installed()
    return installed is not None and installed.size < SMALL / 2


def tells_small(name: str) -> bool:
    """Whether a model's name tells a small size: `qwen2.5-coder:0.5b`, `gemma3:270m`; of several the largest."""
    sizes = [float(size) * (1e9 if unit in "bB" else 1e6) for size, unit in _SIZE.findall(name)]
    return bool(sizes) and max(sizes) < SMALL


def context() -> int:
    """Tokens that a question and its answer may fill: what the server tells, before it runs what it is asked for."""
    server = places.running()
    return (server.context if server is not None else 0) or places.CONTEXT // places.SLOTS


def _answer(server: Running | None) -> int:
    return server.context // SHARE if server is not None else 0


def beginning(role_folder: Path | None) -> str:
    """The head of every question from this person's shell: a server that has read it answers sooner."""
    import os

    from terma.config import roles
    from terma.context.place import tools
    from terma.context.system import system
    from terma.suggest.prompt import Place, head

    shell, path = Path(os.environ.get("SHELL", "bash")).name, os.environ.get("PATH", "")
    machine = system(shell, path).line.removeprefix("system: ")
    return head(roles.load("shell", role_folder).text, shell, Place(machine=machine, tools=tools(path)))


def _spec(asked: ModelSpec, server: Running) -> ModelSpec:
    return replace(
        asked,
        provider=backends.fitting(server.base),
        model=server.model,
        max_tokens=asked.max_tokens or _answer(server),  # it may have been asked before the server ran
        api_base=server.base,
        api_key=server.key,
        retries=0,
    )


def _http() -> ChatModel:
    return backends.of(backends.fitting("http://"))


async def _gone(server: Running) -> bool:
    """Whether that server has ended; one that was killed gives up its lock a moment after its connections."""
    for _ in range(40):
        if places.running() != server:
            return True
        await asyncio.sleep(0.025)
    return False


PLUGIN = LocalModel()
