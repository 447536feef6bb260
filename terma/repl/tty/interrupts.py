"""Ctrl+C, SIGTERM and a terminal that closes, as events: each ends one piece of work, and none comes out of nowhere."""

from __future__ import annotations

import asyncio
import contextlib
import signal
from collections.abc import Callable, Coroutine
from types import TracebackType
from typing import Any, Self, TypeVar

T = TypeVar("T")
GRACE = 8.0  # seconds for work that was told to end because this process leaves
INSIST = 3  # the press that no longer waits for what the first one asked for
_LEAVE = (signal.SIGTERM, signal.SIGHUP)


class Interrupted(Exception):
    """The person pressed Ctrl+C, and the work has ended."""


class GivenUp(Interrupted):
    """A line that was being typed was given up by it."""


class Leaving(Exception):
    """This process was told to end by signal `number`; the work has ended."""

    def __init__(self, number: int) -> None:
        super().__init__(signal.Signals(number).name)
        self.number = number
        self.status = 128 + number


class Interrupts:
    """One of them for a process, as a context manager inside its event loop. `idle` is called for a Ctrl+C that no
    work was there for (a key of the prompt comes another way)."""

    def __init__(self, idle: Callable[[], None] = lambda: None) -> None:
        self.idle = idle
        self._loop = asyncio.get_running_loop()
        self._task: asyncio.Task[Any] | None = None
        self._presses = 0
        self._left: asyncio.Future[int] = self._loop.create_future()

    def __enter__(self) -> Self:
        self._loop.add_signal_handler(signal.SIGINT, self.press)
        for number in _LEAVE:
            if signal.getsignal(number) is not signal.SIG_IGN:  # nohup means it
                self._loop.add_signal_handler(number, self.leave, number)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None
    ) -> None:
        for number in (signal.SIGINT, *_LEAVE):
            self._loop.remove_signal_handler(number)
        signal.signal(signal.SIGINT, signal.SIG_IGN)  # what is left is the way out

    @property
    def leaving(self) -> int:
        """The signal that told us to end, 0 while none did."""
        return self._left.result() if self._left.done() else 0

    def press(self) -> None:
        """Ctrl+C: the work ends; it is given its time to do so."""
        self._presses += 1
        if self._task is None:
            self.idle()
        elif self._presses == 1 or self._presses >= INSIST:
            self._task.cancel()

    def leave(self, number: int) -> None:
        """SIGTERM, SIGHUP: the work ends, and so does this process."""
        if not self._left.done():
            self._left.set_result(number)

    async def run(self, work: Coroutine[Any, Any, T]) -> T:
        """What `work` returns. Raises Interrupted when Ctrl+C ended it, Leaving when a signal did."""
        if self.leaving:
            work.close()
            raise Leaving(self.leaving)
        task = self._loop.create_task(work)
        self._task, self._presses = task, 0
        try:
            both: set[asyncio.Future[Any]] = {task, self._left}
            await asyncio.wait(both, return_when=asyncio.FIRST_COMPLETED)
        finally:
            self._task = None
            if not task.done():
                task.cancel()
                await asyncio.wait({task}, timeout=GRACE)
        if self.leaving:
            with contextlib.suppress(BaseException):
                task.exception()  # it was looked at; what matters now is to leave
            raise Leaving(self.leaving)
        if task.cancelled():
            raise Interrupted
        return task.result()
