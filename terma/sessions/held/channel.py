"""The channel to a program that another process holds: what it prints comes from there, and what was made of it goes
back, so that an agent after this one can go on at the same byte.
"""

from __future__ import annotations

import asyncio
import os
from collections import deque
from collections.abc import Callable
from typing import Any, Protocol

from terma.sessions.channel import Hearer, Process
from terma.sessions.handing import Given

_BEHIND = 0.25  # seconds for the holder to tell what was printed already


class Holding(Protocol):
    """What Link is."""

    def say(self, head: dict[str, Any], body: bytes = ..., file: int = ...) -> None: ...
    def forget(self, number: int) -> None: ...
    async def sync(self, channel: int, seconds: float) -> None: ...


def _nothing(_: bytes) -> None:
    pass


class HeldChannel:
    """Program `number` of the holder behind `link`. `worked` is called when a piece was heard, with the piece."""

    def __init__(self, link: Holding, number: int, pid: int, master: int) -> None:
        self.link, self.number, self.master = link, number, master
        self.process: Process = Given(pid)
        self.worked: Callable[[bytes], None] = _nothing
        self._hearer: Hearer | None = None
        self._waiting: deque[bytes] = deque()
        self._status: tuple[int | None] | None = None  # once it has ended
        self._paused = self._over = False
        self._rest: asyncio.TimerHandle | None = None

    def open(self, hearer: Hearer) -> None:
        self._hearer = hearer
        self._loop = asyncio.get_running_loop()
        self._loop.call_soon(self._go_on)

    def came(self, data: bytes) -> None:
        """The link tells this."""
        self._waiting.append(data)
        self._go_on()

    def went(self, status: int | None) -> None:
        """The link tells this, behind all that was printed; and when the holder is gone."""
        self._status = (status,)
        self._go_on()

    def _go_on(self, hurried: bool = False) -> None:
        hearer = self._hearer
        if hearer is None or self._over or self._paused or (self._rest is not None and not hurried):
            return
        while self._waiting:
            data = self._waiting.popleft()
            hearer.heard(data)
            self.worked(data)
            rest = 0.0 if hurried or self._status is not None else hearer.rest(len(data))
            if rest:
                self._rest = self._loop.call_later(rest, self._rested)
                return
        if self._status is not None:
            self._over = True
            hearer.ended(self._status[0])
            self.worked(b"")

    def _rested(self) -> None:
        self._rest = None
        self._go_on()

    async def catch_up(self) -> None:
        if self.master >= 0 and not self._paused and not self._over:
            await self.link.sync(self.number, _BEHIND)
            self._go_on(hurried=True)

    def pause(self) -> None:
        self._paused = True

    def resume(self) -> None:
        self._paused = False
        self._go_on()

    def close(self) -> None:
        if self.master >= 0:
            os.close(self.master)
            self.master = -1

    def forget(self) -> None:
        """Nobody wants it any more."""
        self.close()
        self._over = True
        self.link.forget(self.number)
