"""Keeps the last bytes that a program printed, addressed by how many came before them, however many are gone."""

from __future__ import annotations

import sys
from collections import deque
from typing import Protocol

MEGABYTE = 1024 * 1024
DEFAULT_CAPACITY = 10 * MEGABYTE  # bytes
_BLOCK = 64 * 1024


class Readable(Protocol):
    """What was printed. Offsets are absolute: byte 0 is the first that was ever written."""

    @property
    def start(self) -> int:
        """The offset of the oldest byte that is still there."""

    @property
    def end(self) -> int:
        """The offset behind the newest byte."""

    def read(self, at: int, limit: int) -> bytes:
        """At most `limit` bytes from `at`, which is moved up to `start` when it is older."""


class Store(Readable, Protocol):
    """What a session's output is kept in."""

    @property
    def behind(self) -> bool:
        """Whether so much waits to be stored that writers should slow down."""

    def write(self, data: bytes) -> None: ...

    def clear(self) -> None:
        """Drop everything; offsets go on."""

    def finish(self) -> None:
        """Nothing more comes."""

    def leave(self) -> None:
        """Nothing more comes, and whoever wants may have what is on the disk."""

    def remove(self) -> None:
        """Drop everything, and what it left on the disk."""


class Ring:
    """A Store in memory: at most `capacity` bytes (0: no limit), dropped by the block, oldest first. `at`: the offset
    at which it begins."""

    def __init__(self, capacity: int = DEFAULT_CAPACITY, at: int = 0) -> None:
        self._capacity = capacity if capacity > 0 else sys.maxsize
        self._block = max(min(_BLOCK, self._capacity // 8), 1)
        self._blocks: deque[bytearray] = deque()
        self._start = self._end = at

    @property
    def start(self) -> int:
        return self._start

    @property
    def end(self) -> int:
        return self._end

    @property
    def behind(self) -> bool:
        return False

    def write(self, data: bytes) -> None:
        if len(data) > self._capacity:
            self.clear()
            lost = len(data) - self._capacity
            self._start = self._end = self._end + lost
            data = data[lost:]
        at = 0
        while at < len(data):
            if not self._blocks or len(self._blocks[-1]) >= self._block:
                self._blocks.append(bytearray())
            last = self._blocks[-1]
            piece = data[at : at + self._block - len(last)]
            last += piece
            at += len(piece)
        self._end += len(data)
        while self._end - self._start > self._capacity:
            self._start += len(self._blocks.popleft())

    def read(self, at: int, limit: int) -> bytes:
        at = min(max(at, self._start), self._end)
        number, skip = divmod(at - self._start, self._block)  # all blocks but the last are full
        pieces = []
        while limit > 0 and number < len(self._blocks):
            pieces.append(bytes(self._blocks[number][skip : skip + limit]))
            limit -= len(pieces[-1])
            number, skip = number + 1, 0
        return b"".join(pieces)

    def clear(self) -> None:
        self._blocks.clear()
        self._start = self._end

    @property
    def stored(self) -> int:
        return 0

    def part(self) -> None:
        pass

    def skip(self, count: int) -> None:
        """So many bytes are missing here: offsets go on behind them."""
        self.clear()
        self._start = self._end = self._end + count

    def free(self, before: int) -> None:
        """Whoever reads needs nothing before that offset."""
        while self._blocks and self._start + len(self._blocks[0]) <= before:
            self._start += len(self._blocks.popleft())

    def finish(self) -> None:
        pass

    def leave(self) -> None:
        pass

    def remove(self) -> None:
        self.clear()
