"""The outer terminal: raw while the shell runs, as it was afterwards, whatever happened in between."""

from __future__ import annotations

import contextlib
import fcntl
import os
import struct
import termios
import tty
from typing import Any

_SIZE = struct.Struct("HHHH")  # struct winsize: rows, columns, and both in pixels


class Outer:
    """The terminal that `terma shell` was started in, by its descriptors 0 and 1."""

    def __init__(self) -> None:
        """Raises OSError or termios.error when it is none."""
        self.before: list[Any] = termios.tcgetattr(0)
        self.reader, self.writer = _reopen()

    def raw(self) -> None:
        """Every byte comes and goes as it is. What was typed ahead is kept. From the background it is a no-op."""
        if _in_foreground():
            tty.setraw(0, termios.TCSANOW)

    def restore(self) -> None:
        """The modes as they were at the start. A terminal that is gone needs none."""
        with contextlib.suppress(OSError, termios.error):
            if _in_foreground():
                termios.tcsetattr(0, termios.TCSANOW, self.before)

    def close(self) -> None:
        """Give up what was opened, never 0 and 1."""
        if self.reader > 2:
            os.close(self.reader)


def _in_foreground() -> bool:
    """Whether we may change the terminal: in the background that would stop us (SIGTTOU)."""
    try:
        return os.tcgetpgrp(0) == os.getpgrp()
    except OSError:
        return True  # no controlling terminal: nobody is stopped


def _reopen() -> tuple[int, int]:
    """Descriptors to read and to write the terminal without ever blocking, (0, 1) where that is not to be had.

    O_NONBLOCK belongs to what was opened, which 0 and 1 share with the shell that started us: set there, it would
    outlive us. So the terminal is opened again, for us alone."""
    try:
        name = os.ttyname(0)
        if os.ttyname(1) != name:
            return 0, 1
        handle = os.open(name, os.O_RDWR | os.O_NOCTTY | os.O_NONBLOCK | os.O_CLOEXEC)
    except OSError:
        return 0, 1
    return handle, handle


def copy_size(source: int, target: int) -> int:
    """Give `target` the window size of `source`; the columns. The kernel tells the programs there (SIGWINCH)."""
    size = fcntl.ioctl(source, termios.TIOCGWINSZ, bytes(_SIZE.size))
    fcntl.ioctl(target, termios.TIOCSWINSZ, size)
    columns: int = _SIZE.unpack(size)[1]
    return columns
