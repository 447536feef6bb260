"""Takes what was typed out of what comes back first: a terminal repeats it, and nobody wants to match or read that."""

from __future__ import annotations

from terma.text import strip_ansi

_MOST = 64 * 1024  # bytes that are held back to see whether they are an echo


class Echo:
    """Drops the first line of `typed` where the output begins with it, however a line editor wrapped it."""

    def __init__(self, typed: str) -> None:
        self._awaited = "".join(typed.strip().partition("\n")[0].split())
        self._held = b""

    def filter(self, data: bytes) -> bytes:
        """What of `data`, and of what was held back before, is output for certain."""
        if not self._awaited:
            return data
        self._held += data
        text = _drawn(self._held)
        if len(text) < len(self._awaited) and self._awaited.startswith(text) and len(self._held) < _MOST:
            return b""
        if text.startswith(self._awaited):
            end = self._end()
            if end < 0:
                return b""  # its line goes on
            self._held = self._held[end:]
        return self.rest()

    def rest(self) -> bytes:
        """End of the stream: what was held back."""
        held, self._held, self._awaited = self._held, b"", ""
        return held

    def _end(self) -> int:
        """Behind the first newline that has the whole echo before it; -1 when there is none yet."""
        at = self._held.find(b"\n")
        while at >= 0:
            if _drawn(self._held[:at]).startswith(self._awaited):
                return at + 1
            at = self._held.find(b"\n", at + 1)
        return -1


def _drawn(data: bytes) -> str:
    """What a line editor has drawn, without blanks: zsh's goes back over a character to draw it once more."""
    text = strip_ansi(data.decode("utf-8", "replace"))
    if "\b" in text:
        drawn: list[str] = []
        for char in text:
            if char != "\b":
                drawn.append(char)
            elif drawn:
                drawn.pop()
        text = "".join(drawn)
    return "".join(text.split())
