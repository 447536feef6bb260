"""Whose socket it is: one agent holds the lock, takes over what a dead one left, and knows who calls.

The lock guards the socket's path and not the process: an agent that is on its way out gives up both first, so
the next one can start while the last answers are still being finished.
"""

from __future__ import annotations

import contextlib
import fcntl
import os
import socket
import stat
import time
from pathlib import Path

from terma.autostart import AGENT_LOCK
from terma.errors import TermaError, UnsafePath
from terma.paths import beside, make_runtime
from terma.sessions.held.peers import is_ours

__all__ = ["BACKLOG", "AlreadyRunning", "Endpoint", "holder", "is_ours", "lock_file"]
LOCK_TRIES = 5
BACKLOG = 1024  # asyncio's default of 100 refused shells that asked at the same time


class AlreadyRunning(TermaError):
    """Another agent holds the lock."""

    code = "running"


def lock_file(path: Path, how: int = fcntl.LOCK_EX) -> int | None:
    """An open, locked descriptor of `path`, or None when another process holds it.

    The file is never removed, so two processes cannot lock two files of one name; if someone else removed it,
    the new one is locked. Raises UnsafePath when it cannot be opened."""
    while True:
        try:
            handle = os.open(path, os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC, 0o600)
        except OSError as error:
            raise UnsafePath(f"cannot open {path}: {error.strerror}", "remove it, then try again") from error
        try:
            fcntl.flock(handle, how | fcntl.LOCK_NB)
            if _same_file(os.fstat(handle), path):
                return handle
        except BlockingIOError:
            os.close(handle)
            return None
        os.close(handle)


def holder(directory: Path, name: str = AGENT_LOCK) -> int | None:
    """The pid of the process that holds the lock `name` in `directory`, as the agent does; 0 when one does but its pid
    is not known (the disk was full); None when nobody does."""
    path = directory / name
    if not path.exists():
        return None
    handle = lock_file(path, fcntl.LOCK_SH)  # shared: two that look do not see each other
    if handle is not None:
        os.close(handle)
        return None
    with contextlib.suppress(OSError, ValueError):
        return int(path.read_text(encoding="ascii"))
    return 0


def _same_file(info: os.stat_result, path: Path) -> bool:
    try:
        other = path.lstat()
    except OSError:
        return False
    return (info.st_ino, info.st_dev) == (other.st_ino, other.st_dev)


class Endpoint:
    """A listening socket at `path`, and the lock that makes it the only one."""

    def __init__(self, path: Path) -> None:
        """Raises AlreadyRunning, UnsafePath. The socket accepts when this returns."""
        self.path = path
        make_runtime(path.parent)
        self._watched: int | None = None
        self._lock = _patient_lock(beside(path, AGENT_LOCK))
        if self._lock is None:
            raise AlreadyRunning(f"an agent already serves {path}", "terma agent status")
        try:
            _write_pid(self._lock)
            _remove_stale(path)
            self.listener = _listen(path)
            self._identity = path.lstat()
        except OSError as error:
            self._release()
            raise UnsafePath(
                f"cannot listen on {path}: {error.strerror}", "set TERMA_SOCKET to another path"
            ) from error
        except BaseException:
            self._release()
            raise

    def intact(self) -> bool:
        """Whether `path` still leads to this socket: someone may have removed or replaced it."""
        return _same_file(self._identity, self.path)

    def watch(self) -> None:
        """Have SIGIO sent to this process when a name in the socket's directory goes, where the system can do that
        (Linux): the default of that signal ends the process, so it needs a handler first."""
        if self._lock is None or not hasattr(fcntl, "F_NOTIFY"):
            return
        with contextlib.suppress(OSError):
            self._watched = os.open(self.path.parent, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
            what = fcntl.DN_DELETE | fcntl.DN_RENAME | fcntl.DN_MULTISHOT
            fcntl.fcntl(self._watched, fcntl.F_NOTIFY, what)

    def close(self) -> None:
        """Stop accepting, remove the socket if it is still ours, and give up the lock. Once is enough."""
        if self._lock is None:
            return
        if self._watched is not None:
            os.close(self._watched)
            self._watched = None
        self.listener.close()
        if self.intact():
            with contextlib.suppress(OSError):
                self.path.unlink()
        self._release()

    def _release(self) -> None:
        if self._lock is not None:
            os.close(self._lock)
        self._lock = None


def _patient_lock(path: Path) -> int | None:
    """The lock, even if someone is just looking whether it is held."""
    for _ in range(LOCK_TRIES):
        handle = lock_file(path)
        if handle is not None:
            return handle
        time.sleep(0.01)
    return None


def _write_pid(lock: int) -> None:
    """A full disk costs the pid and not the agent."""
    with contextlib.suppress(OSError):
        os.ftruncate(lock, 0)
        os.pwrite(lock, f"{os.getpid()}\n".encode(), 0)


def _remove_stale(path: Path) -> None:
    """Remove the socket of a dead agent. Raises UnsafePath when what stands there is no socket of ours."""
    try:
        info = path.lstat()
    except FileNotFoundError:
        return
    if not stat.S_ISSOCK(info.st_mode):
        raise UnsafePath(f"{path} is not a socket", "remove it, or set TERMA_SOCKET to another path")
    if info.st_uid != os.geteuid():
        raise UnsafePath(f"{path} belongs to another user", "set TERMA_SOCKET to a path of your own")
    path.unlink()


def _listen(path: Path) -> socket.socket:
    listener = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    before = os.umask(0o177)
    try:
        listener.bind(str(path))
        listener.listen(BACKLOG)
        listener.setblocking(False)
    except BaseException:
        listener.close()
        raise
    finally:
        os.umask(before)
    return listener
