"""Takes secrets out of what is written to disk: each becomes stars of its own length, so that offsets stay true.

A terminal's stream cuts words: colours stand between their letters, and a line editor wraps them. Secrets are looked
for in the text without that, and starred where they stand in the stream. What finds them is imported with the first
line for a file: a session in memory has none.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from terma.text import strip_ansi

if TYPE_CHECKING:
    from terma.redact import Redacted
    from terma.redact.find import Places

_CODEC = ("utf-8", "surrogateescape")
_BEFORE = 300  # characters of earlier lines: a name there gives away a value here


class Masker:
    """Masks one stream, given in whole lines."""

    def __init__(self) -> None:
        self._before = ""

    def __call__(self, lines: bytes) -> bytes:
        """`lines` with their secrets as stars. Its length is the same."""
        from terma.redact.find import without_noise

        text = lines.decode(*_CODEC)
        clean, places = without_noise(text)
        secrets = _redacted(self._before + clean).secrets
        self._before = (self._before + clean)[-_BEFORE:]
        if not secrets:
            return lines
        return _starred(text, clean, places, list(secrets.values())).encode(*_CODEC)


def whole_until(lines: bytes) -> int:
    """How much of `lines` can be masked now: of a private key nothing before its end has come, within a bound."""
    from terma.redact.blocks import LIMIT
    from terma.redact.stream import settled

    if len(lines) > LIMIT:
        return len(lines)
    return settled(lines.decode("latin-1"))  # a character is a byte


def _starred(text: str, clean: str, places: Places, secrets: list[str]) -> str:
    result = list(text)
    for secret in sorted(secrets, key=len, reverse=True):
        at = clean.find(secret)
        while at >= 0:
            for place in map(places.__getitem__, range(at, at + len(secret))):
                if text[place] != "\n":
                    result[place] = "*" * len(text[place].encode(*_CODEC))
            at = clean.find(secret, at + len(secret))
    return "".join(result)


def masked_line(text: str) -> str:
    """One line for a file, such as a command line: no secrets, no control characters."""
    return " ".join(_redacted(strip_ansi(text)).text.split())


def _redacted(text: str) -> Redacted:
    from terma.redact import redact

    return redact(text)
