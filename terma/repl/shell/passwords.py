"""Follows what is typed while a terminal does not echo, in memory alone, so that no output can repeat it.

A password is not echoed; but a program may print it, and what was typed before the prompt came was echoed. Whatever a
person typed unseen is therefore taken out of every text of this shell before anybody else gets it.
"""

from __future__ import annotations

import re

STARS = "[typed unseen]"
_SHORTEST = 3  # characters: to hide less would spoil the text and hide nothing
_MOST = 200
_ENDS = b"\r\n\x03\x04\x1c\x1a"
_ERASES = b"\x7f\x08"


class Passwords:
    """The lines that were typed unseen."""

    def __init__(self) -> None:
        self._line = bytearray()
        self._echoed = 0  # how many bytes of it were seen
        self._unseen = False
        self._known: dict[str, None] = {}

    def typed(self, data: bytes, unseen: bool) -> None:
        """`data` was typed; `unseen`: the terminal does not echo it."""
        for at in range(len(data)):
            byte = data[at : at + 1]
            if byte in _ENDS:
                self._close()
                continue
            if byte in _ERASES:
                del self._line[-1:]
            elif byte == b"\x15":
                self._line.clear()
            else:
                self._line += byte
            if unseen:
                self._unseen = True
            else:
                self._echoed = len(self._line)

    def clean(self, text: str) -> str:
        """`text` without them."""
        for word in sorted(self._known, key=len, reverse=True):
            text = text.replace(word, STARS)
        return text

    def forget(self) -> None:
        """The shell is gone."""
        self.__init__()  # type: ignore[misc]

    def _close(self) -> None:
        if self._unseen:
            for part in (self._line, self._line[: self._echoed], self._line[self._echoed :]):
                self._add(part.decode("utf-8", "replace"))
        self._line.clear()
        self._echoed, self._unseen = 0, False

    def _add(self, word: str) -> None:
        word = re.sub(r"[\x00-\x1f\x7f]", "", word)
        if len(word) >= _SHORTEST and word.strip() and len(self._known) < _MOST:
            self._known[word] = None
