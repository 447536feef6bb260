"""What `terma shell` costs, beside `script` and beside nothing, in one run: a key's echo, throughput, memory, start-up.

All variants take turns, so that a busy machine slows them alike. `script` (bsdutils) is the recorder that every Linux
has; it writes to a file, here to /dev/null.
"""

from __future__ import annotations

import os
import pty
import select
import shutil
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

Figure = tuple[str, float, str, str]  # name, value, unit, note
KEYS = 300
ROUNDS = 10
MEGABYTES = 16
STARTS = 15
FLOOD_MEGABYTES = 60
WAIT = 30.0
TERMA = str(Path(sys.executable).parent / "terma")
KINDS = ("bare", "script", "terma shell")


OPEN = r"printf '\033]133;C\a'"  # sh has no hooks: the mark by hand, so that what follows is kept


def command(kind: str, line: str) -> list[str]:
    """The words that run `line` in sh, in a PTY of their own for all kinds but `bare`."""
    if kind == "script":
        return ["script", "-q", "-c", line, "/dev/null"]
    return ["sh", "-c", line] if kind == "bare" else [TERMA, "shell", "--", "-c", line]


@contextmanager
def running(words: list[str], home: Path) -> Iterator[tuple[int, int]]:
    """The pid and the terminal of a program; it is killed afterwards. The terminal echoes nothing by itself."""
    pid, master = pty.fork()
    if pid == 0:
        os.environ |= {"SHELL": "/bin/sh", "TERMA_SOCKET": str(home / "run/agent.sock"), "HOME": str(home)}
        os.execvp(words[0], words)  # noqa: S606
    try:
        yield pid, master
    finally:
        os.kill(pid, 9)
        os.close(master)
        os.waitpid(pid, 0)


def read_until(master: int, wanted: bytes) -> bytes:
    """What the terminal gets, up to and with `wanted`. Raises TimeoutError."""
    got = b""
    until = time.monotonic() + WAIT
    while wanted not in got:
        if not select.select([master], [], [], max(0.0, until - time.monotonic()))[0]:
            raise TimeoutError(f"no {wanted!r} in {got[-200:]!r}")
        got += os.read(master, 65536)
    return got


