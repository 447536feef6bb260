"""A session as its agent has it: the program, and all that is told of it."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from terma.errors import UsageError
from terma.sessions import saved
from terma.sessions.files import home as files_home
from terma.sessions.held.kept import HolderReports
from terma.sessions.masking import masked_line
from terma.sessions.ring import DEFAULT_CAPACITY
from terma.sessions.seen import Pictures
from terma.sessions.session import EXITED, Session

_REDRAWN = 256 * 1024  # bytes of which a screen is drawn that nobody kept
_KEPT = (
    "name",
    "cwd",
    "columns",
    "rows",
    "kind",
    "storage",
    "capacity",
    "ttl",
    "tui",
)  # of what was asked for


@dataclass(frozen=True, slots=True)
class NewSession:
    """What `create` asks for. `capacity` in bytes, `ttl` in seconds; 0 is no limit."""

    name: str
    command: Sequence[str]
    environment: Mapping[str, str]
    cwd: str
    columns: int
    rows: int
    kind: str = "auto"
    storage: str = "memory"
    capacity: int = DEFAULT_CAPACITY
    ttl: float = saved.USUAL_TTL
    tui: bool = False


@dataclass(slots=True)
class Entry:
    """A session and what is known about it. Times are seconds since 1970."""

    wanted: NewSession
    session: Session
    command: tuple[str, ...]
    tag: str
    columns: int
    rows: int
    screen: Any = None
    created: float = field(default_factory=time.time)
    ended: float = 0.0
    cursors: dict[str, int] = field(default_factory=dict)
    pictures: dict[str, Pictures] = field(default_factory=dict)  # what each reader of its screen saw last
    watchers: int = 0
    installing: asyncio.Task[None] | None = None  # asks for marks at the first prompt
    reports: HolderReports | None = None  # tells its holder

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
            "ttl": self.wanted.ttl,
            "created": round(self.created, 3),
            "ended": round(self.ended, 3) or None,
            "quiet": round(session.quiet(), 3),
            "position": session.store.end,
            "oldest": session.store.start,
            "cursors": dict(self.cursors),
            "watchers": self.watchers,
        } | ({"lost": session.loss} if session.loss else {})

    @property
    def drawn(self) -> bool:
        """Whether what it prints is a screen, and no lines: of a program that was started to have one."""
        return self.wanted.tui and not self.session.kind.marked and not self.session.modes.alternate

    def shown(self) -> Any:
        """Its screen (screen.Live), kept from now on: drawn of what was printed. Raises UsageError where no terminal
        emulator is installed."""
        if self.screen is None:
            from terma.sessions.screen import Live

            screen, session = Live(self.columns, self.rows), self.session
            at = session.modes.since if session.modes.alternate else session.store.start
            data = session.store.read(max(at, session.store.end - _REDRAWN), _REDRAWN)
            screen.feed(data)  # nobody hears the answers: what it asks was answered when it was printed
            screen.answer_with(session.answer)
            session.watch, self.screen = screen.feed, screen
        return self.screen

    def __post_init__(self) -> None:
        self.session.row = self._row

    def _row(self) -> str:
        try:
            return str(self.shown().before_cursor())
        except UsageError:  # no terminal emulator is installed
            return ""

    def keep(self) -> None:
        """Have its holder know all of this, for an agent after this one."""
        if self.reports is not None:
            self.reports.now()

    def part(self) -> None:
        """Another agent goes on with it: its files are free."""
        if self.reports is not None:
            self.reports.part()

    def kept(self) -> dict[str, Any]:
        """What an agent after this one must know, as JSON."""
        wanted = {name: getattr(self.wanted, name) for name in _KEPT} | {"command": list(self.wanted.command)}
        told = {"wanted": wanted, "command": list(self.command), "tag": self.tag, "columns": self.columns}
        told |= {"rows": self.rows, "created": self.created, "ended": self.ended}
        return told | {"cursors": dict(self.cursors), "session": self.session.kept()}

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
