"""Holds the sessions by name, makes new ones, and sees to it that nothing of theirs is left when they go."""

from __future__ import annotations

import asyncio
import contextlib
import hashlib
import os
import time
from collections.abc import Callable
from pathlib import Path

from terma import paths
from terma.errors import TermaError, UsageError
from terma.sessions import making as starting
from terma.sessions import saved, waiting
from terma.sessions.entry import Entry, NewSession
from terma.sessions.handing import Program
from terma.sessions.holding import DIED, Holding
from terma.sessions.making import Maker
from terma.sessions.names import check, is_name
from terma.sessions.parting import Clocks, bury, disown, end, forget, remove, strike
from terma.sessions.probe import inspector
from terma.sessions.saved import Saved
from terma.sessions.session import EXITED

__all__ = ["Entry", "Manager", "NewSession"]
MAX_SESSIONS = 256  # sessions
READY_SECONDS = 10.0  # for a shell's start-up files
_UNREAD_SECONDS = 0.5  # for a program that is no known shell to wait for somebody


class Manager:
    """All sessions of one agent. `socket` is where it listens; `people_wait` says whether somebody sits before a
    prompt and waits, so that floods must step aside."""

    def __init__(self, socket: Path, people_wait: Callable[[], bool] = lambda: False) -> None:
        self._socket = socket
        whose = socket.parent if socket.name == paths.SOCKET_NAME else socket
        self._owner = hashlib.sha256(os.fsencode(whose)).hexdigest()[:12]
        self._entries: dict[str, Entry] = {}
        self._making: set[str] = set()
        self._clocks = Clocks(self._forget)
        self._maker = Maker(self._owner, inspector(), self._ended, people_wait)
        self._holding = Holding(socket, self._broke)
        self._lost: set[str] = set()  # sessions that died with their holder, before this agent came
        self._opening: asyncio.Task[None] | None = None
        self._burying: set[asyncio.Task[None]] = set()
        self._closing = False

    @property
    def live(self) -> int:
        """How many programs run."""
        return sum(entry.session.phase != EXITED for entry in self._entries.values())

    def entries(self) -> list[Entry]:
        return list(self._entries.values())

    def get(self, name: str) -> Entry:
        """Raises UsageError for a name that is none, and for one of which the output alone is left."""
        if name not in self._entries:
            if self.saved(name) is not None:
                raise UsageError(
                    f"the program of session {name!r} has exited",
                    f"terma session read {name} --all shows what it printed, kill deletes it",
                )
            if name in self._lost:
                raise TermaError(
                    f"session {name!r} is gone: {DIED}", f"terma session create {name} makes another"
                )
            known = ", ".join(sorted(self._entries)[:10]) or "there is none"
            raise UsageError(f"there is no session {name!r}", f"terma session list: {known}")
        return self._entries[name]

    def keep(self, name: str) -> None:
        """Have the holder know how this one stands, where there is one."""
        if name in self._entries:
            self._entries[name].keep()

    def saved(self, name: str) -> Saved | None:
        """What an agent that is gone left of a session; None when it lives here, or nothing was left. Raises
        TermaError while another agent has it."""
        if name in self._entries or name in self._making or not is_name(name):
            return None
        return saved.find(name)

    def all_saved(self) -> list[Saved]:
        """The same of all that are left."""
        saved.expire()
        return [one for one in saved.every() if one.name not in self._entries]

    async def open(self) -> None:
        """Go on with what agents before this one left: who asks anything waits for this. Raises TermaError."""
        if self._opening is None:
            self._opening = asyncio.create_task(self._open())
        try:
            await asyncio.shield(self._opening)
        except TermaError:
            self._opening = None
            raise

    async def _open(self) -> None:
        found = await self._holding.find()
        await asyncio.to_thread(saved.expire)
        if found is None:
            await asyncio.to_thread(self._reap)
            return
        known = set(self._holding.remembered() or ())
        for one in found:
            try:
                entry = self._maker.resume(one)
            except (KeyError, TypeError, ValueError, AttributeError):
                # an agent died before it could say a word
                await disown(one.channel, f"{self._owner}:")
                continue
            self._entries[entry.name] = entry
            starting.begin(entry)
            if entry.ended:
                self._clocks.start(entry)
        self._lost = known - set(self._entries)
        self._remember()

    async def create(self, wanted: NewSession) -> Entry:
        """Start it and wait until it can be typed to. Raises UsageError, TermaError."""
        name = wanted.name
        self._check_free(name)
        self._making.add(name)
        try:
            entry = await self._maker.start(wanted, await self._holding.link())
            self._add(entry)
        finally:
            self._making.discard(name)
        with contextlib.suppress(OSError, TermaError):
            entry.record(str(self._socket))
        patience = READY_SECONDS if entry.session.kind.marked else _UNREAD_SECONDS
        await waiting.ready(entry.session, patience)
        return entry

    async def adopt(self, name: str, program: Program, master: int, printed: bytes) -> Entry:
        """Go on with a program that was handed over. Raises UsageError, TermaError, and gives the terminal up then."""
        try:
            self._check_free(name)
            link = await self._holding.link()
        except BaseException:
            os.close(master)
            raise
        entry = await self._maker.take_over(name, program, master, printed, link)
        self._add(entry)
        return entry

    def _add(self, entry: Entry) -> None:
        self._entries[entry.name] = entry
        self._lost.discard(entry.name)
        self._remember()
        starting.begin(entry)

    def _check_free(self, name: str) -> None:
        """Raises UsageError for a name that is none, or taken, TermaError where there are too many."""
        check(name)
        if name in self._entries or name in self._making:
            raise UsageError(
                f"there is a session {name!r} already", "another name, --if-not-exists, or kill it"
            )
        if self.saved(name) is not None:
            raise UsageError(
                f"the output of an earlier session {name!r} is still there",
                f"terma session read {name} --all; terma session kill {name} deletes it",
            )
        if len(self._entries) >= MAX_SESSIONS:
            raise TermaError(
                f"there are {MAX_SESSIONS} sessions", "terma session kill the ones you do not need"
            )

    async def stop(self, entry: Entry, grace: float) -> int:
        """End its program and all that it started; how many processes there were. The output stays."""
        return await end(entry, grace)

    async def kill(self, entry: Entry) -> int:
        """The same at once, and forget it."""
        count = await self.stop(entry, 0.0)
        self._forget(entry.name)
        return count

    def leave(self) -> None:
        """Leave everything to the agent after this one, as it stands now."""
        self._closing = True
        for entry in self._entries.values():
            entry.keep()
        self._holding.close()
        for entry in self._entries.values():
            entry.part()
        self._clocks.stop()

    async def close(self) -> None:
        """End everything. Output in files stays."""
        if self._closing:
            return
        self._closing = True
        entries = self.entries()
        try:
            await asyncio.gather(*(self.stop(entry, 0.3) for entry in entries), return_exceptions=True)
            self._entries.clear()
            self._remember()
        finally:  # also when there was no time for all of that: the holder hangs up what is left
            for entry in entries:
                entry.session.store.leave()
                forget(entry)
            self._holding.close()
            self._clocks.stop()

    def _reap(self) -> None:
        """End what sessions left behind whose holder died while no agent was there. Blocks."""
        known = self._holding.remembered()
        if known is None or self._entries:
            return
        self._lost = set(known)
        strike(f"{self._owner}:")
        self._remember()

    def _broke(self) -> None:
        """The holder is gone: so are the programs, and the sessions say why."""
        for entry in self._entries.values():
            if entry.session.phase != EXITED:
                entry.session.lost = DIED
                task = asyncio.ensure_future(bury(entry))
                self._burying.add(task)
                task.add_done_callback(self._burying.discard)

    def _ended(self, name: str) -> None:
        entry = self._entries.get(name)
        if entry is None:
            return
        entry.ended = entry.ended or time.time()
        with contextlib.suppress(
            OSError, TermaError
        ):  # a disk that is full or gone; what is in memory is told
            entry.record(str(self._socket))
        if not self._closing:
            self._clocks.start(entry)

    def _forget(self, name: str) -> None:
        entry = self._entries.pop(name, None)
        self._clocks.drop(name)
        if entry is not None:
            remove(entry)
        self._remember()

    def _remember(self) -> None:
        with contextlib.suppress(OSError):  # a disk that is full
            self._holding.remember(self._entries)
