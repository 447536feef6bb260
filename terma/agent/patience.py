"""How long a model that `auto` chose is awaited while it says nothing: decided here for every front end.

What was set has its own time. What `auto` chose gives way once it was silent for SOON and the embedded engine knows an
answer. One that is slow and not dead is listened to beyond that, unseen, until its first word: from then on it is
awaited for as long as it has been seen to need.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable
from contextlib import aclosing, suppress
from typing import Generic, TypeVar

from terma.chat import ModelError
from terma.types import Note

E = TypeVar("E")
SOON = 2.0  # seconds of silence, as at the prompt
MARGIN = 2.0  # times what a model needed at its slowest
_UNREAD = 64  # events of a model that nobody has taken yet


def is_word(event: object) -> bool:
    """Whether an engine's event says something."""
    return not isinstance(event, Note)


class Listener(Generic[E]):
    """Reads `events` in a task of their own: what they wait with ends where it began. `first` is after how many seconds
    the first word came."""

    def __init__(self, events: AsyncIterator[E], is_word: Callable[[E], bool] = is_word) -> None:
        self._events, self._is_word = events, is_word
        self._read: asyncio.Queue[E | BaseException | None] = asyncio.Queue(_UNREAD)
        self._began = asyncio.get_running_loop().time()
        self._only_first = False
        self.first: float | None = None
        self._task = asyncio.create_task(self._pump())

    async def __aenter__(self) -> Listener[E]:
        return self

    async def __aexit__(self, *_: object) -> None:
        if not self._only_first:
            await self.end()

    async def events(self, seconds: float) -> AsyncGenerator[E | None, None]:
        """The events, and None once where no word came within `seconds`. Raises what they raise."""
        silent_at: float | None = self._began + seconds
        while True:
            try:
                async with asyncio.timeout_at(silent_at):
                    event = await self._read.get()
            except TimeoutError:
                silent_at = None
                yield None
                continue
            if isinstance(event, BaseException):
                raise event
            if event is None:
                return
            if self.first is not None:
                silent_at = None
            yield event

    def give_up(self) -> None:
        """Nobody reads on: until its first word it goes on, for what that tells of the time, and ends there."""
        self._only_first = True

    async def wait(self) -> None:
        """Until it has ended."""
        with suppress(asyncio.CancelledError):
            await self._task

    async def end(self) -> None:
        """Raises nothing."""
        self._task.cancel()
        await self.wait()

    async def _pump(self) -> None:
        end: BaseException | None = None
        try:
            async with aclosing(self._events):  # type: ignore[type-var]
                async for event in self._events:
                    if self.first is None and self._is_word(event):
                        self.first = asyncio.get_running_loop().time() - self._began
                    if not self._only_first:
                        await self._read.put(event)
                    elif self.first is not None:
                        return
        except Exception as error:
            end = error
        if not self._only_first:
            await self._read.put(end)


class Patience:
    """What this agent has seen of the models that `auto` chose. Lives as long as the agent."""

    def __init__(self) -> None:
        self._slowest: dict[str, float] = {}  # seconds before a model's first word
        self._unseen: dict[str, asyncio.Task[None]] = {}  # who is listened to, though given up

    def of(self, name: str) -> float:
        """Seconds for which this model may be silent."""
        return max(SOON, MARGIN * self._slowest.get(name, 0.0))

    async def unless_silent(
        self,
        name: str,
        events: AsyncIterator[E],
        knows: Callable[[], Awaitable[bool]],
        is_word: Callable[[E], bool] = is_word,
    ) -> AsyncGenerator[E, None]:
        """The events of the model `name`. Raises what they raise, or ModelError where it was silent and another `knows`
        an answer, which is asked once."""
        seconds = self.of(name)
        async with Listener(events, is_word) as listener:
            try:
                async with aclosing(listener.events(seconds)) as heard:
                    async for event in heard:
                        if event is not None:
                            yield event
                        elif await knows() and listener.first is None:
                            self._listen_on(name, listener)
                            raise silent(name, seconds)
            finally:
                self._needed(name, listener.first)

    def _needed(self, name: str, seconds: float | None) -> None:
        if seconds is not None:
            self._slowest[name] = max(seconds, self._slowest.get(name, 0.0))

    def _listen_on(self, name: str, listener: Listener[E]) -> None:
        if name in self._unseen:  # one at a time tells enough
            return

        listener.give_up()

        async def listen() -> None:
            try:
                await listener.wait()
                self._needed(name, listener.first)
            finally:
                await listener.end()
                del self._unseen[name]

        self._unseen[name] = asyncio.create_task(listen())

    async def close(self) -> None:
        """Listen to nobody any more."""
        for task in tuple(self._unseen.values()):
            task.cancel()
            with suppress(asyncio.CancelledError):
                await task


def silent(name: str, seconds: float) -> ModelError:
    return ModelError("timeout", f"{name} said nothing for {seconds:.0f} s", "terma models --check")
