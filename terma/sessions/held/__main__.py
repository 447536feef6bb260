"""`python -I -m terma.sessions.held SOCKET READY`: the holder's process, from the lock to the last program."""

from __future__ import annotations

import fcntl
import os
import signal
import socket
import sys
from pathlib import Path

from terma.sessions.held.frames import LOCK
from terma.sessions.held.holder import Holder

_BACKLOG = 8


def main(arguments: list[str]) -> int:
    """Hold the lock beside the socket at `arguments[0]`, listen there, and say so on descriptor `arguments[1]`: `ok`,
    or why not. Returns at once: what goes on is a process of its own. Exit status 1 when another holder is there."""
    path, ready = Path(arguments[0]), int(arguments[1])
    if os.fork():  # whoever started us waits for this one, and is nobody's parent
        os._exit(0)
    for number in (signal.SIGHUP, signal.SIGINT, signal.SIGQUIT, signal.SIGTSTP, signal.SIGPIPE):
        signal.signal(number, signal.SIG_IGN)
    lock = os.open(
        path.with_suffix(Path(LOCK).suffix), os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC, 0o600
    )
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        os.write(ready, b"another one is there")
        return 1
    os.ftruncate(lock, 0)
    os.pwrite(lock, f"{os.getpid()}\n".encode(), 0)
    path.unlink(missing_ok=True)
    os.umask(0o177)
    listener = socket.socket(socket.AF_UNIX)
    listener.bind(str(path))
    listener.listen(_BACKLOG)
    os.umask(0o077)
    os.write(ready, b"ok")
    os.close(ready)
    try:
        Holder(listener, path).serve()
    finally:
        path.unlink(missing_ok=True)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
