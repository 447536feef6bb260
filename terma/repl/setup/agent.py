"""The agent, asked from an event loop: answers stream, several asks run at once, and leaving one ends it there too.

Each ask has a connection of its own while it lasts: a reader that is slow holds up nobody else, and a connection that
is closed is all that cancelling needs. Connections are kept for the next ask.
"""

from __future__ import annotations

import asyncio
import json
import os
import socket
import time
from collections.abc import AsyncGenerator, Callable, Mapping
from contextlib import aclosing, suppress
from typing import Any, Protocol

from terma import autostart, levels, paths, starting, wire
from terma.client import HELLO_SECONDS, SECONDS, AgentLost, lost, refusal
from terma.errors import AgentUnavailable, ProtocolError, UnsafePath
from terma.types import Raw

PIECE = 12_000  # code points of a field in one frame: each may take five bytes there
LONG = 40_000  # bytes of an ask's frame above which its fields go ahead in parts
Frames = AsyncGenerator[tuple[str, ...], None]


class Inside(Protocol):
    """What answers in this process: terma.agent.handlers.Handlers."""

    def answer(self, kind: str, fields: Mapping[str, str]) -> AsyncGenerator[tuple[str, ...] | Raw, None]: ...
    async def close(self) -> None: ...


class Agent:
    """Asks the agent that runs, or starts one. Close it at the end.

    `inside` makes what answers in this process where there can be no agent (no runtime directory can be used):
    terma.agent.inprocess.handlers."""

    def __init__(self, client: str = "chat", inside: Callable[[], Inside] | None = None) -> None:
        self._client = client
        self._make_inside = inside
        self._kept: list[_Connection] = []
        self._inside: Inside | None = None
        self._open = True

    async def ask(self, kind: str, fields: Mapping[str, str], within: float | None = SECONDS) -> Frames:
        """The frames that answer, without the id, `done` the last; at most `within` seconds pass between two of them.

        Closing the iterator ends the request. Raises the agent's refusal as a TermaError with its `code`,
        AgentUnavailable when the agent is lost or silent, ProtocolError when it talks nonsense."""
        levels.tell("ask", kind=kind, agent="this process" if self._inside else paths.socket_path())
        began = time.monotonic()
        here = self._inside is not None
        frames = self._answer_here(kind, fields) if here else self._asked(kind, fields, within)
        async with aclosing(frames) as coming:
            async for frame in coming:
                levels.tell("answer", debug=True, frame=" ".join(frame)[:400])
                yield frame
        levels.tell("answered", kind=kind, seconds=f"{time.monotonic() - began:.3f}")

    async def ask_json(self, kind: str, fields: Mapping[str, str], within: float | None = SECONDS) -> Any:
        """The value that a `done json` carries. Raises like `ask`."""
        async with aclosing(self.ask(kind, fields, within)) as frames:
            async for frame in frames:
                if frame[:2] == ("done", "json") and len(frame) > 2:
                    try:
                        return json.loads(frame[2])
                    except ValueError as error:
                        raise ProtocolError(
                            "the agent's answer is not JSON", "terma agent restart"
                        ) from error
        raise ProtocolError("the agent's answer holds no JSON", "terma agent restart")

    async def close(self) -> None:
        """Give back the connections; what is being asked on others ends with its iterator."""
        self._open = False
        kept, self._kept = self._kept, []
        for connection in kept:
            connection.close()
        if self._inside is not None:
            await self._inside.close()
            self._inside = None

    async def _asked(self, kind: str, fields: Mapping[str, str], within: float | None) -> Frames:
        """One ask over a connection; a kept one that turns out to be dead before it answers is replaced."""
        while True:
            fresh = not self._kept
            try:
                connection = self._kept.pop() if self._kept else await self._connect()
            except (AgentUnavailable, UnsafePath):
                if self._make_inside is None:
                    raise
                self._inside = self._make_inside()
                async with aclosing(self._answer_here(kind, fields)) as frames:
                    async for frame in frames:
                        yield frame
                return
            spoke = done = False
            try:
                await connection.send(kind, fields)
                while not done:
                    frame = await connection.frame(within)
                    spoke, done = True, frame[0] == "done"
                    yield frame
                return
            except AgentLost:
                if spoke or fresh:
                    raise
            finally:
                if done and self._open:
                    self._kept.append(connection)
                else:
                    connection.close()

    async def _connect(self) -> _Connection:
        """Raises AgentUnavailable, UnsafePath, ProtocolError."""
        raw = await _reached()
        raw.setblocking(False)
        try:
            reader, writer = await asyncio.open_unix_connection(sock=raw, limit=wire.MAX_FRAME)
        except BaseException:
            raw.close()
            raise
        connection = _Connection(reader, writer)
        try:
            await connection.greet(self._client)
        except BaseException:
            connection.close()
            raise
        return connection

    async def _answer_here(self, kind: str, fields: Mapping[str, str]) -> Frames:
        assert self._inside is not None
        asked = {**fields, "client": f"{self._client} {os.getpid()}"}
        async with aclosing(self._inside.answer(kind, asked)) as frames:
            async for frame in frames:
                if not isinstance(frame, Raw):
                    yield frame


