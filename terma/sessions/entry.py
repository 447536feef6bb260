"""A session as its agent holds it: the program, and all that is told of it; how one is started."""

from __future__ import annotations

import asyncio
import os
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from terma.sessions import processes, pty, saved, shells
from terma.sessions.files import Files
from terma.sessions.files import home as files_home
from terma.sessions.masking import masked_line
from terma.sessions.pace import PAUSE, Pace
from terma.sessions.probe import Inspector
from terma.sessions.questions import Answers, Blank
from terma.sessions.ring import Ring, Store
from terma.sessions.session import EXITED, Session

_BETWEEN = 0.001  # seconds between two portions of output that are stored in files
MEGABYTE = 1024 * 1024
MEMORY_CAPACITY, FILE_CAPACITY = 10 * MEGABYTE, 64 * MEGABYTE


@dataclass(frozen=True, slots=True)
class Wanted:
    """What `create` asks for. `capacity` in bytes, 0 for what is usual."""

    name: str
    command: Sequence[str]
    environment: Mapping[str, str]
    cwd: str
    columns: int
    rows: int
    kind: str = "auto"
    storage: str = "memory"
    capacity: int = 0
    ttl: float = saved.USUAL_TTL
    tui: bool = False


@dataclass(slots=True)
class Entry:
    """A session and what is known about it. Times are seconds since 1970."""

    wanted: Wanted
    session: Session
    command: tuple[str, ...]
    tag: str
    columns: int
    rows: int
    screen: Any = None
    created: float = field(default_factory=time.time)
    ended: float = 0.0
    cursors: dict[str, int] = field(default_factory=dict)
    watchers: int = 0

    @property
    def name(self) -> str:
        return self.wanted.name

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
            "cwd": self._directory() or self.wanted.cwd,
            "columns": self.columns,
            "rows": self.rows,
            "tui": self.screen is not None,
            "storage": self.wanted.storage,
            "created": round(self.created, 3),
            "ended": round(self.ended, 3) or None,
            "quiet": round(session.quiet(), 3),
            "position": session.store.end,
            "oldest": session.store.start,
            "cursors": dict(self.cursors),
            "watchers": self.watchers,
        }

    def size(self) -> dict[str, Any]:
        """For pollers: how much it has printed and whether it runs; nothing is looked up."""
        status = self.session.exit_status
        return {"session": self.name, "position": self.session.store.end, "exit_status": status}

    def record(self, socket: str) -> None:
        """Write down, for an agent after this one, what belongs to output in files. No secret is among it."""
        if self.wanted.storage != "file":
            return
        told = {
            "command": [masked_line(" ".join(self.command))],
            "kind": self.session.kind.name,
            "exit_status": self.session.exit_status,
            "cwd": self.wanted.cwd,
            "columns": self.columns,
            "rows": self.rows,
            "created": round(self.created, 3),
            "ended": round(self.ended, 3) or None,
            "ttl": self.wanted.ttl,
            "socket": socket,
        }
        saved.record(files_home() / self.name, told)

    def _directory(self) -> str:
        session = self.session
        return session.inspector.directory(session.process.pid) if session.phase != EXITED else ""


def start(
    wanted: Wanted,
    owner: str,
    inspector: Inspector,
    ended: Callable[[], None],
    people_wait: Callable[[], bool],
) -> Entry:
    """Start the program of `wanted`. Raises UsageError, TermaError, and leaves nothing then."""
    nonce = os.urandom(8).hex()
    command = list(wanted.command) or [shells.own_shell(wanted.environment)]
    kind = shells.kind_of(command) if wanted.kind == "auto" else shells.KINDS[wanted.kind]
    tag = f"{owner}:{os.urandom(6).hex()}"
    given = dict(wanted.environment) | {processes.TAG: tag}
    given |= {"TERM": "xterm-256color", "COLUMNS": "", "LINES": ""}
    environment = {key: value for key, value in given.items() if value or key not in ("COLUMNS", "LINES")}
    begin = shells.start(command, environment, nonce, kind)
    screen = _screen(wanted)
    store = _store(wanted, people_wait)
    try:
        process, master = pty.spawn(begin.command, begin.environment, wanted.cwd, wanted.columns, wanted.rows)
    except BaseException:
        store.remove()
        raise
    session = Session(process, master, begin.kind, nonce, store, inspector, ended)
    session.pace = Pace(lambda: people_wait() or store.behind)
    entry = Entry(wanted, session, tuple(command), tag, wanted.columns, wanted.rows, screen)
    answers = screen if screen is not None else Answers(Blank())
    answers.answer_with(session.answer)
    session.watch = answers.feed
    if begin.typed:
        session.type(begin.typed.encode())
    return entry


def _store(wanted: Wanted, people_wait: Callable[[], bool]) -> Store:
    if wanted.storage == "file":
        loop = asyncio.get_running_loop()

        def later(work: Callable[[], None]) -> None:
            if people_wait():
                loop.call_later(PAUSE, later, work)
            else:
                loop.call_later(_BETWEEN, work)

        return Files(files_home() / wanted.name, wanted.capacity or FILE_CAPACITY, later=later)
    return Ring(wanted.capacity or MEMORY_CAPACITY)


def _screen(wanted: Wanted) -> Any:
    if not wanted.tui:
        return None
    from terma.sessions.screen import Live

    return Live(wanted.columns, wanted.rows)
