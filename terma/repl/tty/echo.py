"""Keys that are pressed while something is drawn: unseen, or Enter would move what is drawn, and kept for later."""

from __future__ import annotations

import os
import signal
import termios
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from types import FrameType

from terma.repl.tty.foreground import in_front


def where_keys_are_seen() -> int | None:
    """A descriptor of the terminal where a person types; None where nobody does, or another job has it."""
    return next((handle for handle in (0, 1) if os.isatty(handle) and in_front(handle)), None)


@contextmanager
def unechoed(handle: int | None) -> Iterator[None]:
    """What is typed while something is shown does not show up in it; it waits for the next prompt. So do the keys that
    the terminal itself would act upon (Ctrl+W, Ctrl+R, Ctrl+V; BSD: Ctrl+T, Ctrl+O)."""
    try:
        before = termios.tcgetattr(-1 if handle is None else handle)
    except (termios.error, OSError, ValueError):
        yield
        return
    wanted = list(before)
    wanted[3] &= ~(termios.ECHO | termios.IEXTEN)
    _set(handle, wanted)
    try:
        yield
    finally:
        _set(handle, before)


@contextmanager
def unechoed_from_the_start() -> Iterator[None]:
    """The same while nobody else looks at signals yet: SIGTERM gives the terminal its echo back, too."""

    def end(number: int, _: FrameType | None) -> None:
        raise SystemExit(128 + number)

    before = signal.signal(signal.SIGTERM, end)
    try:
        with unechoed(where_keys_are_seen()):
            yield
    finally:
        signal.signal(signal.SIGTERM, before)


def _set(handle: int | None, modes: list[object]) -> None:
    with suppress(termios.error, OSError):
        termios.tcsetattr(handle, termios.TCSADRAIN, modes)  # type: ignore[arg-type]
