"""What makes a machine slow just now, as the kernel tells it: processors, memory, swap, a full disk, who is busiest."""

from __future__ import annotations

import os
import re
import shutil
import time
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

PROC = Path("/proc")
SAMPLE = 0.25  # seconds between two looks at the processes
_GIB = 2**30


@dataclass(frozen=True, slots=True)
class Load:
    """`busiest`: name, pid and share of one processor. Bytes; 0 in `total` where the kernel does not tell."""

    average: float
    processors: int
    total: int = 0
    available: int = 0
    swapped: int = 0
    disk_free: int = 0
    disk_total: int = 0
    busiest: tuple[tuple[str, int, float], ...] = ()

    @property
    def overloaded(self) -> bool:
        return self.average > self.processors * 1.2

    @property
    def short_of_memory(self) -> bool:
        return bool(self.total) and self.available < self.total * 0.1

    @property
    def disk_full(self) -> bool:
        return bool(self.disk_total) and self.disk_free < self.disk_total * 0.03

    def strained(self) -> bool:
        """Whether something is short."""
        return self.overloaded or self.short_of_memory or self.disk_full

    def lines(self) -> Iterator[str]:
        """A sentence for each fact, the numbers in it."""
        more = ": more work than processors" if self.overloaded else ""
        yield f"{self.average:.1f} processes want to run, on {self.processors} processors{more}."
        for name, pid, share in self.busiest:
            yield f"`{name}` (pid {pid}) takes {share:.0%} of one processor."
        if self.total:
            less = ": short of memory" if self.short_of_memory else ""
            swap = f", {self.swapped / _GIB:.1f} GiB are swapped out" if self.swapped > _GIB // 4 else ""
            yield f"{self.available / _GIB:.1f} of {self.total / _GIB:.1f} GiB memory are free{swap}{less}."
        if self.disk_full:
            yield f"The disk of / is full: {self.disk_free / _GIB:.1f} of {self.disk_total / _GIB:.0f} GiB are free."


def measured() -> Load:
    """How it is now. Takes SAMPLE seconds where there is /proc. Never raises."""
    average = 0.0
    with suppress(OSError):
        average = os.getloadavg()[0]
    memory = _memory()
    total = free = 0
    with suppress(OSError):
        disk = shutil.disk_usage("/")
        total, free = disk.total, disk.free
    return Load(
        average=average,
        processors=os.cpu_count() or 1,
        total=memory.get("MemTotal", 0),
        available=memory.get("MemAvailable", 0),
        swapped=memory.get("SwapTotal", 0) - memory.get("SwapFree", 0),
        disk_free=free,
        disk_total=total,
        busiest=_busiest(),
    )


def _memory() -> dict[str, int]:
    with suppress(OSError):
        text = (PROC / "meminfo").read_text(encoding="ascii", errors="replace")
        return {name: int(kib) * 1024 for name, kib in re.findall(r"^(\w+):\s+(\d+) kB", text, re.MULTILINE)}
    return {}


def _busiest() -> tuple[tuple[str, int, float], ...]:
    """Up to three processes that take more than a tenth of a processor."""
    before, began = _ticks(), time.monotonic()
    if not before:
        return ()
    time.sleep(SAMPLE)
    after, passed = _ticks(), time.monotonic() - began
    per_second = os.sysconf("SC_CLK_TCK")
    shares = [
        (name, pid, (ticks - before[pid][1]) / per_second / passed)
        for pid, (name, ticks) in after.items()
        if pid in before and pid != os.getpid()
    ]
    return tuple(sorted((one for one in shares if one[2] > 0.1), key=lambda one: -one[2])[:3])


def _ticks() -> dict[int, tuple[str, int]]:
    """pid -> name and processor time so far, in ticks."""
    found: dict[int, tuple[str, int]] = {}
    with suppress(OSError):
        for folder in PROC.iterdir():
            if folder.name.isdigit():
                with suppress(OSError, ValueError, IndexError):
                    text = (folder / "stat").read_text(encoding="utf-8", errors="replace")
                    name, _, rest = text.partition("(")[2].rpartition(")")
                    parts = rest.split()
                    found[int(folder.name)] = (name, int(parts[11]) + int(parts[12]))
    return found
