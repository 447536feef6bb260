"""Looks at a terminal and its programs to tell whether somebody is waited for: nothing is asked of the program.

The foreground process group and the terminal's modes come from the master side; what a program is doing comes from
/proc where there is one, behind `Inspector`. Without it, the modes alone still tell passwords and line editors.
"""

from __future__ import annotations

import contextlib
import os
import termios
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from terma.sessions.processes import group_of, stat

READING, POLLING, RELAYING, BUSY, UNKNOWN = "reading", "polling", "relaying", "busy", "unknown"
# read; select, pselect6, poll, ppoll, epoll_wait, epoll_pwait, epoll_pwait2 (asm/unistd_64.h, asm-generic/unistd.h)
_CALLS = {
    "x86_64": (0, (23, 270, 7, 271, 232, 281, 441)),
    "aarch64": (63, (72, 73, 22, 441)),
    "riscv64": (63, (72, 73, 22, 441)),
}
_SELECTS = {23, 270} if os.uname().machine == "x86_64" else {72}
_THREADS = 200  # of one process that are looked at
_READ, _POLLS = _CALLS.get(os.uname().machine, (-1, ()))


@dataclass(frozen=True, slots=True)
class Look:
    """One look. `leader`: the foreground is the session's own program. `doing` is one of the words above."""

    leader: bool
    doing: str
    canonical: bool
    echo: bool

    @property
    def waits(self) -> str:
        """ "password", "needs_input" or "" when nobody is waited for."""
        if self.canonical and not self.echo and self.doing in (READING, UNKNOWN):
            return "password"
        if self.doing == READING or (self.doing in (POLLING, RELAYING) and not self.canonical):
            return "needs_input"
        return ""

    @property
    def relays(self) -> bool:
        """Whether it hands keys on to another terminal or machine (ssh, script): it reads them at all times."""
        return self.doing == RELAYING and not self.canonical

    @property
    def patient(self) -> bool:
        """Whether it only polls: a program that draws by itself does so between two pictures."""
        return self.doing in (POLLING, RELAYING)


class Inspector(Protocol):
    """What an operating system tells of processes."""

    def doing(self, group: int, terminal: str) -> str:
        """What the processes of a group do about their terminal: the one that waits for it speaks for all."""

    def image(self, pid: int) -> str:
        """A word that changes when `pid` becomes another program (exec); "" when that cannot be known."""

    def command(self, pid: int) -> list[str]:
        """Its command line; [] when that cannot be known."""

    def directory(self, pid: int) -> str:
        """Its working directory; "" when that cannot be known."""


def look(master: int, leader: int, inspector: Inspector) -> Look:
    """Look at the terminal behind `master`, whose session `leader` leads."""
    try:
        group = os.tcgetpgrp(master)
        modes = termios.tcgetattr(master)[3]
    except (OSError, termios.error):
        return Look(False, BUSY, True, True)
    doing = inspector.doing(group, "") if group > 0 else BUSY
    return Look(group == leader, doing, bool(modes & termios.ICANON), bool(modes & termios.ECHO))


