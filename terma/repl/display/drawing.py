"""Markdown and commands as rows for a terminal, by rich: imported at the first answer, not before."""

from __future__ import annotations

import io
import re
from collections.abc import Iterator
from typing import Any

from rich.cells import cell_len
from rich.console import COLOR_SYSTEMS, Console, RenderableType
from rich.markdown import CodeBlock, Heading, Markdown
from rich.segment import Segment
from rich.style import Style
from rich.syntax import Syntax
from rich.text import Text
from rich.theme import Theme

from terma.lookalikes import invisible
from terma.text import sanitize

THEME = "ansi_dark"  # the terminal's own sixteen colours: what the person chose to be able to read
MAX_COLUMNS = 100
_STYLES = Theme(
    {"markdown.code": "cyan", "markdown.h1": "bold underline", "markdown.link_url": "underline"}
    | dict.fromkeys(("markdown.h2", "markdown.h3", "markdown.h4"), "bold")
)
_HIDDEN = re.compile("[^\n\t -~\xa0-\u1c7f\u1e00-\u1fff]")  # to be looked at by sanitize


class _Code(CodeBlock):
    def __rich_console__(self, console: Any, options: Any) -> Iterator[Syntax]:
        code = str(self.text).rstrip()
        yield Syntax(
            code, self.lexer_name, theme=THEME, word_wrap=True, padding=(0, 2), background_color="default"
        )


class _Heading(Heading):
    def __rich_console__(self, console: Any, options: Any) -> Iterator[Text]:
        text = self.text
        text.justify = "left"
        text.stylize("bold underline" if self.tag == "h1" else "bold")
        yield text


class _Markdown(Markdown):
    elements = Markdown.elements | {"fence": _Code, "code_block": _Code, "heading_open": _Heading}


class Drawing:
    """Makes rows with SGR codes. `colours` None: as the terminal and NO_COLOR say."""

    def __init__(self, colours: bool | None = None) -> None:
        self._console = Console(
            file=io.StringIO(),
            force_terminal=True,
            color_system="auto" if colours is None else "256" if colours else None,
            highlight=False,
            markup=False,
            emoji=False,
            width=80,
            height=25,
            legacy_windows=False,
            theme=_STYLES,
        )

    @property
    def coloured(self) -> bool:
        """Whether there are colours: not with NO_COLOR, nor where the terminal has none."""
        return not self._console.no_color and self._console.color_system is not None

    @property
    def danger_mark(self) -> str:
        """What a risk begins with: a sign in colour, or letters that are seen without one."""
        return "⚠ " if self.coloured else "!! "

    def markdown(self, text: str, columns: int) -> list[str]:
        """The rows of a piece of markdown, each at most `columns` wide, without empty ones around them."""
        rows = self._rows(_Markdown(text, code_theme=THEME, hyperlinks=False), min(columns, MAX_COLUMNS))
        while rows and not rows[0].strip():
            del rows[0]
        while rows and not rows[-1].strip():
            del rows[-1]
        return rows

    def command(self, command: str, columns: int) -> list[str]:
        """A command with colours, every character of it: a `│` before each line, a `┆` before what is the same line
        still, and what cannot be seen spelled out. Nothing is left out, trimmed or moved to another line."""
        code, spelled = visible(command)
        text = Syntax("", "bash", theme=THEME, background_color="default").highlight(code)
        plain = text.plain
        if plain.endswith("\n") and not code.endswith("\n"):
            text.right_crop(1)
        if text.plain != code:  # a lexer that changes what it reads has no business here
            text = Text(code)
        for start, end in spelled:
            text.stylize("reverse", start, end)
        rows: list[str] = []
        for line in text.split("\n", allow_blank=True):
            for number, part in enumerate(_folded(line, max(columns - 2, 4))):
                gutter = self._row([Segment("┆" if number else "│", Style(dim=True))])
                rows.append(f"{gutter} {self._line(part, whole=True)}")
        return rows

    def fact(self, name: str, value: str, columns: int) -> list[str]:
        """`  directory: /srv/x`: the value on one line, wrapped, with what cannot be seen spelled out."""
        shown = visible(value)[0].replace("\n", "\\n")
        return self.text(f"{name}: {shown}", "dim", columns, "  ")

    def text(self, text: str, style: str = "", columns: int = 0, indent: str = "") -> list[str]:
        """Plain words in one style, wrapped to `columns` (0: not at all)."""
        clean = sanitize(text)
        if not columns:
            return [self._line(Text(indent + clean, style))]
        width = max(columns - len(indent), 8)
        lines = Text(clean, style).wrap(self._console, width)
        return [self._line(Text.assemble(indent, line)) for line in lines]

    def _line(self, text: Text, whole: bool = False) -> str:
        return self._row(list(text.render(self._console, end="")), whole)

    def _rows(self, what: RenderableType, columns: int) -> list[str]:
        options = self._console.options.update(width=columns)
        lines = self._console.render_lines(what, options, pad=False)
        return [self._row(line) for line in lines]

    def _row(self, line: list[Segment], whole: bool = False) -> str:
        """A row's text; blanks at its end are left out unless it is wanted `whole`."""
        while line and not whole and not line[-1].text.strip(" ") and not _seen_when_blank(line[-1]):
            line = line[:-1]
        if line and not whole and not _seen_when_blank(line[-1]):
            line = [*line[:-1], Segment(line[-1].text.rstrip(" "), line[-1].style)]
        if self._console.no_color:
            line = list(Segment.remove_color(line))
        system = COLOR_SYSTEMS.get(self._console.color_system or "")
        pieces = []
        for segment in line:
            text = _clean(segment.text)
            pieces.append(
                segment.style.render(text, color_system=system) if segment.style and system else text
            )
        return "".join(pieces)


