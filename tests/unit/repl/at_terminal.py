"""A pseudo terminal with nobody behind it: keys are written at one end, and what is drawn is read there too."""

from __future__ import annotations

import asyncio
import contextlib
import fcntl
import os
import re
import select
import struct
import termios
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

from terma.repl.tty.terminal import Terminal
from tests.conftest import WAIT


@dataclass(frozen=True)
class Watched(Terminal):
    """A terminal that tells how often a key was asked for."""

    asked: list[float] = field(default_factory=list)

    async def key(self) -> str:
        self.asked.append(time.monotonic())
        return await Terminal.key(self)


_CODES = re.compile(r"\x1b\[[0-?]*[ -/]*[@-~]")


class Person:
    """The other end. What comes is read all the time, so that nothing that writes there ever waits."""

    def __init__(self, columns: int = 80, lines: int = 24) -> None:
        self.master, self.slave = os.openpty()
        self.resize(columns, lines)
        self.raw = b""
        self.asked: list[float] = []
        self._open = True
        self._thread = threading.Thread(target=self._read, daemon=True)
        self._thread.start()

    def terminal(self) -> Terminal:
        return Watched(self.slave, self.slave, asked=self.asked)

    def resize(self, columns: int, lines: int) -> None:
        fcntl.ioctl(self.slave, termios.TIOCSWINSZ, struct.pack("HHHH", lines, columns, 0, 0))

    def press(self, keys: str) -> None:
        os.write(self.master, keys.encode())

    async def presses(self, keys: str) -> None:
        """Press them, and return when they were taken and another key is asked for."""
        before = len(self.asked)
        self.press(keys)
        deadline = time.monotonic() + WAIT
        while len(self.asked) == before:
            assert time.monotonic() < deadline, f"nobody took {keys!r}; there was {self.seen!r}"
            await asyncio.sleep(0.005)

    async def arrives(self, keys: str) -> None:
        """Press them, and return when they wait to be read (a terminal that takes lines counts whole ones)."""
        self.press(keys)
        deadline = time.monotonic() + WAIT
        while struct.unpack("i", fcntl.ioctl(self.slave, termios.FIONREAD, b"\0" * 4))[0] < len(keys):
            assert time.monotonic() < deadline, f"{keys!r} did not arrive"
            await asyncio.sleep(0.005)

    @property
    def seen(self) -> str:
        return _CODES.sub("", self.raw.decode("utf-8", "replace"))

    async def sees(self, text: str, times: int = 1) -> None:
        """Wait until `text` was drawn, so many times."""
        deadline = time.monotonic() + WAIT
        while self.seen.count(text) < times:
            assert time.monotonic() < deadline, f"waited for {text!r}; there was {self.seen!r}"
            await asyncio.sleep(0.005)

    @property
    def echoes(self) -> bool:
        return bool(termios.tcgetattr(self.slave)[3] & termios.ECHO)

    def hang_up(self) -> None:
        """Close the terminal under whoever sits there."""
        if self._open:
            self._open = False
            self._thread.join(WAIT)  # a read that is under way would keep it open
            os.close(self.master)

    def close(self) -> None:
        self.hang_up()
        with contextlib.suppress(OSError):
            os.close(self.slave)

    def _read(self) -> None:
        while self._open:
            if select.select([self.master], [], [], 0.02)[0]:
                self.raw += os.read(self.master, 65536)


@contextmanager
def person(columns: int = 80, lines: int = 24) -> Iterator[Person]:
    made = Person(columns, lines)
    try:
        yield made
    finally:
        made.close()
