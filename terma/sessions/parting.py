"""The end of a session that has ended: when it is forgotten, and what its holder is told."""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections.abc import Callable

from terma.sessions import processes
from terma.sessions.entry import Entry
from terma.sessions.held.channel import HeldChannel
from terma.sessions.session import EXITED

_REAPED_SECONDS = 2.0


class Clocks:
    """Calls `forget` with the name of each session whose time is over."""

    def __init__(self, forget: Callable[[str], None]) -> None:
        self._forget = forget
        self._timers: dict[str, asyncio.TimerHandle] = {}

    def start(self, entry: Entry) -> None:
        """The program of `entry` has ended."""
        self.drop(entry.name)
        if entry.wanted.ttl <= 0:
            return
        left = max(entry.wanted.ttl - max(time.time() - entry.ended, 0.0), 0.0)
        loop = asyncio.get_running_loop()
        self._timers[entry.name] = loop.call_later(left, self._forget, entry.name)

    def drop(self, name: str) -> None:
        timer = self._timers.pop(name, None)
        if timer is not None:
            timer.cancel()

    def stop(self) -> None:
        """Forget nothing any more."""
        for timer in self._timers.values():
            timer.cancel()


async def end(entry: Entry, grace: float) -> int:
    """End its program and all that it started; how many processes there were."""
    leader = 0 if entry.session.phase == EXITED else entry.session.process.pid
    count = await processes.end(leader, entry.tag, grace)
    loop = asyncio.get_running_loop()
    deadline = loop.time() + _REAPED_SECONDS
    while entry.session.phase != EXITED and loop.time() < deadline:
        await entry.session.change(_REAPED_SECONDS)
    entry.session.left = False  # they were ended as well
    entry.session.close()
    return count


async def bury(entry: Entry) -> None:
    """Its holder is gone, and its program with it: end what that has left."""
    channel = entry.session.channel
    if isinstance(channel, HeldChannel):
        channel.went(None)
    await processes.end(entry.session.process.pid, entry.tag, 0.0)


async def disown(channel: HeldChannel, tag: str) -> None:
    """Nobody knows what this is: end it."""
    await processes.end(channel.process.pid, tag, 0.0)
    channel.forget()


def forget(entry: Entry) -> None:
    """Its holder need not keep it."""
    channel = entry.session.channel
    if isinstance(channel, HeldChannel):
        channel.forget()


def remove(entry: Entry) -> None:
    """Give back all that it has."""
    entry.session.close()
    forget(entry)
    with contextlib.suppress(OSError):  # somebody else put something there, or took it away
        entry.session.store.remove()


def strike(owner: str) -> None:
    """End what the sessions of `owner`, a holder that died, left behind. Blocks."""
    for tag in processes.tagged(owner):
        processes.strike(0, tag)
