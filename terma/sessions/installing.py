"""Asks a shell for marks at its first prompt, behind whatever a login asks before: passwords, a host's key."""

from __future__ import annotations

import time

from terma.sessions import prompts, shells
from terma.sessions.doing import at_line_editor
from terma.sessions.session import EXITED, Session

_FIRST, _LAST = 0.1, 1.0  # seconds between two looks
_ANSWER = 5.0  # seconds for the first mark to come
_TRIES = 2


async def install(session: Session) -> None:
    """Wait for the first prompt of `session`, however long the login takes, and set it up. Without an answer it
    becomes a session without marks."""
    for _ in range(_TRIES):
        await _asked(session)
        if session.kind is shells.FAR_FISH and not session.ends:
            await _asked(session)  # it said that it is that
        if session.ends or session.phase == EXITED:
            return
        session.unmuffle()
    session.unmark()


async def _asked(session: Session) -> None:
    """Ask at its prompt for marks; return when the first has come, when it is another kind of shell, or in vain."""
    await _first_prompt(session)
    if session.phase == EXITED:
        return
    before, kind = session.ends, session.kind
    session.set_up()
    deadline = time.monotonic() + _ANSWER
    while session.ends == before and session.kind is kind and session.phase != EXITED:
        left = deadline - time.monotonic()
        if left <= 0:
            return
        await session.change(left)


async def _first_prompt(session: Session) -> None:
    between = _FIRST
    while session.phase != EXITED:
        seen, quiet = session.look(), session.quiet()
        if at_line_editor(session, seen) and quiet >= _FIRST:
            return
        if prompts.shell_waits(session.tail(), seen, quiet, session.modes.paste):
            return
        between = _FIRST if await session.change(between) else min(between * 1.5, _LAST)
