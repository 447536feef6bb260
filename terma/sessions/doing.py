"""What the program of a session is doing: whether it runs, waits for somebody and for what, or stands at its prompt."""

from __future__ import annotations

from typing import TYPE_CHECKING

from terma.sessions import prompts
from terma.sessions.probe import Look

if TYPE_CHECKING:
    from terma.sessions.session import Session

# Seconds without a sign from a command that was entered far away, whose line editor says that it is there (less than
# makes a line editor count as one that waits for another command), or nothing.
_STILL_EDITED, _NO_START_FAR = 0.25, 3.0
STARTING, IDLE, TYPED, RUNNING, MORE, EXITED = "starting", "idle", "typed", "running", "more", "exited"


def waits(session: Session, seen: Look) -> str:
    """Whether what `seen` shows waits for somebody: password, needs_input, unsure (nobody can tell) or ""."""
    if seen.leader and session.kind.marked and not (session.kind.far or session.setting_up):
        return seen.waits
    marked = session.kind.far and seen.leader and session.ends > 0
    if session.setting_up and (
        at_line_editor(session, seen) or prompts.shell_waits(session.tail(), seen, 60.0, session.modes.paste)
    ):
        return ""
    there = prompts.There(
        session.tail(),
        session.quiet(),
        session.homes,
        answered=session.last_output >= session.last_input,
        paste=session.modes.paste,
        alternate=session.modes.alternate,
        marked=marked,
        row=session.row() if session.modes.alternate and seen.relays else "",
        rooms=session.rooms,
        released=session.modes.released,
    )
    return prompts.waits(seen, there)


def at_line_editor(session: Session, seen: Look) -> bool:
    """Whether a shell that was started here, and can be looked at, reads keys: it stands at its prompt, however that
    looks."""
    return session.late and seen.leader and seen.waits == "needs_input" and not seen.canonical


def goes_on(session: Session, seen: Look) -> bool:
    """Whether what was entered is no whole command: fish goes on to the next line without a mark."""
    if session.phase != TYPED or not session.kind.pastes or not seen.leader or seen.waits != "needs_input":
        return False
    at_editor = session.modes.paste and session.last_output >= session.last_input
    return not session.kind.far or session.quiet() >= (_STILL_EDITED if at_editor else _NO_START_FAR)


def state(session: Session) -> str:
    """idle, running, needs_input, unsure, password, continuation or exited."""
    if session.phase in (IDLE, EXITED):
        return session.phase
    if session.phase == MORE:
        return "continuation"
    seen = session.look()
    if goes_on(session, seen):
        return "continuation"
    return waits(session, seen) or "running"
