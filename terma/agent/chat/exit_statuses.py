"""What an exit status means, where that is asked: what shells agree on, and no more."""

from __future__ import annotations

import re
import signal

_MEANING = re.compile(
    r"(?i)^\W*(?:what(?:'s| is| does| do)?|explain|the)\b(?: the)?(?: meaning of)?(?: an?| the)?"
    r" (?:(?:exit|return)(?:[ -]?(?:code|status|value))?|status)"
    r" (?:of )?(\d{1,3})(?: (?!do\b)[a-z]+){0,3}\W*\Z"
)


def told(question: str) -> str:
    """Markdown, or "" where that is not asked."""
    found = _MEANING.search(question)
    return meaning(int(found[1])) if found else ""


def meaning(status: int) -> str:
    """What shells agree on of an exit status, and no more."""
    if status == 0:
        return "Exit status 0: it worked."
    if status == 126:
        return "Exit status 126: a shell's word for a program that was found and could not be run."
    if status == 127:
        return "Exit status 127: a shell's word for a command that was not found."
    if status > 128 and (status - 128) in set(signal.Signals):
        name = signal.Signals(status - 128).name
        return f"Exit status {status}: of a shell, that the signal {name} ended the command (128 + {status - 128})."
    if status > 255:
        return "An exit status is at most 255."
    return (
        f"Exit status {status}: it did not work. What {status} stands for each program says itself"
        " (`EXIT STATUS` in its manual page)."
    )
