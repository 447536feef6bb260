"""What a command that nobody was asked about may do to the person's terminal: write text, in colours, on its own line.

A person who runs `head FILE` chose to let FILE at their terminal. Where the settings let a command run unasked, a
stranger's file or file name would set the title, fill the clipboard, turn text round or write over what stands above. A
program that reads single keys draws the whole screen, and may move about on it; nothing may send control strings.

Sources: ECMA-48; xterm's ctlseqs; the parser of Paul Williams, as in `terma.text`.
"""

from __future__ import annotations

import codecs
import re
from collections.abc import Callable

from terma.text import FORBIDDEN

_ALONE = FORBIDDEN.replace("\x00-\x08\x0b-\x1f", "\x00-\x07\x0b\x0c\x0e-\x1f")  # BS and CR stay: progress
_STRING = r"\x1b[\]PX^_]|[\x90\x98\x9d-\x9f]"  # OSC DCS SOS PM APC
_PIECE = re.compile(
    rf"(?P<string>{_STRING})"
    r"|(?:\x1b\[|\x9b)(?P<values>[0-?]*)(?P<between>[ -/]*)(?P<final>[@-~])"
    r"|\x1b[ -/]*(?P<escape>[0-~])"
    rf"|[{_ALONE}]"
)
_STRING_ENDS = re.compile("[\x07\x18\x1a\x9c]|(?=\x1b)")
_BEGUN = re.compile(r"\x1b(?:[ -/]*|\[[0-?]*[ -/]*)\Z|\x9b[0-?]*[ -/]*\Z")
_LONGEST = 256  # characters of a sequence that has not ended; a longer one is none
_VALUES = re.compile(r"[0-9;:]*")
_IN_LINE = frozenset("mKCDG")  # colours, erase in the line, move in the line
_ON_SCREEN = _IN_LINE | frozenset("ABEFHJLMPSTX@bdfghlr")  # move, erase, insert, scroll, tab stops, modes
_SAVES = frozenset("78=>M")  # cursor, keypad, a line up; and character sets by what stands between


class PlainOutput:
    """A filter over the bytes of one command. `draws` says whether the program reads single keys."""

    def __init__(self, draws: Callable[[], bool]) -> None:
        self._draws = draws
        self._decoder = codecs.getincrementaldecoder("utf-8")("replace")
        self._begun = ""  # a sequence whose end has not come
        self._in_string = False

    def feed(self, data: bytes) -> bytes:
        """What of it may be shown; what is no UTF-8 is shown as U+FFFD."""
        text = self._begun + self._decoder.decode(data)
        self._begun = ""
        shown: list[str] = []
        screen: bool | None = None
        at = 0
        while at < len(text):
            if self._in_string:
                end = _STRING_ENDS.search(text, at)
                self._in_string = end is None
                at = end.end() if end else len(text)
                continue
            found = _PIECE.search(text, at)
            cut = _BEGUN.search(text, max(at, len(text) - _LONGEST))
            if cut is not None and (found is None or found.start() >= cut.start()):
                shown.append(text[at : cut.start()])
                self._begun = cut[0]
                break
            shown.append(text[at : found.start() if found else None])
            if found is None:
                break
            at = found.end()
            if found["string"]:
                self._in_string = True
            elif found["final"] or found["escape"]:
                screen = self._draws() if screen is None else screen
                if _stays(found, screen):
                    shown.append(found[0])
        return "".join(shown).encode()


def _stays(found: re.Match[str], screen: bool) -> bool:
    if found["escape"]:
        return screen and (found["escape"] in _SAVES or found[0][1] in "()")
    if found["between"] or found[0][0] == "\x9b":
        return False
    if screen and found["final"] in "hl" and found["values"][:1] == "?":
        return bool(_VALUES.fullmatch(found["values"][1:]))
    return found["final"] in (_ON_SCREEN if screen else _IN_LINE) and bool(_VALUES.fullmatch(found["values"]))
