"""Where the alias writes: a descriptor of its own, since xonsh may close the one that it gave while we still write, at
^C or when the reader has left; and how it hears that nobody reads any more.
"""

from __future__ import annotations

import contextlib
import os
import select
import stat
import sys
from collections.abc import Iterator
from typing import Any, TextIO


@contextlib.contextmanager
def opened(stdout: Any) -> Iterator[TextIO]:
    """A file to write to, closed afterwards. `stdout` is what xonsh hands to an alias, or None."""
    try:
        own = os.dup(stdout.fileno())
    except (AttributeError, OSError, ValueError):  # a terminal, or something without a descriptor
        yield stdout if stdout is not None else sys.stdout
        return
    with contextlib.ExitStack() as closing:
        closing.enter_context(contextlib.suppress(OSError))  # what is left to write has no reader
        encoding = stdout.encoding or "utf-8"
        yield closing.enter_context(
            os.fdopen(own, "w", encoding=encoding, errors="backslashreplace", newline="")
        )


def wait(incoming: Any, out: Any, seconds: float) -> bool:
    """Wait for something to read from the socket. Raises BrokenPipeError when nobody reads what we write any more."""
    poll = select.poll()
    poll.register(incoming, select.POLLIN)
    handle = _pipe(out)
    if handle is not None:
        poll.register(handle, 0)
    ready = dict(poll.poll(seconds * 1e3))
    if handle is not None and ready.get(handle, 0) & (select.POLLERR | select.POLLHUP):
        raise BrokenPipeError
    return incoming.fileno() in ready


def _pipe(out: Any) -> int | None:
    try:
        handle: int = out.fileno()
        return handle if stat.S_ISFIFO(os.fstat(handle).st_mode) else None
    except (AttributeError, OSError, ValueError):
        return None
