"""Reads from the line that stands last whether a program waits there, where its process cannot tell: what relays (ssh,
script, docker) reads the terminal all the time, whether or not the far end does.
"""

from __future__ import annotations

import re

from terma.output import plain
from terma.sessions.probe import BUSY, RELAYING, UNKNOWN, Look

TAIL = 4096  # bytes that are looked at
_KNOWN, _LIKELY, _ODD = 0.3, 1.0, 2.0  # seconds of quiet behind a prompt seen before, a likely one, any line
_SHELL = re.compile(r"[$#%>❯➜»λ]\Z")
_LIKE = re.compile(r"[$#%>❯➜»λ:?)\]}]\Z")
_SECRET = re.compile(r"\b(?:pass(?:word|phrase|code)|pin|verification code)\b.{0,120}:\Z", re.I)
_ADDRESSED = re.compile(rb"\x1b\[(?:\d+;\d+)?H")


def standing(tail: bytes) -> str:
    """The unfinished line at the end of `tail`, as it looks; "" behind a newline and where it is drawn over."""
    line = tail[tail.rfind(b"\n") + 1 :]
    if line.endswith(b"\r"):
        return ""
    return plain(line.decode("utf-8", "replace")).rstrip()


def patience(line: str, home: str) -> float | None:
    """Seconds of quiet after which `line` counts as a prompt; None for one that is none. `home` is the line at which
    a command was typed before, "" while there was none."""
    if not line:
        return None
    if home and (line == home or (_LIKE.search(line) and line[-1] == home[-1])):
        return _KNOWN
    if _LIKE.search(line):
        return _LIKELY
    return None if _LIKE.search(home) else _ODD


def asks_secret(line: str) -> bool:
    """Whether the line asks for what is not shown."""
    return bool(_SECRET.search(line))


def shell_waits(tail: bytes, look: Look, quiet: float) -> bool:
    """Whether a shell that nobody has typed to yet stands at its first prompt: not a login's question before it."""
    line = standing(tail)
    if not line or asks_secret(line) or (look.canonical and not look.echo):
        return False
    if _SHELL.search(line):
        return quiet >= (_KNOWN if look.doing != "reading" else 0.1)
    return not look.canonical and not line.endswith((":", "?")) and quiet >= _ODD


def waits(look: Look, tail: bytes, home: str, quiet: float, *, marked: bool, alternate: bool) -> str:
    """ "password", "needs_input" or "": as the process tells, and as the last line does where that is not enough.

    `marked`: the far end says itself when a command has ended, so that no prompt has to be guessed."""
    if look.relays or look.doing in (UNKNOWN, BUSY):
        return _far(look, tail, home, quiet, marked, alternate)
    if look.waits != "needs_input" or not look.patient or alternate or _ADDRESSED.search(tail):
        return look.waits
    return "needs_input" if standing(tail) else ""


def _far(look: Look, tail: bytes, home: str, quiet: float, marked: bool, alternate: bool) -> str:
    if look.waits == "password" or (look.canonical and look.doing != UNKNOWN):
        return look.waits
    if alternate:
        return "needs_input" if look.doing == RELAYING and quiet >= _KNOWN else ""
    line = standing(tail)
    if asks_secret(line):
        return "password" if quiet >= _LIKELY else ""
    enough = None if marked else patience(line, home)
    return "needs_input" if enough is not None and quiet >= enough else ""
