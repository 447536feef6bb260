"""The one edge that all of the command line's text passes on its way to a terminal, a pipe or a file.

Names come from directories, branches, settings and sessions, and may hold what a terminal obeys: a title, the
clipboard, a screen that is cleared, text that reads backwards. No command has to think of that: `Shown` stands in the
place of the two streams, and spells such characters out (`\\u001b`, which JSON reads as the same character). What is
terma's own (colours, a bar that is drawn anew) goes through `own`.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import Any, TextIO

from terma import regex as re
from terma.text import FORBIDDEN

_OBEYED = re.compile(f"[{FORBIDDEN}]")


def spelled(text: str) -> str:
    """`text` with each character that a terminal obeys, or nobody sees, as an escape: `\\u001b`."""
    return _OBEYED.sub(_escape, text)


def named(name: str) -> str:
    """The same of a name that stands among others, on one line: no newline in it begins a line of its own."""
    return spelled(name).replace("\n", "\\n").replace("\t", "\\t")


def own(text: str, stream: TextIO | None = None) -> None:
    """Print what terma itself made, as it is: no name and no text of others may be in it."""
    out: Any = stream if stream is not None else sys.stdout
    (out.own if isinstance(out, Shown) else out.write)(text)


def styled(text: str, style: str, stream: TextIO | None = None) -> None:
    """Print `text` between the SGR sequence `style` ("" for none) and the end of it, without a newline."""
    out: Any = stream if stream is not None else sys.stdout
    if style:
        own(style, out)
    out.write(text)
    if style:
        own("\x1b[0m", out)


class Shown:
    """A text stream in the place of `stream`; all but what is written is the other's."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream

    def write(self, text: str) -> int:
        self._stream.write(spelled(text))
        return len(text)

    def writelines(self, lines: Iterable[str]) -> None:
        for line in lines:
            self.write(line)

    def own(self, text: str) -> None:
        """Write it as it is."""
        self._stream.write(text)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)


@contextmanager
def shown() -> Iterator[None]:
    """Standard output and standard error are `Shown` until the block ends."""
    before = sys.stdout, sys.stderr
    sys.stdout, sys.stderr = (one if isinstance(one, Shown) else Shown(one) for one in before)
    try:
        yield
    finally:
        sys.stdout, sys.stderr = before


def _escape(found: re.Match[str]) -> str:
    code = ord(found[0])
    if code < 0x10000:
        return f"\\u{code:04x}"
    code -= 0x10000
    return f"\\u{0xD800 + (code >> 10):04x}\\u{0xDC00 + (code & 0x3FF):04x}"
