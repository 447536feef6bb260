"""What stands on a terminal's line and was not entered yet, as far as the keys that were typed tell.

Whoever is asked to approve the next keys approves the line that they complete, so it has to be known. A shell's own
editing cannot be followed from outside: after a key whose effect is the program's (Tab, an arrow), `sure` is False.
"""

from __future__ import annotations

import codecs
import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

_MOST = 4096  # characters that are kept: the last ones
_TOKEN = re.compile(
    "(?P<paste>\x1b\\[200~)|(?P<pasted>\x1b\\[201~)|(?P<escape>\x1b(?:\\[[0-?]*[ -/]*[@-~]|O.|.)?)"
    "|(?P<chord>\x18.)|(?P<text>[^\x00-\x1f\x7f]+)|(?P<key>.)",
    re.DOTALL,
)
# Enter the line as bash and zsh are bound without anybody's doing: and the next one of the history, and hold it, of the
# keypad, and from an editor.
_ALSO_ENTER = ("\x0f", "\x1ba", "\x1bA", "\x1bOM", "\x18\x05")
_STAYS = "\x04\x0c\x11\x13"  # the end of the input, redraw, flow control: the line stays as it is


@dataclass(frozen=True, slots=True)
class Entered:
    """A line that Enter was pressed on. `sure`: it is all of it, and nothing else."""

    text: str
    sure: bool = True


@dataclass
class Draft:
    """The line so far. `sure`: nothing else stands there."""

    text: str = ""
    sure: bool = True
    _pasting: bool = False
    _decoder: codecs.IncrementalDecoder = field(
        default_factory=lambda: codecs.getincrementaldecoder("utf-8")("replace"), repr=False
    )

    def take(self, data: bytes) -> list[Entered]:
        """Follow keys that are typed now; the lines that they enter."""
        entered: list[Entered] = []
        for found in _TOKEN.finditer(self._decoder.decode(data)):
            kind, part = found.lastgroup, found[0]
            if kind in ("paste", "pasted"):
                self._pasting = kind == "paste"
            elif self._pasting or kind == "text":
                self.text += part
            elif part in _ALSO_ENTER:
                entered.append(Entered(self.text, sure=False))
                self.text, self.sure = "", False
            elif kind in ("escape", "chord"):
                self.sure = False
            elif part in "\r\n":
                entered.append(Entered(self.text, self.sure))
                self.clear()
            else:
                self._key(part)
        if len(self.text) > _MOST:
            self.text, self.sure = self.text[-_MOST:], False
        return entered

    def kept(self) -> list[Any]:
        """For who goes on with it: `go_on` takes this."""
        return [self.text, self.sure, self._pasting]

    def go_on(self, kept: Sequence[Any]) -> None:
        self.text, self.sure, self._pasting = str(kept[0]), bool(kept[1]), bool(kept[2])

    def clear(self) -> None:
        """Nothing stands there any more."""
        self.text, self.sure = "", True

    def _key(self, key: str) -> None:
        if key == "\x03":  # whatever stood there is given up
            self.clear()
        elif key in "\x7f\b":
            self.text = self.text[:-1]
        elif key == "\x15" and self.sure:
            self.text = ""
        elif key not in _STAYS:
            self.sure = False


_NAMES = {"\r": "<Enter>", "\n": "<Enter>", "\t": "<Tab>", "\x1b": "<Esc>", "\x7f": "<Backspace>"}


def named(keys: str) -> str:
    """`keys` for a person's eyes: `rm -rf ~<Enter>`. What is no character is named."""
    return "".join(
        _NAMES.get(char) or (f"<Ctrl+{chr(ord(char) + 64)}>" if char < " " else char) for char in keys
    )
