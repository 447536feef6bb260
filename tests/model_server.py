"""A model server that says what a test wrote down, in the wire formats of OpenAI, Anthropic and Gemini.

It is a real HTTP/1.1 server on a thread and an event loop of its own: keep-alive, chunked bodies, TLS or a unix
socket when wanted. The path of a request decides the format. `python -m tests.model_server TEXT…` serves until its
standard input ends and prints its address, for measurements that want it in another process.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import ssl
import sys
import threading
import time
from collections.abc import Coroutine, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tests.model_wire import FORMATS, Call, format_of

CERTIFICATE = Path(__file__).parent / "data/localhost.pem"  # of its own making: openssl req -x509, 100 years
MODELS = ("scripted", "scripted-large")
BOUND = 90.0  # seconds: the longest wait of a test; the machine may be busy


@dataclass(frozen=True)
class Reply:
    """One answer. `pieces` are its text as streamed; `wait` seconds pass before its headers, `first` before its
    first piece, `gap` between two.

    `then` is what follows the last piece: "end" as the format wants it, "cut" breaks the connection off, "hang" says
    nothing more, "eof" closes the body in order but without the format's end. `raw` replaces the rendered body;
    `whole` answers in one JSON object though a stream was asked for. `burst` sends the body in one write. `gate`: no
    piece is sent before it is set."""

    pieces: tuple[str, ...] = ("hello",)
    calls: tuple[Call, ...] = ()
    reasoning: tuple[str, ...] = ()
    finish: str = "stop"
    usage: tuple[int, int] | None = (11, 7)
    status: int = 200
    headers: tuple[tuple[str, str], ...] = ()
    wait: float = 0.0
    first: float = 0.0
    gap: float = 0.0
    then: str = "end"
    raw: bytes | None = None
    whole: bool = False
    gate: threading.Event | None = None
    cut_at: int = 0  # bytes of each write, to cut characters and lines apart; 0: as they come


def says(*pieces: str, **more: Any) -> Reply:
    """An answer of these pieces of text."""
    return Reply(pieces=pieces, **more)


def fails(status: int, error: object = "broken", **headers: str) -> Reply:
    """An error as OpenAI tells it; a keyword `retry_after` is the header `retry-after`."""
    body = {"error": error if isinstance(error, dict) else {"message": error, "type": "test"}}
    named = (("content-type", "application/json"),)
    named += tuple((name.replace("_", "-"), value) for name, value in headers.items())
    return Reply(status=status, raw=json.dumps(body).encode(), headers=named, then="end")


@dataclass
class Seen:
    """A request as it came, and the connection's number. `left` is set when the client closed before the end."""

    path: str
    headers: dict[str, str]
    body: dict[str, Any]
    connection: int
    left: threading.Event = field(default_factory=threading.Event)
    left_at: float = 0.0  # time.monotonic()


class ModelServer:
    """`will` queues answers; the last one is repeated. `seen` holds the requests. Use it as a context manager."""

    def __init__(self, *, tls: bool = False, unix: str = "", deaf: bool = False, rude: bool = False) -> None:
        """`deaf` takes connections and never says a word: not even a TLS handshake. `rude` hangs up."""
        self.seen: list[Seen] = []
        self.connections = 0
        self.left = threading.Event()  # any client closed a connection before it was done
        self.left_at = 0.0
        self.arrived = threading.Event()
        self._tls, self._unix, self._deaf, self._rude = tls, unix, deaf, rude
        self._replies: list[Reply] = [says("hello")]
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, daemon=True)
        self._tasks: set[asyncio.Task[Any]] = set()
        self.port = 0

    def will(self, *replies: Reply) -> ModelServer:
        """Give these answers, one a request."""
        self._replies = list(replies)
        return self

    @property
    def root(self) -> str:
        """The address without a path."""
        if self._unix:
            return f"unix:{self._unix}"
        return f"http{'s' if self._tls or self._deaf else ''}://127.0.0.1:{self.port}"

    @property
    def base(self) -> str:
        """The address of OpenAI's format."""
        return self.root if self._unix else f"{self.root}/v1"

    def wait_for(self, count: int) -> Seen:
        """The `count`-th request, once it came."""
        deadline = time.monotonic() + BOUND
        while len(self.seen) < count:
            assert time.monotonic() < deadline, f"{len(self.seen)} of {count} requests came"
            time.sleep(0.005)
        return self.seen[count - 1]

    def __enter__(self) -> ModelServer:
        self._thread.start()
        self._server = self._call(self._start())
        return self

    def __exit__(self, *_: object) -> None:
        self._call(self._stop())
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join(BOUND)
        self._loop.close()

    def _call(self, work: Coroutine[Any, Any, Any]) -> Any:
        return asyncio.run_coroutine_threadsafe(work, self._loop).result(BOUND)

    async def _start(self) -> asyncio.Server:
        if self._unix:
            return await asyncio.start_unix_server(self._accept, self._unix)
        context = None
        if self._tls:
            context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            context.load_cert_chain(CERTIFICATE)
        server = await asyncio.start_server(self._accept, "127.0.0.1", 0, ssl=context)
        self.port = server.sockets[0].getsockname()[1]
        return server

    async def _stop(self) -> None:
        self._server.close()
        for _ in range(5):  # a connection that was just taken gets its task, and so its end
            await asyncio.sleep(0)
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        # A connection whose TLS is not agreed on yet has no task: the loop alone knows of it.
        for transport in list(self._loop._transports.values()):  # type: ignore[attr-defined]
            transport.abort()
        for _ in range(5):  # for the transports to close their sockets
            await asyncio.sleep(0)

    async def _accept(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.connections += 1
        task = asyncio.current_task()
        assert task is not None
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        try:
            with contextlib.suppress(ConnectionError, ssl.SSLError, TimeoutError, asyncio.CancelledError):
                if self._rude:
                    await _request(reader)
                elif self._deaf:
                    await self._deafness(reader)
                else:
                    await self._serve(reader, writer, self.connections)
        finally:
            writer.transport.abort()
            await asyncio.sleep(0)  # for the transport to close its socket

    async def _deafness(self, reader: asyncio.StreamReader) -> None:
        await reader.read(1)
        self.arrived.set()
        while await reader.read(65536):
            pass
        self._client_left()

    def _client_left(self) -> None:
        self.left_at = time.monotonic()
        self.left.set()

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, number: int) -> None:
        while (request := await _request(reader)) is not None:
            path, headers, body = request
            seen = Seen(path, headers, json.loads(body or b"{}"), number)
            self.seen.append(seen)
            reply = self._replies.pop(0) if len(self._replies) > 1 else self._replies[0]
            answer = asyncio.create_task(_answer(writer, seen, reply))
            gone = asyncio.create_task(_gone(reader))
            try:
                await asyncio.wait({answer, gone}, return_when=asyncio.FIRST_COMPLETED)
                if not answer.done():
                    self._client_left()
                    seen.left_at = self.left_at
                    seen.left.set()
                    return
            finally:
                answer.cancel()
                gone.cancel()
                await asyncio.wait({answer, gone})
            if answer.cancelled() or not answer.result():
                return


