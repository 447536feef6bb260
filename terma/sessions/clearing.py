"""Clears a shell's prompt with Ctrl+C, as a person would, so that what stands there swallows nothing.

A line editor that gets the signal while it works off keys does nothing about it until the next key comes, which is
then lost (readline in bash and python). So it is let come to rest first; and where it sleeps again and has drawn no
new prompt, Ctrl+C is pressed once more, which wakes it as no other key does.
"""

from __future__ import annotations

import asyncio

from terma.errors import TermaError
from terma.output import plain
from terma.sessions.probe import UNKNOWN
from terma.sessions.session import EXITED, IDLE, INTERRUPT, Session

_SECONDS = 10.0  # for the prompt to come back
_REST = 2.0  # seconds for the keys that were typed to be worked off
_TAKEN = 1.0  # seconds for a Ctrl+C to be taken notice of
_BEHIND = 4096  # bytes behind a prompt that may be nothing but the line editor's own sequences
_LOOK = 0.03  # seconds between two looks
_AGAIN, _FAR = 0.25, 2.0  # seconds of sleep without a prompt until Ctrl+C is pressed again, here and far away
_CALM = 0.08  # seconds of quiet


async def cleared(session: Session) -> None:
    """Return when a new prompt stands there, with nothing on it. Raises TermaError where none comes."""
    session.give_up()
    session.drop_keys()  # as a terminal does for Ctrl+C with what nobody has read yet
    await _rest(session)
    note = session.type(INTERRUPT)
    loop = asyncio.get_running_loop()
    deadline = loop.time() + _SECONDS
    while session.phase != EXITED and not session.finished(note):
        if loop.time() >= deadline:
            raise TermaError(
                "the shell does not leave what stands on its prompt", "terma session attach, or kill it"
            )
        if await session.change(_FAR if session.kind.far else _AGAIN) or not _sleeps(session):
            continue
        await session.catch_up()
        if not session.finished(note) and _sleeps(session):
            session.type(INTERRUPT)
    await _rest(session)


async def bare(session: Session) -> bool:
    """Whether nothing stands on the prompt: what was typed before that came went to the program that ran then. (A line
    editor shows what was typed ahead as soon as it has drawn its prompt.)"""
    if session.draft or session.phase != IDLE:
        return False
    await _rest(session)
    behind = session.store.read(session.prompted_at, _BEHIND)
    if (
        session.phase != IDLE
        or session.draft
        or len(behind) == _BEHIND
        or plain(behind.decode("utf-8", "replace")).strip()
    ):
        return False
    session.line.clear()
    return True


async def taken(session: Session) -> None:
    """Return when a Ctrl+C that was typed last has reached who runs, within a bound: what is typed before that may be
    thrown away with the line that it gives up."""
    if not session.interrupted:
        return
    session.interrupted = False
    loop = asyncio.get_running_loop()
    deadline = loop.time() + _TAKEN
    while session.phase != EXITED and loop.time() < deadline:
        seen = session.look()
        if session.quiet() >= _CALM and (seen.waits or seen.doing == UNKNOWN):
            return
        await session.change(_LOOK)


async def _rest(session: Session) -> None:
    """Wait until the shell sleeps at its prompt and nothing comes, within a bound."""
    loop = asyncio.get_running_loop()
    deadline = loop.time() + _REST
    while session.phase != EXITED and loop.time() < deadline:
        if session.quiet() >= _CALM and _sleeps(session):
            await session.catch_up()
            if session.quiet() >= _CALM:
                return
        await session.change(_LOOK)


def _sleeps(session: Session) -> bool:
    """Whether the shell itself waits for keys. Where that cannot be seen, quiet must do."""
    seen = session.look()
    return seen.leader and (seen.waits == "needs_input" or seen.doing == UNKNOWN)
