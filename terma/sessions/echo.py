"""Takes what was typed out of what comes back first: a terminal repeats it, and nobody wants to match or read that."""

from __future__ import annotations

from terma.sessions.texts import behind
from terma.text import strip_ansi

_MOST = 64 * 1024  # bytes that are held back to see whether they are an echo


class Echo:
    """Drops the first line of `typed` where the output begins with it, however a line editor wrapped or drew it behind
    `row`, what stands before it."""

    def __init__(self, typed: str, row: bytes = b"") -> None:
        self._row = row
        self._awaited = "".join(typed.strip().partition("\n")[0].split())
        self._held = b""

    def filter(self, data: bytes) -> bytes:
        """What of `data`, and of what was held back before, is output for certain."""
        if not self._awaited:
            return data
        self._held += data
        texts = _drawn(self._held, self._row)
        if any(text.startswith(self._awaited) for text in texts):
            end = self._end()
            if end < 0:
                return b""  # its line goes on
            self._held = self._held[end:]
        elif len(self._held) < _MOST and any(map(self._awaited.startswith, texts)):
            return b""
        return self.rest()

    def rest(self) -> bytes:
        """End of the stream: what was held back."""
        held, self._held, self._awaited = self._held, b"", ""
        return held

    def _end(self) -> int:
        """Behind the first newline that has the whole echo before it; -1 when there is none yet."""
        at = self._held.find(b"\n")
        while at >= 0:
            if any(text.startswith(self._awaited) for text in _drawn(self._held[:at], self._row)):
                return at + 1
            at = self._held.find(b"\n", at + 1)
        return -1


def _drawn(data: bytes, row: bytes) -> tuple[str, ...]:
    """What a line editor has drawn, without blanks: as it came, for one that wraps its lines itself; as it looks, for
    one that goes back over what it has drawn (fish, zsh)."""
    text = "".join(strip_ansi(data.decode("utf-8", "replace")).split())
    if b"\x1b" not in data and b"\b" not in data:
        return (text,)
    return text, "".join(behind(row, data).split())