async def _gone(reader: asyncio.StreamReader) -> None:
    """Return when the client closes. Nothing is read: a next request waits in the buffer."""
    while not reader.at_eof() and reader.exception() is None:  # noqa: ASYNC110 - no event tells it
        await asyncio.sleep(0.002)


async def _request(reader: asyncio.StreamReader) -> tuple[str, dict[str, str], bytes] | None:
    try:
        head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").split("\r\n")
    except asyncio.IncompleteReadError:
        return None
    path = head[0].split(" ")[1]
    headers = {
        name.lower(): value.strip() for name, _, value in (line.partition(":") for line in head[1:] if line)
    }
    if "chunked" in headers.get("transfer-encoding", ""):
        body = b""
        while size := int(await reader.readline(), 16):
            body += (await reader.readexactly(size + 2))[:-2]
        await reader.readline()
        return path, headers, body
    return path, headers, await reader.readexactly(int(headers.get("content-length", "0")))


async def _answer(writer: asyncio.StreamWriter, seen: Seen, reply: Reply) -> bool:
    """Play one reply. Whether the connection may be used again."""
    await asyncio.sleep(reply.wait)
    if seen.path.endswith("/models") and reply.raw is None:
        listed = {"object": "list", "data": [{"id": name, "object": "model"} for name in MODELS]}
        reply = Reply(raw=json.dumps(listed).encode(), headers=(("content-type", "application/json"),))
    wire = FORMATS[format_of(seen.path)]
    whole = reply.whole or not (seen.body.get("stream") or "stream" in seen.path)
    kind = "application/json" if whole and reply.raw is None else "text/event-stream"
    headers = {"content-type": kind, "transfer-encoding": "chunked"} | dict(reply.headers)
    lines = "".join(f"{name}: {value}\r\n" for name, value in headers.items())
    writer.write(f"HTTP/1.1 {reply.status} Scripted\r\n{lines}\r\n".encode())
    await writer.drain()
    pieces = (
        [reply.raw] if reply.raw is not None else list(wire.whole(reply) if whole else wire.stream(reply))
    )
    ending = pieces.pop() if reply.raw is None and not whole else b""
    while reply.gate is not None and not reply.gate.is_set():  # noqa: ASYNC110 - it is another thread's
        await asyncio.sleep(0.01)
    for number, piece in enumerate(pieces):
        await asyncio.sleep(reply.gap if number else reply.first)
        await _send(writer, piece, reply.cut_at)
    if reply.then == "hang":
        await asyncio.Event().wait()
    if reply.then == "cut":
        writer.transport.abort()
        return False
    # The end of the body in one piece with the last event: clients that stop at [DONE] keep the connection then.
    await _send(writer, ending if reply.then == "end" else b"", reply.cut_at, b"0\r\n\r\n")
    return True


async def _send(writer: asyncio.StreamWriter, data: bytes, cut_at: int, end: bytes = b"") -> None:
    parts = list(_cut(data, cut_at or len(data)))
    for number, part in enumerate(parts, 1):
        writer.write(b"%x\r\n%b\r\n%b" % (len(part), part, end if number == len(parts) else b""))
        await writer.drain()
        if cut_at:
            await asyncio.sleep(0)
    if not parts and end:
        writer.write(end)
        await writer.drain()


def _cut(data: bytes, size: int) -> Iterator[bytes]:
    for at in range(0, len(data), max(size, 1)):
        yield data[at : at + size]


if __name__ == "__main__":
    with ModelServer() as server:
        server.will(says(*(sys.argv[1:] or ("hello", " world"))))
        print(server.root, flush=True)
        sys.stdin.read()
