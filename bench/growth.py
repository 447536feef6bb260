"""How cost grows: knowledge, history, PATH, output and line length times ten, shells times a hundred.

Processor time, so that what else a machine does changes little. Each row is one quantity at one size, beside the
smallest of its kind. `python -m bench.growth --picture docs/growth.svg` draws them too."""

from __future__ import annotations

import argparse
import json
import os
import random
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path

from bench._plot import grown
from bench.lived_in import spent
from bench.redact import text_of
from terma.offline.compiler import compile_index, postings, sources
from terma.offline.engine import Engine
from terma.offline.explain.explainer import explain
from terma.offline.index import Index
from terma.output.shorten import digest
from terma.redact import redact
from terma.risk import assess
from terma.routing import Known, route
from terma.types import Output, Query, WhyQuery
from tests.conftest import RunningAgent

Figure = tuple[str, float, str, str]  # name, value, unit, note
Series = dict[str, list[tuple[int, float]]]  # size and milliseconds of processor
SENTENCES = (
    "list all files",
    "find files larger than 100 MB",
    "extract a.tar.gz",
    "restart nginx",
    "show open ports",
)
ROUNDS = 5


def cpu(work: Callable[[], object], rounds: int = ROUNDS) -> float:
    """Milliseconds of processor that `work` takes, the median; once before it counts."""
    work()
    taken = []
    for _ in range(rounds):
        begun = time.process_time()
        work()
        taken.append(time.process_time() - begun)
    return statistics.median(taken) * 1e3


def asked(engine: Engine, **known: object) -> float:
    """Milliseconds of one question, of all SENTENCES."""
    queries = [Query(words, **known) for words in SENTENCES]  # type: ignore[arg-type]
    return cpu(lambda: [engine.answer(query) for query in queries]) / len(queries)


def knowledge() -> Iterator[tuple[int, float]]:
    """Entries times ten: each copy says one word of its own in place of one of its phrasing's."""
    entries = compile_index(sources())["entries"]
    source = random.Random(20)
    for times in (1, 3, 10):
        many = [list(entry) for entry in entries]
        for copy in range(1, times):
            for entry in entries:
                made = [*entry]
                made[0] = f"{entry[0]}-{copy}"
                made[5] = [_varied(text, copy, source) for text in entry[5]]
                many.append(made)
        data = {"entries": many, "tools": sorted({entry[1] for entry in many}), **postings(many)}
        yield len(many), asked(Engine(Index.of(json.loads(json.dumps(data)))))


def _varied(phrase: str, copy: int, source: random.Random) -> str:
    words = phrase.split()
    places = [i for i, word in enumerate(words) if word[0] != "{"]
    if places:
        words[source.choice(places)] = f"word{copy}x{source.randrange(500)}"
    return " ".join(words)


def history(engine: Engine) -> Iterator[tuple[int, float]]:
    """Past commands that the engine is handed; the agent keeps 4,000 of a file of any length."""
    for lines in (400, 4_000, 40_000):
        past = tuple(f"git commit -m 'change {n}' src/mod{n % 97}/file{n}.py" for n in range(lines))
        yield lines, asked(engine, history=past)


def programs(engine: Engine, place: Path) -> Iterator[tuple[int, float]]:
    for number in (400, 4_000):
        folder = place / f"bin{number}"
        folder.mkdir()
        for n in range(number):
            (folder / f"tool-{n}").touch(0o755)
        yield number, asked(engine, path=f"{folder}:{os.environ['PATH']}")


def shells(place: Path) -> Iterator[tuple[int, float]]:
    """The agent's processor time for one question, while so many shells are connected."""
    agent = RunningAgent(place)
    agent.start()
    try:
        with ExitStack() as stack:
            for there in (1, 10, 100):
                while len(stack._exit_callbacks) < there:  # type: ignore[attr-defined]
                    stack.enter_context(agent.connect())
                taken = []
                for n in range(ROUNDS * 4):
                    before = spent(agent.pid)
                    agent.ask("translate", buffer=SENTENCES[n % len(SENTENCES)], engine="offline", cwd="/")
                    taken.append(spent(agent.pid) - before)
                yield there, statistics.median(taken) * 1e3
    finally:
        agent.stop()


def output(work: Callable[[str], object]) -> Iterator[tuple[int, float]]:
    """Lines of a build's output with an error near their end."""
    for lines in (1_000, 10_000, 100_000):
        rows = [f"[{n}/{lines}] cc -O2 -c src/part{n % 311}.c -o build/part{n}.o" for n in range(lines)]
        rows[-7] = "src/part7.c:12:5: error: unknown type name 'sise_t'; did you mean 'size_t'?"
        text = "\n".join(rows)
        yield lines, cpu(lambda text=text: work(text), 3)  # type: ignore[misc]


def measured() -> Series:
    """Every series; takes some minutes, most of them for ten times the knowledge."""
    engine = Engine.load()
    why = WhyQuery("make", 2)
    with tempfile.TemporaryDirectory(prefix="terma-g", dir="/tmp") as name:
        place = Path(name)
        (place / "agent").mkdir()
        return {
            "knowledge, entries": list(knowledge()),
            "history, commands": list(history(engine)),
            "PATH, programs": list(programs(engine, place)),
            "shells connected": list(shells(place / "agent")),
            "output cut, lines": list(output(digest)),
            "output explained, lines": list(
                output(lambda text: explain(replace(why, output=Output(text=text))))
            ),
            "redaction, KB": [
                (kb, cpu(lambda kb=kb: redact(text_of(kb * 1000)), 1)) for kb in (50, 500, 5_000)
            ],  # type: ignore[misc]
            "risk, bytes of a script": [
                (size, cpu(lambda size=size: assess("git status && ls -la src\n" * (size // 25)), 3))  # type: ignore[misc]
                for size in (250, 2_500, 25_000)
            ],
            "routing, characters of a line": [
                (
                    size,
                    cpu(
                        lambda size=size: route(
                            "find the large files in src " * (size // 28), Known("/usr/bin")
                        )
                    ),
                )  # type: ignore[misc]
                for size in (28, 280, 2_800)
            ],
        }


def rows(series: Series) -> list[Figure]:
    found: list[Figure] = []
    for name, points in series.items():
        first, least = points[0]
        for size, taken in points:
            note = f"{taken / max(least, 1e-6):.1f} times the time of {first:,}" if size != first else ""
            found.append((f"{name}: {size:,}", taken, "ms cpu", note))
    return found


def measure() -> list[Figure]:
    return rows(measured())


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="bench.growth", description=__doc__.split("\n\n", maxsplit=1)[0])
    parser.add_argument("--picture", type=Path)
    options = parser.parse_args(arguments)
    series = measured()
    for figure, value, unit, note in rows(series):
        print(f"{figure:45} {value:11.3f} {unit:8} {note}")
    if options.picture:
        grown(
            options.picture, "How cost grows: milliseconds of processor by size, both tenfold a step", series
        )
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
