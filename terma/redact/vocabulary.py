"""The different words of a text: most of what is looked for in it is ruled out by them, in a fraction of the time."""

from __future__ import annotations

import re

_WORDS, _LETTERS = (
    bytes(byte if byte in kept else 32 for byte in range(256))
    for kept in (b"abcdefghijklmnopqrstuvwxyz0123456789_-", b"abcdefghijklmnopqrstuvwxyz")
)
_RUN = re.compile(rb"[a-z]+")


class Vocabulary:
    """Of `text`, in lower case (`low`, as long as `text`): `words` are its runs of ASCII letters, digits, _ and -, and
    `letters` its different runs of letters alone, a space around each. `plain`: no letter of it became an ASCII one."""

    __slots__ = ("letters", "low", "plain", "words")

    def __init__(self, text: str) -> None:
        self.plain = "\u0130" not in text and "\u212a" not in text
        self.low = text.replace(
            "\u0130", "i"
        ).lower()  # the one character whose lower case is longer than itself
        self.words = frozenset(self.low.encode("ascii", "replace").translate(_WORDS).split())
        runs = set(b" ".join(self.words).translate(_LETTERS).split())
        self.letters = b" %b " % b" ".join(runs)


def piece_of(literal: str) -> bytes:
    """The longest run of letters in `literal`, with a space where it ends within it: a text that holds `literal`, in
    any case, has this in its `letters`."""
    low = literal.lower().encode()
    runs = [b" " * (run.start() > 0) + run[0] + b" " * (run.end() < len(low)) for run in _RUN.finditer(low)]
    return max(runs, key=len, default=b"")
