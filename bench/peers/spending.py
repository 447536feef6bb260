"""What processes spend: processor time of a shell with what it started and waited for, and a program's own peak."""

from __future__ import annotations

import os
import pty
import select
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

TICK = os.sysconf("SC_CLK_TCK")
WAIT = 300.0  # seconds: the longest wait for one program; the machine may be busy
LEAST, SECONDS = 2, 60.0  # rounds of each part, and seconds after which no further one begins


def rounds(most: int) -> Iterator[int]:
    """0 for the round that does not count, then 1 and on: `most` of them, fewer where the machine is slow."""
    until = time.monotonic() + SECONDS
    for number in range(most + 1):
        if number > LEAST and time.monotonic() > until:
            return
        yield number


def spent(*pids: int) -> float:
    """Seconds of processor of these processes' threads, and of their children that have ended (in hundredths)."""
    total = 0.0
    for pid in pids:
        process = Path(f"/proc/{pid}")
        for task in (process / "task").iterdir():
            total += int((task / "schedstat").read_text("ascii").split()[0]) / 1e9
        fields = (process / "stat").read_text(encoding="utf-8").rpartition(")")[2].split()
        total += (int(fields[13]) + int(fields[14])) / TICK
    return total


def resident(pid: int) -> float:
    """Megabytes (2^20)."""
    rows = Path(f"/proc/{pid}/status").read_text(encoding="ascii").splitlines()
    return next(int(row.split()[1]) for row in rows if row.startswith("VmRSS")) / 1024


@dataclass(frozen=True, slots=True)
class Used:
    """By one program from its start to its end: seconds on the clock, of processor, and megabytes at its peak. The
    processor time is that of its children, too; the peak is its own."""

    seconds: float
    processor: float
    megabytes: float


def program(
    words: Sequence[str], env: Mapping[str, str], cwd: Path, answers: Sequence[tuple[bytes, bytes]] = ()
) -> Used:
    """Run `words` on a terminal; each of `answers` is what to wait for, and the keys then. Raises TimeoutError."""
    begun = time.perf_counter()
    pid, master = pty.fork()
    if pid == 0:
        os.chdir(cwd)
        os.execvpe(words[0], list(words), dict(env))  # noqa: S606
    try:
        for wanted, keys in answers:
            _until(master, wanted)
            os.write(master, keys)
        _until(master, None)
    except TimeoutError:
        os.kill(pid, 9)
        raise
    finally:
        _, _, usage = os.wait4(pid, 0)
        os.close(master)
    seconds = time.perf_counter() - begun
    return Used(seconds, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024)


def _until(master: int, wanted: bytes | None) -> None:
    """Read until `wanted` came, or to the end."""
    seen = b""
    deadline = time.monotonic() + WAIT
    while wanted is None or wanted not in seen:
        if not select.select([master], [], [], max(0.0, deadline - time.monotonic()))[0]:
            raise TimeoutError(f"no {wanted!r} in {seen[-300:]!r}")
        try:
            data = os.read(master, 65536)
        except OSError:
            data = b""
        if not data:
            if wanted is None:
                return
            raise TimeoutError(f"it ended without {wanted!r}: {seen[-300:]!r}")
        seen += data
