"""Holds the sessions by name, makes new ones, and sees to it that nothing of theirs is left when they go."""

from __future__ import annotations

import asyncio
import contextlib
import hashlib
import os
import re
import time
from collections.abc import Callable
from pathlib import Path

from terma.errors import TermaError, UsageError
from terma.sessions import entry as starting
from terma.sessions import processes, saved, waiting
from terma.sessions.entry import Entry, Wanted
from terma.sessions.probe import inspector
from terma.sessions.saved import Saved
from terma.sessions.session import EXITED

__all__ = ["Entry", "Manager", "Wanted"]
MOST = 256  # sessions
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.-]{0,63}")
READY_SECONDS = 10.0  # for a shell's start-up files
_REAPED_SECONDS = 2.0
_UNREAD_SECONDS = 0.5  # for a program that is no known shell to wait for somebody
LIVE = "sessions.live"  # a file beside the socket, there while sessions are: who finds it at start looks for orphans


class Manager:
    """All sessions of one agent. `socket` is where it listens; `people_wait` says whether somebody sits before a
    prompt and waits, so that floods must step aside."""

    def __init__(self, socket: Path, people_wait: Callable[[], bool] = lambda: False) -> None:
        self._socket = socket
        self._place = socket.parent
        self._owner = hashlib.sha256(os.fsencode(self._place)).hexdigest()[:12]
        self._people_wait = people_wait
        self._entries: dict[str, Entry] = {}
        self._making: set[str] = set()
        self._timers: dict[str, asyncio.TimerHandle] = {}
        self._inspector = inspector()
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
            known = ", ".join(sorted(self._entries)[:10]) or "there is none"
            raise UsageError(f"there is no session {name!r}", f"terma session list: {known}")
        return self._entries[name]

    def saved(self, name: str) -> Saved | None:
        """What an agent that is gone left of a session; None when it lives here, or nothing was left. Raises
        TermaError while another agent has it."""
        if name in self._entries or name in self._making or not _NAME.fullmatch(name):
            return None
        return saved.find(name)

    def all_saved(self) -> list[Saved]:
        """The same of all that are left."""
        saved.expire()
        return [one for one in saved.every() if one.name not in self._entries]

    async def create(self, wanted: Wanted) -> Entry:
        """Start it and wait until it can be typed to. Raises UsageError, TermaError."""
        name = wanted.name
        if not _NAME.fullmatch(name):
            raise UsageError(
                f"{name!r} is no name for a session",
                "letters, digits, _ . - (at most 64, a letter or digit first)",
            )
        if name in self._entries or name in self._making:
            raise UsageError(
                f"there is a session {name!r} already", "another name, --if-not-exists, or kill it"
            )
        if self.saved(name) is not None:
            raise UsageError(
                f"the output of an earlier session {name!r} is still there",
                f"terma session read {name} --all; terma session kill {name} deletes it",
            )
        if len(self._entries) >= MOST:
            raise TermaError(f"there are {MOST} sessions", "terma session kill the ones you do not need")
        self._making.add(name)
        try:
            entry = self._start(wanted)
        finally:
            self._making.discard(name)
        patience = READY_SECONDS if entry.session.kind.marked else _UNREAD_SECONDS
        await waiting.ready(entry.session, patience)
        return entry

    def _start(self, wanted: Wanted) -> Entry:
        self._mark_live()
        try:
            entry = starting.start(
                wanted, self._owner, self._inspector, lambda: self._ended(wanted.name), self._people_wait
            )
        except BaseException:
            self._unmark()
            raise
        self._entries[wanted.name] = entry
        entry.record(str(self._socket))
        return entry

    async def stop(self, entry: Entry, grace: float) -> int:
        """End its program and all that it started; how many processes there were. The output stays."""
        leader = 0 if entry.session.phase == EXITED else entry.session.process.pid
        count = await processes.end(leader, entry.tag, grace)
        loop = asyncio.get_running_loop()
        deadline = loop.time() + _REAPED_SECONDS
        while entry.session.phase != EXITED and loop.time() < deadline:
            await entry.session.change(_REAPED_SECONDS)
        entry.session.close()
        return count

    async def kill(self, entry: Entry) -> int:
        """The same at once, and forget it."""
        count = await self.stop(entry, 0.0)
        self._forget(entry.name)
        return count

    def forget_later(self, entry: Entry) -> None:
        """Start the clock of a session that has ended."""
        timer = self._timers.pop(entry.name, None)
        if timer is not None:
            timer.cancel()
        loop = asyncio.get_running_loop()
        self._timers[entry.name] = loop.call_later(entry.wanted.ttl, self._forget, entry.name)

    async def close(self) -> None:
        """The agent goes: end everything. Output in files stays."""
        self._closing = True
        entries = self.entries()
        try:
            await asyncio.gather(*(self.stop(entry, 0.3) for entry in entries), return_exceptions=True)
            self._entries.clear()
            self._unmark()
        finally:  # also when there was no time for all of that: the next agent ends what is left
            for entry in entries:
                entry.session.store.leave()
            for timer in self._timers.values():
                timer.cancel()

    def reap(self) -> int:
        """End what sessions of an agent before this one left behind, if it died; how many processes. Blocks.

        Output that has been kept for long enough is deleted as well."""
        saved.expire()
        if not (self._place / LIVE).exists() or self._entries:
            return 0
        count = 0
        for tag, pids in processes.tagged(f"{self._owner}:").items():
            count += len(pids)
            processes.strike(0, tag)
        self._unmark()
        return count

    def _ended(self, name: str) -> None:
        entry = self._entries.get(name)
        if entry is None:
            return
        entry.ended = time.time()
        with contextlib.suppress(
            OSError, TermaError
        ):  # a disk that is full or gone; what is in memory is told
            entry.record(str(self._socket))
        if not self._closing:
            self.forget_later(entry)

    def _forget(self, name: str) -> None:
        entry = self._entries.pop(name, None)
        timer = self._timers.pop(name, None)
        if timer is not None:
            timer.cancel()
        if entry is not None:
            entry.session.close()
            with contextlib.suppress(OSError):  # somebody else put something there, or took it away
                entry.session.store.remove()
        self._unmark()

    def _mark_live(self) -> None:
        handle = os.open(self._place / LIVE, os.O_WRONLY | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC, 0o600)
        os.close(handle)

    def _unmark(self) -> None:
        if not self._entries:
            (self._place / LIVE).unlink(missing_ok=True)
