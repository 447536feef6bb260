"""Which shell a question comes from: what is asked next at the same prompt may follow up, a program does not."""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path


def shell_that_asks() -> str:
    """A name for the interactive shell that started this process, the same for each command typed at its prompt; ""
    where there is none: in a script, a job without a terminal, a program.

    A shell with job control gives every job a process group of its own, a script leaves its commands in its own
    (POSIX.1-2024, 2.9.3 "Asynchronous AND-OR Lists" and `set -m`)."""
    with suppress(OSError):
        os.close(os.open("/dev/tty", os.O_RDONLY | os.O_NOCTTY | os.O_CLOEXEC))
        parent = _unforked(os.getppid())
        own_job = os.getpgid(parent) != os.getpgrp() and os.getsid(parent) == os.getsid(0)
        if parent > 1 and own_job:
            return shell_named(parent)
    return ""


def shell_named(pid: int) -> str:
    """The name of the shell with this process id; "" where there is none."""
    return f"{pid}-{_started(pid)}" if pid > 1 else ""


def _unforked(parent: int) -> int:
    """The shell of which `parent` is a subshell: bash runs its functions in one behind a pipe. Such a one has the very
    words of its parent (/proc; elsewhere nobody can tell, and such a question stands alone)."""
    while os.getpgid(parent) == os.getpgrp():
        status = Path(f"/proc/{parent}/stat").read_bytes()
        above = int(status.rpartition(b")")[2].split()[1])
        words, program = Path(f"/proc/{parent}/cmdline"), Path(f"/proc/{parent}/exe")
        same_words = words.read_bytes() == Path(f"/proc/{above}/cmdline").read_bytes()
        if above <= 1 or not same_words or program.readlink() != Path(f"/proc/{above}/exe").readlink():
            break
        parent = above
    return parent


def _started(pid: int) -> str:
    """What tells this process from a later one with the same number: its start in clock ticks since boot (proc(5),
    field 22), or the session where there is no /proc."""
    try:
        stat = Path(f"/proc/{pid}/stat").read_bytes()
        return stat.rpartition(b")")[2].split()[19].decode()
    except (OSError, IndexError):
        with suppress(OSError):
            return f"s{os.getsid(pid)}"
        return ""
