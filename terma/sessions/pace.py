"""Says when to rest between two reads of what a program prints, so that a flood disturbs nobody.

What is not read stays in the terminal, and the program waits: a flood costs no more than it is allowed to.
"""

from __future__ import annotations

import time
from collections.abc import Callable

PAUSE = 0.005  # seconds
_FREE = 32 * 1024 * 1024  # bytes at full speed; what goes on after that is a flood
_CALM = 0.1  # seconds without output that end a flood
_PORTION = 64 * 1024  # bytes of a flood between two rests


def _never() -> bool:
    return False


class Pace:
    """The pace of one session. `others_wait`: somebody waits for an answer, or what was read is not worked off yet."""

    def __init__(self, others_wait: Callable[[], bool] = _never) -> None:
        self._others_wait = others_wait
        self._burst = self._portion = 0
        self._last = 0.0

    def rest(self, count: int) -> float:
        """Seconds to leave the terminal alone after `count` bytes were read; 0 for none."""
        now = time.monotonic()
        if now - self._last > _CALM:
            self._burst = self._portion = 0
        self._last = now
        self._burst += count
        if self._others_wait():
            return PAUSE
        if self._burst <= _FREE:
            return 0.0
        self._portion += count
        if self._portion < _PORTION:
            return 0.0
        self._portion = 0
        return PAUSE
