"""Makes sessions: of a program that is started, of one that another process hands over, of one that an agent before
this one left with its holder.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from terma.errors import TermaError, UsageError
from terma.sessions import processes, shells
from terma.sessions.entry import Entry, NewSession
from terma.sessions.files import Files, Kept
from terma.sessions.files import home as files_home
from terma.sessions.handing import Program
from terma.sessions.held.channel import HeldChannel
from terma.sessions.held.found import Beginning, Found
from terma.sessions.held.kept import HolderReports, Lasting, Mirror
from terma.sessions.held.link import Link
from terma.sessions.installing import install
from terma.sessions.pace import PAUSE, Pace
from terma.sessions.probe import Inspector
from terma.sessions.questions import Answers, Blank
from terma.sessions.ring import MEGABYTE, Ring
from terma.sessions.session import EXITED, Parts, Session

_BETWEEN = 0.001  # seconds between two portions of output that are stored in files
_UNSTORED = 16 * MEGABYTE  # bytes of output for files that may wait


@dataclass(frozen=True, slots=True)
class Maker:
    """`ended` is told the name of a session whose program has exited."""

    owner: str
    inspector: Inspector
    ended: Callable[[str], None]
    people_wait: Callable[[], bool]

    async def start(self, wanted: NewSession, link: Link) -> Entry:
        """Start the program of `wanted`. Raises UsageError, TermaError, and leaves nothing then."""
        nonce = os.urandom(8).hex()
        command = list(wanted.command) or [shells.own_shell(wanted.environment)]
        kind = shells.kind_of(command) if wanted.kind == "auto" else shells.named(wanted.kind, command)
        tag = f"{self.owner}:{os.urandom(6).hex()}"
        begin = shells.start(command, _environment(wanted.environment, tag), nonce, kind)
        screen = _screen(wanted)
        store = self._store(wanted)
        program = Beginning(begin.command, begin.environment, wanted.cwd, wanted.columns, wanted.rows)
        try:
            channel = await link.make(program, _held(wanted), wanted.ttl)
        except BaseException:
            store.remove()
            raise
        parts = self._parts(wanted, channel, store, begin.kind, nonce)
        entry = self._entry(wanted, parts, tuple(command), tag, screen)
        entry.session.late = begin.late
        return entry

    async def take_over(self, name: str, program: Program, master: int, printed: bytes, link: Link) -> Entry:
        """A program that another process started, and has handed over with its terminal."""
        wanted = NewSession(name, program.command, {}, program.cwd, program.columns, program.rows)
        channel = await link.give(program.pid, master, _held(wanted), wanted.ttl)
        kind = shells.KINDS.get(program.kind, shells.NONE)
        parts = self._parts(wanted, channel, self._store(wanted), kind, program.nonce)
        entry = self._entry(wanted, parts, program.command, program.tag)
        entry.session.store.write(printed)
        entry.session.given(program.idle, program.status)
        return entry

    def resume(self, found: Found) -> Entry:
        """Go on where an agent before this one was. Raises KeyError, TypeError, ValueError where it said nothing that
        can be understood."""
        kept = found.state
        wanted = NewSession(**kept["wanted"], environment={})
        told = kept["session"]
        far = bool(told.get("far", told["kind"] == "sh"))  # an agent of an earlier version says nothing of it
        kind = shells.again(told["kind"], far=far, asks=bool(told["asks"]))
        store = self._store(wanted, Kept(found.start, bytes(found.kept)))
        if found.lost:
            store.skip(found.lost)
        parts = self._parts(wanted, found.channel, store, kind, str(told["nonce"]))
        entry = self._entry(wanted, parts, tuple(kept["command"]), str(kept["tag"]))
        entry.session.go_on(told, found.log)
        entry.columns, entry.rows = int(kept["columns"]), int(kept["rows"])
        entry.created, entry.ended = float(kept["created"]), float(kept["ended"])
        entry.cursors.update({str(name): int(at) for name, at in kept["cursors"].items()})
        if wanted.tui:
            with contextlib.suppress(UsageError):
                entry.shown()
        if found.lost and entry.reports is not None:
            entry.reports.skipped(found.lost)
        return entry

    def _parts(
        self, wanted: NewSession, channel: HeldChannel, store: Lasting, kind: shells.Kind, nonce: str
    ) -> Parts:
        return Parts(channel, Mirror(store), self.inspector, kind, nonce, lambda: self.ended(wanted.name))

    def _entry(
        self, wanted: NewSession, parts: Parts, command: tuple[str, ...], tag: str, screen: Any = None
    ) -> Entry:
        session = Session(parts)
        session.pace = Pace(lambda: self.people_wait() or session.store.behind)
        answers = screen if screen is not None else Answers(Blank())
        answers.answer_with(session.answer)
        session.watch = answers.feed
        entry = Entry(wanted, session, command, tag, wanted.columns, wanted.rows, screen)
        assert isinstance(parts.channel, HeldChannel)
        assert isinstance(parts.store, Mirror)
        entry.reports = HolderReports(parts.channel, session, parts.store, entry.kept)
        return entry

    def _store(self, wanted: NewSession, kept: Kept | None = None) -> Lasting:
        """What `kept` holds is in it."""
        capacity = wanted.capacity
        if wanted.storage == "file":
            place = files_home() / wanted.name
            with contextlib.suppress(*(() if kept is None else (TermaError, OSError))):
                return Files(place, capacity, later=self._later, kept=kept)
        store = Ring(capacity, at=kept.start if kept else 0)
        if kept is not None:
            store.write(kept.data)
        return store

    def _later(self, work: Callable[[], None]) -> None:
        loop = asyncio.get_running_loop()
        if self.people_wait():
            loop.call_later(PAUSE, self._later, work)
        else:
            loop.call_later(_BETWEEN, work)


def begin(entry: Entry) -> None:
    """What goes on beside it: marks are asked for at the first prompt."""
    entry.keep()
    if entry.session.setting_up and entry.session.phase != EXITED:
        entry.installing = asyncio.get_running_loop().create_task(install(entry.session))


def _held(wanted: NewSession) -> int:
    """Bytes of its output that its holder keeps."""
    return _UNSTORED if wanted.storage == "file" else wanted.capacity


def _environment(given: Mapping[str, str], tag: str) -> dict[str, str]:
    environment = dict(given) | {processes.TAG: tag, "TERM": "xterm-256color"}
    return {key: value for key, value in environment.items() if key not in ("COLUMNS", "LINES")}


def _screen(wanted: NewSession) -> Any:
    if not wanted.tui:
        return None
    from terma.sessions.screen import Live

    return Live(wanted.columns, wanted.rows)
