"""The settings' own limit of requests a minute, kept before a request leaves."""

from __future__ import annotations

import asyncio
import time
from collections import deque
from collections.abc import Callable

from terma.chat import ModelError, ModelSpec

WINDOW = 60.0  # seconds
PATIENCE = 5.0  # seconds that a request waits for its turn; beyond them it is refused with a line


class Pace:
    """Counts the requests to each model over the last minute. Not thread-safe: it lives on one event loop."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._sent: dict[tuple[str, str], deque[float]] = {}

    async def wait(self, spec: ModelSpec) -> None:
        """Return when a request to `spec` may leave, and count it. Raises ModelError("rate") when that is far off."""
        if spec.requests_per_minute <= 0:
            return
        sent = self._sent.setdefault((spec.api_base, spec.model), deque())
        now = self._clock()
        while sent and sent[0] <= now - WINDOW:
            sent.popleft()
        wait = 0.0
        if len(sent) >= spec.requests_per_minute:
            wait = sent[-spec.requests_per_minute] + WINDOW - now
        if wait > PATIENCE:
            raise ModelError(
                "rate",
                f"your own limit of {spec.requests_per_minute} requests a minute to {spec.name} is reached",
                f"wait {wait:.0f} s, or raise limits.requests_per_minute",
                retry_after=wait,
            )
        sent.append(now + wait)
        await asyncio.sleep(wait)
