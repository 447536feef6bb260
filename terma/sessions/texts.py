"""Turns output into text while it comes, so that a flood's last byte does not wait for its first: what the time that
was waited anyway can do is not done behind it.
"""

from __future__ import annotations

import re
from codecs import getincrementaldecoder

from terma.output import plain
from terma.output.cells import width
from terma.output.drawing import Drawing
from terma.sessions.modes import ENTERED
from terma.text import StreamSanitizer

_MOVES = re.compile("[\x00-\x08\x0b-\x1a\x1c-\x1f\x7f-\x9f]|\x1b(?!\\[[0-9;:]*m)")
_COLOUR = re.compile("\x1b\\[[0-9;:]*m")
# What reaches another row, or further to the right than a cell for each character of it.
_FAR = re.compile(
    "\x1b(?!\\[(?:[0-9;:]*m|[0-2]?K|[0-9]{0,2}[DPX]|[01]?G|[0-9]?C))"
    "|[\x00-\x06\x0b\x0c\x0e-\x1a\x1c-\x1f\x7f-\x9f]"
)
_OPEN = re.compile("\x1b(?:\\[[0-?]*[ -/]*|[\\]PX^_][^\x07\x18\x1a\x1b\x9c]*)?\\Z")  # a sequence that goes on
# What a shell's prompt is full of and what leaves nothing: modes, titles and marks; a return where the line begins.
_MODE = re.compile(
    "\x1b\\[\\?(?!(?:[0-9;]*;)?(?:1049|1047|47)(?:;|[hl]))[0-9;]*[hl]|\x1b\\][^\x00-\x1f\x7f-\x9f]*(?:\x07|\x1b\\\\)"
)
_AT_BEGIN = re.compile("^\r+", re.M)
_LONG = 64 * 1024  # bytes
_STANDING = "\ue000"  # a cell of a row that nothing printed since has touched


class Texts:
    """What `plain` makes of all that was fed. Lines in which the cursor stays in its row (colours, a progress bar) are
    made ready as they come; from the first on in which it leaves that, everything is drawn as it comes."""

    def __init__(self, row: bytes = b"") -> None:
        """`row` is what stood before it in the row where it begins."""
        self.raw = bytearray()
        self._at = 0  # up to which byte it was made ready
        self._made: list[str] = []
        self._clean = StreamSanitizer()
        self._drawn: _Drawn | None = None
        self.stands(row)

    def stands(self, row: bytes) -> None:
        """The same, said before anything is fed. ENTERED: it begins on the alternate screen, of which nothing stays."""
        self._row = row
        if row == ENTERED:
            self._draw()

    def __call__(self, data: bytes) -> None:
        last = len(self.raw) + data.rfind(b"\n") + 1
        self.raw += data
        if self._drawn is not None:
            self._drawn.feed(data)
        elif b"\n" in data:
            if not self._at:
                self._begin()
            made = self._lines(self.raw[self._at : last].decode("utf-8", "replace"))
            self._at = last
            if made is None:
                self._draw()
            else:
                self._made.append(made)
        elif len(self.raw) - self._at > _LONG and _MOVES.search(data.decode("latin-1")):
            self._draw()

    def text(self) -> str:
        """All of it. Nothing more may come."""
        if self._drawn is None:
            rest = _OPEN.sub("", self.raw[self._at :].decode("utf-8", "replace"))
            made = None if not self._at and _MOVES.search(rest) else self._lines(rest, whole=False)
            if made is not None:
                return "".join([*self._made, made]).rstrip(" \t\n" if self._made else "")
            self._draw()
        assert self._drawn is not None
        return self._drawn.text()

    def _draw(self) -> None:
        self._drawn = _Drawn(self._row)
        for at in range(0, len(self.raw), _LONG):
            self._drawn.feed(self.raw[at : at + _LONG])
        self._made = []

    def _begin(self) -> None:
        """A first line that is drawn: how it looks depends on what stood in its row."""
        first = bytes(self.raw[: self.raw.index(b"\n") + 1])
        told = first.removesuffix(b"\n").rstrip(b"\r").decode("utf-8", "replace")
        if _MOVES.search(told) and not _FAR.search(told):
            self._made.append(behind(self._row, first + _STANDING.encode())[:-1])
            self._at = len(first)

    def _lines(self, text: str, whole: bool = True) -> str | None:
        """None where something moves the cursor to another row. `whole`: behind them it stands where a row begins."""
        text = text.replace("\r\n", "\n")
        if "\x1b" in text and ("\x1b[?" in text or "\x1b]" in text):
            text = _AT_BEGIN.sub("", _MODE.sub("", _COLOUR.sub("", text)))
        if _MOVES.search(text):
            if _FAR.search(text):
                return None
            return self._clean.feed(plain(text + _STANDING)[:-1] if whole else plain(text))
        if "\x1b" in text:
            text = _COLOUR.sub("", text)
        if not text.isascii() or " \n" in text or "\t\n" in text:
            text = "\n".join(line.rstrip() for line in text.split("\n"))
        return self._clean.feed(text)


class _Drawn:
    """What is drawn behind `row`, while it comes: behind cells that nobody prints, and, where those do not last, behind
    the row itself."""

    def __init__(self, row: bytes) -> None:
        self._stood = "" if row == ENTERED else _stood(row)
        self._drawings = [Drawing() for _ in range(2 if self._stood else 1)]
        self._feed(*([self._stood] if self._stood else []), row.decode("utf-8", "replace"))
        self._decode = getincrementaldecoder("utf-8")("replace").decode

    def feed(self, data: bytes | bytearray, end: bool = False) -> None:
        text = self._decode(bytes(data), end)
        self._feed(text, text)

    def _feed(self, *texts: str) -> None:
        for drawing, text in zip(self._drawings, texts, strict=False):
            drawing.feed(text)

    def text(self) -> str:
        self.feed(b"", end=True)
        text = self._drawings[0].text()
        return text[len(self._stood) :] if text.startswith(self._stood) else self._drawings[1].text()


def behind(row: bytes, data: bytes) -> str:
    """The text of `data`, which was printed where `row` stood already: what moves the cursor counts from the row's
    beginning, which is not shown unless something was drawn over it."""
    said = data.decode("utf-8", "replace")
    if not row or row == ENTERED:
        return plain(row.decode() + said)
    stood = _stood(row)
    text = plain(stood + said)
    return text[len(stood) :] if text.startswith(stood) else plain(row.decode("utf-8", "replace") + said)


def _stood(row: bytes) -> str:
    """A cell that nobody prints for each of `row`."""
    if not row:
        return ""
    shown = plain(row.decode("utf-8", "replace") + _STANDING)[:-1].rpartition("\n")[2]
    return _STANDING * sum(map(width, shown))
