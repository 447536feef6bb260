"""Draws an output while it comes: what has scrolled out of reach is text at once, only the rest is still a screen."""

from __future__ import annotations

import re

from terma.output.moves import obey
from terma.output.screen import Screen
from terma.text import StreamSanitizer

_SWITCH = r"\x1b\[\?(?:\d+;)*(?:1049|1047|47)(?:;\d+)*"
_TO_ALTERNATE, _BACK = re.compile(f"{_SWITCH}h"), re.compile(f"{_SWITCH}l")
_STRING = "(?:\x1b[\\]PX^_]|[\x90\x98\x9d\x9e\x9f])"
_INERT = re.compile(
    "\x1b\\[(?:[0-9;:]*m|[<=>?][0-?]*[ -/]*[@-~])"  # colours, private modes
    f"|{_STRING}[^\x07\x18\x1a\x1b\x9c]*(?:\x1b\\\\|[\x07\x18\x1a\x9c]|(?=\x1b)|\\Z)"
    "|\x1b+(?=\x1b)"  # an escape in an escape starts anew
    "|\x1b[)*+\\-./][0-~]|\x1b[=>\\\\]"
    "|[\x00-\x07\x0e-\x1a\x1c-\x1f\x7f-\x83\x86-\x8c\x8e\x8f\x91-\x97\x99\x9a\x9c]+"
)
_LINE_END = re.compile("(?<!\r)\r+\n")
# What goes on in the next piece.
_OPEN_SWITCH = re.compile("\x1b(?:\\[[0-?]*)?\\Z")
_OPEN_STRING = re.compile(f"({_STRING})[^\x07\x18\x1a\x1b\x9c]*\\Z")
_OPEN = re.compile("(?:(?<!\r)\r+|\x1b(?:[ -/]*|\\[[0-?]*[ -/]*)|\x9b[0-?]*[ -/]*)\\Z")


class Drawing:
    """The text that an output leaves on a terminal of `columns` × `lines` cells (0: unknown)."""

    def __init__(self, columns: int = 0, lines: int = 0) -> None:
        self._screen = Screen(columns, lines)
        self._graphics = False
        self._alternate = False  # what is drawn there is gone when it is left
        self._switch = self._open = ""  # the beginning of a sequence that is not whole yet
        self._line = ""  # the beginning of a line that can no longer change
        self._made: list[str] = []
        self._clean = StreamSanitizer()

    def feed(self, text: str) -> None:
        """More of the output."""
        self._screen.grow(len(text))
        text = self._shown(self._switch + text)
        cut = _OPEN_SWITCH.search(text)
        self._switch = cut[0] if cut else ""
        self._draw(text.removesuffix(self._switch))
        self._make(self._screen.forgot, self._screen.taken())

    def text(self) -> str:
        """All of it: clean, without trailing blanks. Nothing more may come."""
        self._draw(self._switch, end=True)
        self._make(self._screen.forgot, self._screen.taken(end=True) + "\n")
        return "".join(self._made)

    def _shown(self, text: str) -> str:
        """What of `text` is not for the alternate screen."""
        shown, at = [], 0
        while self._alternate or "\x1b[?" in text:
            switch = (_BACK if self._alternate else _TO_ALTERNATE).search(text, at)
            if not self._alternate:
                shown.append(text[at : switch.start() if switch else None])
            elif switch is None:  # of what may become the switch back the beginning is kept
                shown += [one[0] for one in [_OPEN_SWITCH.search(text, at)] if one]
            if switch is None:
                return "".join(shown)
            self._alternate, at = not self._alternate, switch.end()
        return text

    def _draw(self, text: str, end: bool = False) -> None:
        text = self._open + text
        self._open = ""
        string = None if end else _OPEN_STRING.search(text)
        if string is not None:
            text = text[: string.start()]
        text = _INERT.sub("", text)
        if not end and (cut := _OPEN.search(text)):
            text, self._open = text[: cut.start()], cut[0]
        self._open += string[1] if string is not None else ""
        if "\r" in text:
            text = _LINE_END.sub("\n", text)
        if text:
            self._graphics = obey(self._screen, text, self._graphics)

    def _make(self, forgot: bool, done: str) -> None:
        """Make text of what has left the screen; `forgot`: what had left it before is to be no more."""
        if forgot:
            self._line, self._made, self._clean = "", [], StreamSanitizer()
        whole, newline, rest = (self._line + done).rpartition("\n")
        self._line = rest
        if newline:
            self._made.append(self._clean.feed("\n".join(line.rstrip() for line in whole.split("\n")) + "\n"))
