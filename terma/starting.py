"""Starts other programs so that nobody who is cancelled meanwhile waits for ever.

asyncio (up to 3.13 at least), cancelled while it connects a child's pipes, waits for those pipes to end: they never do.
"""

from __future__ import annotations

import asyncio
import os
import signal
from collections.abc import Callable, Coroutine
from contextlib import suppress
from typing import Any, TypeVar

T = TypeVar("T")
REAPED = 0.1  # seconds that a killed program may take to be gone


async def started(starting: Coroutine[Any, Any, T], end: Callable[[T], Coroutine[Any, Any, None]]) -> T:
    """What `starting` returns; its errors are its own. Cancelled meanwhile, the start is gone through with, `end` ends
    what was started, and CancelledError goes on."""

    async def through() -> None:
        with suppress(Exception):
            await end(await task)

    task = asyncio.ensure_future(starting)
    try:
        return await asyncio.shield(task)
    except asyncio.CancelledError:
        await asyncio.wait([asyncio.ensure_future(through())])  # goes on even if this is cancelled again
        raise


async def child(*words: str, **how: Any) -> asyncio.subprocess.Process:
    """As asyncio.create_subprocess_exec. Cancelled meanwhile, the child is killed, with its group if it leads one."""
    group = bool(how.get("start_new_session"))

    async def end(process: asyncio.subprocess.Process) -> None:
        with suppress(ProcessLookupError):
            (os.killpg if group else os.kill)(process.pid, signal.SIGKILL)
        process._transport.close()  # type: ignore[attr-defined] # its pipes; there is no public way
        with suppress(TimeoutError):
            async with asyncio.timeout(REAPED):
                await process.wait()

    return await started(asyncio.create_subprocess_exec(*words, **how), end)
