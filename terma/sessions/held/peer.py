"""One connection of a holder: what an agent asks there, what it is told, and how much of that may wait."""

from __future__ import annotations

import os
import socket
from collections.abc import Iterator, Mapping

from terma.sessions.held.frames import MAX_BODY, Head, Outbox, Reader, encode
from terma.sessions.held.program import Held

_HIGH = 256 * 1024  # bytes that wait for an agent: more is told when it has read; no answer waits behind more


class Peer:
    """One connection. `opening`: what it is told first. `turn`: how often it was told what is new."""

    def __init__(self, connection: socket.socket) -> None:
        self.connection = connection
        self.reader, self.outbox = Reader(), Outbox(connection)
        self.opening: Iterator[bytes] | None = None
        self.turn = 0

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
        while data := ring.read(at, MAX_BODY):
            peer.say({"type": "kept", "id": number}, data)
            at += len(data)
            yield data
    peer.say({"type": "ready"})


def news(peer: Peer, programs: Mapping[int, Held]) -> bool:
    """Puts what is new into its outbox, up to the bound; whether there is more."""
    while peer.opening is not None and peer.outbox.size < _HIGH:
        if next(peer.opening, None) is None:
            peer.opening = None
    if peer.opening is not None:
        return True
    peer.turn += 1
    numbers = list(programs)
    first = peer.turn % (len(numbers) or 1)  # a flood of one program does not keep the others from their turn
    for number in numbers[first:] + numbers[:first]:
        news_of(peer, programs[number])
    return any(program.has_news for program in programs.values())


def news_of(peer: Peer, program: Held) -> None:
    """The same of one program."""
    while peer.outbox.size < _HIGH and (data := program.untold(MAX_BODY)):
        peer.say({"type": "out", "id": program.number}, data)
    if program.over and program.has_news and peer.outbox.size < _HIGH and not program.untold_size:
        program.told_end = True
        peer.say({"type": "gone", "id": program.number, "status": program.status})
