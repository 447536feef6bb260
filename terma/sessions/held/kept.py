"""Tells the holder of a program what was made of its output, and where its session stands, so that another agent can
go on with both.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any, Protocol

from terma.sessions.held.channel import HeldChannel
from terma.sessions.ring import Store
from terma.sessions.session import Session

_STEP = 64 * 1024  # bytes on the disk of which the holder is told at once


class Lasting(Store, Protocol):
    """A store with which another agent can go on."""

    @property
    def stored(self) -> int:
        """The offset up to which nobody else need keep it."""

    def skip(self, count: int) -> None:
        """So many bytes are missing here: offsets go on behind them, and what was before is dropped."""

    def part(self) -> None:
        """Let others have it as it is."""


class Mirror:
    """A Store that remembers what is written to it until somebody asks. `changed` is called when there is something."""

    def __init__(self, store: Lasting) -> None:
        self.store = store
        self.changed: Callable[[], None] = _nothing
        self.cleared: Callable[[], None] = _nothing  # before all is dropped
        self._made: list[bytes] = []

    @property
    def start(self) -> int:
        return self.store.start

    @property
    def end(self) -> int:
        return self.store.end

    @property
    def behind(self) -> bool:
        return self.store.behind

    def read(self, at: int, limit: int) -> bytes:
        return self.store.read(at, limit)

    def write(self, data: bytes) -> None:
        self.store.write(data)
        self._made.append(bytes(data))
        self.changed()

    def made(self) -> list[bytes]:
        """What was written since this was asked last."""
        made, self._made = self._made, []
        return made

    def clear(self) -> None:
        self.cleared()
        self.store.clear()

    def finish(self) -> None:
        self.store.finish()

    def leave(self) -> None:
        self.store.leave()

    def remove(self) -> None:
        self.store.remove()


class HolderReports:
    """Keeps the holder of `channel` told about `session`, whose store is `mirror`. `state` says where all stands, as
    JSON."""

    def __init__(
        self, channel: HeldChannel, session: Session, mirror: Mirror, state: Callable[[], dict[str, Any]]
    ) -> None:
        self._channel, self._session, self._mirror, self._state = channel, session, mirror, state
        self._loop = asyncio.get_running_loop()
        self._due = False
        self._told: dict[str, Any] = {}
        self._waiting = session.waiting
        self._spans, self._freed = session.spans.count, 0
        mirror.changed, mirror.cleared = self.soon, self._clear
        channel.worked = self._worked

    def soon(self) -> None:
        """Something has changed."""
        if not self._due:
            self._due = True
            self._loop.call_soon(self.now)

    def now(self) -> None:
        """Tell it, before anybody else is told of it."""
        self._due = False
        self._worked(b"")

    def _worked(self, data: bytes) -> None:
        waiting = self._session.waiting
        count, before, self._waiting = len(data) + self._waiting - waiting, self._waiting, waiting
        made = self._mirror.made()
        same = bool(data) and not (before or waiting) and len(made) == 1 and made[0] is data
        head = self._news()
        if count or made or head:
            head |= {"type": "took", "id": self._channel.number, "count": count}
            self._channel.link.say(head | ({"same": True} if same else {}), b"" if same else b"".join(made))

    def _news(self) -> dict[str, Any]:
        head: dict[str, Any] = {}
        state = self._state()
        if state != self._told:
            head["state"] = self._told = state
        spans = self._session.spans
        if spans.count > self._spans:
            head["log"] = spans.newest(spans.count - self._spans)
            self._spans = spans.count
        stored = self._mirror.store.stored
        if stored - self._freed >= _STEP:
            head["free"] = self._freed = stored
        return head

    def _clear(self) -> None:
        self.now()
        self._channel.link.say({"type": "took", "id": self._channel.number, "clear": True})

    def part(self) -> None:
        self._mirror.store.part()

    def skipped(self, count: int) -> None:
        """`count` bytes of the output were lost before anybody took them."""
        self._channel.link.say({"type": "took", "id": self._channel.number, "skip": count})


def _nothing() -> None:
    pass
