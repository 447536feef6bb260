"""Owns the shells of one conversation: one at a time, each with all that was started in it, up to its end, or until
somebody else owns it."""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections.abc import Collection

from terma.repl.shell.capture import Capture
from terma.repl.shell.opening import Opened, ShellStart, Sight, open_shell
from terma.sessions import processes, survivors
from terma.sessions.guard import Guard
from terma.sessions.probe import inspector
from terma.sessions.session import EXITED, Session
from terma.sessions.survivors import Survivor

_GRACE = 0.3  # seconds that what is left gets to end by itself
_REAPED = 2.0  # seconds for a killed shell to be gone


class ShellLifetime:
    """The newest of them, and the tags of them all. What a shell that has ended left running lives on to `close`."""

    def __init__(self, capture: Capture) -> None:
        self._capture = capture
        self._inspector = inspector()
        self._opened: Opened | None = None
        self._tags: list[str] = []
        self._guard: Guard | None = None
        self._known: list[int] = []  # what start-up files have started: nobody asked for it
        self._given: list[
            Opened
        ] = []  # whose processes are the agent's to look after, and still our children

    @property
    def session(self) -> Session | None:
        """The shell that is alive."""
        opened = self._opened
        return opened.session if opened is not None and opened.session.phase != EXITED else None

    @property
    def any(self) -> bool:
        """Whether there was ever one."""
        return self._opened is not None or bool(self._given)

    @property
    def tag(self) -> str:
        """What everything that the newest started carries in its environment."""
        return self._opened.tag if self._opened is not None else ""

    @property
    def bare(self) -> bool:
        """Whether the newest came without the person's start-up files."""
        return self._opened is not None and self._opened.bare

    def directory(self) -> str:
        """Where the shell is; "" when that is not known."""
        session = self.session
        return "" if session is None else self._inspector.directory(session.process.pid)

    async def open(self, wanted: ShellStart, sight: Sight | None) -> Session:
        """Raises TermaError when there is no shell to be had."""
        if self._guard is None:
            with contextlib.suppress(OSError):
                self._guard = await asyncio.to_thread(Guard)
        opened = self._opened = await open_shell(wanted, self._capture, self._inspector, self._watch, sight)
        self._known = [pid for pid in await self._found(opened) if pid != opened.session.process.pid]
        return opened.session

    async def left(self) -> list[Survivor]:
        """What was started in the shells, and lives."""
        leaders = [(tag, self._leader(tag)) for tag in self._tags]

        def look() -> list[Survivor]:
            return [one for tag, leader in leaders for one in survivors.left(leader, tag, self._known)]

        return await asyncio.to_thread(look)

    def give_up(self) -> None:
        """The newest shell and all that it started is somebody else's from now on: it was handed over."""
        opened = self._opened
        if opened is None:
            return
        self._opened = None
        self._given.append(opened)
        self._tags.remove(opened.tag)
        if self._guard is not None:
            self._guard.forget(opened.tag)
        opened.session.close()

    async def kill(self) -> None:
        """End the newest shell and what is left of it, by force."""
        if self._opened is not None:
            await self._end(self._opened.tag, 0.0)

    async def close(self) -> None:
        """End the shells as a terminal does that hangs up: jobs end; what left the terminal, or ignores that it is
        gone, lives on."""
        for tag in self._tags:
            spared = await asyncio.to_thread(survivors.survivors, self._leader(tag), tag)
            await self._end(tag, _GRACE, spared)
            if self._guard is not None:
                self._guard.forget(tag)
        guard, self._guard = self._guard, None
        if guard is not None:
            await asyncio.to_thread(guard.close)

    async def _end(self, tag: str, grace: float, spared: Collection[int] = ()) -> None:
        newest = self._opened.session if self._opened is not None and self._opened.tag == tag else None
        await processes.end(self._leader(tag), tag, grace, spared)
        if newest is None:
            return
        deadline = time.monotonic() + _REAPED
        while newest.phase != EXITED and time.monotonic() < deadline:
            await newest.change(0.1)
        newest.close()

    def _leader(self, tag: str) -> int:
        """The process of the shell of that tag, 0 when it has ended: its number may be another's then."""
        newest = self.session
        return newest.process.pid if newest is not None and self._opened and self._opened.tag == tag else 0

    async def _found(self, opened: Opened) -> list[int]:
        return await asyncio.to_thread(processes.find, opened.session.process.pid, opened.tag)

    def _watch(self, tag: str, leader: int) -> None:
        if tag not in self._tags:
            self._tags.append(tag)
        if self._guard is not None:
            self._guard.watch(tag, leader)
