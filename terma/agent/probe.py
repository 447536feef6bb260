"""Which local model servers answer: looked for in the background, never while somebody waits for a key.

Ollama, llama.cpp, LM Studio and vLLM all list their models at /v1/models. Asked over plain sockets, because the HTTP
library is larger than the agent.
"""

from __future__ import annotations

import asyncio
import json
import re
import time
from collections.abc import Sequence

from terma.records import dataclass

HOST = "127.0.0.1"
SECONDS = 1.0  # for one port: it is this machine
FRESH = 60.0  # seconds until what was found is looked for again
MAX_ANSWER = 1024 * 1024
KNOWN = {11434: "Ollama", 8080: "llama.cpp", 1234: "LM Studio", 8000: "vLLM"}


@dataclass(frozen=True, slots=True)
class Server:
    """A server that lists models. `api_base` is its OpenAI-compatible root."""

    port: int
    kind: str
    models: tuple[str, ...]

    @property
    def api_base(self) -> str:
        return f"http://{HOST}:{self.port}/v1"


class Probe:
    """Remembers what was found; `servers` never waits, `look` does."""

    def __init__(self) -> None:
        self.servers: tuple[Server, ...] = ()
        self._looked = float("-inf")
        self._ports: tuple[int, ...] = ()
        self._task: asyncio.Task[None] | None = None

    def refresh(self, ports: Sequence[int]) -> None:
        """Begin to look again when what is known is old; returns at once."""
        fresh = time.monotonic() - self._looked < FRESH and tuple(ports) == self._ports
        if not fresh and (self._task is None or self._task.done()):
            self._task = asyncio.ensure_future(self.look(ports))

    async def look(self, ports: Sequence[int]) -> None:
        """Ask every port at once; takes at most SECONDS."""
        found = await asyncio.gather(*(_ask(port) for port in ports))
        self.servers = tuple(server for server in found if server is not None)
        self._ports, self._looked = tuple(ports), time.monotonic()


async def _ask(port: int) -> Server | None:
    try:
        async with asyncio.timeout(SECONDS):
            reader, writer = await asyncio.open_connection(HOST, port)
            try:
                writer.write(
                    f"GET /v1/models HTTP/1.0\r\nHost: {HOST}:{port}\r\nAccept: application/json\r\n"
                    "Connection: close\r\n\r\n".encode()
                )
                answer = b""
                while not _whole(answer) and (more := await reader.read(MAX_ANSWER)):
                    answer += more
                    if len(answer) > MAX_ANSWER:
                        return None
            finally:
                writer.close()
    except (OSError, TimeoutError):
        return None
    return _server(port, answer)


def _whole(answer: bytes) -> bool:
    """Whether all that was announced is there: not every server closes behind it."""
    head, end, body = answer.partition(b"\r\n\r\n")
    if re.search(rb"\r\ntransfer-encoding: *chunked", head, re.IGNORECASE):
        return body.endswith(b"0\r\n\r\n")
    length = re.search(rb"\r\ncontent-length: *(\d{1,9})", head, re.IGNORECASE)
    return bool(end and length) and len(body) >= int(length[1] if length else 0)


def _server(port: int, answer: bytes) -> Server | None:
    head, _, body = answer.partition(b"\r\n\r\n")
    if b" 200" not in head.split(b"\r\n", 1)[0]:
        return None
    start, end = body.find(b"{"), body.rfind(b"}")  # a chunked body has sizes around it
    try:
        listed = json.loads(body[start : end + 1])["data"]
        names = tuple(str(model["id"]) for model in listed if isinstance(model, dict) and model.get("id"))
    except (ValueError, KeyError, TypeError):
        return None
    return Server(port, KNOWN.get(port, "server"), names) if names else None
