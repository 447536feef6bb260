"""A command for xonsh while it still comes: what of it stands fast in xonsh's syntax is shown, the rest waits for its
end.

No one knows how a command goes on, so a few continuations are tried; what all of them begin with stands fast.
"""

from __future__ import annotations

import re
from contextlib import suppress
from itertools import takewhile

from terma.dialect.xonsh.lexer import Unreadable
from terma.dialect.xonsh.rewrite import OWN_SYNTAX, in_subprocess_syntax, parted
from terma.dialect.xonsh.words import Unwritable

MAX_READ = 1_000  # code points: more of a command is read once, when it is whole
# How a command may go on; what stands in brackets goes to bash.
_GOES_ON = (" x", " x=1", " -v x", " ]", " | x", "; x", "; (x)", " && (x)", " | (x)")
# What is fed with `<<<` and `<( )`, or with `$(( ))` and `$?`, which only bash can say.
_FED = set(
    "bash bc cat comm diff echo grep join kill paste printf python python3 rev sh sort source tee test tr wc".split()
)
_FIRST = re.compile(r"(?:\A|(?<!\\)[;&|\n])\s*\Z")
_ALONE = re.compile(r"(?:\A|[;\n]|&&|\|\|)\s*(\w+)(?:\s+(?:-[\w-]*|[12]?>>?\s*[\w./-]*))*\s*\Z")


class Growing:
    """One command. `feed` takes pieces of the POSIX text and gives pieces of xonsh's, often the empty one."""

    def __init__(self) -> None:
        self._read = self._shown = self._looked_at = ""

    def feed(self, piece: str) -> str:
        """What may be shown now, behind what was shown before."""
        self._read += piece
        if len(self._read) > MAX_READ:
            return ""
        read = _words(self._read)
        if read == self._looked_at:
            return ""
        self._looked_at = read
        text = _beginning(read)
        if not text.startswith(self._shown):
            return ""
        fresh, self._shown = text[len(self._shown) :], text
        return fresh


def _beginning(read: str) -> str:
    """What `read`, which ends between two words, begins with however it goes on; "" when nothing is certain."""
    if OWN_SYNTAX.search(read) or _FIRST.search(read):
        return ""
    outcomes = [_outcome(read.rstrip() + more) for more in ("", *_GOES_ON)]
    certain = [each for each in outcomes if each is not None]
    alone = _ALONE.search(read)
    if alone and alone[1] in _FED:
        certain.append(_outcome(f"{read} <(x)") or "")
    return _common(certain).rstrip() if len(certain) > 1 else ""


def _outcome(command: str) -> str | None:
    """What xonsh itself would run of `command`; None for one that only bash can read, or nobody."""
    with suppress(Unreadable, Unwritable):
        return in_subprocess_syntax(command)
    with suppress(Unwritable):
        return parted(command)[0]
    return None


def _words(text: str) -> str:
    """`text` without the word that its end may have cut."""
    return re.sub(r"\S+\Z", "", text)


def _common(texts: list[str]) -> str:
    """What all of them begin with."""
    same = takewhile(lambda column: len(set(column)) == 1, zip(*texts, strict=False))
    return "".join(column[0] for column in same)
