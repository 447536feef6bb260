"""The lines of a private key in the dress of whatever printed them: what stands around them, and which go together."""

from __future__ import annotations

import re
import string
from collections.abc import Iterator
from typing import NamedTuple

from terma.redact import spelled

WIDTHS = (64, 70, 76)  # columns of PEM, of OpenSSH, of MIME
BODY_BACKWARDS = re.compile(r"={0,2}[A-Za-z0-9+/]{0,200}", re.ASCII)
BEHIND = " \t\r;,\\"  # of a line of a string of a program
APART, BETWEEN = 300, 3  # characters and breaks from one line of a key to the next in the output of a program
SUM = re.compile(r"(?i)sha0[-:= ]+[\"']?\Z")  # the dress of a checksum
# The dress of a line that says nothing of what it holds: `12 `, `web-1 | `, `app.log:12:`, `kernel[7]: `, `+`.
ALONE = re.compile(
    r"(?!.*[a-z]:0: \Z)"  # `x-amz-id-2: `
    r"(?:.*(?:[|>]|\d[:-]|\]:|\dZ)|(?:[A-Z][a-z]{2} )?\d ?\d:.*:)? ?(?:\d+ )?[-+: ]?\Z|[ +-]{0,2}[\"']\Z"
)
_LAST_BREAK = re.compile(r"\\n(?=[\"'])")  # of a string of a program: the line ends anyway
_BORDER = re.compile(r".*[│┃║]", re.DOTALL)  # of a pane: what stands beyond it is another's
# A number, also one of sixteen digits.
_NUMBER = re.compile(r"(?<![^\W_])(?:0x)?(?=[a-f]*\d)[0-9a-f]+(?![^\W_])|\d+")
_BLANKS, _MARK = re.compile(r"\s+"), re.compile(r"[-:](?=$|[-:0-9 ])")
_WIDE = bytes(
    120 if byte in b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/" else 32
    for byte in range(256)
)
_FULL = b"x" * min(WIDTHS)
_RUN = re.compile(r"(?<![A-Za-z0-9+/])[A-Za-z0-9+/]{4,200}={0,2}", re.ASCII)
_SMALL, _CAPITALS, _DIGITS = map(frozenset, (string.ascii_lowercase, string.ascii_uppercase, string.digits))


class Line(NamedTuple):
    """One line, from `start` to `end` of its text without the break; `body` is the base64 in it, from `at`. What stands
    around that has its numbers and blanks made alike."""

    start: int
    end: int
    at: int
    body: str
    dress: str  # what stands before
    behind: str = ""

    @property
    def full(self) -> bool:
        """Whether it may be one of the middle of a key."""
        return len(self.body) in WIDTHS and mixed(self.body) and not SUM.search(self.dress)

    @property
    def alone(self) -> bool:
        """Whether nothing stands before it but what `cat -n`, grep, compose or a journal put there: no name of it."""
        return not any(map(str.isalnum, self.behind)) and ALONE.match(self.dress) is not None

    def goes_with(self, last: Line, text: str) -> bool:
        """Whether it is the line behind `last` of the same output, of which each line may have more lines than this
        one; or goes on where `last` broke off, as in a string that spells its breaks."""
        if last.end + 1 == self.start and not (last.behind or self.dress):
            return True
        near = self.start - last.end < APART and text.count("\n", last.end, self.start) <= BETWEEN
        return near and (last.dress, last.behind) == (self.dress, self.behind)


def wide_places(text: str, least: int = min(WIDTHS)) -> Iterator[int]:
    """Where runs of base64 begin that are as long as a line of a key, or longer."""
    map_, run = text.encode("ascii", "replace").translate(_WIDE), b"x" * least
    at = map_.find(run)
    while at >= 0:
        yield at
        end = map_.find(b" ", at)
        at = map_.find(run, end) if end >= 0 else -1


def unfolded(text: str) -> str:
    """`text` with the breaks that a string spells (`\\n`) as real ones, and of the same length."""
    if "\\n" not in text:
        return text
    return _LAST_BREAK.sub("  ", text.replace("\\r\\n", "  \\n")).replace("\\n", " \n")


def mixed(body: str) -> bool:
    """Whether base64 of this length is of random bytes, and no hex, path, or word."""
    chars = set(body)
    return (
        len(chars) >= min(18, len(body) // 3)
        and not chars.isdisjoint(_SMALL)
        and not chars.isdisjoint(_CAPITALS)
        and not chars.isdisjoint(_DIGITS)
    )


def wide(line: str) -> bool:
    """Whether `line` may be one of the middle of a key."""
    if next(wide_lines(unfolded(line)), None):
        return True
    return spelled.is_in(line) and next(wide_lines(unfolded(spelled.meant(line)[0])), None) is not None


def wide_lines(text: str) -> Iterator[Line]:
    """The full lines of `text`, found by their runs of base64: a tenth of a millisecond for a megabyte of others."""
    map_ = text.encode("ascii", "replace").translate(_WIDE)
    at = map_.find(_FULL)
    while at >= 0:
        end = text.find("\n", at)
        end = len(text) if end < 0 else end
        if end - at < 300:
            if end - at in WIDTHS and text[at - 1 : at] in ("\n", "") and map_.find(b" ", at, end) < 0:
                line = Line(at, end, at, text[at:end], "")  # nothing but base64, as most of them are
            else:
                start = text.rfind("\n", max(0, at - 500), at) + 1 or max(0, at - 500)
                line = line_of(text, start, end)
                if not line.full and (stop := map_.find(b" ", at)) >= 0:
                    line = _within(text, start, end, at, stop)
            if line.full:
                yield line
        at = map_.find(_FULL, end)


def line_of(text: str, start: int, end: int) -> Line:
    tail = max(start, end - 300)
    piece = text[tail:end].rstrip(BEHIND)
    for quote in ('" +', "' +", '"', "'", "`"):
        piece = piece.removesuffix(quote)
    piece = piece.rstrip(BEHIND)
    found = BODY_BACKWARDS.match(piece[::-1])
    length = len(found[0]) if found else 0
    if length % 4 == 1 and piece[-length] == "+" and length > 1:  # a diff's mark
        length -= 1
    body, at = piece[len(piece) - length :], tail + len(piece) - length
    return Line(start, end, at, body, dress_of(text[max(start, at - 300) : at]) if body else "")


def _within(text: str, start: int, end: int, at: int, stop: int) -> Line:
    """The line whose body is the run of base64 from `at` to `stop`, with something behind it, too."""
    if stop - at - 1 in WIDTHS and text[at] == "+":  # a diff's mark
        at += 1
    return Line(
        start, end, at, text[at:stop], dress_of(text[max(start, at - 300) : at]), dress_of(text[stop:end])
    )


def dressed(text: str, start: int, end: int, dress: str, behind: str) -> Line | None:
    """The line of base64 in the dress of another one; None where it has another."""
    if not behind:
        line = line_of(text, start, end)
        return line if line.body and line.dress == dress else None
    for run in _RUN.finditer(text, start, end):
        at, stop = run.span()
        for first in (at, at + 1) if text[at] == "+" else (at,):  # it may be a diff's mark
            line = _within(text, start, end, first, stop)
            if (line.dress, line.behind) == (dress, behind):
                return line
    return None


def dress_of(before: str) -> str:
    """`before` with its numbers and blanks made alike: the next line of the same output begins like this."""
    if not before.isascii():
        before = _BORDER.sub("│", before)
    return _MARK.sub(":", _BLANKS.sub(" ", _NUMBER.sub("0", before)))