def echo(home: Path) -> list[Figure]:
    """From a key to its echo by the terminal driver (ECHO on, cat behind it), and by a program in raw mode (a shell's
    line editor is one)."""
    figures: list[Figure] = []
    raw = f'stty raw -echo; exec {sys.executable} -ISc "{RAW_ECHO}"'
    for name, line in (("by the terminal driver", "echo re''ady; cat"), ("by a program in raw mode", raw)):
        times: dict[str, list[float]] = {kind: [] for kind in KINDS}
        for _ in range(ROUNDS):
            for kind in KINDS:
                with running(command(kind, line), home) as (_, master):
                    read_until(master, b"ready")
                    time.sleep(0.05)
                    times[kind] += [_press(master, number) for number in range(KEYS // ROUNDS)]
        bare = statistics.median(times["bare"]) * 1e3
        figures.append((f"key echo {name}, bare", bare, "ms", ""))
        for kind in KINDS[1:]:
            ordered = sorted(times[kind])
            note = f"p95 {(ordered[int(len(ordered) * 0.95)]) * 1e3:.2f} in all"
            figures.append(
                (f"key echo {name}, {kind}, over bare", statistics.median(ordered) * 1e3 - bare, "ms", note)
            )
    return figures


RAW_ECHO = "import os; os.write(1, b'ready'); [os.write(1, os.read(0, 1)) for _ in iter(int, 1)]"


def _press(master: int, number: int) -> float:
    key = b"abcdefghij"[number % 10 : number % 10 + 1]
    time.sleep(0.002)  # as fast as nobody types, and slow enough that each key wakes the recorder
    begun = time.perf_counter()
    os.write(master, key)
    read_until(master, key)
    return time.perf_counter() - begun


def throughput(home: Path) -> list[Figure]:
    """Megabytes a second of plain lines, and of coloured ones, to a terminal that reads as fast as it can."""
    figures: list[Figure] = []
    plain = b"".join(
        b"line %07d of what a compiler or a log says, eighty columns wide or nearly so.\n" % n
        for n in range(12000)
    )
    colour = b"".join(
        b"\x1b[01;34mdir%d\x1b[0m  \x1b[01;32mrun%d\x1b[0m  file%d.txt\n" % (n, n, n) for n in range(20000)
    )
    for name, block in (("plain lines", plain), ("colours", colour)):
        file = home / "block"
        file.write_bytes(block * (MEGABYTES * 1_000_000 // len(block)))
        speeds: dict[str, list[float]] = {kind: [] for kind in KINDS}
        for _ in range(ROUNDS):
            for kind in KINDS:
                speeds[kind].append(
                    _speed(
                        command(kind, f"{OPEN}; read go; cat {file}; echo en''d"), home, file.stat().st_size
                    )
                )
        median = {kind: statistics.median(speeds[kind]) for kind in KINDS}
        ratios = [ours / theirs for ours, theirs in zip(speeds["terma shell"], speeds["script"], strict=True)]
        for kind in KINDS:
            figures.append((f"throughput, {name}, {kind}", median[kind], "MB/s", ""))
        figures.append(
            (
                f"throughput, {name}, terma shell over script",
                statistics.median(ratios),
                "",
                "median of the rounds; to be ≥ 0.8",
            )
        )
    return figures


def _speed(words: list[str], home: Path, size: int) -> float:
    with running(words, home) as (_, master):
        time.sleep(0.3)
        os.write(master, b"go\n")
        begun = time.perf_counter()
        tail = b""
        while b"end\r\n" not in tail:
            tail = tail[-16:] + os.read(master, 1 << 20)
        return size / 1e6 / (time.perf_counter() - begun)


def memory(home: Path) -> list[Figure]:
    """Resident memory of the recorder before and after a flood, which the ring must bound."""
    line = f"{OPEN}; echo re''ady; read go; yes | head -c {FLOOD_MEGABYTES * 1_000_000}; echo en''d; read go"
    with running(command("terma shell", line), home) as (pid, master):
        read_until(master, b"ready")
        before = _rss(pid)
        os.write(master, b"go\n")
        tail = b""
        while b"end\r\n" not in tail:
            tail = tail[-16:] + os.read(master, 1 << 20)
        return [
            ("recorder, memory when idle", before, "MB", ""),
            (f"recorder, memory after {FLOOD_MEGABYTES} MB of yes", _rss(pid), "MB", ""),
        ]


def _rss(pid: int) -> float:
    for line in Path(f"/proc/{pid}/status").read_text(encoding="ascii").splitlines():
        if line.startswith("VmRSS:"):
            return int(line.split()[1]) / 1024
    return 0.0


def start_up(home: Path) -> list[Figure]:
    """From the start to the shell's first word."""
    times: dict[str, list[float]] = {kind: [] for kind in KINDS}
    for _ in range(STARTS):
        for kind in KINDS:
            begun = time.perf_counter()
            with running(command(kind, "echo re''ady; cat"), home) as (_, master):
                read_until(master, b"ready")
                times[kind].append(time.perf_counter() - begun)
    median: Callable[[str], float] = lambda kind: statistics.median(times[kind]) * 1e3  # noqa: E731
    return [
        (f"start-up over the bare shell, {kind}", median(kind) - median("bare"), "ms", "")
        for kind in KINDS[1:]
    ]


def measure() -> list[Figure]:
    """Every figure of the recorder; takes about half a minute."""
    home = Path(tempfile.mkdtemp(prefix="terma-b", dir="/tmp"))
    try:
        if shutil.which("script") is None:
            return []
        return [*echo(home), *throughput(home), *memory(home), *start_up(home)]
    finally:
        shutil.rmtree(home, ignore_errors=True)


if __name__ == "__main__":
    for figure, value, unit, note in measure():
        print(f"{figure:55} {value:9.3f} {unit:4} {note}", flush=True)
