"""One connection of a holder: what an agent asks there, and what waits to be told."""

from __future__ import annotations

import os
import socket
from collections.abc import Iterator, Mapping

from terma.sessions.held.frames import MOST, Head, Outbox, Reader, encode
from terma.sessions.held.program import Held


class Peer:
    """One connection. `opening`: what it is told first."""

    def __init__(self, connection: socket.socket) -> None:
        self.connection = connection
        self.reader, self.outbox = Reader(), Outbox(connection)
        self.opening: Iterator[bytes] | None = None

    def say(self, head: Head, body: bytes = b"", file: int = -1) -> None:
        """`file` is the PTY that goes along, where it is one."""
        if file >= 0:
            self.outbox.put(encode(head | {"terminal": True}, body), os.dup(file))
        else:
            self.outbox.put(encode(head, body))

    def close(self) -> None:
        self.reader.close()
        self.outbox.close()
        self.connection.close()


def opening(peer: Peer, programs: Mapping[int, Held]) -> Iterator[bytes]:
    """Says what is held, piece by piece."""
    for number, program in list(programs.items()):
        ring = program.ring
        told = {"type": "held", "id": number, "process": program.process.pid, "status": program.status}
        told |= {"over": program.over, "lost": program.lost, "start": ring.start, "end": ring.end}
        peer.say(told | {"state": program.state}, file=program.master)
        peer.say({"type": "log", "id": number, "items": list(program.log)})
        at = ring.start
        while data := ring.read(at, MOST):
            peer.say({"type": "kept", "id": number}, data)
            at += len(data)
            yield data
    peer.say({"type": "ready"})
