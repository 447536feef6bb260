"""The time that a check may take: what is not found out by then counts as unknown, and is there the next time."""

from __future__ import annotations

import time
from concurrent.futures import ThreadPoolExecutor
from functools import cache, lru_cache
from pathlib import Path

from terma.machine.hidden import hides
from terma.machine.notation import Options
from terma.machine.options import at_hand, options
from terma.machine.subcommands import listed

SECONDS = 0.3
SLOW = 0.6  # seconds for the one question that is asked before a subcommand is marked


@cache
def _pool() -> ThreadPoolExecutor:
    return ThreadPoolExecutor(2, "terma-options")


class Budget:
    """Looks options up until its time is over; a look that has begun goes on in its thread and is kept."""

    def __init__(self, seconds: float | None = None) -> None:
        self._end = time.monotonic() + (SECONDS if seconds is None else seconds)

    def options(self, program: str, file: str, sub: tuple[str, ...] = ()) -> Options | None:
        """What the program or its subcommand takes; None when unknown, or not known in time."""
        looked, found = at_hand(program, file, sub)  # a thread would cost more than the look
        if looked:
            return found
        future = _pool().submit(options, program, file, sub)
        try:
            return future.result(max(0.0, self._end - time.monotonic()))
        except TimeoutError:
            return None

    def subcommands(self, program: str, file: str, sub: str = "") -> frozenset[str]:
        """All that the program, or its subcommand, has; empty when nobody names all of them, or not in time."""
        try:
            info = Path(file).stat()
            version = f"{info.st_mtime_ns} {info.st_size}"
        except (OSError, ValueError):
            return frozenset()
        if (program, file, version, sub) in _listed:
            return _listed[program, file, version, sub]
        future = _pool().submit(_list, program, file, version, sub)
        try:
            return future.result(max(0.0, self._end - time.monotonic()))
        except TimeoutError:
            return frozenset()

    def hides(self, program: str, file: str, words: tuple[str, ...]) -> bool:
        """Whether the program has a subcommand that none of its lists names; true also where that takes too long: what
        may be right is not marked."""
        future = _pool().submit(_hides, program, file, words)
        try:
            return future.result(max(SLOW, self._end - time.monotonic()))
        except TimeoutError:
            return True


@lru_cache(maxsize=256)
def _hides(program: str, file: str, words: tuple[str, ...]) -> bool:
    return hides(program, Path(file), words)


_listed: dict[tuple[str, str, str, str], frozenset[str]] = {}
MAX_LISTED = 64


def _list(program: str, file: str, version: str, sub: str) -> frozenset[str]:
    found = listed(program, Path(file), sub)
    if len(_listed) >= MAX_LISTED:
        _listed.clear()
    _listed[program, file, version, sub] = found
    return found
