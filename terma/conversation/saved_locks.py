"""One conversation is written by one process: the lock of its file."""

from __future__ import annotations

import fcntl
import os
from contextlib import suppress
from pathlib import Path


def _lock_file(folder: Path, name: str) -> Path:
    return folder / f".{name}.lock"


def locked(folder: Path, name: str) -> int | None:
    """A descriptor that holds the lock of a conversation, None when another one does."""
    file = _lock_file(folder, name)
    while True:
        handle = os.open(file, os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC, 0o600)
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            os.close(handle)
            return None
        with suppress(FileNotFoundError):
            if file.stat().st_ino == os.fstat(handle).st_ino:
                return handle
        os.close(handle)  # it was given back, and removed, in between


def let_go(folder: Path, name: str, lock: int) -> None:
    """The lock is nobody's, and its file is gone."""
    with suppress(OSError):
        _lock_file(folder, name).unlink(missing_ok=True)
    os.close(lock)
