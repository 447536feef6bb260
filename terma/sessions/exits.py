"""Tells the event loop that a program is dead, without asking again and again."""

from __future__ import annotations

import asyncio
import contextlib
import os
import subprocess
from collections.abc import Callable


def watch_exit(
    process: subprocess.Popen[bytes], loop: asyncio.AbstractEventLoop, exited: Callable[[], None]
) -> int:
    """Call `exited` in the loop when the process is dead; the descriptor for it, or -1 where a thread waits."""
    if hasattr(os, "pidfd_open"):
        with contextlib.suppress(OSError):
            handle: int = os.pidfd_open(process.pid)
            loop.add_reader(handle, exited)
            return handle
    import threading

    def wait() -> None:
        with contextlib.suppress(ChildProcessError):
            os.waitid(os.P_PID, process.pid, os.WEXITED | os.WNOWAIT)
        with contextlib.suppress(RuntimeError):  # the loop may be gone
            loop.call_soon_threadsafe(exited)

    threading.Thread(target=wait, daemon=True).start()
    return -1
