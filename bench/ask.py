"""From Enter on `terma "…"` to something to see and to the answer, beside an interpreter that does nothing.

Every program starts in a PTY of its own, with the agent running, as it is all day. The embedded engine answers, so
what is measured is terma's own way: no model waits in it.
"""

from __future__ import annotations

import os
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Mapping
from pathlib import Path

import pexpect

from tests.conftest import Home, end_agent_in

Figure = tuple[str, float, str, str]  # name, value, unit, note
ROUNDS, PATIENCE = 15, 60.0
TERMA = str(Path(sys.executable).parent / "terma")
QUESTION = "list files by size"


def until(command: list[str], seen: str, env: Mapping[str, str], cwd: Path) -> float:
    """Seconds from the start of `command` until the pattern `seen` was written to its terminal."""
    begun = time.perf_counter()
    child = pexpect.spawn(
        command[0], command[1:], env=dict(env), cwd=str(cwd), timeout=PATIENCE, encoding="utf-8"
    )
    try:
        child.expect(seen)
        return time.perf_counter() - begun
    finally:
        child.close(force=True)


def measure() -> list[Figure]:
    """Medians of ROUNDS, taken in turns."""
    with tempfile.TemporaryDirectory(prefix="terma-b", dir="/tmp") as name:
        home = Home(Path(name))
        home.env |= {"TERMA_ENGINE": "offline", "TERM": "xterm-256color", "SHELL": "/bin/bash"}
        try:
            return _figures(home)
        finally:
            end_agent_in(home.runtime)


def _figures(home: Home) -> list[Figure]:
    python = [sys.executable, "-c"]
    ways: dict[str, Callable[[], float]] = {
        "python -c 'print(1)'": lambda: until([*python, "print(1)"], "1", home.env, home.home),
        "python, with asyncio, rich and prompt_toolkit imported": lambda: until(
            [*python, "import asyncio, rich.markdown, prompt_toolkit; print(1)"], "1", home.env, home.home
        ),
        'terma "…": first visible character': lambda: until(
            [TERMA, QUESTION], r"[^\s\x1b]", home.env, home.home
        ),
        'terma "…": the proposed command': lambda: until([TERMA, QUESTION], "lS", home.env, home.home),
        "terma chat: the prompt": lambda: until([TERMA, "chat"], "❯", home.env, home.home),
    }
    taken: dict[str, list[float]] = {way: [] for way in ways}
    for once in ways.values():
        once()  # the agent is started, and what is compiled is
    for _ in range(ROUNDS):
        for way, once in ways.items():
            taken[way].append(once())
    medians = {way: statistics.median(times) for way, times in taken.items()}
    base = next(iter(medians.values()))
    loads = f"load {os.getloadavg()[0]:.1f}"
    return [
        (way, 1000 * value, "ms", f"{value / base:.1f} times the first; {loads}")
        for way, value in medians.items()
    ]
