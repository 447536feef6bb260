"""The embedded engine: how long a question takes when warm, how long the index takes to load, how big it is."""

from __future__ import annotations

import json
import statistics
import subprocess
import sys
import time
import tomllib
from collections.abc import Callable
from pathlib import Path

from terma.offline.compiler import compile_index, sources
from terma.offline.engine import Engine
from terma.offline.index import Index, to_json
from terma.types import Query

SENTENCES = Path(__file__).parent.parent / "tests" / "data" / "sentences.toml"
_MEMORY = """
import json, sys
import terma.types
def resident():
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * 4096
before = resident()
from terma.offline import Engine
from terma.types import Query
engine = Engine.load()
for words in json.loads(sys.argv[1]):
    engine.answer(Query(words=words))
print(resident() - before)
"""


def measure() -> list[tuple[str, float, str, str]]:
    """Rows for bench: figure, value, unit, note."""
    data = tomllib.loads(SENTENCES.read_text(encoding="utf-8"))
    words = [entry["say"] for entry in data["answer"]] + data["refuse"]["say"]
    text = to_json(compile_index(sources()))
    loads = [_seconds(lambda: Index.of(json.loads(text))) for _ in range(7)]
    engine = Engine.load()
    for sentence in words[:20]:
        engine.answer(Query(words=sentence))
    asked = sorted(_seconds(lambda s=sentence: engine.answer(Query(words=s))) for sentence in words * 2)
    rows = [
        ("offline query, warm, median", statistics.median(asked) * 1e3, "ms", f"{len(words)} sentences"),
        ("offline query, warm, p95", asked[int(len(asked) * 0.95)] * 1e3, "ms", ""),
        ("offline index load", statistics.median(loads) * 1e3, "ms", "from compiled JSON"),
        ("offline index size", len(text.encode()) / 1024, "KiB", "in the wheel, before compression"),
    ]
    if Path("/proc/self/statm").exists():
        run = subprocess.run(
            [sys.executable, "-c", _MEMORY, json.dumps(words[:10])],
            capture_output=True,
            text=True,
            check=True,
        )
        rows.append(
            ("offline engine in memory", int(run.stdout) / 2**20, "MiB", "resident, over Python and types")
        )
    return rows


def _seconds(work: Callable[[], object]) -> float:
    begun = time.perf_counter()
    work()
    return time.perf_counter() - begun
