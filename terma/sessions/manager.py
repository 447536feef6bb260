"""Holds the sessions by name, makes new ones, and sees to it that nothing of theirs is left when they go."""

from __future__ import annotations

import asyncio
import hashlib
import os
import re
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from terma.errors import TermaError, UsageError
from terma.sessions import processes, pty, shells, waiting
from terma.sessions.probe import inspector
from terma.sessions.ring import Ring, Store
from terma.sessions.session import EXITED, Session

MOST = 256  # sessions
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.-]{0,63}")
READY_SECONDS = 10.0  # for a shell's start-up files
_REAPED_SECONDS = 2.0
_UNREAD_SECONDS = 0.5  # for a program that is no known shell to wait for somebody
LIVE = "sessions.live"  # a file beside the socket, there while sessions are: who finds it at start looks for orphans


@dataclass(slots=True)
class Entry:
    """A session and what is known about it. Times are seconds since 1970."""

    name: str
    session: Session
    command: tuple[str, ...]
    tag: str
    cwd: str
    columns: int
    rows: int
    ttl: float
    storage: str
    created: float = field(default_factory=time.time)
    ended: float = 0.0
    cursors: dict[str, int] = field(default_factory=dict)
    screen: Any = None
    watchers: int = 0

    def about(self) -> dict[str, Any]:
        """What `list` and `info` say."""
        session = self.session
        return {
            "session": self.name,
            "state": session.state(),
            "command": list(self.command),
            "kind": session.kind.name,
            "pid": session.process.pid,
            "exit_status": session.exit_status,
            "last_status": session.status,
            "cwd": (session.phase != EXITED and session.inspector.directory(session.process.pid)) or self.cwd,
            "columns": self.columns,
            "rows": self.rows,
            "tui": self.screen is not None,
            "storage": self.storage,
            "created": round(self.created, 3),
            "ended": round(self.ended, 3) or None,
            "quiet": round(session.quiet(), 3),
            "position": session.store.end,
            "oldest": session.store.start,
            "cursors": dict(self.cursors),
            "watchers": self.watchers,
        }


@dataclass(frozen=True, slots=True)
class Wanted:
    """What `create` asks for."""

    name: str
    command: Sequence[str]
    environment: Mapping[str, str]
    cwd: str
    columns: int
    rows: int
    kind: str = "auto"
    storage: str = "memory"
    ttl: float = 3600.0
    tui: bool = False


class Manager:
    """All sessions of one agent. `place` is the directory of its socket."""

    def __init__(self, place: Path) -> None:
        self._place = place
        self._owner = hashlib.sha256(os.fsencode(place)).hexdigest()[:12]
        self._entries: dict[str, Entry] = {}
        self._making: set[str] = set()
        self._timers: dict[str, asyncio.TimerHandle] = {}
        self._inspector = inspector()

    @property
    def live(self) -> int:
        """How many programs run."""
        return sum(entry.session.phase != EXITED for entry in self._entries.values())

    def entries(self) -> list[Entry]:
        return list(self._entries.values())

    def get(self, name: str) -> Entry:
        """Raises UsageError for a name that is none."""
        if name not in self._entries:
            known = ", ".join(sorted(self._entries)[:10]) or "there is none"
            raise UsageError(f"there is no session {name!r}", f"terma session list: {known}")
        return self._entries[name]

    def saved(self, name: str) -> Store | None:
        """The output of a session in files whose agent is gone; None when it lives here, or left none."""
        if name in self._entries or not _NAME.fullmatch(name):
            return None
        from terma.sessions.files import Files, directory

        return Files.saved(directory(name))

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
        if len(self._entries) >= MOST:
            raise TermaError(f"there are {MOST} sessions", "terma session kill the ones you do not need")
        self._making.add(name)
        try:
            entry = self._start(wanted)
            self._entries[name] = entry
        finally:
            self._making.discard(name)
        patience = READY_SECONDS if entry.session.kind.marked else _UNREAD_SECONDS
        await waiting.ready(entry.session, patience)
        return entry

    def _start(self, wanted: Wanted) -> Entry:
        nonce = os.urandom(8).hex()
        command = list(wanted.command) or [shells.own_shell(wanted.environment)]
        kind = shells.kind_of(command) if wanted.kind == "auto" else shells.KINDS[wanted.kind]
        tag = f"{self._owner}:{os.urandom(6).hex()}"
        given = dict(wanted.environment) | {processes.TAG: tag}
        given |= {"TERM": "xterm-256color", "COLUMNS": "", "LINES": ""}
        environment = {key: value for key, value in given.items() if value or key not in ("COLUMNS", "LINES")}
        start = shells.start(command, environment, nonce, kind)
        store = self._store(wanted)
        screen = self._screen(wanted)
        self._mark_live()
        try:
            process, master = pty.spawn(
                start.command, start.environment, wanted.cwd, wanted.columns, wanted.rows
            )
        except BaseException:
            store.remove()
            self._unmark()
            raise
        session = Session(
            process, master, start.kind, nonce, store, self._inspector, lambda: self._ended(wanted.name)
        )
        entry = Entry(
            wanted.name,
            session,
            tuple(command),
            tag,
            wanted.cwd,
            wanted.columns,
            wanted.rows,
            wanted.ttl,
            wanted.storage,
        )
        if screen is not None:
            entry.screen = screen
            session.watch = screen.feed
            screen.answer = session.answer
        if start.typed:
            session.type(start.typed.encode())
        return entry

    def _store(self, wanted: Wanted) -> Store:
        if wanted.storage == "file":
            from terma.sessions.files import Files, directory

            return Files(directory(wanted.name))
        return Ring()

    def _screen(self, wanted: Wanted) -> Any:
        if not wanted.tui:
            return None
        from terma.sessions.screen import Live

        return Live(wanted.columns, wanted.rows)

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
        self._timers[entry.name] = loop.call_later(entry.ttl, self._forget, entry.name)

    async def close(self) -> None:
        """The agent goes: end everything. Output in files stays."""
        entries = self.entries()
        self._entries.clear()
        await asyncio.gather(*(self.stop(entry, 0.3) for entry in entries), return_exceptions=True)
        for timer in self._timers.values():
            timer.cancel()
        self._unmark()

    def reap(self) -> int:
        """End what sessions of an agent before this one left behind, if it died; how many processes. Blocks."""
        if not (self._place / LIVE).exists() or self._entries:
            return 0
        count = 0
        for tag, pids in processes.tagged(f"{self._owner}:").items():
            for _ in pids:
                count += 1
            processes.strike(0, tag)
        self._unmark()
        return count

    def _ended(self, name: str) -> None:
        entry = self._entries.get(name)
        if entry is not None:
            entry.ended = time.time()
            self.forget_later(entry)

    def _forget(self, name: str) -> None:
        entry = self._entries.pop(name, None)
        timer = self._timers.pop(name, None)
        if timer is not None:
            timer.cancel()
        if entry is not None:
            entry.session.close()
            entry.session.store.remove()
        self._unmark()

    def _mark_live(self) -> None:
        handle = os.open(self._place / LIVE, os.O_WRONLY | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC, 0o600)
        os.close(handle)

    def _unmark(self) -> None:
        if not self._entries:
            (self._place / LIVE).unlink(missing_ok=True)
