"""Output processing: how fast an output becomes what was seen, how fast that is shortened, and a history read."""

from __future__ import annotations

import random
import statistics
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from terma.context import history
from terma.output import digest, plain

SIZE = 2_000_000  # characters
PIECES = {
    "a listing": "drwxr-xr-x 2 root root 4096 Nov 21 14:12 some-file-name.txt\r\n",
    "a coloured listing": "\x1b[01;34mdir\x1b[0m  \x1b[01;32mfile\x1b[0m.txt  -rw-r--r-- 1 you you 12345\r\n",
    "a progress bar": "\r###################            45% of 12 MB  12.3 MB/s   0:00:12",
    "several lines redrawn": "\x1b[3A\x1b[2K\r3f4ca61aafcd: Downloading 12.3 MB of 45.6 MB\x1b[3B",
    "cursor moves alone": "\x1b[A\x1b[B",
}


def measure() -> list[tuple[str, float, str, str]]:
    """Rows for bench: figure, value, unit, note."""
    rows = []
    for name, piece in PIECES.items():
        text = (piece * (SIZE // len(piece) + 1))[:SIZE]
        rows.append((f"plain, {name}", SIZE / 1e6 / _seconds(lambda t=text: plain(t)), "MB/s", "2 MB"))
    chance = random.Random(3)
    prose = ["".join(chance.choices("abcdefgh jklmnopq", k=60)) for _ in range(SIZE // 61)]
    counted = [f"[{number:07}] step {number * 3} of 1000000 is done" for number in range(SIZE // 45)]
    rows.append(("digest, lines that differ", _seconds(lambda: digest("\n".join(prose))) * 1e3, "ms", "2 MB"))
    rows.append(
        (
            "digest, lines that differ in numbers",
            _seconds(lambda: digest("\n".join(counted))) * 1e3,
            "ms",
            "2 MB",
        )
    )
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "history"
        lines = [f": {1_700_000_000 + number}:0;{line}" for number, line in enumerate(prose[:8_000])]
        path.write_text("\n".join(lines) + "\n", encoding="utf-8")
        rows.append(
            ("history, first read", _seconds(lambda: _read(path)) * 1e3, "ms", "512 KiB, zsh extended")
        )
        again = _seconds(lambda: history.read(str(path)))
        rows.append(("history, unchanged", again * 1e6, "µs", "what a question costs"))
    return rows


def _read(path: Path) -> None:
    history._entries.cache_clear()
    history._commands.cache_clear()
    history.read(str(path))


def _seconds(work: Callable[[], object]) -> float:
    times = []
    for _ in range(3):
        begun = time.perf_counter()
        work()
        times.append(time.perf_counter() - begun)
    return statistics.median(times)
