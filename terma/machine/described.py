"""What a mode of a file says, in words."""

from __future__ import annotations

import re

_WHO = ("the owner", "the group", "everyone else")
_SPECIAL = (
    (4, "runs as its owner"),
    (2, "runs as its group"),
    (1, "only its owner may delete what lies in it"),
)


def mode(program: str, word: str) -> str:
    """What a mode of chmod or umask says, in words: 755 lets the owner read, write and execute, …"""
    if program not in ("chmod", "umask", "mkdir", "install") or not re.fullmatch(r"[0-7]{3,4}", word):
        return ""
    digits = [int(digit) for digit in word[-3:]]
    if program == "umask":
        taken = ", ".join(f"{who} {_may(digit)}" for who, digit in zip(_WHO, digits, strict=True) if digit)
        return f"a new file is without: {taken or 'nothing'}"
    said = "; ".join(f"{who} may {_may(digit)}" for who, digit in zip(_WHO, digits, strict=True))
    letters = "".join(
        (f"{'r' if d & 4 else '-'}{'w' if d & 2 else '-'}{'x' if d & 1 else '-'}") for d in digits
    )
    extra = [name for bit, name in _SPECIAL if len(word) == 4 and int(word[0]) & bit]
    return f"{letters}: {said}" + (f"; {', '.join(extra)}" if extra else "")


def _may(digit: int) -> str:
    rights = [name for bit, name in ((4, "read"), (2, "write"), (1, "execute")) if digit & bit]
    return " and ".join(filter(None, (", ".join(rights[:-1]), rights[-1]))) if rights else "do nothing"
