"""What the loop sees: every look is logged, and tells the guard that the loop lives."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

from terma.vision.log import RunLog
from terma.vision.parts import Eye, Seen


class Sight:
    """`eye` looks, `log` keeps what was seen, `beat` is called after each look."""

    def __init__(self, eye: Eye, log: RunLog, beat: Callable[[], None] = lambda: None) -> None:
        self._eye, self._log, self._beat = eye, log, beat

    async def look(self) -> Seen:
        """The screen now. Raises EyesError."""
        return await self._noted(self._eye.look())

    async def settle(self, seconds: float) -> Seen:
        """The screen once it rests, after so many seconds at the latest. Raises EyesError."""
        return await self._noted(self._eye.settle(seconds))

    async def _noted(self, looking: Awaitable[Seen]) -> Seen:
        seen = await looking
        self._beat()
        self._log.screen(seen.state, seen.picture)
        return seen
