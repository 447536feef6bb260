"""Waits for what a session does: the end of its command, quiet, somebody being waited for, its exit, or too long.

Driven by events: what is printed wakes it. A look at the processes (probe) happens only while nothing is printed, at
growing intervals. Patterns are matched where they cannot hold up others: by the client, on what is streamed to it.
"""

from __future__ import annotations

import sys
import time
from collections.abc import AsyncGenerator
from dataclasses import dataclass

from terma.sessions import doing
from terma.sessions.echo import Echo
from terma.sessions.session import EXITED, MORE, STARTING, TYPED, Session, Typed

_PIECE = 32 * 1024  # bytes
_FIRST_LOOK, _LAST_LOOK = 0.1, 1.0  # seconds of quiet until the first look, and between later ones
_PATIENT = (
    0.3  # seconds of quiet before a program that polls counts as waiting: it may only be between two pictures
)
_NO_START = 0.4  # seconds until a command that was entered and has not begun counts as unfinished
_LATE = 256 * 1024  # bytes that are told when the time is over: of a flood the rest is read later
_UNSEEN = 0.5  # seconds of quiet that must do where processes cannot be looked at


@dataclass(frozen=True, slots=True)
class Piece:
    """Output, as it comes, and the offset behind it. `gap`: bytes that were dropped before it could be read."""

    data: bytes
    position: int
    gap: int = 0


@dataclass(frozen=True, slots=True)
class End:
    """Why the wait is over: marker, settle, timeout or exit; the state then, the command's exit status if known."""

    ended_by: str
    state: str
    exit_status: int | None


@dataclass(frozen=True, slots=True)
class Wait:
    """What ends it. `typed`: the end of that command. `settle`: that many seconds of quiet. `waits`: that the program
    waits for somebody. `timeout` in seconds, and its exit, always do. What stands at offset `before` and later is not
    told."""

    timeout: float
    typed: Typed | None = None
    settle: float | None = None
    waits: bool = True
    echo: str = ""
    row: bytes = b""  # what stands before the echo
    raw: bool = False  # with the prompts and what was typed at them
    before: int = sys.maxsize


async def wait(session: Session, at: int, want: Wait) -> AsyncGenerator[Piece | End, None]:
    """What is printed from offset `at` on, then why it ended."""
    deadline = time.monotonic() + want.timeout
    echo = Echo(want.echo, want.row)
    eyes = Eyes(session, want.typed)
    spare = _LATE if want.timeout else sys.maxsize
    while True:
        until = min(session.store.end, want.before)  # a flood goes on while this is sent
        ended = _ended(session, want, eyes, deadline)
        while True:  # what was printed up to the end belongs to it
            missed = max(session.store.start - at, 0) if session.store.start > at else 0
            data, at = _output(session, at, want, ended, until)
            if not data and not missed:
                break
            if shown := echo.filter(data):
                yield Piece(shown, at, missed)
            elif missed:
                yield Piece(b"", at, missed)
            if time.monotonic() >= deadline and ended in ("", "timeout"):
                spare -= len(data)
                if spare <= 0 or until - at > spare:  # not all of it could be told any more
                    ended = "timeout"
                    break
        if ended:
            break
        await session.change(_next_look(session, want, eyes, deadline))
    if rest := echo.rest():
        yield Piece(rest, at)
    session.give_up()
    state = session.state()
    status = session.exit_status if session.phase == EXITED else session.status
    yield End(ended, state, status if ended in ("marker", "exit") else None)


def _output(session: Session, at: int, want: Wait, ended: str, until: int) -> tuple[bytes, int]:
    if not want.raw:
        return session.printed(at, _PIECE, session.ended_at if ended == "marker" else until)
    at = max(at, session.store.start)
    data = session.store.read(at, min(_PIECE, max(until - at, 0)))
    return data, at + len(data)


def _ended(session: Session, want: Wait, eyes: Eyes, deadline: float) -> str:
    if session.phase == EXITED:
        return "exit"
    if want.typed is not None and session.finished(want.typed):
        return "marker"
    if want.settle is not None and session.quiet() >= want.settle:
        return "settle"
    if want.settle is None and want.waits and eyes.waiting():
        return "settle"
    return "timeout" if time.monotonic() >= deadline else ""


def _next_look(session: Session, want: Wait, eyes: Eyes, deadline: float) -> float:
    rest = deadline - time.monotonic()
    if want.settle is not None:
        rest = min(rest, want.settle - session.quiet())
    elif want.waits:
        rest = min(rest, eyes.due())
    return max(rest, 0.005)


class Eyes:
    """Looks whether the program waits for somebody; believes what two looks in a row say."""

    def __init__(self, session: Session, typed: Typed | None) -> None:
        self._session = session
        self._marked = typed is not None
        self._interval = _FIRST_LOOK
        self._looked = 0.0  # when
        self._seen = ""
        self._since = session.last_output

    def due(self) -> float:
        """Seconds until the next look; what is seen between two is not asked for."""
        now = time.monotonic()
        return max(_FIRST_LOOK - self._session.quiet(), self._looked + self._interval - now)

    def waiting(self) -> bool:
        """Whether the program waits for somebody, seen twice."""
        return bool(self.sees())

    def sees(self) -> str:
        """What it waits for: needs_input, unsure, password, continuation, unseen; "" while nothing is sure."""
        session = self._session
        if session.last_output != self._since:  # it goes on: what was seen is of the past
            self._since, self._seen, self._interval = session.last_output, "", _FIRST_LOOK
        if self.due() > 0:
            return ""
        before, self._seen = self._seen, self._look()
        self._looked = time.monotonic()
        self._interval = min(self._interval * 1.5, _LAST_LOOK) if not self._seen else _FIRST_LOOK
        return self._seen if self._seen == before else ""

    def _look(self) -> str:
        session = self._session
        if session.phase == MORE:
            return "continuation"
        seen = session.look()
        if self._marked and session.kind.far and doing.goes_on(session, seen):
            return "continuation"
        waits = session.waits(seen)
        if seen.doing == "unknown" and waits not in ("password", "unsure"):
            return "unseen" if waits and not self._marked and session.quiet() >= _UNSEEN else ""
        if not waits or (seen.patient and session.quiet() < _PATIENT):
            return ""
        if seen.leader and self._marked:
            if session.phase in (STARTING, TYPED) and session.quiet() < _NO_START:
                return ""
            if session.replaced():
                return ""
            if session.unmarked and session.kind.name in ("bash", "zsh") and not seen.canonical:
                session.ask_marks()
                return ""
            if doing.goes_on(session, seen):
                return "continuation"
        return waits


async def ready(session: Session, seconds: float) -> bool:
    """Wait until a new program has drawn its prompt, or at least waits for somebody; False after `seconds`."""
    want = Wait(seconds, Typed(0, 0) if session.kind.marked else None)
    async for part in wait(session, session.store.end, want):
        if isinstance(part, End):
            return part.ended_by != "timeout"
    return False