def _seen_when_blank(segment: Segment) -> bool:
    style = segment.style
    return bool(style and (style.reverse or (style.bgcolor and not style.bgcolor.is_default)))


def _clean(text: str) -> str:
    """What markdown made of `text`: a reference like `&#8238;` became a character that nobody had looked at."""
    if not _HIDDEN.search(text):
        return text.replace("\n", " ").replace("\t", " ")
    return sanitize(text + ".")[:-1].replace("\n", " ").replace("\t", " ")


def visible(command: str) -> tuple[str, list[tuple[int, int]]]:
    """The command with what a terminal obeys or nobody sees spelled out (`\\x1b`, `\\u202e`), and where that stands. A
    TAB becomes `\\t`, and blanks at the end of a line `·`."""
    pieces: list[str] = []
    spelled: list[tuple[int, int]] = []
    length = 0
    lines = command.split("\n")
    for number, line in enumerate(lines):
        end = len(line.rstrip(" "))
        for at, char in enumerate(line + ("\n" if number < len(lines) - 1 else "")):
            shown = char
            if char == "\t":
                shown = "\\t"
            elif at >= end and char == " ":
                shown = "·"
            elif char not in " \n" and (
                char.isspace()
                or invisible(char, line[at - 1 : at] if at else "", line[at + 1 : at + 2])
                or not sanitize(char + ".").startswith(char)
            ):
                shown = f"\\x{ord(char):02x}" if ord(char) < 256 else f"\\u{ord(char):04x}"
            if shown != char:
                spelled.append((length, length + len(shown)))
            pieces.append(shown)
            length += len(shown)
    return "".join(pieces), spelled


def _folded(line: Text, columns: int) -> Iterator[Text]:
    """The pieces of a line that fit, cut wherever the row ends."""
    cuts: list[int] = []
    used = 0
    for at, char in enumerate(line.plain):
        taken = cell_len(char)
        if used + taken > columns:
            cuts.append(at)
            used = 0
        used += taken
    yield from line.divide(cuts)
