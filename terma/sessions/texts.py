"""Turns output into text while it comes, so that a flood's last byte does not wait for its first: what the time that
was waited anyway can do is not done behind it.
"""

from __future__ import annotations

import re

from terma.output import plain
from terma.output.cells import width
from terma.text import StreamSanitizer

_MOVES = re.compile("[\x00-\x08\x0b-\x1a\x1c-\x1f\x7f-\x9f]|\x1b(?!\\[[0-9;:]*m)")
_COLOUR = re.compile("\x1b\\[[0-9;:]*m")
# What a shell's prompt is full of and what leaves nothing: modes, titles and marks; a return where the line begins.
_MODE = re.compile(
    "\x1b\\[\\?(?!(?:[0-9;]*;)?(?:1049|1047|47)(?:;|[hl]))[0-9;]*[hl]|\x1b\\][^\x00-\x1f\x7f-\x9f]*(?:\x07|\x1b\\\\)"
)
_AT_BEGIN = re.compile("^\r+", re.M)

_STANDING = "\ue000"  # a cell of a row that nothing printed since has touched


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

    def text(self, row: bytes = b"") -> str:
        """All of it. `row` is what stood before it in the row where it begins."""
        if self._made is None:
            return behind(row, bytes(self.raw))
        rest = self._lines(self.raw[self._at :].decode("utf-8", "replace"))
        if rest is None:
            return behind(row, bytes(self.raw))
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


def behind(row: bytes, data: bytes) -> str:
    """The text of `data`, which was printed where `row` stood already: what moves the cursor counts from the row's
    beginning, which is not shown unless something was drawn over it."""
    said = data.decode("utf-8", "replace")
    if not row:
        return plain(said)
    before = row.decode("utf-8", "replace")
    stood = _STANDING * sum(map(width, plain(before + _STANDING)[:-1]))
    text = plain(stood + said)
    return text[len(stood) :] if text.startswith(stood) else plain(before + said)
