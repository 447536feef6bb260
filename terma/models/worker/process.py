"""The agent's side of litellm's process: start it, speak with it, notice its end."""

from __future__ import annotations

import asyncio
import contextlib
import importlib.util
import itertools
import os
import socket
import subprocess
import sys
from collections.abc import AsyncGenerator
from typing import Any

from terma.chat import ChatEvent, ChatRequest, ModelError
from terma.installed import adding
from terma.models.worker import messages
from terma.types import Note

# All that the worker sees of the agent's environment: no proxy, no base address, no certificate file, no key. It
# serves every shell, so a cloud's own sign-in is read from the person's files (~/.aws, gcloud's), not from variables.
PASSED = ("HOME", "PATH", "USER", "LOGNAME", "LANG", "LC_ALL", "LC_CTYPE", "TZ", "TMPDIR")
QUIET = {
    "LITELLM_LOCAL_MODEL_COST_MAP": "True",  # else it fetches the price list when it is imported
    "LITELLM_MODE": "PRODUCTION",  # else it reads a .env of the working directory
    "LITELLM_LOG": "ERROR",
}
SOON = 0.3  # seconds: a start that takes longer is said in a note
FAREWELL = 2.0  # seconds between the end of the conversation and a kill


class Ended(Exception):
    """The worker is gone; `left` when it said so, since nothing was asked, and the request was not begun."""

    def __init__(self, left: bool, reason: str = "litellm's process left") -> None:
        super().__init__(reason)
        self.left = left


class Process:
    """One worker process. `chat` may run several times at once; when it has ended, make another."""

    def __init__(self, idle: float, proxy: str = "", ca_file: str = "") -> None:
        self.ended = False
        self._ready: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._left = False
        self._numbers = itertools.count(1)
        self._answers: dict[int, asyncio.Queue[dict[str, Any] | Ended]] = {}
        ours, theirs = socket.socketpair()
        with theirs:
            self._process = subprocess.Popen(
                [sys.executable, "-I", "-m", "terma.models.worker", str(theirs.fileno()), str(idle)],
                pass_fds=(theirs.fileno(),),
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                cwd="/",
                env=environment(proxy, ca_file),
                start_new_session=True,  # a Ctrl+C that ends the agent ends this through the socket
            )
        ours.setblocking(False)
        self._socket = ours
        self._writer: asyncio.StreamWriter | None = None
        self._reading = asyncio.create_task(self._read())

    @property
    def pid(self) -> int:
        """The worker's process id."""
        return self._process.pid

    async def chat(self, request: ChatRequest) -> AsyncGenerator[ChatEvent, None]:
        """The events of one answer; a note first when the worker is still starting.

        Raises ModelError, and Ended when the worker is gone."""
        async for note in self._wait_ready():
            yield note
        number = next(self._numbers)
        answers = self._answers[number] = asyncio.Queue()
        if self.ended:
            raise Ended(left=True)
        done = False
        try:
            await self._say({"id": number, "do": "chat", "request": messages.request_out(request)})
            while True:
                message = await answers.get()
                if isinstance(message, Ended):
                    done = True
                    raise message
                if "event" in message:
                    yield messages.event_in(message["event"])
                    continue
                done = True
                if "error" in message:
                    raise messages.error_in(message["error"])
                return
        finally:
            del self._answers[number]
            if not done:
                self._say_now({"id": number, "do": "cancel"})

    async def warm(self, model: str) -> None:
        """Let the worker run the code for `model` once, when it is ready."""
        with contextlib.suppress(Ended, ModelError):
            async for _ in self._wait_ready():
                pass
            await self._say({"do": "warm", "model": model})

    async def close(self) -> None:
        """End the conversation, and so the worker; returns when the process is gone."""
        self._reading.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await self._reading
        self._end(Ended(False, "litellm's process was stopped"))
        await self._reap()

    async def _wait_ready(self) -> AsyncGenerator[Note, None]:
        if not self._ready.done():
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(SOON):
                    await asyncio.shield(self._ready)
        if not self._ready.done():
            yield Note("litellm is starting")
        await asyncio.shield(self._ready)

    async def _read(self) -> None:
        """Hand each message to the request it answers, until the worker's end of the socket closes."""
        try:
            reader, self._writer = await asyncio.open_connection(sock=self._socket, limit=messages.MAX_LINE)
            with contextlib.suppress(OSError, ValueError):
                while raw := await reader.readline():
                    self._take(messages.read(raw))
        finally:
            self.ended = True
            if self._writer is not None:
                self._writer.close()
        status = await self._reap()
        self._end(Ended(self._left, f"litellm's process ended in mid-answer (status {status})"))

    def _end(self, end: Ended) -> None:
        for answers in self._answers.values():
            answers.put_nowait(end)
        if not self._ready.done():
            self._ready.set_exception(end)
            self._ready.exception()  # seen, also when nobody waits for it

    def _take(self, message: dict[str, Any]) -> None:
        if "id" in message:
            if (answers := self._answers.get(message["id"])) is not None:
                answers.put_nowait(message)
        elif "ready" in message:
            if not self._ready.done():
                self._ready.set_result(None)
        elif "bye" in message:
            self._left = self.ended = True
        elif "fatal" in message and not self._ready.done():
            self._ready.set_exception(
                ModelError("not_installed", f"litellm cannot be used: {message['fatal'][:160]}", INSTALL)
            )
            self._ready.exception()

    async def _say(self, message: dict[str, Any]) -> None:
        self._say_now(message)
        if self._writer is not None:
            with contextlib.suppress(ConnectionError):  # the reading task tells of the end
                await self._writer.drain()

    def _say_now(self, message: dict[str, Any]) -> None:
        if self._writer is not None and not self._writer.is_closing():
            self._writer.write(messages.line(message))

    async def _reap(self) -> int:
        """Wait for the process, and kill it when it does not leave. Its exit status."""
        loop = asyncio.get_running_loop()
        try:
            return await loop.run_in_executor(None, self._process.wait, FAREWELL)
        except subprocess.TimeoutExpired:
            self._process.kill()
            return await loop.run_in_executor(None, self._process.wait, FAREWELL)


INSTALL = f"{adding('litellm')}, or use an OpenAI-compatible server with api_base"


def check_installed() -> None:
    """Raise ModelError when litellm is not there. Nothing of it is imported."""
    if importlib.util.find_spec("litellm") is None:
        raise ModelError("not_installed", "this model needs litellm, which is not installed", INSTALL)


def environment(proxy: str, ca_file: str) -> dict[str, str]:
    """The whole environment of a worker whose settings name this proxy and these certificates."""
    made = {name: os.environ[name] for name in PASSED if name in os.environ} | QUIET
    if proxy:
        made |= {"HTTP_PROXY": proxy, "HTTPS_PROXY": proxy, "AIOHTTP_TRUST_ENV": "True"}
    if ca_file:
        made |= {"SSL_CERT_FILE": ca_file, "REQUESTS_CA_BUNDLE": ca_file}
    return made
