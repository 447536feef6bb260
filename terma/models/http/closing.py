"""Gives the connection of a response back to its pool, whatever cancels the asker meanwhile.

httpx and httpcore shield their clean-up against anyio's cancellation alone. An asyncio task that is cancelled while the
last bytes of an answer are dealt with left its connection taken for good; after sixteen such, nothing was answered.
"""

from __future__ import annotations

import asyncio
from contextlib import suppress
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import httpx

_closing: set[asyncio.Task[None]] = set()  # a task without a reference may vanish


async def closed(response: httpx.Response) -> None:
    """Close `response` in a task of its own, and wait for it. Cancelling the wait leaves that task at work."""
    task = asyncio.get_running_loop().create_task(_close(response))
    _closing.add(task)
    task.add_done_callback(_closing.discard)
    await asyncio.shield(task)


async def _close(response: httpx.Response) -> None:
    with suppress(Exception):  # a connection that breaks while it is closed is closed
        await response.aclose()
    stream: Any = response.stream
    for name in (
        "_stream",
        "_httpcore_stream",
    ):  # of httpx 0.28: what is bound, and what the transport wrapped
        stream = getattr(stream, name, None)
    pool: Any = getattr(stream, "_pool", None)
    request: Any = getattr(stream, "_pool_request", None)
    if pool is None or request not in pool._requests:
        return
    if request.connection is not None:  # its close was broken off before it was given back
        with suppress(Exception):
            await request.connection.aclose()
    if request in pool._requests:
        pool._requests.remove(request)
    await pool._close_connections(pool._assign_requests_to_connections())
