"""Follows a command in the persistent shell, in the person's sight, to its end or to what ends the wait."""

from __future__ import annotations

import asyncio
import codecs
import contextlib
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from terma.dialogue import EndedBy, State
from terma.repl.shell.capture import Capture
from terma.repl.shell.passthrough import Passthrough
from terma.sessions.session import EXITED, Session, Typed
from terma.sessions.waiting import Eyes
from terma.text import StreamSanitizer

_LOOK = 1.0  # seconds between two looks at most
_SOON = 0.01
_INSISTED = 3.0  # seconds that a program gets to end after a second Ctrl+C
_WAITS: dict[str, State] = {one: one for one in ("continuation", "password", "unsure")}


async def follow(
    session: Session,
    typed: Typed,
    happened: asyncio.Event,
    patience: float,
    person: Passthrough | None,
) -> tuple[EndedBy, State]:
    """Wait for the end of what was `typed`; `happened` is set when there is a reason to look.

    Without a person, a program that waits for one ends the wait. With one, it is their turn: `patience` (seconds, 0:
    endless) then counts from their last key."""
    eyes = Eyes(session, typed)
    since = time.monotonic()
    while True:
        happened.clear()
        if session.phase == EXITED:
            return "exit", "exited"
        if session.finished(typed):
            return "marker", "idle"
        seen = eyes.sees()
        if session.wrong or seen == "continuation" or (seen and person is None):
            return "settle", "continuation" if session.wrong else _WAITS.get(seen, "needs_input")
        if person is not None:
            if person.lost or _deaf(person):
                return "interrupt", "idle"
            if seen:
                person.turn()
                since = time.monotonic()
            person.tick()
            since = max(since, person.last_key)
        rest = since + patience - time.monotonic() if patience else _LOOK
        if rest <= 0 and person is not None and not session.look().canonical:
            since, rest = time.monotonic(), _LOOK  # it has the whole screen, and its own keys
        if rest <= 0:
            return "timeout", "running"
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(min(max(eyes.due(), _SOON), rest, _LOOK)):
                await happened.wait()


def _deaf(person: Passthrough) -> bool:
    """Whether they pressed Ctrl+C a second time, and it goes on as if nothing was."""
    return len(person.presses) > 1 and time.monotonic() - person.presses[1] > _INSISTED


@contextmanager
def shown_as_text(capture: Capture, show: Callable[[str], None]) -> Iterator[None]:
    """Hand what comes to `show`, safe to print anywhere; its last line is ended, so that what follows has its own."""
    decode = codecs.getincrementaldecoder("utf-8")("replace").decode
    clean = StreamSanitizer()
    last = "\n"

    def said(data: bytes) -> None:
        nonlocal last
        if text := clean.feed(decode(data).replace("\r\n", "\n")):
            show(text)
            last = text[-1]

    try:
        with capture.shown_to(said):
            yield
    finally:
        if last != "\n":
            show("\n")
