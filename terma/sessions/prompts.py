"""Reads from the line that stands last whether a program waits there, where its process cannot tell: what relays (ssh,
script, docker) reads the terminal all the time, whether or not the far end does.
"""

from __future__ import annotations

import math
import re
from dataclasses import dataclass

from terma.output import plain
from terma.sessions.homes import Homes
from terma.sessions.probe import BUSY, READING, RELAYING, UNKNOWN, Look

TAIL = 4096  # bytes that are looked at
# seconds of quiet behind a prompt seen before, a likely one, any line, and a line of which nobody can tell
_KNOWN, _LIKELY, _ODD, _UNSURE = 0.3, 1.0, 2.0, 3.0
_SHELL = re.compile(r"[$#%>❯➜»λ]\Z")
_LIKE = re.compile(r"[$#%>❯➜»λ:?)\]}]\Z")
_SECRET = re.compile(r"\b(?:pass(?:word|phrase|code)|pin|verification code)\b.{0,120}:\Z", re.I)
_ADDRESSED = re.compile(rb"\x1b\[(?:\d+;\d+)?H")


@dataclass(frozen=True, slots=True)
class There:
    """What stands at the far side. `tail`: the end of what was printed; `quiet`: seconds since; `answered`: something
    was printed since something was typed; `paste`: a line editor is at its prompt, where it asks for that at all;
    `marked`: the far end says itself when a command has ended, so that its prompt need not be guessed. Of an alternate
    screen, on which it may show another terminal (tmux): `row`, what stands before the cursor; `rooms`, the prompts of
    shells at which something was entered there; `released`, whether `paste` is passed on from that terminal."""

    tail: bytes
    quiet: float
    homes: Homes
    answered: bool = True
    paste: bool = False
    alternate: bool = False
    marked: bool = False
    row: str = ""
    rooms: Homes | None = None
    released: bool = False


def standing(tail: bytes) -> str:
    """The unfinished line at the end of `tail`, as it looks; "" behind a newline and where it is drawn over."""
    line = tail[tail.rfind(b"\n") + 1 :]
    if line.endswith(b"\r"):
        return ""
    return plain(line.decode("utf-8", "replace")).rstrip().rpartition("\n")[2]


def is_shells(line: str) -> bool:
    """Whether the line ends as the prompts of shells do."""
    return bool(_SHELL.search(line))


def asks_secret(line: str) -> bool:
    """Whether the line asks for what is not shown."""
    return bool(_SECRET.search(line))


def shell_waits(tail: bytes, look: Look, quiet: float, paste: bool = False) -> bool:
    """Whether a shell that nobody has typed to yet stands at its first prompt: not a login's question before it. With
    an empty prompt its line editor tells (`paste`), and where it has none, that the program itself reads lines."""
    line = standing(tail)
    if asks_secret(line) or (look.canonical and not look.echo):
        return False
    if paste and not look.canonical:
        return quiet >= _KNOWN
    if not line:
        return look.leader and look.doing == READING and look.canonical and quiet >= _LIKELY
    if _SHELL.search(line):
        return quiet >= (_KNOWN if look.doing != "reading" else 0.1)
    return not look.canonical and not line.endswith((":", "?")) and quiet >= _ODD


def waits(look: Look, there: There) -> str:
    """ "password", "needs_input", "unsure" or "": as the process tells, and as the last line does where that is not
    enough."""
    if look.relays or look.doing in (UNKNOWN, BUSY):
        return _far(look, there)
    if look.waits != "needs_input" or not look.patient or there.alternate or _ADDRESSED.search(there.tail):
        return look.waits
    return "needs_input" if standing(there.tail) else ""


def _far(look: Look, there: There) -> str:
    if look.waits == "password" or (look.canonical and look.doing != UNKNOWN):
        return look.waits
    if there.alternate:
        return _drawn(there) if look.doing == RELAYING else ""
    line = standing(there.tail)
    if asks_secret(line):
        return "password" if there.quiet >= _LIKELY else ""
    if there.answered and there.quiet >= _patience(line, there):
        return "needs_input"
    likely = _LIKE.search(line) or not (there.homes or there.marked)
    return "unsure" if line and likely and there.quiet >= _UNSURE else ""


def _drawn(there: There) -> str:
    """A full-screen program far away reads keys at all times. One that shows a line editor or a shell's prompt, at
    which something was entered, waits when that is back."""
    unknown = not there.rooms and not there.released
    known = there.rooms and there.answered and there.rooms.know(there.row, there.paste)
    if unknown or known or (there.released and there.paste):
        return "needs_input" if there.quiet >= _KNOWN else ""
    return "unsure" if there.row and there.quiet >= _UNSURE else ""


def _patience(line: str, there: There) -> float:
    """Seconds of quiet after which the far side waits for sure. A command that runs may write such a line as well and
    work on, so one that is not known is none, but before anything was entered: then a shell's is its first prompt."""
    if there.paste or (line and there.homes.know(line, there.paste)):
        return _KNOWN
    first = not there.homes and not there.marked
    return _LIKELY if first and _SHELL.search(line) else math.inf
