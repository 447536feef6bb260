"""Owns the shells of one conversation: one at a time, each with all that was started in it, up to its end."""

from __future__ import annotations

import asyncio
import contextlib
import time

from terma.repl.capture import Capture
from terma.repl.opening import Opened, Sight, Wanted, open_shell
from terma.sessions import processes
from terma.sessions.guard import Guard
from terma.sessions.probe import inspector
from terma.sessions.session import EXITED, Session

_GRACE = 0.3  # seconds that what is left gets to end by itself
_REAPED = 2.0  # seconds for a killed shell to be gone


class Owned:
    """The newest of them, and the tags of them all. What a shell that has ended left running lives on to `close`."""

    def __init__(self, capture: Capture) -> None:
        self._capture = capture
        self._inspector = inspector()
        self._opened: Opened | None = None
        self._tags: list[str] = []
        self._guard: Guard | None = None

    @property
    def session(self) -> Session | None:
        """The shell that is alive."""
        opened = self._opened
        return opened.session if opened is not None and opened.session.phase != EXITED else None

    @property
    def any(self) -> bool:
        """Whether there was ever one."""
        return self._opened is not None

    @property
    def bare(self) -> bool:
        """Whether the newest came without the person's start-up files."""
        return self._opened is not None and self._opened.bare

    def directory(self) -> str:
        """Where the shell is; "" when that is not known."""
        session = self.session
        return "" if session is None else self._inspector.directory(session.process.pid)

    async def open(self, wanted: Wanted, sight: Sight | None) -> Session:
        """Raises TermaError when there is no shell to be had."""
        if self._guard is None:
            with contextlib.suppress(OSError):
                self._guard = await asyncio.to_thread(Guard)
        self._opened = await open_shell(wanted, self._capture, self._inspector, self._watch, sight)
        return self._opened.session

    async def kill(self) -> None:
        """End the newest shell and what is left of it, by force."""
        if self._opened is not None:
            await self._end(self._opened.tag, 0.0)

    async def close(self) -> None:
        """End all of it."""
        for tag in self._tags:
            await self._end(tag, _GRACE)
        guard, self._guard = self._guard, None
        if guard is not None:
            await asyncio.to_thread(guard.close)

    async def _end(self, tag: str, grace: float) -> None:
        newest = self._opened.session if self._opened is not None and self._opened.tag == tag else None
        leader = newest.process.pid if newest is not None and newest.phase != EXITED else 0
        await processes.end(leader, tag, grace)
        if newest is None:
            return
        deadline = time.monotonic() + _REAPED
        while newest.phase != EXITED and time.monotonic() < deadline:
            await newest.change(0.1)
        newest.close()

    def _watch(self, tag: str, leader: int) -> None:
        if tag not in self._tags:
            self._tags.append(tag)
        if self._guard is not None:
            self._guard.watch(tag, leader)
