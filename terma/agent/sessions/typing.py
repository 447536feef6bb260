"""Types a command into a session in the way that fits what the session does just now."""

from __future__ import annotations

import hashlib
import time
from typing import Any

from terma.agent.sessions.output import Arguments, number, row_before
from terma.errors import TermaError, UsageError
from terma.sessions import keynames, prompts, shells
from terma.sessions.clearing import bare, cleared, taken
from terma.sessions.draft import Draft
from terma.sessions.manager import READY_SECONDS, Entry
from terma.sessions.modes import Modes
from terma.sessions.session import IDLE, INTERRUPT, MORE, Session, Typed
from terma.sessions.waiting import Wait

LONGEST = 7 * 24 * 3600.0  # seconds that somebody may follow a session
_CALM = 0.08  # seconds
_GRACE = 0.5  # seconds for a command that was interrupted just now
_UNMARKED = 3.5  # the same where no marks tell


async def enter(entry: Entry, text: str, args: Arguments) -> tuple[Wait, int]:
    """Type `text`; what to wait for, and from which position. Raises TermaError where it must not be typed."""
    session = entry.session
    timeout = min(float(number(args, "timeout", 30.0)), LONGEST)
    settle = args.get("settle")
    seconds = None if settle is None else number(args, "settle", 0.0) / 1000
    pattern = bool(args.get("wait"))
    await taken(session)
    unchanged(entry, args)
    left = session.draft or (session.phase == IDLE and session.line.text)
    if left and await bare(session):
        left = False
    if session.phase == MORE or left or session.state() == "continuation":
        await cleared(session)
    state = await _rested(session, 0.0 if pattern or seconds is not None else _GRACE, timeout)
    if state == "continuation":  # that it is one has only been seen now
        await cleared(session)
        state = session.state()
    if session.phase == IDLE:
        typed: Typed | None = session.enter(text)
        assert typed is not None
        background = pattern and text.rstrip().endswith("&")
        return Wait(timeout, None if background else typed, seconds, waits=not pattern), typed.position
    if state == "password":
        raise TermaError(
            "the program asks for a password",
            f"the person types it: terma session attach {entry.name}; one that they keep in [sessions.secrets]: "
            f"terma session secret {entry.name} NAME",
        )
    busy = (
        session.kind.marked or not session.look().canonical
    )  # what keeps the terminal in lines may never read
    if state == "unsure" and not pattern and seconds is None:
        raise TermaError(
            f"a command may be running, or ask: {session.standing()[-60:]!r} stands there",
            f"if that is a prompt or a question, terma session send {entry.name} TEXT --enter; else "
            f"terma session read {entry.name} --wait REGEX",
        )
    if state == "running" and not pattern and seconds is None and busy:
        raise TermaError(
            "a command is running",
            f"wait with terma session read {entry.name} --wait REGEX, answer what it asks with "
            f"terma session send {entry.name} TEXT --enter, or stop it with --keys '<C-c>'",
        )
    shells.check(text)
    if session.refused():
        session.type(INTERRUPT)
        await taken(session)
    note = session.type(shells.as_typed(text.rstrip("\n") + "\n", paste=False))
    home = note if session.kind.marked else None
    row = row_before(session.store, note.position)
    return Wait(timeout, home, seconds, waits=not pattern, echo=text, row=row), note.position


def as_asked(keys: bytes, modes: Modes) -> bytes:
    """Keys and mouse in the form that the program asked its terminal for. Raises UsageError where it asked for no
    mouse: it would read that as keys."""
    if keynames.points(keys):
        if not modes.mouse:
            raise UsageError("the program does not ask for the mouse", "use its keys")
        keys = keys if modes.sgr else keynames.older_mouse(keys)
    return keynames.application(keys) if modes.application else keys


def about_line(entry: Entry) -> dict[str, Any]:
    """Where keys would go: what is approved with them. `unentered` was typed and not entered (`sure`: nothing else
    stands there); `cleared`: exec takes it away first; `drawn`: keys go to a screen, line or not; `asks`: what stands
    there ends as a question does. `seen` changes with any of it but these two."""
    session = entry.session
    about = entry.about()
    told = {key: about[key] for key in ("session", "state", "command", "kind", "pid", "cwd")}
    secret = about["state"] == "password"
    line = Draft(sure=False) if secret else session.line
    told |= {"unentered": line.text, "sure": line.sure, "cleared": session.phase in (IDLE, MORE)}
    drawn = entry.drawn or session.modes.alternate
    asks = not drawn and prompts.standing(session.tail()).endswith((":", "?"))
    return told | {"drawn": drawn, "asks": asks, "seen": _seen(entry)}


def unchanged(entry: Entry, args: Arguments) -> None:
    """Raises TermaError where somebody was asked about another line, program or directory than these."""
    if args.get("seen") and args["seen"] != _seen(entry):
        raise TermaError(
            f"session {entry.name} is not as it was when this was approved", "look at it and ask again"
        )


def expected(entry: Entry, args: Arguments) -> None:
    """Raises TermaError where the keys are an answer to a password's prompt, and none stands there."""
    state = entry.session.state()
    if args.get("expects") == "password" and state != "password":
        raise TermaError(f"session {entry.name} asks for no password (state: {state})", "nothing was typed")


def _seen(entry: Entry) -> str:
    session = entry.session
    facts = (entry.tag, entry.about()["cwd"], session.line.text, str(session.line.sure))
    return hashlib.sha256("\0".join(facts).encode("utf-8", "replace")).hexdigest()


async def _rested(session: Session, seconds: float, patience: float) -> str:
    """The state of `session`, when its command has had `seconds` to end: it may just have been interrupted. A login
    has `patience` to come to its prompt.

    A shell that waits has drawn its prompt before, and that may not have been read yet."""
    waits = bool(seconds) and not session.kind.marked
    fresh = waits and not (session.homes or session.rooms)  # nobody has entered anything yet
    if waits:
        seconds = _UNMARKED  # a prompt that is none like others takes that long to be believed
    if seconds and (session.setting_up or fresh):
        seconds = max(min(patience, READY_SECONDS), seconds)
    deadline = time.monotonic() + seconds
    while True:
        state = session.state()
        if state == "needs_input" and session.kind.marked:
            await session.catch_up()
            state = session.state()
        left = deadline - time.monotonic()
        if state != "running" or left <= 0 or not (session.kind.marked or waits):
            return state
        await session.change(min(left, _CALM))
