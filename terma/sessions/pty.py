"""Starts a program as the leader of its own terminal session, with nothing of ours inherited."""

from __future__ import annotations

import fcntl
import os
import select
import signal
import struct
import subprocess
import sys
import termios
from collections.abc import Mapping, Sequence
from pathlib import Path

from terma.errors import UsageError

_SIZE = struct.Struct("HHHH")  # struct winsize: rows, columns, and both in pixels
_SIGNALS = (signal.SIGINT, signal.SIGQUIT, signal.SIGTSTP, signal.SIGTERM, signal.SIGHUP)
MOST_CELLS = 1000  # rows or columns


def spawn(
    command: Sequence[str], environment: Mapping[str, str], directory: str, columns: int, rows: int
) -> tuple[subprocess.Popen[bytes], int]:
    """The process and the master side of its PTY, which never blocks. Raises UsageError when it cannot start."""
    if not Path(directory).is_dir():
        raise UsageError(
            f"there is no directory {directory}", "create the session from another one, or --cwd"
        )
    master, slave = os.openpty()
    try:
        resize(master, columns, rows)
        process = subprocess.Popen(
            command,
            env=dict(environment),
            cwd=directory,
            stdin=slave,
            stdout=slave,
            stderr=slave,
            start_new_session=True,
            preexec_fn=_own_terminal,  # noqa: PLW1509 a few system calls; the agent's threads hold no lock it needs
        )
    except UsageError:
        os.close(master)
        raise
    except (OSError, subprocess.SubprocessError, ValueError) as error:
        os.close(master)
        reason = error.strerror if isinstance(error, OSError) else str(error)
        raise UsageError(f"cannot start {command[0]}: {reason}", "check the command after --") from error
    finally:
        os.close(slave)
    os.set_blocking(master, False)
    return process, master


def resize(master: int, columns: int, rows: int) -> None:
    """Give the terminal a size; the kernel tells the programs there. Raises UsageError for a size that is none."""
    if not (1 <= columns <= MOST_CELLS and 1 <= rows <= MOST_CELLS):
        raise UsageError(f"a terminal of {columns} by {rows} cells", f"choose 1 to {MOST_CELLS}")
    fcntl.ioctl(master, termios.TIOCSWINSZ, _SIZE.pack(rows, columns, 0, 0))


def takes_keys(master: int) -> bool:
    """Whether the program reads key by key, and not in lines that the terminal makes of them."""
    try:
        return not termios.tcgetattr(master)[3] & termios.ICANON
    except (OSError, termios.error):
        return False


def is_held(master: int) -> bool:
    """Whether a program has the other side of `master` open."""
    if master < 0:
        return False
    poll = select.poll()
    poll.register(master, 0)
    return not any(events & (select.POLLHUP | select.POLLNVAL) for _, events in poll.poll(0))


def drop_input(master: int) -> bool:
    """Throw away what was typed and no program has read. Only the other side can, so it is opened for a moment; False
    where a master cannot do that."""
    peer = getattr(termios, "TIOCGPTPEER", 0x5441 if sys.platform == "linux" else 0)
    if not peer or master < 0:
        return False
    try:
        slave = fcntl.ioctl(master, peer, os.O_RDWR | os.O_NOCTTY | os.O_CLOEXEC)
    except OSError:
        return False
    try:
        termios.tcflush(slave, termios.TCIFLUSH)
    finally:
        os.close(slave)
    return True


def _own_terminal() -> None:
    """In the child. Signals that were ignored where we were started (a script's `&`) are heard again: bash passes such
    deafness on to all that it runs, and Ctrl+C would reach nobody."""
    for number in _SIGNALS:
        signal.signal(number, signal.SIG_DFL)
    fcntl.ioctl(0, termios.TIOCSCTTY, 0)
