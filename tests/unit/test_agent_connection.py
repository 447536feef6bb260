"""Every wait of a connection has a bound: each is shortened here and reached."""

from __future__ import annotations

import asyncio
import json
import socket
import struct
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from terma import wire
from terma.agent.connection import Connection
from terma.agent.handlers import Handlers
from terma.agent.log import Log
from terma.agent.parts import Limits
from terma.sessions.held import peers

BOUND = 90.0
HELLO = wire.encode("hello", "1", "test", "1")
ASK = wire.encode("ask", "1", "translate", "buffer=list", "engine=scripted")
Script = Callable[..., None]


@pytest.fixture
def script(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Script:
    path = tmp_path / "script.json"
    monkeypatch.setenv("TERMA_SCRIPT", str(path))

    def write(*steps: dict[str, Any]) -> None:
        path.write_text(json.dumps([{"match": "", "steps": steps}]))

    write({"delta": "ls"})
    return write


class Peer:
    """The shell's end of a connection that is served in this very loop."""

    def __init__(self, end: socket.socket, serving: asyncio.Task[None], log: Log) -> None:
        self.end, self.serving, self.log = end, serving, log
        self._buffer = b""

    async def send(self, data: bytes) -> None:
        await asyncio.get_running_loop().sock_sendall(self.end, data)

    async def read(self) -> tuple[str, ...] | None:
        while b"\n" not in self._buffer:
            piece = await asyncio.get_running_loop().sock_recv(self.end, 65536)
            if not piece:
                return None
            self._buffer += piece
        line, _, self._buffer = self._buffer.partition(b"\n")
        return wire.decode(line)

    async def read_all(self) -> list[tuple[str, ...]]:
        frames = []
        while (frame := await self.read()) is not None:
            frames.append(frame)
        return frames

    async def served(self) -> None:
        """Wait for the agent's side to be over."""
        await self.serving


@asynccontextmanager
async def connected(tmp_path: Path, **limits: float) -> AsyncIterator[Peer]:
    ours, theirs = socket.socketpair(socket.AF_UNIX)
    theirs.setblocking(False)
    reader, writer = await asyncio.open_unix_connection(sock=ours, limit=wire.MAX_FRAME)
    log = Log(tmp_path / "agent.log")
    handlers = Handlers(status=dict, stop=lambda: None)
    connection = Connection(reader, writer, handlers, Limits(**limits), log)  # type: ignore[arg-type]
    serving = asyncio.create_task(connection.serve())
    try:
        yield Peer(theirs, serving, log)
    finally:
        serving.cancel()
        await asyncio.gather(serving, return_exceptions=True)
        theirs.close()


def run(test: Coroutine[Any, Any, None]) -> None:
    async def bounded() -> None:
        async with asyncio.timeout(BOUND):
            await test

    asyncio.run(bounded())


def test_a_peer_that_says_nothing_is_let_go(tmp_path):
    async def test() -> None:
        async with connected(tmp_path, hello=0.05) as peer:
            assert await peer.read_all() == [("hello", "1", "terma", "0.1.0")]

    run(test())


def test_a_peer_that_falls_silent_is_let_go(tmp_path, script):
    async def test() -> None:
        async with connected(tmp_path, quiet=0.05) as peer:
            await peer.send(HELLO + ASK)
            assert [frame[0] for frame in await peer.read_all()] == ["hello", "note", "delta", "note", "done"]

    run(test())


def test_silence_while_an_answer_is_awaited_is_patience(tmp_path, script):
    script({"wait": 0.3}, {"delta": "ls"})

    async def test() -> None:
        async with connected(tmp_path, quiet=0.05) as peer:
            await peer.send(HELLO + ASK)
            assert (await peer.read_all())[-1][:4] == ("done", "1", "replace", "ls")

    run(test())


def test_a_request_that_takes_too_long_is_given_up_with_a_word(tmp_path, script):
    script({"delta": "ls "}, {"hang": True})

    async def test() -> None:
        async with connected(tmp_path, request=0.05, quiet=0.1) as peer:
            await peer.send(HELLO + ASK)
            error = (await peer.read_all())[-1]
            assert error[:3] == ("error", "1", "timeout")
            assert "0.05 seconds" in error[3]

    run(test())


def test_a_reader_that_does_not_read_is_dropped_and_holds_little_memory(tmp_path, script):
    script(*[{"raw": "x" * 60_000}] * 200)

    async def test() -> None:
        async with connected(tmp_path, drain=0.1, buffer=64 * 1024) as peer:
            await peer.send(HELLO + ASK)
            await peer.served()
            assert "slow reader dropped" in peer.log.path.read_text()

    run(test())


def test_a_slow_reader_gets_everything(tmp_path, script):
    script(*[{"delta": "x" * 100}] * 75)

    async def test() -> None:
        async with connected(tmp_path, buffer=1024) as peer:
            peer.end.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 1)
            await peer.send(HELLO + ASK)
            frames = []
            while not frames or frames[-1][0] != "done":
                await asyncio.sleep(0)
                frames.append(await peer.read())
            assert frames[-1][3] == "x" * 7_500
            assert sum(len(frame[2]) for frame in frames if frame[0] == "delta") == 7_500

    run(test())


def test_an_internal_error_is_one_line_and_its_place_is_in_the_log(tmp_path, script, monkeypatch):
    def broken(query: object) -> None:
        raise RuntimeError("the user typed hunter2")

    monkeypatch.setattr("terma.providers.scripted.PLUGIN.translate", broken)

    async def test() -> None:
        async with connected(tmp_path, quiet=0.05) as peer:
            await peer.send(HELLO + ASK)
            assert (await peer.read_all())[-1][:3] == ("error", "1", "internal")
            text = peer.log.path.read_text()
            assert "RuntimeError" in text
            assert "broken:" in text
            assert "hunter2" not in text

    run(test())


def test_the_peer_s_user_is_read_from_the_socket():
    ours, theirs = socket.socketpair(socket.AF_UNIX)
    with ours, theirs:
        import os

        assert peers.peer_uid(ours) == os.geteuid()


def test_the_peer_s_user_is_read_on_macos(monkeypatch):
    class MacSocket:
        def getsockopt(self, level: int, option: int, size: int) -> bytes:
            assert (level, option) == (0, 1)
            return struct.pack("=IIh16I", 0, 501, 1, *[20] * 16)[:size]

    monkeypatch.setattr(peers.sys, "platform", "darwin")
    assert peers.peer_uid(MacSocket()) == 501  # type: ignore[arg-type]
