"""Brings a shell back to its prompt: with Ctrl+C, as a person would, then harder, and at last without the shell."""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
import termios

from terma.sessions import shells
from terma.sessions.session import EXITED, IDLE, INTERRUPT, Session

_KEY, _SIGNAL, _CALM = 0.7, 1.0, 0.08  # seconds until the next step; of quiet behind a prompt that came back


async def interrupt(session: Session) -> bool:
    """Return when the prompt is back. False when the shell does not listen: then it has to end."""
    session.give_up()
    before = session.ends
    if _takes_keys(session):
        session.type(INTERRUPT)
        if await _back(session, before, _KEY):
            return True
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGKILL):
        if not _strike(session, number):
            break
        if await _back(session, before, _SIGNAL):
            return True
    if session.phase == EXITED:
        return True
    session.type(INTERRUPT)
    if await _back(session, before, _SIGNAL):
        return True
    asked = shells.END if session.kind.asks else ""
    keys = asked or shells.bootstrap(session.kind, session.nonce)  # a prompt that says nothing any more
    if keys and session.look().leader:
        session.type(keys.encode())
        return await _back(session, before, _SIGNAL)
    return False


async def _back(session: Session, before: int, seconds: float) -> bool:
    """Whether the prompt, or the end, comes within `seconds`; a line editor is given its moment."""
    loop = asyncio.get_running_loop()
    deadline = loop.time() + seconds
    while not (session.phase == EXITED or (session.phase == IDLE and session.ends > before)):
        rest = deadline - loop.time()
        if rest <= 0:
            return False
        await session.change(rest)
    while session.phase == IDLE and session.quiet() < _CALM:  # it may throw away what comes too early
        await session.change(_CALM)
    return True


def _takes_keys(session: Session) -> bool:
    """Whether Ctrl+C is a signal there, or a key of the shell's own line editor."""
    if session.look().leader:
        return True
    with contextlib.suppress(OSError, termios.error):
        return bool(termios.tcgetattr(session.master)[3] & termios.ISIG)
    return False


def _strike(session: Session, number: int) -> bool:
    """Send a signal to the command's process group; False when it is the shell itself that runs."""
    with contextlib.suppress(OSError):
        group = os.tcgetpgrp(session.master)
        if group in (0, session.process.pid):
            return False
        os.killpg(group, signal.SIGCONT)
        os.killpg(group, number)
    return session.phase != EXITED
