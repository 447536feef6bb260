"""Says who may write to a session's directory: one agent at a time, for as long as it lives.

Two agents of one person (two values of TERMA_SOCKET) share the state directory; the lock keeps one from emptying
what the other is writing.
"""

from __future__ import annotations

import fcntl
import os
from pathlib import Path

from terma import paths
from terma.errors import TermaError, UnsafePath

_LOCK = "lock"


class Claim:
    """Holds `place`, which is made when missing. Raises UnsafePath, TermaError when another agent holds it."""

    def __init__(self, place: Path) -> None:
        paths.make_private(place)
        self.place = place
        handle = _locked(place / _LOCK)
        if handle is None:
            raise TermaError(
                f"the session {place.name!r} lives in another agent", "choose another name, or kill it there"
            )
        self._handle = handle

    def release(self) -> None:
        """Let others have it. Once is enough."""
        if self._handle >= 0:
            os.close(self._handle)
            self._handle = -1

    def remove(self) -> None:
        """Delete the directory with what is left in it, and let go."""
        for path in self.place.iterdir() if self._handle >= 0 else ():
            path.unlink(missing_ok=True)
        if self._handle >= 0:
            self.place.rmdir()
        self.release()


def free(place: Path) -> bool:
    """Whether no agent writes to `place` now."""
    if not (place / _LOCK).exists():
        return True
    try:
        handle = _locked(place / _LOCK)
    except UnsafePath:
        return False
    if handle is not None:
        os.close(handle)
    return handle is not None


def _locked(path: Path) -> int | None:
    """A descriptor that holds the lock; None when somebody else does."""
    while True:
        try:
            handle = os.open(path, os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC, 0o600)
        except OSError as error:
            raise UnsafePath(f"cannot open {path}: {error.strerror}", "remove it, then try again") from error
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
            if path.exists() and path.lstat().st_ino == os.fstat(handle).st_ino:
                return handle
        except BlockingIOError:
            os.close(handle)
            return None
        except FileNotFoundError:
            pass
        os.close(handle)
        if not path.parent.is_dir():
            raise UnsafePath(f"{path.parent} went away", "try again")
