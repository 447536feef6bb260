"""Keys that are pressed while something is drawn: unseen, or Enter would move what is drawn, and kept for later."""

from __future__ import annotations

import fcntl
import os
import signal
import termios
from array import array
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from types import FrameType

from terma.repl.tty.foreground import in_front


def where_keys_are_seen() -> int | None:
    """A descriptor of the terminal where a person types; None where nobody does, or another job has it."""
    return next((handle for handle in (0, 1) if os.isatty(handle) and in_front(handle)), None)


@contextmanager
def unechoed(handle: int | None, first: bool = False) -> Iterator[None]:
    """What is typed while something is shown does not show up in it; it waits for the next prompt. So do the keys that
    the terminal itself would act upon (Ctrl+W, Ctrl+R, Ctrl+V; BSD: Ctrl+T, Ctrl+O). With `first`, what was typed while
    terma started goes off the row that it shows first."""
    try:
        before = termios.tcgetattr(-1 if handle is None else handle)
    except (termios.error, OSError, ValueError):
        yield
        return
    wanted = list(before)
    wanted[3] &= ~(termios.ECHO | termios.IEXTEN)
    _set(handle, wanted)
    if first:
        _clear_of_typed_ahead(handle)
    try:
        yield
    finally:
        _set(handle, before)


def _clear_of_typed_ahead(handle: int | None) -> None:
    """Keys that were seen and not read come back at the next prompt. A row on which nothing was typed stays."""
    screen = next((one for one in (1, 2) if os.isatty(one)), None)
    if handle is not None and screen is not None and _waiting(handle):
        with suppress(OSError):
            os.write(screen, b"\r\x1b[K")


def _waiting(handle: int) -> bool:
    """Whether keys wait to be read, also those of a line without its Enter yet: a terminal tells of them alone while
    it hands out single keys."""
    count = array("i", [0])
    try:
        before = termios.tcgetattr(handle)
        single = list(before)
        single[3] &= ~termios.ICANON
        termios.tcsetattr(handle, termios.TCSANOW, single)
        try:
            fcntl.ioctl(handle, termios.FIONREAD, count)
        finally:
            termios.tcsetattr(handle, termios.TCSANOW, before)
    except (termios.error, OSError, ValueError):
        return False
    return count[0] > 0


@contextmanager
def unechoed_from_the_start() -> Iterator[None]:
    """The same while nobody else looks at signals yet: SIGTERM gives the terminal its echo back, too."""

    def end(number: int, _: FrameType | None) -> None:
        raise SystemExit(128 + number)

    before = signal.signal(signal.SIGTERM, end)
    try:
        with unechoed(where_keys_are_seen(), first=True):
            yield
    finally:
        signal.signal(signal.SIGTERM, before)


def _set(handle: int | None, modes: list[object]) -> None:
    with suppress(termios.error, OSError):
        termios.tcsetattr(handle, termios.TCSADRAIN, modes)  # type: ignore[arg-type]
