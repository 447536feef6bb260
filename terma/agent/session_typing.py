"""Types a command into a session in the way that fits what the session does just now."""

from __future__ import annotations

from contextlib import aclosing

from terma.agent.session_output import Arguments, number
from terma.errors import TermaError
from terma.sessions import shells, waiting
from terma.sessions.manager import Entry
from terma.sessions.session import IDLE, INTERRUPT, MORE, Typed
from terma.sessions.waiting import Wait

LONGEST = 7 * 24 * 3600.0  # seconds that somebody may follow a session
_RECOVER = 3.0  # seconds for a prompt to come back after Ctrl+C
_CALM = 0.08  # seconds
_TRIES, _DRAWN = 3, 0.5  # spaces typed to see one drawn, and seconds to wait for that


async def enter(entry: Entry, text: str, args: Arguments) -> tuple[Wait, int]:
    """Type `text`; what to wait for, and from which position. Raises TermaError where it must not be typed."""
    session = entry.session
    timeout = min(float(number(args, "timeout", 30.0)), LONGEST)
    settle = args.get("settle")
    seconds = None if settle is None else float(settle) / 1000
    pattern = bool(args.get("wait"))
    if session.phase == MORE or session.draft or session.state() == "continuation":
        await _recover(entry)
    state = session.state()
    if session.phase == IDLE:
        typed: Typed | None = session.enter(text)
        assert typed is not None
        background = pattern and text.rstrip().endswith("&")
        return Wait(timeout, None if background else typed, seconds, waits=not pattern), typed.position
    if state == "password":
        raise TermaError("the program asks for a password", "session send answers it (it is not echoed)")
    if state == "running" and not pattern and seconds is None and session.kind.marked:
        raise TermaError(
            "a command is running",
            "session read --wait …, session send --keys '\\x03' to stop it, or exec --settle MS",
        )
    shells.check(text)
    note = session.type(shells.as_typed(text.rstrip("\n") + "\n", paste=False))
    home = note if session.kind.marked else None
    return Wait(timeout, home, seconds, waits=not pattern, echo=text), note.position


async def _recover(entry: Entry) -> None:
    """Leave an unfinished command with Ctrl+C, as a person would, so that it swallows nothing."""
    session = entry.session
    note = session.type(INTERRUPT)
    async with aclosing(waiting.wait(session, note.position, Wait(_RECOVER, note, waits=False))) as parts:
        async for _ in parts:
            pass
    while session.quiet() < _CALM:  # a line editor that was interrupted may throw away what comes too early
        await session.change(_CALM)
    for _ in range(
        _TRIES if session.kind.pastes else 0
    ):  # it reads again when it draws what is typed, and no more
        before = session.store.end
        session.type(b" ")
        if await session.change(_DRAWN) and session.store.read(before, _TRIES + 1) == b" ":
            break
