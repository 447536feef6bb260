"""Hands the recording out on a unix socket that only its owner can reach.

A client sends `last\n` or `last N\n` and reads one JSON object to the end of the stream: version, commands (newest
last), columns, lines. Everything here is non-blocking and driven by the relay's one poll loop.
"""

from __future__ import annotations

import contextlib
import os
import select
import socket
import struct
import sys
import time
from collections.abc import Callable
from pathlib import Path

from terma.errors import TermaError
from terma.recorder.place import PREFIX, SUFFIX

DEFAULT_COUNT = 10  # what `last` alone asks for
CLIENTS = 8
PATIENCE = 5.0  # seconds for a client to ask and to take its answer
_LONGEST_REQUEST = 64


def answers(path: str) -> bool:
    """Whether a recorder listens there now."""
    with socket.socket(socket.AF_UNIX) as probe, contextlib.suppress(OSError):
        probe.settimeout(1.0)
        probe.connect(path)
        return True
    return False


def sweep(directory: Path) -> None:
    """Remove the sockets of recorders that died without doing it themselves (SIGKILL)."""
    for path in directory.glob(f"{PREFIX}*{SUFFIX}"):
        pid = path.name.removeprefix(PREFIX).partition("-")[0]
        if pid.isdigit() and not _lives(int(pid)) and not answers(str(path)):
            with contextlib.suppress(OSError):
                path.unlink()


def _lives(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except (PermissionError, OverflowError):
        return True
    return True


class Server:
    """The listening socket and its few clients."""

    def __init__(self, path: Path, answer: Callable[[int], bytes]) -> None:
        """`answer(N)` makes the JSON for the last N commands. Raises TermaError."""
        self.path, self._answer = path, answer
        self._clients: dict[int, _Client] = {}
        self.generation = 0  # counts whatever may have changed interests()
        self.listener = socket.socket(socket.AF_UNIX)
        before = os.umask(0o177)
        try:
            self.listener.bind(str(path))
            self.listener.listen(CLIENTS)
            self.listener.setblocking(False)
        except OSError as error:
            self.listener.close()
            raise TermaError(f"cannot listen on {path}: {error.strerror}", "set TERMA_SOCKET") from error
        finally:
            os.umask(before)

    def interests(self) -> dict[int, int]:
        """What to poll for, by descriptor."""
        return {self.listener.fileno(): select.POLLIN} | {
            handle: select.POLLOUT if client.reply else select.POLLIN
            for handle, client in self._clients.items()
        }

    def timeout(self) -> float | None:
        """Milliseconds until a client's patience is over, None when there is no client."""
        if not self._clients:
            return None
        return max(0.0, min(client.until for client in self._clients.values()) - time.monotonic()) * 1000 + 1

    def handle(self, descriptor: int) -> None:
        """Something can be done at `descriptor`."""
        self.generation += 1
        if descriptor == self.listener.fileno():
            self._accept()
        elif descriptor in self._clients and self._clients[descriptor].step(self._answer):
            self._clients.pop(descriptor).connection.close()

    def expire(self) -> None:
        """Drop the clients that were too slow."""
        now = time.monotonic()
        for descriptor in [key for key, client in self._clients.items() if client.until <= now]:
            self.generation += 1
            self._clients.pop(descriptor).connection.close()

    def close(self) -> None:
        """Stop, and leave no file behind."""
        for client in self._clients.values():
            client.connection.close()
        self._clients.clear()
        self.listener.close()
        with contextlib.suppress(OSError):
            self.path.unlink()

    def _accept(self) -> None:
        with contextlib.suppress(OSError):
            connection, _ = self.listener.accept()
            if len(self._clients) >= CLIENTS or peer_uid(connection) != os.geteuid():
                connection.close()
                return
            connection.setblocking(False)
            self._clients[connection.fileno()] = _Client(connection)


class _Client:
    def __init__(self, connection: socket.socket) -> None:
        self.connection = connection
        self.until = time.monotonic() + PATIENCE
        self.reply = memoryview(b"")
        self._request = b""

    def step(self, answer: Callable[[int], bytes]) -> bool:
        """Read or write what is possible now; whether that was all."""
        try:
            if self.reply:
                self.reply = self.reply[self.connection.send(self.reply) :]
                return not self.reply
            data = self.connection.recv(4096)
        except (BlockingIOError, InterruptedError):
            return False
        except OSError:
            return True
        self._request += data
        line, ended, _ = self._request.partition(b"\n")
        if not ended:
            return not data or len(self._request) > _LONGEST_REQUEST
        count = _count(line)
        if count is None:
            return True
        self.reply = memoryview(answer(count))
        return False


def _count(line: bytes) -> int | None:
    """How many commands `last` or `last N` asks for; None for anything else."""
    match line.split():
        case [b"last"]:
            return DEFAULT_COUNT
        case [b"last", number] if number.isdigit():
            return int(number[:6])
    return None


def peer_uid(connection: socket.socket) -> int:
    """The effective user at the other end (SO_PEERCRED; LOCAL_PEERCRED on macOS and BSD). Raises OSError."""
    if sys.platform == "linux":
        _, uid, _ = struct.unpack("3i", connection.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, 12))
        return int(uid)
    # struct xucred of sys/ucred.h begins with a version and the uid; SOL_LOCAL is 0, LOCAL_PEERCRED is 1.
    _, uid = struct.unpack("2I", connection.getsockopt(0, 1, 76)[:8])
    return int(uid)
