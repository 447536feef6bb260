"""Asks one agent for as long as one likes and plots what it holds: memory, descriptors, threads and how long an answer
takes. `make soak` is five minutes of it and 10,000 questions, `make soak-short` two minutes in all.

First many shells at once have a slow engine's answer streamed, each again and again; then one shell asks question after
question of the embedded engine, with failures to explain and cancelled answers among them. What was held after the
first tenth of the questions is compared with the end: status 1 where it grew.
"""

from __future__ import annotations

import argparse
import os
import statistics
import sys
import tempfile
import threading
import time
from collections import deque
from dataclasses import dataclass, field
from pathlib import Path

from bench._plot import draw
from terma.errors import TermaError
from tests.conftest import RunningAgent

WORDS = (
    "list all files",
    "find files larger than 100 MB",
    "extract a.tar.gz",
    "show listening ports",
    "blorb the frobs",
)
FAILURES = (
    ("gti --version", 127, "bash: gti: command not found"),
    ("cat /nowhere", 1, "cat: /nowhere: No such file"),
)
SLOW, QUICK = ({"engine": engine, "shell": "bash"} for engine in ("scripted", "offline"))
GROWTH = {"memory": 1.10, "descriptors": 1.0, "threads": 1.0}  # times what it was when the agent was warm


@dataclass
class Held:
    """What was seen, one value of each series for each time; seconds, megabytes (2^20), counts, milliseconds."""

    times: list[float] = field(default_factory=list)
    memory: list[float] = field(default_factory=list)
    descriptors: list[float] = field(default_factory=list)
    threads: list[float] = field(default_factory=list)
    latency: list[float] = field(default_factory=list)


class Watch:
    """Looks at a process each `every` seconds until `stop`, from outside."""

    def __init__(self, pid: int, every: float) -> None:
        self.held = Held()
        self.taken: deque[float] = deque(maxlen=500)  # seconds of the last answers
        self._process = Path(f"/proc/{pid}")
        self._every = every
        self._over = threading.Event()
        self._begun = time.monotonic()
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._thread.start()

    def now(self) -> float:
        return time.monotonic() - self._begun

    def stop(self) -> None:
        self._over.set()
        self._thread.join()

    def _run(self) -> None:
        while not self._over.wait(self._every):
            self.look()

    def look(self) -> dict[str, float]:
        """What the process holds now; it is written down as well."""
        rows = dict(line.split(":", 1) for line in (self._process / "status").read_text("ascii").splitlines())
        found = {
            "memory": int(rows["VmRSS"].split()[0]) / 1024,
            "descriptors": float(sum(1 for _ in (self._process / "fd").iterdir())),
            "threads": float(rows["Threads"]),
        }
        self.held.times.append(self.now())
        self.held.latency.append(statistics.median(self.taken or [0.0]) * 1e3)
        for name, value in found.items():
            getattr(self.held, name).append(value)
        return found


def ask(agent: RunningAgent, watch: Watch, kind: str, **fields: object) -> bool:
    """Whether one question was answered to its end; what the engine refuses is an answer."""
    begun = time.perf_counter()
    try:
        ended = agent.ask(kind, cwd="/", path=os.environ["PATH"], **fields)[-1][0] == "done"
    except TermaError as error:
        ended = error.code not in ("agent", "internal", "protocol")
    watch.taken.append(time.perf_counter() - begun)
    return ended


def crowd(agent: RunningAgent, watch: Watch, shells: int, seconds: float) -> tuple[int, int]:
    """(answers, answers that were lost): so many shells ask a slow engine for so long."""
    until = time.monotonic() + seconds
    counts: list[tuple[int, int]] = []

    def shell(number: int) -> None:
        good = lost = 0
        while time.monotonic() < until:
            whole = ask(agent, watch, "translate", buffer=f"slowly {number}", **SLOW)
            good, lost = good + whole, lost + (not whole)
        counts.append((good, lost))

    threads = [threading.Thread(target=shell, args=(number,)) for number in range(shells)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return sum(good for good, _ in counts), sum(lost for _, lost in counts)


def one(agent: RunningAgent, watch: Watch, number: int) -> bool:
    """One question of an afternoon: mostly a sentence, sometimes a failure, sometimes one that is broken off."""
    if number % 10 == 3:
        command, status, output = FAILURES[number // 10 % len(FAILURES)]
        return ask(agent, watch, "why", command=command, status=status, output=output, **QUICK)
    if number % 10 == 7:
        with agent.connect() as connection:
            asked = connection.ask("translate", {"buffer": "slowly"} | SLOW)
            return next(iter(asked))[0] != "error"
    return ask(agent, watch, "translate", buffer=WORDS[number % len(WORDS)], **QUICK)


def soak(agent: RunningAgent, options: argparse.Namespace) -> int:
    watch = Watch(agent.pid, options.every)
    good, lost = crowd(agent, watch, options.shells, options.seconds)
    print(f"{options.shells} shells, {options.seconds:.0f} s: {good} answers, {lost} lost")
    watch.taken.clear()
    began = watch.now()
    until = time.monotonic() + options.at_most
    warm: dict[str, float] = {}
    asked = 0
    for number in range(options.questions):
        lost += not one(agent, watch, number)
        asked += 1
        if not warm and (asked * 10 >= options.questions or time.monotonic() > until - options.at_most * 0.8):
            warm = watch.look()
        if time.monotonic() > until:
            break
    watch.stop()
    end = watch.look()
    print(f"{asked} questions in a row; lost in all: {lost}")
    grew = [name for name, most in GROWTH.items() if end[name] > warm[name] * most + (name != "memory") * 2]
    for name in GROWTH:
        print(f"  {name:12} {warm[name]:8.1f} warm {end[name]:8.1f} at the end{'  GREW' * (name in grew)}")
    held = watch.held
    series = {"memory, MB": held.memory, "descriptors": held.descriptors, "threads": held.threads}
    series["an answer, ms (median of the last 500)"] = held.latency
    title = f"{options.shells} shells on a slow model, then {asked} questions in a row"
    draw(options.picture, title, held.times, series, {"in a row": began})
    print(f"  {options.picture}")
    return int(bool(grew or lost))


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="bench._soak", description=__doc__.split("\n\n", maxsplit=1)[0])
    parser.add_argument("--shells", type=int, default=200)
    parser.add_argument("--seconds", type=float, default=300.0, help="for which the shells ask")
    parser.add_argument("--questions", type=int, default=10_000, help="in a row")
    parser.add_argument("--at-most", type=float, default=3600.0, help="seconds for these")
    parser.add_argument("--every", type=float, default=1.0, help="seconds between two looks")
    parser.add_argument("--picture", type=Path, default=Path("docs/soak.svg"))
    options = parser.parse_args(arguments)
    with tempfile.TemporaryDirectory(prefix="terma-s", dir="/tmp") as name:
        agent = RunningAgent(Path(name), alone=True)
        steps = [
            step for part in ("sleep ", "1 ", "&& ", "true") for step in ({"wait": 0.4}, {"delta": part})
        ]
        agent.will_do(*steps, match="slowly")
        agent.start()
        try:
            return soak(agent, options)
        finally:
            agent.stop()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
