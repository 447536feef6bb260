"""Finds every process that a session started, however far it ran, and ends it.

A child may leave its group (setsid), ignore the hang-up (nohup) and lose its parent (double fork), but it keeps the
environment it was born with: there stands the session's tag. What clears its environment as well is found while its
parent lives, or while it stays in the terminal's session.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
import subprocess
import time
from collections.abc import Collection, Iterable
from pathlib import Path

TAG = "TERMA_SESSION"
_ROUNDS = 20  # of looking for what was started while we killed
_PAUSE = 0.02  # seconds between two of them
_LOOKS = 5  # at what was not there, or said nothing, at the look before
_MOMENT = 0.002  # seconds between two of those
_YOUNG = 0.3  # seconds in which a process may still become another program
TICK = 1 / os.sysconf("SC_CLK_TCK")  # seconds: how exactly the start of a process is told
_PART = 1 << 16  # bytes read of a file of /proc at once
_STARTTIME = 19  # its place behind the name in /proc/PID/stat: proc(5), field 22


async def end(leader: int, tag: str, grace: float, spared: Collection[int] = ()) -> int:
    """End all processes of the session that `leader` leads or led and that carry `tag`, but for those `spared` and
    what descends from them; how many were seen.

    They get SIGHUP, SIGCONT and SIGTERM and `grace` seconds, then SIGKILL; with a grace of 0, SIGKILL at once."""

    def found() -> list[int]:
        return find(leader, tag, spared)

    seen: set[int] = set()
    loop = asyncio.get_running_loop()
    deadline = loop.time() + grace
    if grace > 0:
        for pid in (first := await asyncio.to_thread(found)):
            for number in (signal.SIGHUP, signal.SIGCONT, signal.SIGTERM):
                _signal(pid, number)
        seen.update(first)
        left = first
        while left and loop.time() < deadline:
            await asyncio.sleep(_PAUSE)
            left = await asyncio.to_thread(found)
    for _ in range(_ROUNDS):
        left = await asyncio.to_thread(found)
        if not left:
            break
        seen.update(left)
        for pid in left:
            _signal(pid, signal.SIGKILL)
        await asyncio.sleep(_PAUSE)
    return len(seen)


def strike(leader: int, tag: str) -> None:
    """End them now, by force, without a loop to wait in."""
    for _ in range(_ROUNDS):
        left = find(leader, tag)
        if not left:
            return
        for pid in left:
            _signal(pid, signal.SIGKILL)
        time.sleep(_PAUSE)


def find(leader: int, tag: str, spared: Collection[int] = ()) -> list[int]:
    """The living processes of a session: its terminal's session, their descendants, and whoever carries the tag;
    without those `spared` and their descendants."""
    if not Path("/proc/self/stat").exists():
        return [pid for pid in _by_ps(leader) if pid not in spared]
    parents: dict[int, int] = {}
    found: set[int] = set()
    looked: set[int] = set()
    for _ in range(_LOOKS):
        new = [pid for pid in _all() if pid not in looked]
        if not new:
            break
        if looked:
            time.sleep(_MOMENT)
        _look(new, leader, f"{TAG}={tag}".encode(), parents, found, looked)
    kept = _with_children(set(spared), parents) if spared else set()
    return sorted(_with_children(found, parents) - {os.getpid()} - kept)


def _look(
    pids: list[int], leader: int, needle: bytes, parents: dict[int, int], found: set[int], looked: set[int]
) -> None:
    """Add what `pids` say to `parents` and `found`, and those that said it to `looked`. One that has just begun to be
    another program has no environment for a moment; and one that was listed may be gone, in favour of a child that
    was not: both are looked at again."""
    for pid in pids:
        fields = stat(pid)
        if len(fields) < 4:
            continue
        if fields[0] in "ZX":
            looked.add(pid)
            continue
        parents[pid] = int(fields[1])
        environment = _environment(pid)
        if (leader and leader in (pid, int(fields[3]))) or needle in environment:
            found.add(pid)
        if environment or now() - began(fields) > _YOUNG:
            looked.add(pid)


def tagged(prefix: str) -> dict[str, list[int]]:
    """All living processes whose tag begins with `prefix`, by tag."""
    found: dict[str, list[int]] = {}
    start = f"{TAG}={prefix}".encode()
    for pid in _all():
        for word in _environment(pid):
            if word.startswith(start):
                found.setdefault(word.partition(b"=")[2].decode("utf-8", "replace"), []).append(pid)
    return found


def carries(pid: int, entry: bytes) -> bool:
    """Whether the environment `pid` was started with holds `entry` (NAME=value)."""
    return entry in _environment(pid)


def _with_children(found: set[int], parents: dict[int, int]) -> set[int]:
    grown = True
    while grown:
        more = {pid for pid, parent in parents.items() if parent in found and pid not in found}
        found |= more
        grown = bool(more)
    return found


def _all() -> Iterable[int]:
    with contextlib.suppress(OSError):
        return [int(entry) for entry in os.listdir("/proc") if entry.isdigit()]  # noqa: PTH208 faster than iterdir
    return ()


def stat(pid: int) -> list[str]:
    """The fields of /proc/PID/stat behind the name, the state first; [] of who is gone."""
    data = _read(f"/proc/{pid}/stat")
    return data[data.rindex(b")") + 2 :].decode("ascii").split() if data else []


def group_of(pid: int) -> int:
    """Its process group, -1 of who is gone. A system call: a hundredth of the time of reading its file."""
    try:
        return os.getpgid(pid)
    except OSError:
        return -1


def began(fields: list[str]) -> float:
    """When the process of these `stat` fields began, as now() counts, up to a tick too early; 0 when it is not told."""
    return int(fields[_STARTTIME]) * TICK if len(fields) > _STARTTIME else 0.0


def now() -> float:
    """Seconds since the machine started."""
    return time.clock_gettime(getattr(time, "CLOCK_BOOTTIME", time.CLOCK_MONOTONIC))


def _environment(pid: int) -> list[bytes]:
    """[] of another user's, of who is gone, and of one that is just becoming another program."""
    data = _read(f"/proc/{pid}/environ")
    return data.split(b"\0") if data else []


def _read(path: str) -> bytes:
    """A file of /proc; b"" of another user's, or of who is gone. Every process of the machine is asked for two, many
    times when a session ends: an open file object takes seven times as long."""
    try:
        handle = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
    except OSError:
        return b""
    try:
        parts = []
        while part := os.read(handle, _PART):
            parts.append(part)
        return b"".join(parts)
    except OSError:
        return b""
    finally:
        os.close(handle)


def _signal(pid: int, number: int) -> None:
    with contextlib.suppress(OSError):
        os.kill(pid, number)


def _by_ps(leader: int) -> list[int]:
    """macOS and the BSDs: the session's group and the descendants; what left both is not found."""
    said = subprocess.run(
        ["ps", "-axo", "pid=,ppid=,pgid="], capture_output=True, text=True, check=False
    ).stdout
    rows = [tuple(map(int, line.split())) for line in said.splitlines() if len(line.split()) == 3]
    found = {pid for pid, parent, group in rows if leader and leader in (pid, group)}
    return sorted(_with_children(found, {pid: parent for pid, parent, _ in rows}) - {os.getpid()})
