"""The way to a program on its PTY: what it prints, its end, and the descriptor to type to; here of a program whose PTY
this process reads itself.
"""

from __future__ import annotations

import asyncio
import os
from typing import Protocol

from terma.sessions.exits import watch_exit

_READ = 65536  # bytes asked for at once; Linux gives some 4 KiB of a PTY, and others are served in between
_LAST_READS = 1024  # after the program's end
_BEHIND = 16  # reads that catch up


class Process(Protocol):
    """The program: a child of ours, or one that was handed to us (then nobody knows its status)."""

    @property
    def pid(self) -> int: ...
    def wait(self) -> int | None: ...


class Hearer(Protocol):
    """Who listens to a channel."""

    def heard(self, data: bytes) -> None:
        """The next piece of what is printed."""

    def rest(self, count: int) -> float:
        """Seconds to leave the program alone, now that `count` bytes more were heard; 0 for none."""

    def ended(self, code: int | None) -> None:
        """The program has exited, and all that it printed was heard. `code`: as Popen has it; None if not known."""


class Channel(Protocol):
    """`master` is the PTY's: to type, and to look; -1 once it was closed."""

    master: int
    process: Process

    def open(self, hearer: Hearer) -> None:
        """Begin to tell, when the running event loop goes on."""

    def pause(self) -> None:
        """Tell no more: the program waits when its terminal is full."""

    def resume(self) -> None: ...

    async def catch_up(self) -> None:
        """Tell what was printed already, within a bound."""

    def close(self) -> None:
        """Give back the terminal; a program that still has it is hung up on. Once is enough."""


class Own:
    """The channel to `process`, whose `master` is read here."""

    def __init__(self, process: Process, master: int) -> None:
        self.process: Process = process
        self.master = master
        self._paused = self._over = False
        self._pidfd = -1

    def open(self, hearer: Hearer) -> None:
        self._hearer = hearer
        self._loop = asyncio.get_running_loop()
        self._loop.add_reader(self.master, self._readable)
        self._pidfd = watch_exit(self.process, self._loop, self._exited)

    def _readable(self) -> None:
        count = self._read_once()
        if count < 0:
            self._loop.remove_reader(self.master)
        elif rest := self._hearer.rest(count):
            self._loop.remove_reader(self.master)
            self._loop.call_later(rest, self._read_on)

    def _read_on(self) -> None:
        if self.master >= 0 and not self._paused:
            self._loop.add_reader(self.master, self._readable)

    def _read_once(self) -> int:
        """How many bytes there were; -1 when nobody holds the other side any more."""
        try:
            data = os.read(self.master, _READ)
        except BlockingIOError:
            return 0
        except OSError:  # EIO
            return -1
        if not data:
            return -1
        self._hearer.heard(data)
        return len(data)

    async def catch_up(self) -> None:
        for _ in range(0 if self._paused or self.master < 0 else _BEHIND):
            if self._read_once() <= 0:
                break

    def pause(self) -> None:
        self._paused = True
        if self.master >= 0:
            self._loop.remove_reader(self.master)

    def resume(self) -> None:
        self._paused = False
        self._read_on()

    def _exited(self) -> None:
        if self._over:
            return
        self._over = True
        code = self.process.wait()
        for _ in range(_LAST_READS):
            if self._read_once() < 0:
                break
        self._hearer.ended(code)

    def close(self) -> None:
        if self.master >= 0:
            self._loop.remove_reader(self.master)
            os.close(self.master)
            self.master = -1
        if self._pidfd >= 0:
            self._loop.remove_reader(self._pidfd)
            os.close(self._pidfd)
            self._pidfd = -1
