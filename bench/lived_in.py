"""What a place where somebody lives adds to a question: the same agent, asked from a bare place and from such a one.

A history of HISTORY lines that grows by one before each question, a PATH with PROGRAMS programs, a directory of FILES
files in a repository of TRACKED, ALIASES aliases, SHELLS shells that are connected. Each is added alone as well, so
that the table says which of them costs. Processor time of the agent stands beside the clock: a busy machine changes it
less.
"""

from __future__ import annotations

import contextlib
import os
import shutil
import statistics
import subprocess
import time
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

from bench.agent import empty_home
from terma import client
from terma.agent import lifecycle

Figure = tuple[str, float, str, str]  # name, value, unit, note
HISTORY, PROGRAMS, FILES, TRACKED, ALIASES, SHELLS = 50_000, 4_000, 5_000, 40_000, 40, 10
MANY = 1_000_000  # lines of the longest history
ROUNDS = 60
SENTENCES = ("list all files", "find files larger than 100 MB", "extract a.tar.gz")


def _line(number: int) -> str:
    return (
        f": {1_700_000_000 + number}:0;git commit -m 'change {number}' src/mod{number % 97}/file{number}.py\n"
    )


def history(place: Path, lines: int) -> Path:
    """A zsh history of so many lines, each of them another command."""
    file = place / f"zsh_history_{lines}"
    with file.open("w", encoding="utf-8") as out:
        out.writelines(map(_line, range(lines)))
    return file


def programs(place: Path) -> str:
    """A PATH: this one's, and a directory with PROGRAMS programs before it."""
    folder = place / "programs"
    folder.mkdir()
    for number in range(PROGRAMS):
        (folder / f"tool-{number}").touch(0o755)
    return f"{folder}:{os.environ['PATH']}"


def repository(place: Path) -> Path:
    """A directory of FILES files in a repository of TRACKED, all committed."""
    root = place / "repository"
    here = root / "here"
    for number in range(TRACKED):
        folder = here if number < FILES else root / f"part{number // 500}"
        folder.mkdir(parents=True, exist_ok=True)
        (folder / f"file{number}.txt").touch()
    git = ["git", "-C", str(root), "-c", "user.name=bench", "-c", "user.email=bench@localhost"]
    for words in (["init", "-q"], ["add", "."], ["commit", "-qm", "all"]):
        subprocess.run([*git, *words], check=True, capture_output=True)
    return here


def variants(place: Path) -> dict[str, dict[str, str]]:
    """What a request has beside its sentence, by the variant's name."""
    bare = {"cwd": "/", "path": os.environ["PATH"], "shell": "zsh", "engine": "offline"}
    grown = {"histfile": str(history(place, HISTORY))}
    aliases = {"aliases": "\n".join(f"a{number}=git log --oneline -{number}" for number in range(ALIASES))}
    path, here = {"path": programs(place)}, {"cwd": str(repository(place))}
    return {
        "bare": bare,
        "history": bare | grown,
        "a million lines": bare | {"histfile": str(history(place, MANY))},
        "PATH": bare | path,
        "directory": bare | here,
        "aliases": bare | aliases,
        "lived in": bare | grown | path | here | aliases,
    }


def ask(fields: dict[str, str], sentence: str) -> float:
    """Seconds of one question on a connection of its own, to `done`, after its history grew by a line."""
    if fields.get("histfile"):
        with Path(fields["histfile"]).open("a", encoding="utf-8") as out:
            out.write(_line(time.monotonic_ns()))
    begun = time.perf_counter()
    with client.connect(autostart_agent=False) as agent:
        for _ in agent.ask("translate", fields | {"buffer": sentence}):
            pass
    return time.perf_counter() - begun


def spent(pid: int) -> float:
    """Seconds of processor that the process's threads took, those that live."""
    tasks = Path(f"/proc/{pid}/task").iterdir()
    return sum(int((task / "schedstat").read_text("ascii").split()[0]) for task in tasks) / 1e9


def rounds(
    kinds: dict[str, dict[str, str]], pid: int
) -> tuple[dict[str, list[float]], dict[str, list[float]]]:
    """(clock, processor) of each question in seconds, by variant; they take turns, so the machine slows them alike."""
    clock: dict[str, list[float]] = {name: [] for name in kinds}
    cpu: dict[str, list[float]] = {name: [] for name in kinds}
    for number in range(ROUNDS + 2):
        for name, fields in kinds.items():
            before = spent(pid)
            taken = ask(fields, SENTENCES[number % len(SENTENCES)])
            if number >= 2:  # the first reads what is read once
                clock[name].append(taken)
                cpu[name].append(spent(pid) - before)
    return clock, cpu


@contextlib.contextmanager
def place() -> Iterator[tuple[Path, int]]:
    """A folder, and the agent's process with SHELLS connections."""
    with empty_home(), ExitStack() as shells:
        folder = Path(os.environ["HOME"]) / "place"
        folder.mkdir()
        lifecycle.start()
        facts = lifecycle.status()
        assert facts is not None
        for _ in range(SHELLS):
            shells.enter_context(client.connect(autostart_agent=False))
        yield folder, int(facts["pid"])


def measure() -> list[Figure]:
    """Medians, and of the agent's memory before and after; takes about a minute."""
    if shutil.which("git") is None or not Path("/proc/self/schedstat").exists():
        return []
    with place() as (folder, pid):
        kinds = variants(folder)
        for sentence in SENTENCES * 2:
            ask(kinds["bare"], sentence)
        before = lifecycle.status() or {}
        clock, cpu = rounds(kinds, pid)
        after = lifecycle.status() or {}
    bare = statistics.median(cpu["bare"])
    figures: list[Figure] = []
    for name in kinds:
        middle, own = statistics.median(clock[name]) * 1e3, statistics.median(cpu[name])
        note = f"clock {middle:.1f} ms, best {min(clock[name]) * 1e3:.1f}; {own / bare:.2f} of bare"
        figures.append((f"a question, {name}", own * 1e3, "ms cpu", note))
    grown = (float(after["rss"]) - float(before["rss"])) / 2**20
    return [*figures, ("the agent's memory, after all of them", grown, "MB more", "two histories")]


if __name__ == "__main__":
    for figure, value, unit, note in measure():
        print(f"{figure:45} {value:9.2f} {unit:8} {note}")
