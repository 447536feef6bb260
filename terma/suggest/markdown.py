"""Markdown to styled text as it arrives: an explanation is read while it is written, and a shell prints it.

What comes out is plain text in one of a few styles, wrapped to the width at hand. Known are headings, lists,
quotes, fenced and inline code, bold and links; everything else stands as it was written. CommonMark is far
larger: this is what models write into a terminal.
"""

from __future__ import annotations

import textwrap
import unicodedata
from collections.abc import Iterator

from terma import regex as re
from terma.records import dataclass
from terma.text import StreamSanitizer
from terma.types import Style

MIN_COLUMNS, MAX_COLUMNS, USUAL_COLUMNS = 20, 100, 80
CODE_INDENT = "  "
MAX_LINK = 300  # code points; words are not held back for a longer one

_FENCE = re.compile(r" {0,3}(```+|~~~+)[^`]*\Z")
_HEADING = re.compile(r" {0,3}#{1,6}[ \t]+(.*?)[ \t#]*\Z")
_ITEM = re.compile(r"([ \t]*)([-*+]|\d{1,3}[.)])[ \t]+")
_RULE = re.compile(r" {0,3}([-*_])(?:[ \t]*\1){2,}[ \t]*\Z")
_QUOTE = re.compile(r" {0,3}> ?")
_LINK = re.compile(r"\[([^\[\]]+)\]\((\S+?)\)")
# What may open a block: until a line holds more than this, its kind is not known.
_UNDECIDED = re.compile(r"[ \t]*(?:[-*+_>`~ \t]*|\d{1,3}[.)]?[ \t]*|(?:#|```|~~~).*)\Z")
_WORD = re.compile(r"\S+|\s+")
_MARK = re.compile(r"(`+|\*\*|__)")


@dataclass(frozen=True, slots=True)
class Span:
    """Text to print as it is, in one style."""

    style: Style
    text: str


