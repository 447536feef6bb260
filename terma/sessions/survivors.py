"""What still runs of all that was started in a shell: its jobs, and what would live on without its terminal."""

from __future__ import annotations

import re
import signal
import subprocess
from collections.abc import Collection
from dataclasses import dataclass
from pathlib import Path

from terma.sessions import processes
from terma.text import one_line

_HUP = 1 << (signal.SIGHUP - 1)
_LONGEST = 200  # code points of a command line
_INTERPRETER = re.compile(r"(?:python|node|ruby|perl|php|bash|zsh|fish|sh|dash|ksh)[0-9.]*")
_NO_NAME = re.compile(r"[^A-Za-z0-9_.-]+")


@dataclass(frozen=True, slots=True)
class Survivor:
    """A process that lives, with its own children. `command`: "" for a part of the shell itself (a subshell).
    `stopped`: it waits to be continued (Ctrl+Z). `here`: it ends, or loses its voice, with the terminal: it is a job
    there, or prints there. `began`: as processes.now() counts, 0 where that is not told."""

    pid: int
    command: str
    name: str
    stopped: bool = False
    here: bool = True
    began: float = 0.0


def left(leader: int, tag: str, known: Collection[int] = ()) -> list[Survivor]:
    """What the shell `leader` (0: it has ended) started, and lives: the topmost of each tree. `known` are the
    processes that were there before anybody entered anything. Blocks."""
    pids = [pid for pid in processes.find(leader, tag, known) if pid != leader]
    if not pids or not Path("/proc/self/stat").exists():
        return [_by_ps(pid) for pid in pids]
    stats = {pid: fields for pid in pids if len(fields := processes.stat(pid)) > 4}
    own = _words(leader) if leader else []
    found = []
    for pid, fields in stats.items():
        if int(fields[1]) in stats:
            continue
        tree = [pid, *(one for one in stats if _descends(one, pid, stats))]
        said = (_words(one) for one in tree)
        words = next((words for words in said if words not in ([], own)), [])  # a subshell says nothing
        here = any(_needs_terminal(one, leader, stats[one]) for one in tree)
        stopped = any(stats[one][0] in "Tt" for one in tree)
        found.append(
            Survivor(
                pid,
                one_line(" ".join(words), _LONGEST),
                name_of(words),
                stopped,
                here,
                processes.began(fields),
            )
        )
    return found


def survivors(leader: int, tag: str) -> list[int]:
    """Those that go on when the terminal hangs up, as in any shell: they left its session, or ignore the hang-up."""
    pids = [pid for pid in processes.find(leader, tag) if pid != leader]
    return [pid for pid in pids if not _hangs(pid, leader, processes.stat(pid))]


def name_of(words: Collection[str]) -> str:
    """A name for a session in which these words run: the program's, or that of what an interpreter runs."""
    rest = list(words)
    name = Path(rest[0]).name.lstrip("-") if rest else ""
    if _INTERPRETER.fullmatch(name):
        operands = (word for word in rest[1:] if not word.startswith("-"))
        name = Path(next(operands, "")).stem or name
    name = _NO_NAME.sub("-", name).strip("-._")[:40]
    return name or "command"


def _needs_terminal(pid: int, leader: int, fields: list[str]) -> bool:
    return _hangs(pid, leader, fields) or _prints_to(pid) == _terminal_of(leader) != ""


def _hangs(pid: int, leader: int, fields: list[str]) -> bool:
    """Whether it is told when the terminal goes, and does not ignore that."""
    if len(fields) < 4 or not leader or int(fields[3]) != leader:
        return False
    return not _ignored(pid) & _HUP


def _ignored(pid: int) -> int:
    try:
        text = Path(f"/proc/{pid}/status").read_text(encoding="utf-8", errors="replace")
    except OSError:
        return 0
    found = re.search(r"^SigIgn:\s*([0-9a-f]+)", text, re.M)
    return int(found[1], 16) if found else 0


def _terminal_of(leader: int) -> str:
    return _target(leader, 0) if leader else ""


def _prints_to(pid: int) -> str:
    out = _target(pid, 1)
    return out if out.startswith("/dev/") else _target(pid, 2)


def _target(pid: int, handle: int) -> str:
    try:
        return str(Path(f"/proc/{pid}/fd/{handle}").readlink())
    except OSError:
        return ""


def _descends(pid: int, root: int, stats: dict[int, list[str]]) -> bool:
    parent = int(stats[pid][1])
    while parent in stats and parent != root:
        parent = int(stats[parent][1])
    return parent == root


def _words(pid: int) -> list[str]:
    try:
        data = Path(f"/proc/{pid}/cmdline").read_bytes()
    except OSError:
        return []
    return [word.decode("utf-8", "replace") for word in data.rstrip(b"\0").split(b"\0")] if data else []


def _by_ps(pid: int) -> Survivor:
    """macOS and the BSDs: each process by itself."""
    said = subprocess.run(
        ["ps", "-o", "state=,command=", "-p", str(pid)], capture_output=True, text=True, check=False
    ).stdout.strip()
    state, _, command = said.partition(" ")
    return Survivor(pid, one_line(command.strip(), _LONGEST), name_of(command.split()), state[:1] == "T")
