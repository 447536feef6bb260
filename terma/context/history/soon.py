"""How long a question waits for a history: a moment, and then it goes on with what was known of it before.

A home directory may stand on a disk that hangs; one thread for each history is all that then waits with it."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable
from concurrent.futures import Future

FIRST = 1.0  # seconds for a history that was never read
AGAIN = 0.25  # seconds for one of which only what was added is to be read


class Soon:
    """`read` gives a path's commands and may take long; `known` gives at once what it gave last, None for nothing."""

    def __init__(
        self,
        read: Callable[[str], tuple[str, ...]],
        known: Callable[[str], tuple[str, ...] | None],
        first: float = FIRST,
        again: float = AGAIN,
    ) -> None:
        self._read = read
        self._known = known
        self._waits = first, again
        self._reading: dict[str, Future[tuple[str, ...]]] = {}

    async def __call__(self, path: str) -> tuple[str, ...]:
        """The commands in the history `path`, the newest last; what was known of it where reading takes too long."""
        if not path.startswith("/"):
            return ()
        before = self._known(path)
        coming = asyncio.wrap_future(self._reading.get(path) or self._begin(path))
        done, _ = await asyncio.wait([coming], timeout=self._waits[before is not None])
        return coming.result() if done else before or ()

    def _begin(self, path: str) -> Future[tuple[str, ...]]:
        begun: Future[tuple[str, ...]] = Future()
        begun.set_running_or_notify_cancel()  # a question that is cancelled does not cancel it for the others
        self._reading[path] = begun
        threading.Thread(target=self._run, args=(path, begun), name="history", daemon=True).start()
        return begun

    def _run(self, path: str, begun: Future[tuple[str, ...]]) -> None:
        try:
            found = self._read(path)
        except BaseException as error:
            del self._reading[path]
            begun.set_exception(error)
            return
        del self._reading[path]
        begun.set_result(found)
