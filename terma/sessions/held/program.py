"""One program as its holder has it: its PTY, what it printed and nobody took yet, what an agent made of the rest."""

from __future__ import annotations

import os
import time
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Protocol

from terma.sessions.pty import is_held
from terma.sessions.ring import Ring

WINDOW = 256 * 1024  # bytes that an agent has not taken yet: then the program waits
_READ = 65536
_AT_ONCE = 64 * 1024  # bytes of one program before another one's turn
_LAST = 4 * 1024 * 1024  # bytes after the program's end
_MOMENT = 0.3  # seconds after its end for what else has its terminal to end as well
_SMALL = 4096  # bytes that are joined with what comes next
_LOGGED = 4096


class Process(Protocol):
    """A child, or one that was handed over: then nobody knows its status."""

    pid: int

    def poll(self) -> int | None:
        """Its status once it is dead."""


class Stranger:
    """A process that another one started. `over` when it is gone."""

    def __init__(self, pid: int) -> None:
        self.pid = pid

    def poll(self) -> int | None:
        """-1 stands for a status that nobody knows."""
        try:
            os.kill(self.pid, 0)
        except ProcessLookupError:
            return -1
        except PermissionError:
            pass
        return None


@dataclass(frozen=True, slots=True)
class Limits:
    """`capacity`: bytes that are kept of what it printed, 0 for no limit. `ttl`: seconds after its end without an agent
    until it is forgotten, 0 for none."""

    capacity: int
    ttl: float


class Held:
    """A program on its PTY, whose master never blocks."""

    def __init__(
        self, number: int, process: Process, master: int, limits: Limits, closing: Callable[[int], None]
    ) -> None:
        """`closing` is told which descriptor is about to be closed."""
        self.number, self.process, self.master = number, process, master
        self.capacity, self.ttl = limits.capacity, limits.ttl
        self._closing = closing
        self.ring = Ring(limits.capacity)
        self.state: Any = None  # the agent's own
        self.log: deque[Any] = deque(maxlen=_LOGGED)
        self.status: int | None = None
        self.over = False  # it has exited, and all that it printed was read
        self.ended = self._exited = 0.0
        self.told_end = False
        self.mute = False  # nobody holds the other side of its terminal
        self.lost = 0  # bytes that no agent came for
        self._untaken: deque[bytes] = deque()
        self._size = 0
        self._told = 0  # bytes of those that were told to this agent

    # what it prints

    def wants(self, attended: bool) -> bool:
        """Whether its terminal is to be read now."""
        return self.master >= 0 and not self.mute and (not attended or self._size < WINDOW)

    def read(self, attended: bool) -> None:
        """Read a portion of what it printed."""
        self._read(_AT_ONCE)
        self._bound(attended)

    def _read(self, most: int) -> None:
        pieces, got = [], 0
        while got < most:
            try:
                data = os.read(self.master, _READ)
            except BlockingIOError:
                break
            except OSError:  # EIO: nobody holds the other side
                data = b""
            if not data:
                self.mute = True
                break
            pieces.append(data)
            got += len(data)
        if self._untaken and len(self._untaken[-1]) < _SMALL:
            pieces.insert(0, self._untaken.pop())
        if pieces:
            self._untaken.append(b"".join(pieces))
        self._size += got

    def _bound(self, attended: bool) -> None:
        """Without an agent no more is kept than the capacity."""
        while not attended and self.capacity and self._size > self.capacity and self._untaken:
            gone = len(self._untaken.popleft())
            self._size -= gone
            self.lost += gone

    def hang_up(self) -> None:
        """Its terminal is of no more use."""
        if self.master >= 0:
            self._closing(self.master)
            os.close(self.master)
            self.master = -1

    def reaped(self, attended: bool) -> bool:
        """Whether it has exited; what it printed last is read then."""
        if self.over or (status := self.process.poll()) is None:
            return False
        self._exited = self._exited or time.monotonic()
        if self.parting:
            return False
        self.status = None if isinstance(self.process, Stranger) else status
        if self.wants(attended=False):
            self._read(_LAST)
        self._bound(attended)
        self.hang_up()
        self.over, self.ended = True, time.monotonic()
        return True

    @property
    def parting(self) -> bool:
        """Whether it has exited, and what it started may say a last word yet before its terminal goes."""
        moment = not self.over and self._exited > 0 and time.monotonic() - self._exited < _MOMENT
        return moment and not self.mute and is_held(self.master)

    # what the agent makes of it

    def attend(self) -> None:
        """A new agent is here: it has been told nothing yet."""
        self._told, self.told_end = 0, False

    @property
    def untold_size(self) -> int:
        """Bytes that this agent has not been told yet."""
        return self._size - self._told

    @property
    def has_news(self) -> bool:
        """Whether this agent is to be told something now: it gets no more than it may leave untaken."""
        if self.untold_size:
            return self._told < WINDOW
        return self.over and not self.told_end

    def untold(self, most: int) -> bytes:
        """What this agent has not been told yet, `most` bytes at most; nothing while it has a window to work off."""
        passed, pieces, begun = 0, [], self._told
        if begun >= WINDOW:
            return b""
        for piece in self._untaken:
            if passed + len(piece) > self._told:
                at = self._told - passed
                pieces.append(piece[at : at + most])
                most -= len(pieces[-1])
                self._told += len(pieces[-1])
            if not most:
                break
            passed += len(piece)
        return b"".join(pieces)

    def took(self, count: int, made: bytes | None) -> None:
        """The agent has worked off `count` bytes, and `made` that of it; None: they are output as they are."""
        taken = self._drop(count)
        self.ring.write(taken if made is None else made)

    def _drop(self, count: int) -> bytes:
        pieces = []
        while count > 0 and self._untaken:
            piece = self._untaken.popleft()
            if len(piece) > count:
                self._untaken.appendleft(piece[count:])
                piece = piece[:count]
            pieces.append(piece)
            count -= len(piece)
            self._size -= len(piece)
            self._told = max(self._told - len(piece), 0)
        return b"".join(pieces)

    def note(self, head: dict[str, Any]) -> None:
        """What else a `took` says."""
        if "state" in head:
            self.state = head["state"]
        self.log.extend(head.get("log") or ())
        if head.get("clear"):
            self.ring.clear()
        if (before := head.get("free")) is not None:
            self.ring.free(int(before))
        if lost := head.get("skip"):
            self.ring.skip(int(lost))
            self.lost = max(self.lost - int(lost), 0)