class Proc:
    """Linux: /proc/PID/syscall says in which system call a process sleeps, and on which descriptor."""

    def doing(self, group: int, terminal: str) -> str:
        found = BUSY
        for pid in _members(group):
            one = self._call(pid)
            if one == READING:
                return READING
            if (
                one == RELAYING
                or (one == POLLING and found != RELAYING)
                or (one == UNKNOWN and found == BUSY)
            ):
                found = one
        return found

    def image(self, pid: int) -> str:
        fields = stat(pid)
        return fields[25] if len(fields) > 25 and fields[25] not in ("0", "1") else ""  # startstack

    def command(self, pid: int) -> list[str]:
        with contextlib.suppress(OSError):
            words = Path(f"/proc/{pid}/cmdline").read_bytes().rstrip(b"\0").split(b"\0")
            return [word.decode("utf-8", "surrogateescape") for word in words]
        return []

    def directory(self, pid: int) -> str:
        with contextlib.suppress(OSError):
            return str(Path(f"/proc/{pid}/cwd").readlink())
        return ""

    def _call(self, pid: int) -> str:
        words = _syscall(Path(f"/proc/{pid}/syscall"))
        one = self._told(pid, words)
        return self._beside(pid) if one == BUSY and words and words[0].isdigit() else one

    def _beside(self, pid: int) -> str:
        """What another thread of `pid` does for one that waits for something else (the runtimes of Go and Java read in
        threads of their own). Who has a peer as well may read keys at all times, to hand them on."""
        threads: list[str] = []
        found = BUSY
        with contextlib.suppress(OSError):
            threads = os.listdir(f"/proc/{pid}/task")  # noqa: PTH208 as below
        for thread in threads[1:_THREADS]:
            one = self._told(pid, _syscall(Path(f"/proc/{pid}/task/{thread}/syscall")))
            if one == READING:
                return RELAYING if _has_peer(pid) else READING
            found = one if one in (POLLING, RELAYING) else found
        return found

    def _told(self, pid: int, words: list[str]) -> str:
        """What a thread of `pid` does whose system call is `words`."""
        if not words or not words[0].isdigit():
            return UNKNOWN if words == [UNKNOWN] else BUSY
        number = int(words[0])
        alone = number in _POLLS and _selects_input_alone(number, words)
        if number in _POLLS and not alone:
            return RELAYING if _has_peer(pid) else POLLING
        if number != _READ and not alone:
            return BUSY
        with contextlib.suppress(OSError, ValueError):
            handle = 0 if alone else int(words[1], 16)
            target = str(Path(f"/proc/{pid}/fd/{handle}").readlink())
            return READING if target.startswith(("/dev/pts/", "/dev/tty")) else BUSY
        return UNKNOWN if Path(f"/proc/{pid}").exists() else BUSY


class Bare:
    """Where there is no /proc: the terminal's modes must do."""

    def doing(self, group: int, terminal: str) -> str:
        return UNKNOWN

    def image(self, pid: int) -> str:
        return ""

    def command(self, pid: int) -> list[str]:
        return []

    def directory(self, pid: int) -> str:
        return ""


def inspector() -> Inspector:
    """What this machine offers."""
    return Proc() if _READ >= 0 and Path("/proc/self/syscall").exists() else Bare()


def _syscall(path: Path) -> list[str]:
    """The words of such a file: the number and the arguments; [] of who is gone, [UNKNOWN] of another user's (sudo)."""
    try:
        return path.read_text(encoding="ascii").split()
    except (FileNotFoundError, ProcessLookupError):
        return []  # it reads nothing any more
    except OSError:
        return [UNKNOWN]


def _selects_input_alone(number: int, words: list[str]) -> bool:
    """Whether it waits for its standard input and nothing else, for as long as that takes (readline does): a set of
    one descriptor can hold no other, and there is neither a time nor a set for writing."""
    if number not in _SELECTS or len(words) < 6:
        return False
    count, reading, writing, failing, time = (int(word, 16) for word in words[1:6])
    return count == 1 and reading != 0 and not (writing or failing or time)


def _has_peer(pid: int) -> bool:
    """Whether it holds a socket or the master side of a terminal: what waits for keys may wait for those."""
    with contextlib.suppress(OSError):
        for handle in os.listdir(f"/proc/{pid}/fd"):  # noqa: PTH208 as below
            with contextlib.suppress(OSError):
                target = str(Path(f"/proc/{pid}/fd/{handle}").readlink())
                if target.startswith("socket:") or target.endswith("/ptmx"):
                    return True
    return False


def _members(group: int) -> Iterator[int]:
    """The processes of a group, its leader first: most groups have no other."""
    if Path(f"/proc/{group}").exists():
        yield group
    with contextlib.suppress(OSError):
        for entry in os.listdir("/proc"):  # noqa: PTH208 a third of the time of iterdir
            if entry.isdigit() and int(entry) != group and group_of(int(entry)) == group:
                yield int(entry)
