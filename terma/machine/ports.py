"""Who listens on a port: from /proc on Linux, from lsof elsewhere."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from contextlib import suppress
from itertools import islice
from pathlib import Path

from terma.records import dataclass

# Seconds of CPU for the walk through every process's open files: on a busy machine the clock says nothing of the work.
BUDGET = 0.08
LSOF_TIMEOUT = 0.5
MAX_ROWS = 20000
_LISTEN = "0A"


@dataclass(frozen=True, slots=True)
class Holder:
    """The process that listens. `pid` is 0 and `name` empty when it belongs to somebody else and is not shown."""

    pid: int = 0
    name: str = ""

    def __str__(self) -> str:
        if not self.pid:
            return "a process that this user may not look at"
        return f"{self.name} (process {self.pid})"


@dataclass(frozen=True, slots=True)
class Listening:
    """Who takes a connection to 127.0.0.1 on one port: the accounts, and the sockets' numbers."""

    uids: frozenset[int]
    inodes: frozenset[str]


# How /proc writes the addresses that a connection to 127.0.0.1 reaches, in the byte order of this machine.
_HERE = frozenset(
    {
        f"{int.from_bytes(bytes((127, 0, 0, 1)), sys.byteorder):08X}",
        "0" * 8,
        "0" * 32,
        "0" * 16
        + f"{int.from_bytes(bytes((0, 0, 255, 255)), sys.byteorder):08X}"
        + f"{int.from_bytes(bytes((127, 0, 0, 1)), sys.byteorder):08X}",
    }
)


def listening_on(port: int, root: str = "/proc") -> Listening | None:
    """Who listens on TCP port `port` for 127.0.0.1; None where that cannot be told: not Linux, or nothing is shown of
    what listens. Never raises."""
    uids, inodes = set(), set()
    for table in ("tcp", "tcp6"):
        with (
            suppress(OSError, ValueError, IndexError),
            Path(f"{root}/net/{table}").open(encoding="ascii") as rows,
        ):
            for row in islice(rows, 1, MAX_ROWS):
                cells = row.split()
                address, _, number = cells[1].rpartition(":")
                if cells[3] == _LISTEN and address in _HERE and int(number, 16) == port:
                    uids.add(int(cells[7]))
                    inodes.add(f"socket:[{cells[9]}]")
    return Listening(frozenset(uids), frozenset(inodes)) if uids else None


def listening(root: str = "/proc") -> tuple[int, ...]:
    """The TCP ports on which something takes a connection to 127.0.0.1, the lowest first; () where that cannot be told.
    Never raises."""
    found: set[int] = set()
    for table in ("tcp", "tcp6"):
        with (
            suppress(OSError, ValueError, IndexError),
            Path(f"{root}/net/{table}").open(encoding="ascii") as rows,
        ):
            for row in islice(rows, 1, MAX_ROWS):
                cells = row.split()
                address, _, number = cells[1].rpartition(":")
                if cells[3] == _LISTEN and address in _HERE:
                    found.add(int(number, 16))
    return tuple(sorted(found))


def program_of(listening: Listening, root: str = "/proc") -> str:
    """The program that listens, as a path; "" where it is somebody else's and not shown. Never raises."""
    with suppress(OSError):
        owner = _owner(set(listening.inodes), root)
        return os.readlink(f"{root}/{owner.pid}/exe") if owner else ""  # noqa: PTH115
    return ""


def holder_of(port: int) -> Holder | None:
    """Who listens on TCP port `port` here, None when nobody does. Never raises."""
    if not 0 < port < 65536:
        return None
    with suppress(OSError, ValueError, subprocess.SubprocessError):
        return _from_proc(port) if sys.platform.startswith("linux") else _from_lsof(port)
    return None


def _from_proc(port: int, root: str = "/proc") -> Holder | None:
    inodes: set[str] = set()
    for table in ("tcp", "tcp6"):
        with suppress(OSError), Path(f"{root}/net/{table}").open(encoding="ascii", errors="replace") as rows:
            for row in islice(rows, 1, MAX_ROWS):
                cells = row.split()
                if cells[3] == _LISTEN and int(cells[1].rpartition(":")[2], 16) == port:
                    inodes.add(f"socket:[{cells[9]}]")
    return (_owner(inodes, root) or Holder()) if inodes else None


def _owner(inodes: set[str], root: str) -> Holder | None:
    end = time.thread_time() + BUDGET
    for pid in sorted((name for name in os.listdir(root) if name.isdigit()), key=int, reverse=True):  # noqa: PTH208
        if time.thread_time() > end:
            return None
        with suppress(OSError), os.scandir(f"{root}/{pid}/fd") as files:  # it ended, or it is somebody else's
            if any(_leads_to(file.path) in inodes for file in files):
                name = Path(f"{root}/{pid}/comm").read_text(encoding="utf-8", errors="replace").strip()
                return Holder(int(pid), name)
    return None


def _leads_to(link: str) -> str:
    """What a descriptor is; "" of one that was closed meanwhile: the others of its process still count."""
    with suppress(OSError):
        return os.readlink(link)  # noqa: PTH115  (there are many)
    return ""


def _from_lsof(port: int) -> Holder | None:
    lsof = next((path for path in ("/usr/sbin/lsof", "/usr/bin/lsof") if os.access(path, os.X_OK)), "")
    if not lsof:
        return None
    done = subprocess.run(
        [lsof, "-nP", f"-iTCP:{port}", "-sTCP:LISTEN", "-Fpc"],
        stdin=subprocess.DEVNULL, capture_output=True, timeout=LSOF_TIMEOUT, cwd="/", check=False,
    )  # fmt: skip
    found = {line[:1]: line[1:] for line in done.stdout.decode("utf-8", "replace").splitlines()[:2]}
    return Holder(int(found["p"]), found.get("c", "?")) if found.get("p") else None
