"""Tells what a terminal answers to a program's questions from what a person types: late answers are nobody's keys.

Sources: xterm's ctlseqs (DA, DSR, DECRQM, OSC colours, XTGETTCAP, window reports); the kitty keyboard protocol.
"""

from __future__ import annotations

import re

_QUESTION = re.compile(
    rb"\x1b\[[>=?]?[0-9;]*[cn]"  # what are you, where is the cursor
    rb"|\x1b\[\?[0-9;]*\$p|\x1b\[\?u|\x1b\[>[0-9]*q"  # modes, keyboard, version
    rb"|\x1b\[(?:1[1-9]|2[01])t"  # the window
    rb"|\x1b\][0-9;]*\?(?:\x07|\x1b\\)|\x1bP[+$]q"  # colours, capabilities
)
_ANSWER = re.compile(
    rb"\x1b\[[>=?][0-9;]*c|\x1b\[\??[0-9]+;[0-9;]*R|\x1b\[\?[0-9;]*n|\x1b\[0n"
    rb"|\x1b\[\?[0-9;]*\$y|\x1b\[\?[0-9]*u|\x1b\[[0-9]+(?:;[0-9]+)*t"
    rb"|\x1b\][^\x07\x1b]*(?:\x07|\x1b\\)|\x1bP[^\x1b]*\x1b\\"
)


def asks(written: bytes) -> bool:
    """Whether a terminal answers to any of this."""
    return b"\x1b" in written and _QUESTION.search(written) is not None


def without_answers(typed: bytes) -> bytes:
    """The keys among what came from a terminal."""
    return _ANSWER.sub(b"", typed)
