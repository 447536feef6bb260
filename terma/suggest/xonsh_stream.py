"""A command for xonsh while it still comes: what of it stands fast in xonsh's syntax is shown, the rest waits for its
end.

No one knows how a command goes on, so a few continuations are tried; what all of them begin with stands fast.
"""

from __future__ import annotations

import re
from itertools import takewhile

from terma.suggest.xonsh import OWN_SYNTAX, in_subprocess_syntax
from terma.suggest.xonsh_lexer import Unreadable
from terma.suggest.xonsh_words import Unwritable

MAX_READ = 1_000  # code points: more of a command is read once, when it is whole
_GOES_ON = (" x", " x=1", " ]", " | x", "; x")
_UNDER_WAY = re.compile(
    r"(?<=[^\\]\s)(?!(?:an?d?|or?)\Z)[A-Za-z0-9_./][A-Za-z0-9_./:,-]*\Z"
)  # no option: `--a='b'` is quoted as a whole
_FIRST = re.compile(r"(?:\A|(?<!\\)[;&|\n])\s*\Z")


class Growing:
    """One command. `feed` takes pieces of the POSIX text and gives pieces of xonsh's, often the empty one."""

    def __init__(self) -> None:
        self._read = self._shown = self._base = ""
        self._looked_at = ""
        self._is_whole = False  # nothing of what was looked at is missing in the base

    def feed(self, piece: str) -> str:
        """What may be shown now, behind what was shown before."""
        self._read += piece
        if len(self._read) > MAX_READ:
            return ""
        found = _UNDER_WAY.search(self._read)
        self._look_at(self._read[: found.start()] if found else _words(self._read))
        text = self._base
        if found and self._is_whole:
            text += f" {found[0]}"
        if not text.startswith(self._shown):
            return ""
        fresh, self._shown = text[len(self._shown) :], text
        return fresh

    def _look_at(self, read: str) -> None:
        """Find what `read`, which ends between two words, begins with however it goes on."""
        if read == self._looked_at:
            return
        self._looked_at, self._is_whole = read, False
        if OWN_SYNTAX.search(read) or _FIRST.search(read):
            return
        outcomes: list[str] = []
        for more in ("", *_GOES_ON):
            try:
                outcomes.append(in_subprocess_syntax(read.rstrip() + more))
            except (Unreadable, Unwritable):
                continue
        if len(outcomes) > 1:
            self._base = _common(outcomes).rstrip()
            now = outcomes[0]
            self._is_whole = all(
                each.startswith(now) and each[len(now) :][:1] in ("", " ", ";") for each in outcomes
            )


def _words(text: str) -> str:
    """`text` without the word that its end may have cut."""
    return re.sub(r"\S+\Z", "", text)


def _common(texts: list[str]) -> str:
    """What all of them begin with."""
    same = takewhile(lambda column: len(set(column)) == 1, zip(*texts, strict=False))
    return "".join(column[0] for column in same)
