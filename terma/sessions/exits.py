"""Tells the event loop that a program is dead, without asking again and again."""

from __future__ import annotations

import asyncio
import contextlib
import os
import time
from collections.abc import Callable
from typing import Protocol

_LOOK = 1.0  # seconds between two looks at a process that cannot be waited for


class Process(Protocol):
    @property
    def pid(self) -> int: ...


def watch_exit(process: Process, loop: asyncio.AbstractEventLoop, exited: Callable[[], None]) -> int:
    """Call `exited` in the loop when the process is dead; the descriptor for it, or -1 where a thread waits."""
    if hasattr(os, "pidfd_open"):
        with contextlib.suppress(OSError):
            handle: int = os.pidfd_open(process.pid)
            loop.add_reader(handle, exited)
            return handle
    import threading

    def wait() -> None:
        try:
            os.waitid(os.P_PID, process.pid, os.WEXITED | os.WNOWAIT)
        except ChildProcessError:  # it was handed to us, or it is gone
            with contextlib.suppress(ProcessLookupError):
                while True:
                    os.kill(process.pid, 0)
                    time.sleep(_LOOK)
        with contextlib.suppress(RuntimeError):  # the loop may be gone
            loop.call_soon_threadsafe(exited)

    threading.Thread(target=wait, daemon=True).start()
    return -1
