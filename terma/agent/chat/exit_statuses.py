"""Questions how what was run has ended: answered from the statuses that are known, and from nothing else."""

from __future__ import annotations

import re
import signal
from collections.abc import Sequence

from terma.text import one_line

Ended = tuple[str, int]  # a command and its exit status; below 0 where that is not known
MOST = 10  # commands that are told

_BEFORE = r"(?i)^\W*(?:(?:and|so|but|ok(?:ay)?|please|tell me|do you know),? )*"
_IT = (
    r"(?:it|that|this|(?:the|my|that|this)(?: (?:last|previous|latest))? (?:command|one|line)"
    r"|(?:everything|all)(?: of (?:it|that))?)"
)
_NOW = r"(?: (?:just now|just|now|really|actually|all right|alright|here|then|at all|or not))*\W*\Z"
_LAST = re.compile(
    rf"{_BEFORE}(?:"
    rf"what(?:'s| is| was)? (?:the |its )?(?:exit|return|status)(?:[ -]?(?:status|code|value))(?: (?:was|is))?"
    rf"(?: (?:of|from|for) {_IT})?(?: again)?"
    rf"|(?:did|has|have|does) {_IT} (?:just )?(?:works?|worked|succeed(?:ed)?|fail(?:ed)?"
    r"|go(?:ne)? (?:well|wrong|through|ok(?:ay)?)"
    r"|(?:end|finish|complete)(?:ed|d)?(?: (?:well|ok(?:ay)?|successfully))?)"
    rf"|(?:was|is) {_IT} (?:successful|a success|a failure|ok(?:ay)?|fine)"
    rf"|how did {_IT} (?:go|end|turn out|finish)"
    rf"|(?:what|which)(?: (?:exit )?(?:status|code))? did {_IT} (?:exit with|end with|return)"
    rf"){_NOW}"
)
_FAILED = re.compile(
    rf"{_BEFORE}(?:"
    r"(?:what|which)(?: else| all)?(?: ones?| commands?| of (?:them|these|those|it|(?:my|the|these|those) commands?))*"
    r"(?: has| have| did| had| was| were| that)*(?: (?:not|n't))?(?: just| already)?"
    r" (?:fail(?:ed)?|(?<=not )work(?:ed)?)"
    r"|(?:did|has|have) (?:anything|something|any(?: (?:commands?|of (?:them|these|those|(?:my|the) commands)))?)"
    r" fail(?:ed)?"
    r")(?: (?:so far|here|before(?: that)?|earlier|today|yet|already))*\W*\Z"
)


_MEANING = re.compile(
    r"(?i)^\W*(?:what(?:'s| is| does| do)?|explain|the)\b(?: the)?(?: meaning of)?(?: an?| the)?"
    r" (?:(?:exit|return)(?:[ -]?(?:code|status|value))?|status)"
    r" (?:of )?(\d{1,3})(?: [a-z]+){0,3}\W*\Z"
)


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


def told(question: str, known: Sequence[Ended]) -> str:
    """Markdown, or "" where that is not asked, or nothing is known that could be told. `known`: the oldest first."""
    if found := _MEANING.search(question):
        return meaning(int(found[1]))
    if not known:
        return ""
    if _FAILED.search(question):
        failed = [one for one in known if one[1] > 0]
        if failed:
            return "\n".join(f"- {ended(*one)}" for one in failed[-MOST:])
        return "None that is known here, of those whose exit status is known."
    return ended(*known[-1]) if _LAST.search(question) else ""


def ended(command: str, status: int) -> str:
    """How a command went, in a sentence."""
    name = f"`{one_line(command, 200)}`"
    if status < 0:
        return f"How {name} ended is not known."
    return f"{name} worked: exit status 0." if status == 0 else f"{name} ended with exit status {status}."
