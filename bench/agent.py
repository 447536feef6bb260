"""What the agent costs: from a cold start to the first answer, when idle, and for one question.

Each figure is measured on a real agent in a home of its own, with the embedded engine, over the socket.
"""

from __future__ import annotations

import contextlib
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from terma import client
from terma.agent import lifecycle
from tests.surroundings import CACHE

Figure = tuple[str, float, str, str]  # name, value, unit, note
STARTS = 9
QUESTIONS = 200
SHELLS = 100
SENTENCES = (
    "list all files",
    "show free disk space",
    "find files larger than 100 MB",
    "extract a.tar.gz",
)
START = [str(Path(sys.executable).parent / "terma"), "agent", "start"]


@contextlib.contextmanager
def empty_home() -> Iterator[None]:
    """A HOME, state and socket of its own for this process and what it starts; the index of a checkout is made once."""
    root = tempfile.mkdtemp(prefix="terma-b", dir="/tmp")
    before = dict(os.environ)
    for name in ("XDG_STATE_HOME", "TERMA_IDLE_SECONDS", "TERMA_DEBUG"):
        os.environ.pop(name, None)
    os.environ.update(HOME=root, TERMA_SOCKET=f"{root}/run/agent.sock", TERMA_ENGINE="offline")
    os.environ["XDG_CACHE_HOME"] = CACHE
    try:
        yield
        lifecycle.stop()
    finally:
        os.environ.clear()
        os.environ.update(before)
        shutil.rmtree(root, ignore_errors=True)


def ask(sentence: str) -> None:
    """One question as a shell asks it: a connection of its own, to `done`."""
    fields = {
        "buffer": sentence,
        "cwd": "/",
        "path": os.environ["PATH"],
        "shell": "bash",
        "engine": "offline",
    }
    with client.connect(autostart_agent=False) as agent:
        for _ in agent.ask("translate", fields):
            pass


def cold_start() -> tuple[float, float]:
    """Seconds from `terma agent start` to its return, and to the first answer."""
    began = time.perf_counter()
    subprocess.run(START, check=True)
    started = time.perf_counter()
    ask(SENTENCES[0])
    ended = time.perf_counter()
    lifecycle.stop()
    return started - began, ended - began


def questions() -> list[float]:
    """Seconds of each of QUESTIONS answers by a warm agent, one after another."""
    seconds = []
    for number in range(QUESTIONS):
        began = time.perf_counter()
        ask(SENTENCES[number % len(SENTENCES)])
        seconds.append(time.perf_counter() - began)
    return seconds


def many_shells() -> float:
    """Seconds until SHELLS shells that ask at the same moment all have their answer."""
    with ThreadPoolExecutor(SHELLS) as shells:
        began = time.perf_counter()
        list(shells.map(ask, [SENTENCES[0]] * SHELLS))
        return time.perf_counter() - began


def resident() -> float:
    """Megabytes (2^20) of the agent after its first answers."""
    facts = lifecycle.status()
    assert facts is not None
    return float(facts["rss"]) / 2**20


def measure() -> list[Figure]:
    """The figures of the agent; medians unless the name says otherwise."""
    with empty_home():
        starts = [cold_start() for _ in range(STARTS)]
        lifecycle.start()
        seconds = questions()
        rss = resident()
        burst = many_shells()
    start, answer = (statistics.median(column) * 1000 for column in zip(*starts, strict=True))
    return [
        ("agent: terma agent start returns", start, "ms", f"median of {STARTS}"),
        ("agent: cold start to answer", answer, "ms", f"median of {STARTS}; bar 400"),
        ("agent: idle memory", rss, "MB", f"after {QUESTIONS} questions; bar 30"),
        ("agent: question to done, warm", statistics.median(seconds) * 1000, "ms", "over the socket; bar 10"),
        ("agent: question to done, p95", sorted(seconds)[int(QUESTIONS * 0.95)] * 1000, "ms", ""),
        (f"agent: {SHELLS} shells at once", burst * 1000, "ms", "until the last has its answer"),
    ]


if __name__ == "__main__":
    for name, value, unit, note in measure():
        print(f"{name:40} {value:8.1f} {unit:3} {note}")
