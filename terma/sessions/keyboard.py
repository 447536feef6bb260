"""Hands keys to a terminal as fast as its program reads them, and keeps what it has not read yet."""

from __future__ import annotations

import asyncio
import os

MAX_UNREAD = 1024 * 1024  # bytes that a program has not read yet


class Keyboard:
    """The writing side of `master`, which never blocks. Needs a running event loop."""

    def __init__(self, master: int) -> None:
        self._master = master
        self._waiting = bytearray()
        self._loop = asyncio.get_running_loop()

    def takes(self, count: int) -> bool:
        """Whether there is room for `count` bytes more."""
        return len(self._waiting) + count <= MAX_UNREAD

    def write(self, data: bytes = b"") -> None:
        self._waiting += data
        if self._master < 0:
            return
        try:
            while self._waiting:
                del self._waiting[: os.write(self._master, self._waiting[:4096])]
        except BlockingIOError:
            self._loop.add_writer(self._master, self.write)
            return
        except OSError:
            self._waiting.clear()
        self._loop.remove_writer(self._master)

    def forget(self) -> None:
        """Drop what has not reached the terminal."""
        self._waiting.clear()

    def close(self) -> None:
        """The terminal goes; its descriptor is the caller's."""
        if self._master >= 0:
            self._loop.remove_writer(self._master)
            self._master = -1
