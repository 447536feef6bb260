"""An answer as it comes, as a task of prompt_toolkit's own loop: the prompt lives on meanwhile."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from typing import Any

from terma import wire
from terma.errors import AgentUnavailable, ProtocolError, TermaError
from xontrib_terma import reach

MAX_ANSWER = 65_536  # code points


class Refused(Exception):
    """The agent answered with an error: its code, and what to show."""

    def __init__(self, code: str, shown: str) -> None:
        super().__init__(shown)
        self.code = code


async def answer(
    session: Any, number: int, kind: str, own: Mapping[str, str]
) -> AsyncIterator[tuple[str, ...]]:
    """The frames that answer, `done` the last, without the id; ("starting",) first when an agent must be started.

    Raises Refused, or TermaError when there is no agent or it talks nonsense."""
    environ = session.environment()
    data = reach.request(session, number, kind, own)
    path = reach.socket_path(environ)
    connection = await _open(path) if path else None
    if connection is None:
        yield ("starting",)
        await asyncio.get_running_loop().run_in_executor(None, reach.start_agent, environ)
        path = reach.socket_path(environ)
        connection = await _open(path) if path else None
    if connection is None:
        raise AgentUnavailable("the agent did not start", "terma doctor says why")
    reader, writer = connection
    try:
        writer.write(data)
        async for frame in _frames(reader, str(number)):
            yield frame
            if frame[0] == "done":
                return
    finally:
        writer.close()
    raise AgentUnavailable("the agent went away", "press the key again")


async def _open(path: Any) -> tuple[asyncio.StreamReader, asyncio.StreamWriter] | None:
    try:
        return await asyncio.open_unix_connection(str(path), limit=2 * wire.MAX_FRAME)
    except (ConnectionError, FileNotFoundError, BlockingIOError):
        return None


async def _frames(reader: asyncio.StreamReader, number: str) -> AsyncIterator[tuple[str, ...]]:
    while True:
        try:
            line = await reader.readline()
        except (ValueError, ConnectionError):  # a line without an end
            raise ProtocolError("the agent sent garbage", "terma agent restart") from None
        if not line.endswith(b"\n"):
            return
        frame = read(line, number)
        if frame is not None:
            yield frame


def read(line: bytes, number: str) -> tuple[str, ...] | None:
    """A frame that answers `number`, without that. None for others. Raises Refused and ProtocolError."""
    verb, *rest = wire.decode(line)
    if verb == "hello" and rest[:1] != [str(wire.VERSION)]:
        raise ProtocolError("the agent speaks another version", "terma agent restart")
    if rest[:1] != [number] and not (verb == "error" and rest[:1] == ["-"]):
        return None
    if verb == "error":
        _, code, message, hint, *_ = [*rest, "", "", "", ""]
        raise Refused(code, f"{message or 'the agent refused'}; {hint}" if hint else message)
    return (verb, *rest[1:])


def shown(error: Exception) -> str:
    """An error as one line."""
    if isinstance(error, TermaError):
        return f"{error.message}; {error.hint}" if error.hint else error.message
    return getattr(error, "strerror", None) or str(error) or type(error).__name__


@asynccontextmanager
async def closing(frames: AsyncIterator[tuple[str, ...]]) -> AsyncIterator[AsyncIterator[tuple[str, ...]]]:
    """The frames; at the end, however it comes, the connection is closed."""
    try:
        yield frames
    finally:
        await frames.aclose()  # type: ignore[attr-defined]
