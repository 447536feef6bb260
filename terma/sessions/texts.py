"""Turns output into text while it comes, so that a flood's last byte does not wait for its first: what the time that
was waited anyway can do is not done behind it.
"""

from __future__ import annotations

import re

from terma.output import plain
from terma.text import StreamSanitizer

_MOVES = re.compile("[\x00-\x08\x0b-\x1a\x1c-\x1f\x7f-\x9f]|\x1b(?!\\[[0-9;:]*m)")
_COLOUR = re.compile("\x1b\\[[0-9;:]*m")
# What a shell's prompt is full of and what leaves nothing: modes, titles and marks; a return where the line begins.
_MODE = re.compile(
    "\x1b\\[\\?(?!(?:[0-9;]*;)?(?:1049|1047|47)(?:;|[hl]))[0-9;]*[hl]|\x1b\\][^\x00-\x1f\x7f-\x9f]*(?:\x07|\x1b\\\\)"
)
_AT_BEGIN = re.compile("^\r+", re.M)


class Texts:
    """What `plain` makes of all that was fed. Lines in which nothing but colours is obeyed are made ready as they
    come; behind anything else, which may reach back to them, all is made at the end."""

    def __init__(self) -> None:
        self.raw = bytearray()
        self._made: list[str] | None = []
        self._at = 0  # up to which byte lines were made ready
        self._clean = StreamSanitizer()

    def __call__(self, data: bytes) -> None:
        last = len(self.raw) + data.rfind(b"\n") + 1
        self.raw += data
        if self._made is None or b"\n" not in data:
            return
        made = self._lines(self.raw[self._at : last].decode("utf-8", "replace"))
        self._at = last
        if made is None:
            self._made = None
        else:
            self._made.append(made)

    def text(self) -> str:
        """All of it."""
        if self._made is None:
            return plain(self.raw.decode("utf-8", "replace"))
        rest = self._lines(self.raw[self._at :].decode("utf-8", "replace"))
        if rest is None:
            return plain(self.raw.decode("utf-8", "replace"))
        return "".join([*self._made, rest])

    def _lines(self, text: str) -> str | None:
        """None where something moves the cursor."""
        text = text.replace("\r\n", "\n")
        if "\x1b" in text and ("\x1b[?" in text or "\x1b]" in text):
            text = _AT_BEGIN.sub("", _MODE.sub("", _COLOUR.sub("", text)))
        if _MOVES.search(text):
            return None
        if "\x1b" in text:
            text = _COLOUR.sub("", text)
        if not text.isascii() or " \n" in text or "\t\n" in text:
            text = "\n".join(line.rstrip() for line in text.split("\n"))
        return self._clean.feed(text)
