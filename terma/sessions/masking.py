"""Takes secrets out of what is written to disk: each becomes stars of its own length, so that offsets stay true.

A terminal's stream cuts words: colours stand between their letters, and a line editor wraps them. Secrets are looked
for in the text without that, and starred where they stand in the stream.
"""

from __future__ import annotations

import re

from terma.redact import redact
from terma.text import strip_ansi

_CODEC = ("utf-8", "surrogateescape")
_NOISE = re.compile(
    "(?:\x1b\\[|\x9b)[\x20-\x3f]*[@-~]"
    "|\x1b[\\]PX^_][^\x07\x1b]*(?:\x07|\x1b\\\\)?"
    "|\x1b[ -/]*[0-~]"
    "| \r(?!\n)"  # how a line editor makes the terminal wrap
    "|[\x00-\x08\x0b-\x1f\x7f]"
)
_BEFORE = 300  # characters of earlier lines: a name there gives away a value here
_LONGEST_KEY = 64 * 1024  # bytes that a private key may have
_BEGIN, _END = b"-----BEGIN ", b"-----END "


class Masker:
    """Masks one stream, given in whole lines."""

    def __init__(self) -> None:
        self._before = ""

    def __call__(self, lines: bytes) -> bytes:
        """`lines` with their secrets as stars. Its length is the same."""
        text = lines.decode(*_CODEC)
        clean = _NOISE.sub("", text)
        hidden = redact(self._before + clean)
        self._before = clean[-_BEFORE:]
        if not hidden.secrets:
            return lines
        return _starred(text, list(hidden.secrets.values())).encode(*_CODEC)


def whole_until(lines: bytes) -> int:
    """How much of `lines` can be masked now: a private key whose end has not come waits for it, within a bound."""
    begin = lines.rfind(_BEGIN)
    if begin < 0 or lines.find(_END, begin) >= 0 or len(lines) - begin > _LONGEST_KEY:
        return len(lines)
    return lines.rfind(b"\n", 0, begin) + 1


def masked_line(text: str) -> str:
    """One line for a file, such as a command line: no secrets, no control characters."""
    return " ".join(redact(strip_ansi(text)).text.split())


def _starred(text: str, secrets: list[str]) -> str:
    places: list[int] = []  # of each character of the clean text in `text`
    at = 0
    for noise in _NOISE.finditer(text):
        places += range(at, noise.start())
        at = noise.end()
    places += range(at, len(text))
    clean = "".join([text[place] for place in places])
    result = list(text)
    for secret in sorted(secrets, key=len, reverse=True):
        at = clean.find(secret)
        while at >= 0:
            for place in places[at : at + len(secret)]:
                if text[place] != "\n":
                    result[place] = "*" * len(text[place].encode(*_CODEC))
            at = clean.find(secret, at + len(secret))
    return "".join(result)
