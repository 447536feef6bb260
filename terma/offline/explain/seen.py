"""What a look at the machine shows of the very thing that was asked for, where the program itself says little: a port
without a listener, a lock that somebody holds, a folder on which nothing is mounted."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

from terma.machine.ports import holder_of
from terma.offline.explain.case import Case
from terma.offline.explain.shapes.told import URL

LOCAL = re.compile(r"(?<![\w.-])(?:localhost|127(?:\.\d+){3}|\[::1\])(?![\w-])")
# What is to listen itself, or asks by another protocol.
_LISTENS = re.compile(r" -(?:-?(?:bind|listen|publish|addr\S*|udp|serve\S*)\b|[blLRup] )", re.IGNORECASE)
_UNREACHED = re.compile(r"refused|connect|reach|timed? ?out|no answer|unavailable")
MOUNTS = frozenset(("findmnt", "mountpoint", "umount"))
_LOCKS = frozenset(("flock", "lockfile", "dotlockfile", "setlock", "chpst"))


def seen(case: Case) -> str:
    """A sentence about it, "" where there is nothing to tell."""
    return next(iter((*_ports(case), *_locks(case), *_mounts(case))), "")


def unserved(case: Case) -> Iterator[tuple[str, int]]:
    """The addresses of this machine that were typed and on whose port nobody listens: what was typed, and the port."""
    if _LISTENS.search(f" {' '.join(case.args)} "):
        return
    for word in case.arguments:
        value = word.value
        if (hit := URL.match(value)) and LOCAL.search(value):
            told = re.search(r"://(?:[^@/]*@)?[\w.\[\]:-]*?:(\d+)(?:/|$)", hit.group())
            port = int(told[1]) if told else {"http": 80, "https": 443}.get(value.partition(":")[0], 0)
        elif case.output.strip() and not _UNREACHED.search(case.low):
            continue
        elif named := re.fullmatch(rf"{LOCAL.pattern}:(\d{{2,5}})(?:/.*)?", value):
            port = int(named[1])
        elif LOCAL.fullmatch(value) and (after := _number_beside(case, value)):
            port = after
        else:
            continue
        if 0 < port < 65536 and Path("/proc/net/tcp").exists() and holder_of(port) is None:
            yield value, port


def _number_beside(case: Case, host: str) -> int:
    """The number that stands right behind `host`, as `nc localhost 8080` has it."""
    at = case.args.index(host)
    after = case.args[at + 1] if at + 1 < len(case.args) else ""
    return int(after) if re.fullmatch(r"\d{2,5}", after) else 0


def _ports(case: Case) -> Iterator[str]:
    for _, port in unserved(case):
        yield f"Nothing listens on TCP port {port} of this machine."


def _locks(case: Case) -> Iterator[str]:
    """Who holds the lock on a file that was typed, by /proc/locks."""
    if case.program not in _LOCKS:
        return
    with suppress(OSError):
        rows = Path("/proc/locks").read_text(encoding="ascii", errors="replace").splitlines()
        for name in case.operands:
            if not case.is_regular(name):
                continue
            state = os.stat(case.at(name))  # noqa: PTH116
            mine = f"{os.major(state.st_dev):02x}:{os.minor(state.st_dev):02x}:{state.st_ino}"
            holders = {row.split()[4] for row in rows if len(row.split()) > 5 and row.split()[5] == mine}
            for pid in holders:
                yield f"{name} is locked by {_name(pid)}."


def _name(pid: str) -> str:
    with suppress(OSError):
        return f"{Path(f'/proc/{pid}/comm').read_text(encoding='utf-8', errors='replace').strip()} (process {pid})"
    return f"process {pid}" if pid.isdigit() and int(pid) > 0 else "another process"


def _mounts(case: Case) -> Iterator[str]:
    if case.program not in MOUNTS:
        return
    points = re.findall(r"(?m)^\S+ \S+ \S+ \S+ (\S+)", case.read("/proc/self/mountinfo", 1 << 18))
    for name in case.operands:
        path = os.path.normpath(case.at(name))
        if points and path not in points and name.startswith(("/", ".", "~")):
            yield f"Nothing is mounted on {name}."
