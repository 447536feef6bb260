"""What the agent and the process that holds its sessions say to each other: a JSON head and a body of bytes.

Version 1. Heads are objects with a `type`; who does not know a type, or a key, passes over it, so what is new needs no
new version. `id` is a program's number. Offsets and counts are in bytes of what the program printed.

holder: hello {versions, pid}; held {id, process, status, over, lost, start, end, state, +terminal}, log {id, items},
kept {id} BODY, ready {}, made {request, id, process, +terminal}, failed {request, message, hint}, out {id} BODY,
gone {id, status}, synced {request}, superseded {}.
agent: hello {version}; make {request, command, environment, cwd, columns, rows, capacity, ttl}, give {request, process,
capacity, ttl, +terminal}, took {id, count, same, state, log, free, clear, skip} BODY, sync {id, request}, forget {id}.
"""

from __future__ import annotations

import array
import contextlib
import json
import os
import socket
import struct
from collections import deque
from collections.abc import Iterator
from typing import Any

VERSION = 1
SOCKET, LOCK = "holder.sock", "holder.lock"
MAX_BODY = 64 * 1024  # bytes of a body, but for what a reader of marks has held back
_LENGTHS = struct.Struct(">II")
_LONGEST = 32 * 1024 * 1024  # bytes of a head or a body; who says more talks nonsense
_FILES = 16
_PIECE = 64 * 1024  # bytes read at once: others get their turn in between

Head = dict[str, Any]


class Broken(Exception):
    """What came is no frame."""


def encode(head: Head, body: bytes = b"") -> bytes:
    told = json.dumps(head, separators=(",", ":")).encode()
    return _LENGTHS.pack(len(told), len(body)) + told + body


class Reader:
    """Frames out of what arrives. A frame whose head has `terminal` comes with one descriptor, in its order."""

    def __init__(self) -> None:
        self._data = bytearray()
        self._files: deque[int] = deque()

    def receive(self, connection: socket.socket) -> bool:
        """Read what has arrived; False at the end of the connection. Raises OSError."""
        data, files, _, _ = socket.recv_fds(connection, _PIECE, _FILES)
        self._files.extend(files)
        for handle in files:
            os.set_inheritable(handle, False)
        self._data += data
        return bool(data)

    def frames(self) -> Iterator[tuple[Head, bytes, int]]:
        """Head, body and descriptor (-1 without) of each that is whole. Raises Broken."""
        at = 0
        try:
            while len(self._data) - at >= _LENGTHS.size:
                first, second = _LENGTHS.unpack_from(self._data, at)
                if max(first, second) > _LONGEST:
                    raise Broken("a frame without end")
                middle = at + _LENGTHS.size + first
                if len(self._data) < middle + second:
                    break
                head = _head(bytes(self._data[at + _LENGTHS.size : middle]))
                body = bytes(self._data[middle : middle + second])
                at = middle + second
                file = self._files.popleft() if head.get("terminal") and self._files else -1
                yield head, body, file
        finally:
            del self._data[:at]

    def close(self) -> None:
        """Give back descriptors that nobody took."""
        while self._files:
            os.close(self._files.popleft())


def _head(data: bytes) -> Head:
    try:
        head = json.loads(data)
    except ValueError as error:
        raise Broken("a head that is no JSON") from error
    if not isinstance(head, dict):
        raise Broken("a head that is no object")
    return head


class Outbox:
    """What waits to be sent over `connection`, which never blocks."""

    def __init__(self, connection: socket.socket) -> None:
        self._connection = connection
        self._waiting: deque[tuple[bytes, int]] = (
            deque()
        )  # bytes, and the descriptor that goes with the first
        self.size = 0  # bytes

    def put(self, data: bytes, file: int = -1) -> None:
        """`file` is a descriptor of its own, closed when it was sent."""
        self._waiting.append((data, file))
        self.size += len(data)

    def send(self) -> bool:
        """Send what goes now; whether all is sent. Raises OSError."""
        while self._waiting:
            data, file = self._waiting[0]
            try:
                sent = self._some(data, file)
            except BlockingIOError:
                return False
            if file >= 0:
                os.close(file)
            self.size -= sent
            if sent < len(data):
                self._waiting[0] = (data[sent:], -1)
            else:
                self._waiting.popleft()
        return True

    def _some(self, data: bytes, file: int) -> int:
        if file < 0:
            return self._connection.send(data)
        rights = [(socket.SOL_SOCKET, socket.SCM_RIGHTS, array.array("i", [file]))]
        return self._connection.sendmsg([data], rights)

    def close(self) -> None:
        while self._waiting:
            _, file = self._waiting.popleft()
            if file >= 0:
                with contextlib.suppress(OSError):
                    os.close(file)
