"""Ctrl-C, a stop file, a lost heartbeat or SIGTERM: a real program lets go of the key that it holds."""

from __future__ import annotations

import os
import select
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path

import pytest

from tests.conftest import WAIT

pytestmark = pytest.mark.skipif(
    not all(find_spec(name) for name in ("numpy", "cv2")), reason="the extra [vision] is not installed"
)
ROOT = Path(__file__).parents[2]
HOLDS, NONE = bytes([0, 0, 4, 0, 0, 0, 0, 0]), bytes(8)


class Typist:
    """The program, and the device that it types on: a pipe."""

    def __init__(self, place: Path) -> None:
        device, self.stop, self.beat = place / "hidg0", place / "stop", place / "beat"
        os.mkfifo(device)
        self.forgotten = threading.Event()
        self._keeps = threading.Thread(target=self._keep, daemon=True)
        self._keeps.start()
        self._reads = os.open(device, os.O_RDONLY | os.O_NONBLOCK)
        words = (str(device), str(self.stop), str(self.beat))
        self.process = subprocess.Popen(
            [sys.executable, "-m", "tests.e2e.eyes_typist", *words], cwd=ROOT, stderr=subprocess.DEVNULL
        )

    def _keep(self) -> None:
        """Touch the heartbeat until it is forgotten."""
        self.beat.touch()
        while not self.forgotten.wait(0.1):
            os.utime(self.beat)

    def forget(self) -> None:
        self.forgotten.set()
        self._keeps.join()
        os.utime(self.beat, (0, 0))

    def reports(self) -> Iterator[bytes]:
        """As they come, until the program has closed the device."""
        while select.select([self._reads], [], [], WAIT)[0]:
            report = os.read(self._reads, 8)
            if not report and self.process.poll() is not None:
                return
            if report:
                yield report
            else:
                time.sleep(0.001)  # nobody has opened it yet
        raise AssertionError("no report, and no end")

    def hold(self) -> None:
        """Until a key is held."""
        for report in self.reports():
            if report == HOLDS:
                return

    def close(self) -> None:
        self.process.kill()
        self.process.wait()
        self.forgotten.set()
        self._keeps.join()
        os.close(self._reads)


@pytest.fixture
def typist(place: Path) -> Iterator[Typist]:
    made = Typist(place)
    yield made
    made.close()


def interrupted(typist: Typist) -> None:
    typist.process.send_signal(signal.SIGINT)


def terminated(typist: Typist) -> None:
    typist.process.send_signal(signal.SIGTERM)


def stopped(typist: Typist) -> None:
    typist.stop.touch()


def forgotten(typist: Typist) -> None:
    typist.forget()


@pytest.mark.parametrize("told", [interrupted, terminated, stopped, forgotten])
def test_who_is_told_to_stop_lets_go_of_the_key_it_holds(typist: Typist, told) -> None:
    typist.hold()
    told(typist)
    rest = list(typist.reports())
    assert rest and rest[-1] == NONE
    assert typist.process.wait(WAIT) is not None