class Renderer:
    """`feed` pieces of markdown as they come, then `close`: the spans joined are the rendered whole, whatever
    the pieces were. `columns` is the terminal's width, 0 when unknown."""

    def __init__(self, columns: int = 0) -> None:
        self._width = min(max(columns or USUAL_COLUMNS, MIN_COLUMNS), MAX_COLUMNS) - 1
        self._clean = StreamSanitizer()
        self._line = ""  # of the source: what is not rendered yet
        self._started = False  # the kind of the current line is known and its words are being written
        self._fence = ""
        self._prints = (
            False  # the fence holds what a program printed, which breaks between words; code does not
        )
        self._style: Style = "plain"
        self._base: Style = "plain"
        self._code = ""  # the run of backticks that opened inline code
        self._indent = ""
        self._column = 0
        self._gap = False  # an empty line waits for what follows it
        self._spoke = False
        self._glue = ""  # blanks that wait for the next word
        self._last: Style = "plain"  # of the word before
        self._line_left = ""  # of the source line, behind what opened its block

    def feed(self, text: str) -> list[Span]:
        """The spans that are certain after `text`."""
        self._line += self._clean.feed(text)
        spans: list[Span] = []
        while "\n" in self._line:
            line, _, self._line = self._line.partition("\n")
            spans += self._rest_of_line(line)
        if self._started or not (self._fence or _UNDECIDED.match(self._line)):
            spans += self._words_so_far()
        return _joined(spans)

    def close(self) -> list[Span]:
        """The rest, with a newline at its end unless nothing was said."""
        spans = self._rest_of_line(self._line) if self._line or self._started else []
        self._line = ""
        return _joined(spans)

    def _rest_of_line(self, line: str) -> list[Span]:
        """A line of the source that is whole (or its end, when its beginning is written already)."""
        if not self._started:
            if self._fence:
                return self._fenced(line)
            if fence := _FENCE.match(line):
                self._fence, self._prints = fence[1], line.strip().endswith("output")
                return []
            if not line.strip():
                self._gap = self._spoke
                return []
            if _RULE.match(line):
                return [*self._break(), Span("dim", "─" * min(self._width, 20) + "\n")]
        spans = [*self._begin(line), *self._inline(self._line_left, last=True)]
        self._line_left = ""
        self._started = False
        self._column = 0
        self._glue = ""
        if self._code and self._base != "code":  # inline code does not cross a line here
            self._code = ""
        self._style = self._base = "plain"
        return [*spans, Span("plain", "\n")]

    def _begin(self, line: str) -> list[Span]:
        """Decide the kind of a line at its first words; afterwards what is left of it to write."""
        if self._started:
            self._line_left = line
            return []
        spans = self._break()
        self._started = self._spoke = True
        self._indent, prefix = "", ""
        if heading := _HEADING.match(line):
            self._base, line = "head", heading[1]
        elif quote := _QUOTE.match(line):
            self._base, prefix, line = "dim", "│ ", line[quote.end() :]
        if item := _ITEM.match(line):
            mark = "•" if item[2] in "-*+" else item[2]
            prefix += " " * min(len(item[1].expandtabs(2)), 8) + mark + " "
            line = line[item.end() :]
        else:
            line = line.lstrip(" \t") if not prefix else line
        self._style = self._base
        self._indent = " " * _cells(prefix) if prefix.strip() != "│" else prefix
        self._column = _cells(prefix)
        self._line_left = line
        if prefix:
            spans.append(Span(self._base, prefix))
        return spans

    def _words_so_far(self) -> list[Span]:
        """Write the words of an unfinished line that cannot change any more."""
        spans = self._begin(self._line)
        text = self._line_left
        cut = max(text.rfind(" "), text.rfind("\t")) + 1
        link = text.rfind("[", 0, cut)
        if link >= 0 and len(text) - link < MAX_LINK:
            whole = _LINK.match(text, link)
            if not whole or whole.end() > cut:
                cut = link  # a link may be under way
        spans += self._inline(text[:cut], last=False)
        self._line, self._line_left = text[cut:], ""
        return spans

    def _break(self) -> list[Span]:
        gap, self._gap = self._gap, False
        return [Span("plain", "\n")] if gap else []

    def _fenced(self, line: str) -> list[Span]:
        if line.strip().startswith(self._fence) and not line.strip().strip(self._fence[0]):
            self._fence = ""
            return []
        spans = self._break()
        self._spoke = True
        rows = self._broken(line.rstrip()) if self._prints else [line.rstrip()]
        return [*spans, *(Span("code", CODE_INDENT + row + "\n") for row in rows)]

    def _broken(self, line: str) -> list[str]:
        """`line` in rows of the width, the further ones indented; what has no blank breaks at the end of the row."""
        room = self._width - len(CODE_INDENT)
        if _cells(line) <= room:
            return [line]
        return textwrap.wrap(
            line, room, subsequent_indent=CODE_INDENT, drop_whitespace=True, break_on_hyphens=False,
            expand_tabs=False, replace_whitespace=False,
        )  # fmt: skip

    def _inline(self, text: str, last: bool) -> list[Span]:
        """Words with their marks: code, bold, links as `text (address)`."""
        text = _LINK.sub(lambda link: link[1] if link[1] == link[2] else f"{link[1]} ({link[2]})", text)
        spans: list[Span] = []
        for word in _WORD.findall(text):
            if word.isspace():
                self._glue = " " if not self._code else word
                continue
            spans += self._place(self._marked(word, text if last else ""))
        return spans

    def _marked(self, word: str, _context: str) -> list[Span]:
        """One word as spans, its marks read and taken out."""
        spans: list[Span] = []
        pieces = _MARK.split(word)
        for number, piece in enumerate(pieces):
            if not piece:
                continue
            if number % 2 and piece.startswith("`"):
                if not self._code:
                    self._code, self._style = piece, "code"
                    continue
                if piece == self._code:
                    self._code, self._style = "", self._base
                    continue
            elif number % 2 and not self._code and self._is_bold(pieces, number):
                self._style = self._base if self._style == "bold" else "bold"
                continue
            spans.append(Span(self._style, piece))
        return spans

    def _is_bold(self, pieces: list[str], number: int) -> bool:
        """`**bold**` opens before and closes behind a character; `a ** b` and `__init__` are no marks."""
        before, after = pieces[number - 1], pieces[number + 1]
        if pieces[number] == "__":
            return (self._style == "bold" and not after[:1].isalnum()) or (
                self._style != "bold" and not before and bool(after) and "__" not in pieces[number + 2 :]
            )
        return bool(before) if self._style == "bold" else bool(after)

    def _place(self, spans: list[Span]) -> Iterator[Span]:
        """A word at the end of the row, or at the start of the next one when it does not fit there."""
        width = sum(_cells(span.text) for span in spans)
        if not spans:
            return
        glue, self._glue = self._glue, ""
        at_start = self._column <= _cells(self._indent)
        if self._column + len(glue) + width > self._width and not at_start:
            yield Span("plain", "\n" + self._indent)
            self._column = _cells(self._indent)
        elif glue and not at_start:
            yield Span(self._glue_style(spans[0].style), glue)
            self._column += len(glue)
        yield from spans
        self._column += width
        self._last = self._style

    def _glue_style(self, style: Style) -> Style:
        """A blank between two words of one style has it too, so that they make one span."""
        return style if style == self._last else "plain"


def _joined(spans: list[Span]) -> list[Span]:
    """The same with neighbours of one style as one."""
    joined: list[Span] = []
    for span in spans:
        if joined and joined[-1].style == span.style:
            joined[-1] = Span(span.style, joined[-1].text + span.text)
        elif span.text:
            joined.append(span)
    return joined


def _cells(text: str) -> int:
    """How many columns a terminal gives it."""
    if text.isascii():
        return len(text)
    return sum(
        0 if unicodedata.combining(char) else 2 if unicodedata.east_asian_width(char) in "WF" else 1
        for char in text
    )
