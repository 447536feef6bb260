"""Lets go of every key when a person says stop, or when the program that holds the keys does not answer any more.

A thread of its own, since the loop that it watches may be what hangs. Keys are up 200 ms later at the latest.
"""

from __future__ import annotations

import contextlib
import threading
import time
from collections.abc import Callable
from pathlib import Path

_LOOK = 0.03  # seconds between two looks
BEAT = 0.15  # seconds without a beat after which keys are released


class Guard:
    """`release` lets go of all keys, from any thread. `stop` ends the run: it is called once, in the guard's thread,
    with the reason. `stop_file`: when it is there, the run ends. `heartbeat`: a file that somebody must touch every
    `seconds`."""

    def __init__(
        self,
        release: Callable[[], None],
        stop: Callable[[str], None],
        stop_file: Path | None = None,
        heartbeat: Path | None = None,
        seconds: float = 2.0,
    ) -> None:
        self._release, self._stop = release, stop
        self._stop_file, self._heartbeat, self._seconds = stop_file, heartbeat, seconds
        self._beaten = time.monotonic()
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._watch, name="eyes-guard", daemon=True)

    def start(self) -> None:
        self._beaten = time.monotonic()
        self._thread.start()

    def beat(self) -> None:
        """The loop lives."""
        self._beaten = time.monotonic()

    def close(self) -> None:
        self._over.set()
        if self._thread.is_alive():
            self._thread.join()

    def _watch(self) -> None:
        while not self._over.wait(_LOOK):
            why = self._reason()
            if why:
                self._let_go()
                self._stop(why)
                return
            if time.monotonic() - self._beaten > BEAT:
                self._let_go()  # the loop may come back: then its own release does nothing

    def _reason(self) -> str:
        if self._stop_file is not None and self._stop_file.exists():
            return f"there is a stop file: {self._stop_file}"
        if self._heartbeat is not None and self._age(self._heartbeat) > self._seconds:
            return f"the heartbeat is lost: {self._heartbeat}"
        return ""

    def _age(self, file: Path) -> float:
        """Seconds since it was touched; a file that is not there is as old as can be."""
        try:
            return time.time() - file.stat().st_mtime
        except OSError:
            return float("inf")

    def _let_go(self) -> None:
        with contextlib.suppress(Exception):  # a device that takes nothing: there is nothing else to do
            self._release()