class _Connection:
    """A connection with one ask at a time."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._reader = reader
        self._writer = writer
        self._id = 0

    async def greet(self, client: str) -> None:
        """Raises ProtocolError for an agent of another version."""
        self._writer.write(wire.encode("hello", str(wire.VERSION), client, str(os.getpid())))
        verb, *rest = await self._line(HELLO_SECONDS)
        if verb == "error":
            raise refusal(rest)
        if verb != "hello" or rest[:1] != [str(wire.VERSION)]:
            raise ProtocolError(
                "what listens on the socket is not an agent of this version", "terma agent restart"
            )

    async def send(self, kind: str, fields: Mapping[str, str]) -> None:
        """Ask; what does not fit in one frame goes ahead of it."""
        self._id += 1
        ask, short = str(self._id), dict(fields)
        try:
            while sum(len(wire.encode_field(value).encode("utf-8", "surrogateescape")) + len(key) + 2
                      for key, value in short.items()) > LONG:  # fmt: skip
                key = max(short, key=lambda name: len(short[name]))
                text = short.pop(key)
                for at in range(0, len(text), PIECE):
                    self._writer.write(wire.encode("part", ask, key, text[at : at + PIECE]))
                await self._writer.drain()
            self._writer.write(wire.encode("ask", ask, kind, *wire.unkeyed(short)))
            await self._writer.drain()
        except OSError as error:
            raise lost() from error

    async def frame(self, within: float | None) -> tuple[str, ...]:
        """The next frame of what was asked, without its id. Raises what the agent refuses, and as Agent.ask."""
        while True:
            verb, *rest = await self._line(within)
            if verb == "error" and rest[:1] in ([str(self._id)], ["-"]):
                raise refusal(rest)
            if rest[:1] == [str(self._id)]:
                return (verb, *rest[1:])

    async def _line(self, within: float | None) -> tuple[str, ...]:
        try:
            async with asyncio.timeout(within):
                return wire.decode(await self._reader.readuntil(b"\n"))
        except TimeoutError:
            raise AgentUnavailable("the agent does not answer", "terma agent restart") from None
        except asyncio.LimitOverrunError as error:
            raise ProtocolError("the agent sent an oversized frame", "terma agent restart") from error
        except (asyncio.IncompleteReadError, OSError) as error:
            raise lost() from error

    def close(self) -> None:
        with suppress(OSError, RuntimeError):
            self._writer.close()


async def _reached() -> socket.socket:
    """A connection to the agent. Where it has to be started, a child does that: whoever waits may do so with a spinner.
    Raises AgentUnavailable, UnsafePath."""
    known = autostart.knock(paths.socket_path())
    if known is not None:
        return known
    helper = await starting.child(
        *autostart.command()[:-2],
        *("-c", "from terma import autostart; autostart.ensure()"),
        stdin=asyncio.subprocess.DEVNULL,
        stdout=asyncio.subprocess.DEVNULL,
        stderr=asyncio.subprocess.DEVNULL,
        start_new_session=True,
    )
    await helper.wait()
    return autostart.ensure()  # says what is wrong, where it could not be started
