"""How far a long job is: a bar that is drawn over itself on a terminal, a line for each tenth in a pipe."""

from __future__ import annotations

import os
import sys
import time
from contextlib import suppress
from typing import TextIO

from terma.printing import own

WIDTH = 28  # of the bar, where the window has room
LEAST = 4
EVERY = 0.1  # seconds between two drawings


class Bar:
    """Call it with the bytes so far and in all (0: not known)."""

    def __init__(self, what: str, stream: TextIO | None = None) -> None:
        self._what = what
        self._stream = stream or sys.stderr
        self._drawn = 0.0
        self._said = -1
        self._live = self._stream.isatty()
        self._open = False

    def __call__(self, done: int, total: int) -> None:
        now = time.monotonic()
        whole = bool(total) and done >= total
        if self._live:
            if now - self._drawn >= EVERY or whole:
                self._drawn = now
                self._draw(done, total)
            if whole:
                self.close()
            return
        tenth = 10 * done // total if total else done // 100_000_000
        if tenth > self._said:
            self._said = tenth
            share = f"{10 * tenth} %" if total else f"{done / 1e6:.0f} MB"
            self._stream.write(f"{self._what}: {share}\n")

    def close(self) -> None:
        """End the bar's line."""
        if self._open:
            self._stream.write("\n")
            self._open = False
        self._stream.flush()

    def _draw(self, done: int, total: int) -> None:
        self._open = True
        size = f"{done / 1e6:.0f} MB"
        if total:
            size = f"{100 * done // total:3d} % of {total / 1e6:.0f} MB"
            width = min(WIDTH, columns(self._stream) - len(f"{self._what} [] {size}") - 1)
            filled = width * min(done, total) // total
            if width >= LEAST:
                size = f"[{'#' * filled}{'.' * (width - filled)}] {size}"
        own("\r\x1b[K", self._stream)
        self._stream.write(f"{self._what} {size}")
        self._stream.flush()


def columns(stream: TextIO) -> int:
    """How wide the window behind a stream is; 80 where nobody tells. A line that is as wide is not drawn over."""
    with suppress(OSError, ValueError):
        return os.get_terminal_size(stream.fileno()).columns or 80
    return 80
