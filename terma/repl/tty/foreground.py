"""Whether there is a terminal to draw on, known before anything is imported that could."""

from __future__ import annotations

import os
import sys


def on_terminal() -> bool:
    """Whether a person sits on both ends of this process."""
    return sys.stdin is not None and sys.stdout is not None and os.isatty(0) and os.isatty(1)


def plain_terminal() -> bool:
    """Whether the terminal cannot move its cursor."""
    return os.environ.get("TERM", "dumb") in ("", "dumb", "unknown")


def in_front(handle: int) -> bool:
    """Whether this process may use the terminal: one in the background is stopped when it tries."""
    try:
        return os.tcgetpgrp(handle) == os.getpgrp()
    except OSError:  # it is nobody's controlling terminal, so there is no background
        return os.isatty(handle)
