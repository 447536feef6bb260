"""The agent's life: accept, answer, notice that it should go, and go without losing an answer."""

from __future__ import annotations

import asyncio
import contextlib
import gc
import os
import resource
import signal
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import terma
from terma import __version__
from terma.agent.connection import Connection
from terma.agent.endpoint import BACKLOG, Endpoint, is_ours
from terma.agent.handlers import SESSION, Handlers
from terma.agent.log import Log
from terma.agent.parts import Limits
from terma.wire import MAX_FRAME

TICK = 30.0  # seconds between looks at the socket, the package and the clock
FIRST = 0.2  # seconds that the first question has to arrive before the agent prepares for any
OF_A_FAILURE = frozenset(
    ("why", "why_json", "last")
)  # asks that need nothing of what a question in words needs
OF_THE_AGENT = frozenset(("status", "stop"))  # of itself: answered, too, while the knowledge is compiled
REST, BUSIEST = 5.0, 60.0  # seconds without a question until that is done beside sessions, and at most
SETTLE = 0.5  # seconds after loading, when the first answer is out
STOP = "stop"  # the reason that ends sessions as well
SIGNAL_GRACE = 1.0  # seconds that running answers get after SIGTERM or `stop`


class Agent:
    """Serves `endpoint` until it is told to stop, its package changed, or nothing was asked for `idle`
    seconds (0: for ever)."""

    def __init__(self, endpoint: Endpoint, log: Log, idle: float, limits: Limits) -> None:
        self._endpoint = endpoint
        self._log = log
        self._idle = idle
        self._limits = limits
        self._handlers = Handlers(self.status, lambda: self.leave(STOP, SIGNAL_GRACE))
        self._connections: dict[Connection, asyncio.Task[None]] = {}
        self._package = _package_stamp()
        self._leaving = asyncio.Event()
        self._server: asyncio.Server | None = None
        self._grace = 0.0
        self._warming: asyncio.Task[None] | None = None
        self._preloading: threading.Thread | None = None
        self._started = self._last = time.monotonic()
        self._requests = 0
        self._rested = True  # nothing was loaded yet

    async def run(self) -> None:
        """Return when nothing is left to do; the socket and the lock are gone by then."""
        loop = asyncio.get_running_loop()
        loop.set_exception_handler(self._lost)
        for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
            loop.add_signal_handler(number, self.leave, signal.Signals(number).name, SIGNAL_GRACE)
        self._log.write("start", version=__version__, socket=self._endpoint.path)
        self._server = await asyncio.start_unix_server(
            self._accepted, sock=self._endpoint.listener, limit=MAX_FRAME, backlog=BACKLOG
        )
        loop.call_later(FIRST, self._begin)
        loop.add_signal_handler(signal.SIGIO, self._check_socket)
        self._endpoint.watch()
        watch = asyncio.create_task(self._watch())
        await self._leaving.wait()
        watch.cancel()
        await self._finish()
        self._log.write("end", requests=self._requests)

    def leave(self, reason: str, grace: float) -> None:
        """Stop accepting now; what is being answered gets `grace` seconds. Sessions go on without an agent, unless it
        was told to `stop`."""
        if not self._leaving.is_set():
            self._log.write("leave", reason=reason)
        self._grace = grace
        if reason != STOP:
            self._handlers.leave_sessions()
        self._leaving.set()
        if self._server is not None:
            self._server.close()
        self._endpoint.close()

    def status(self) -> dict[str, Any]:
        """Facts for `terma agent status`: `uptime` in seconds, `rss` in bytes."""
        return {
            "version": __version__,
            "pid": os.getpid(),
            "uptime": round(time.monotonic() - self._started, 3),
            "rss": _rss(),
            "sessions": self._handlers.live_sessions,
            "socket": str(self._endpoint.path),
            "requests": self._requests,
            "answering": sum(len(connection.asks()) for connection in self._connections),
            "connections": len(self._connections),
            "log": str(self._log.path or ""),
            "log_problem": self._log.problem,
        }

    async def _accepted(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        connection = Connection(reader, writer, self._handlers, self._limits, self._log)
        task = asyncio.current_task()
        assert task is not None
        self._connections[connection] = task
        try:
            if not is_ours(writer.get_extra_info("socket")):
                self._log.write("refused", reason="another user")
                await connection.refuse("denied", "this agent serves another user")
                return
            if len(self._connections) > self._limits.connections:
                await connection.refuse("busy", "too many shells ask at once")
                return
            connection.on_ask = self._asked
            self._check_package()
            await connection.serve()
        finally:
            del self._connections[connection]

    def _asked(self, kind: str) -> None:
        self._requests += 1
        if kind in OF_A_FAILURE:
            self._preload_beside()
        elif kind in OF_THE_AGENT:
            pass
        elif not kind.startswith(SESSION):
            self._preload()
            self._rested = False
        self._last = time.monotonic()  # on a busy machine that took a while, and a short `idle` begins now

    def _begin(self) -> None:
        """Prepare before the first question comes. Sessions need nothing of it: where they are what was asked for
        first, their answer comes first, and those that an agent before this one had are answered beside it."""
        if not self._requests:
            self._preload_beside()
            self._last = time.monotonic()
        asyncio.get_running_loop().call_later(SETTLE, self._warm)

    def _rests(self) -> bool:
        """Whether who asked for sessions alone seems to think: what is loaded beside an answer makes that slower."""
        now = time.monotonic()
        return now - self._last >= REST or now - self._started >= BUSIEST

    def _preload(self) -> None:
        """What is needed to answer any question, once. Whoever calls waits, even where it has begun already."""
        self._preload_beside()
        assert self._preloading is not None
        self._preloading.join()

    def _preload_beside(self) -> None:
        if self._preloading is None:
            self._preloading = threading.Thread(target=self._ready, args=("preload", self._handlers.preload))
            self._preloading.start()

    def _ready(self, step: str, do: Callable[[], None]) -> None:
        try:
            do()
        except Exception as error:  # the question that needs it will say what is wrong
            self._log.crash(step, error)

    def _warm(self) -> None:
        """When the first answer is out: what later ones would wait for."""
        if self._preloading is None and not self._rests():
            asyncio.get_running_loop().call_later(SETTLE, self._warm)
            return
        self._preload_beside()  # sessions that go on are answered meanwhile
        loading = self._preloading is not None and self._preloading.is_alive()
        if loading or any(connection.hurried for connection in self._connections):
            asyncio.get_running_loop().call_later(SETTLE, self._warm)
            return
        if not self._requests:
            self._ready("rehearse", self._handlers.rehearse)
        _settle()
        self._rested = False
        self._warming = asyncio.create_task(self._handlers.warm())

    def _check_socket(self) -> None:
        """Nobody can reach an agent whose socket was removed or replaced."""
        if not self._leaving.is_set() and not self._endpoint.intact():
            self.leave("socket gone", self._limits.request)

    def _check_package(self) -> None:
        """An upgraded or removed package: answer what is here with the code that is loaded, and make way. Who waits in
        a session is answered first."""
        if _package_stamp() != self._package and not self._handlers.answering_sessions:
            self.leave("upgraded", self._limits.request)

    async def _watch(self) -> None:
        while True:
            rest = self._last + self._idle - time.monotonic()
            busy = any(connection.busy for connection in self._connections)
            busy = busy or self._handlers.live_sessions > 0
            if self._idle > 0 and rest <= 0 and not busy:
                self.leave("idle", self._limits.request)
            self._check_socket()
            self._check_package()
            self._rest(busy)
            await asyncio.sleep(min(rest, TICK) if rest > 0 else 1.0)

    def _rest(self, busy: bool) -> None:
        """Give memory back, once, when nothing was asked for a TICK."""
        if not (busy or self._rested) and time.monotonic() - self._last >= TICK:
            self._rested = True
            self._ready("rest", self._handlers.rest)

    async def _finish(self) -> None:
        """Wait for running answers as long as the grace allows, then end every connection."""
        arriving = [asyncio.create_task(connection.asked.wait()) for connection in self._connections]
        if arriving:
            await asyncio.wait(arriving, timeout=min(self._limits.settle, self._grace))
        asks = [task for connection in self._connections for task in connection.asks()]
        if asks:
            await asyncio.wait(asks, timeout=self._grace)
        for connection in self._connections:
            connection.end_asks("agent", "the agent is stopping")
        tasks = list(self._connections.values())
        for task in tasks:
            task.cancel()
        if self._warming is not None:
            self._warming.cancel()
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(2.0):
                await asyncio.gather(*tasks, self._handlers.close(), return_exceptions=True)

    def _lost(self, _loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
        error = context.get("exception")
        if isinstance(error, Exception) and not isinstance(error, ConnectionError):
            self._log.crash("lost", error)


def _settle() -> None:
    """What was loaded stays for good: collect what is not, once, and look at the rest no more. `__main__`
    turned the collector off, so that neither loading nor the first answer waited for it."""
    gc.collect()
    gc.freeze()
    gc.enable()


def _package_stamp() -> tuple[int, int, int]:
    """Which terma lies on the disk: an installer writes this file anew. (0, 0, 0) when it is gone."""
    try:
        info = Path(terma.__file__).stat()
    except OSError:
        return (0, 0, 0)
    return (info.st_ino, info.st_mtime_ns, info.st_size)


def _rss() -> int:
    """Resident memory in bytes (on macOS the highest it has been, since the present one needs a foreign
    call)."""
    if sys.platform == "linux":
        pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1])
        return pages * os.sysconf("SC_PAGE_SIZE")
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
