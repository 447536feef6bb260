"""Ends what a shell left behind when the process that owned it could not: it outlives that process by a moment.

A conversation's shell belongs to its process, which ends it on the way out. After kill -9 nobody does: the kernel hangs
up the terminal, but what left its session (setsid, nohup, a double fork) lives on. So a small child of the conversation
waits at the other end of a pipe, which the kernel closes in any case.
"""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys

from terma.sessions.processes import strike

_WAIT = 5.0  # seconds for the guard to see that nothing is left


class Guard:
    """The process that waits. Raises OSError when it cannot be started."""

    def __init__(self) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-I", "-m", "terma.sessions.guard"],
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            cwd="/",
            start_new_session=True,  # no key of the terminal reaches it
        )

    def watch(self, tag: str, leader: int = 0) -> None:
        """End `tag` with us, and the terminal session that `leader` leads: 0 once it has been waited for, since its
        number may be another's then."""
        self._tell(f"{leader} {tag}")

    def forget(self, tag: str) -> None:
        """What carries `tag` may outlive us."""
        self._tell(f"- {tag}")

    def _tell(self, line: str) -> None:
        assert self._process.stdin is not None
        with contextlib.suppress(OSError, ValueError):
            self._process.stdin.write(f"{line}\n".encode())
            self._process.stdin.flush()

    def close(self) -> None:
        """Let it look one last time, and go."""
        assert self._process.stdin is not None
        with contextlib.suppress(OSError):
            self._process.stdin.close()
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._process.wait(_WAIT)


def main() -> None:
    """Read what to watch up to the end of the pipe, then end it."""
    for one in (signal.SIGHUP, signal.SIGINT, signal.SIGTERM, signal.SIGQUIT, signal.SIGTSTP):
        signal.signal(one, signal.SIG_IGN)
    watched: dict[str, int] = {}
    with os.fdopen(0, "r", encoding="ascii") as lines:
        for line in lines:
            number, _, tag = line.strip().partition(" ")
            if number == "-":
                watched.pop(tag, None)
            elif number.isdigit() and tag:
                watched[tag] = int(number)
    for tag, leader in watched.items():
        strike(leader, tag)


if __name__ == "__main__":
    main()
