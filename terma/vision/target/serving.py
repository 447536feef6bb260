"""Runs the stand-in target until it is told to stop: the shell, the camera and the HTTP server in one event loop."""

from __future__ import annotations

import asyncio
import contextlib
import ipaddress
import re
import secrets
import socket
import tempfile
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import uvicorn

from terma.errors import UsageError
from terma.vision.target import app
from terma.vision.target.camera import Camera
from terma.vision.target.look import Look
from terma.vision.target.machine import Machine, default_command, environment
from terma.vision.target.stream import Stream

_CLOSING_SECONDS = 2
_UNREAD = 256 * 1024  # bytes on their way to somebody: more would be pictures of the past
_TOKEN = re.compile(r"[\w.~-]{0,200}", re.ASCII)


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """`command` () is a plain shell; `port` 0 is a free one; `token` None is made up, "" is none at all; `size` is of
    the letters in pixels."""

    command: Sequence[str] = ()
    host: str = "127.0.0.1"
    port: int = 0
    token: str | None = None
    columns: int = 80
    rows: int = 24
    size: int = 20
    fps: float = 30.0
    camera: Look | None = None


@dataclass(frozen=True, slots=True)
class Running:
    """Where it is, once it takes requests."""

    url: str
    token: str
    machine: Machine
    camera: Camera | None

    @property
    def page(self) -> str:
        """The address for a browser."""
        return f"{self.url}/?token={self.token}" if self.token else f"{self.url}/"


async def serve(settings: Settings, started: Callable[[Running], None]) -> None:
    """Run until cancelled; `started` is called once. Raises UsageError where it cannot start."""
    token = secrets.token_urlsafe(24) if settings.token is None else settings.token
    if not _TOKEN.fullmatch(token):
        raise UsageError("a token has letters, digits, dots, dashes and tildes", "TERMA_EYES_TOKEN sets it")
    if not token and not _loopback(settings.host):
        raise UsageError(
            "a target without a token is for this machine alone", "leave --no-token or --host away"
        )
    with tempfile.TemporaryDirectory(prefix="terma-target-") as name, _listen(settings) as listening:
        home = Path(name)
        machine = Machine(
            settings.command or default_command(), settings.columns, settings.rows, settings.size
        )
        machine.start(home, environment(home))
        try:
            height, width = machine.picture().shape[:2]
            camera = Camera(settings.camera, width, height, settings.columns) if settings.camera else None
            stream = Stream(machine, camera, settings.fps)
            port = listening.getsockname()[1]
            config = uvicorn.Config(
                app.create(machine, stream, token, f"terma_eyes_{port}"),
                log_level="warning",
                lifespan="off",
                timeout_graceful_shutdown=_CLOSING_SECONDS,
            )
            host = f"[{settings.host}]" if ":" in settings.host else settings.host
            running = Running(f"http://{host}:{port}", token, machine, camera)
            await _run(_Server(config, lambda: started(running), stream.closing), listening)
        finally:
            await machine.stop()


class _Server(uvicorn.Server):
    """Tells when it takes requests, and ends the streams before it waits for them."""

    def __init__(self, config: uvicorn.Config, started: Callable[[], None], closing: asyncio.Event) -> None:
        super().__init__(config)
        self._tell, self._closing = started, closing

    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Signals are the business of whoever runs the event loop: uvicorn's own handling ends the process."""
        yield

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        if self.started:
            self._tell()

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        self._closing.set()
        await super().shutdown(sockets)


async def _run(server: _Server, listening: socket.socket) -> None:
    task = asyncio.create_task(server.serve(sockets=[listening]))
    try:
        await asyncio.shield(task)
    finally:
        server.should_exit = True
        await task


def _listen(settings: Settings) -> socket.socket:
    family = socket.AF_INET6 if ":" in settings.host else socket.AF_INET
    listening = socket.socket(family)
    try:
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, _UNREAD)
        listening.bind((settings.host, settings.port))
    except (OSError, OverflowError) as error:
        listening.close()
        why = error.strerror if isinstance(error, OSError) else str(error)
        raise UsageError(
            f"cannot listen on {settings.host} port {settings.port}: {why}",
            "choose another --port, or --host",
        ) from None
    return listening


def _loopback(host: str) -> bool:
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"
