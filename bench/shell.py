"""The conversation's shell: what a command costs, how fast a flood reaches the terminal, whether Ctrl+T feels it.

A person sits before a real PTY, as in the tests; the terminal at the other end is `cat`, which draws nothing.
"""

from __future__ import annotations

import os
import select
import shutil
import statistics
import subprocess
import tempfile
import threading
import time
from contextlib import closing
from pathlib import Path

from terma.sessions.processes import find
from tests.conftest import RunningAgent, wait_until
from tests.e2e.sessioned import alive
from tests.e2e.shell_person import Person

Figure = tuple[str, float, str, str]  # name, value, unit, note
SHELLS = [name for name in ("bash", "zsh", "fish") if shutil.which(name)]
ROUNDS = 30
FLOOD = 100_000_000  # bytes
LINES = f"head -c {FLOOD} /dev/zero | tr '\\0' 'x' | fold -w 80"
ORPHANS = "setsid sleep 98761 &\nnohup sleep 98761 >/dev/null 2>&1 &\nsleep 98761\n"


def command(person: Person) -> float:
    """Milliseconds that `true` takes, between order and answer inside the program."""
    return statistics.median(person.run("true")["seconds"] for _ in range(ROUNDS)) * 1000


def flood(person: Person) -> tuple[float, float, float]:
    """Seconds that FLOOD took to the terminal, seconds of the program's own CPU, its highest memory in MB (2^20)."""
    os.set_blocking(person.master, True)
    terminal = subprocess.Popen(["cat"], stdin=person.master, stdout=subprocess.DEVNULL)
    before, begun = _cpu(person), time.perf_counter()
    person.begin(LINES)
    select.select([person._answers], [], [])
    seconds = time.perf_counter() - begun
    terminal.kill()
    terminal.wait()
    os.set_blocking(person.master, False)
    person.result()
    text = Path(f"/proc/{person.process.pid}/status").read_text(encoding="ascii")
    highest = next(int(line.split()[1]) for line in text.split("\n") if line.startswith("VmHWM"))
    return seconds, _cpu(person) - before, highest / 1024


def questions(agent: RunningAgent, stop: threading.Event) -> float:
    """Milliseconds from a question to the first words of its answer, p95, until `stop`, fifty at least."""
    taken = []
    while not stop.is_set() or len(taken) < 50:
        begun = time.perf_counter()
        with agent.connect() as connection:
            for verb, *_ in connection.ask(
                "translate", {"buffer": "list files", "cwd": "/", "shell": "bash"}
            ):
                if verb == "delta":
                    break
        taken.append(time.perf_counter() - begun)
        time.sleep(0.02)
    return sorted(taken)[int(len(taken) * 0.95)] * 1000


def killed(person: Person, home: Path) -> float:
    """Milliseconds from kill -9 to the death of the last process that a script left everywhere."""
    (home / "orphans.sh").write_text(ORPHANS, encoding="ascii")
    person.begin("sh orphans.sh").wait_until_raw()
    wait_until(lambda: len(find(person.process.pid, "-")) >= 6, "all of them")
    started = [pid for pid in find(person.process.pid, "-") if pid != person.process.pid]
    begun = time.perf_counter()
    person.kill()
    wait_until(lambda: not any(map(alive, started)), "their end")
    return (time.perf_counter() - begun) * 1000


def measure() -> list[Figure]:
    """One person a shell; the flood once, in bash, with questions to an agent beside it."""
    figures: list[Figure] = []
    with tempfile.TemporaryDirectory(prefix="terma-b", dir="/tmp") as name:
        agent = RunningAgent(Path(name))
        (agent.home / ".zshrc").touch()
        agent.will_say("ls ", "-l")
        agent.start()
        try:
            for shell in SHELLS:
                with closing(Person(shell, agent.env, str(agent.home))) as person:
                    begun = time.perf_counter()
                    person.run("true")
                    figures.append(
                        (f"shell: {shell}, program start to first answer", _since(begun), "ms", "")
                    )
                    figures.append((f"shell: {shell}, `true`", command(person), "ms", f"median of {ROUNDS}"))
            figures += _flood(agent)
            with closing(Person("bash", agent.env, str(agent.home))) as person:
                figures.append(
                    ("shell: kill -9 to the last orphan's end", killed(person, agent.home), "ms", "bar 2000")
                )
        finally:
            agent.stop()
    return figures


def _flood(agent: RunningAgent) -> list[Figure]:
    stop, slowest = threading.Event(), [0.0]
    stop.set()
    calm = questions(agent, stop)
    stop.clear()
    with closing(Person("bash", agent.env, str(agent.home))) as person:
        person.run("true")
        asker = threading.Thread(target=lambda: slowest.__setitem__(0, questions(agent, stop)))
        asker.start()
        seconds, cpu, memory = flood(person)
        stop.set()
        asker.join()
    megabytes = FLOOD / 1e6
    return [
        ("shell: flood to the terminal", megabytes / seconds, "MB/s", f"{megabytes:.0f} MB in lines of 80"),
        ("shell: flood, per second of CPU", megabytes / cpu, "MB", "of terma's own"),
        ("shell: memory at its highest", memory, "MB", "the program around it too"),
        ("shell: Ctrl+T's first words, p95, calm", calm, "ms", ""),
        ("shell: Ctrl+T's first words, p95, beside the flood", slowest[0], "ms", "bar 50"),
    ]


def _cpu(person: Person) -> float:
    fields = Path(f"/proc/{person.process.pid}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def _since(begun: float) -> float:
    return (time.perf_counter() - begun) * 1000


if __name__ == "__main__":
    for name, value, unit, note in measure():
        print(f"{name:50} {value:8.1f} {unit:4} {note}")
