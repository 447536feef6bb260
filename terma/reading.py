"""Reads what others may have made: a directory's files are somebody else's word, and a name in it may be anything.

A FIFO would hold the reader for ever, a device has no end, and a sparse file of gigabytes would fill the memory. So
only regular files are read, never more than a bound, and a name is looked at before it is opened: opening a device
can do something by itself.
"""

from __future__ import annotations

import errno
import os
import stat
from contextlib import suppress

_FLAGS = os.O_RDONLY | os.O_NONBLOCK | os.O_NOCTTY | os.O_CLOEXEC
Name = str | os.PathLike[str]


def is_regular(path: Name) -> bool:
    """Whether `path` is a regular file, or a link to one. Never raises."""
    try:
        return stat.S_ISREG(os.stat(path).st_mode)  # noqa: PTH116 a path may hold what is no text
    except (OSError, ValueError):
        return False


def head(path: Name, most: int, start: int = 0, *, follow: bool = True) -> bytes:
    """At most `most` bytes of the regular file `path`, from `start` on. `follow` false: a symbolic link is refused.

    Raises OSError, also for what is no regular file (errno EINVAL), and ValueError for a name that no file can have.
    """
    _check(os.stat(path, follow_symlinks=follow), path)  # noqa: PTH116
    handle = os.open(path, _FLAGS | (0 if follow else os.O_NOFOLLOW))
    try:
        _check(os.fstat(handle), path)  # it may be another one by now
        parts, left = [], most
        while left > 0 and (piece := os.pread(handle, left, start + most - left)):
            parts.append(piece)
            left -= len(piece)
        return b"".join(parts)
    finally:
        os.close(handle)


def whole(path: Name, most: int, *, follow: bool = True) -> bytes:
    """All of the regular file `path`. Raises like `head`, and OSError (EFBIG) when there are more than `most` bytes."""
    found = head(path, most + 1, follow=follow)
    if len(found) > most:
        raise OSError(errno.EFBIG, f"larger than {most // 1024} KiB", os.fspath(path))
    return found


def text(path: Name, most: int, *, follow: bool = True) -> str:
    """The beginning of the text file `path`, at most `most` bytes of it; "" when there is none. Never raises."""
    with suppress(OSError, ValueError):
        return head(path, most, follow=follow).decode("utf-8", "replace")
    return ""


def _check(info: os.stat_result, path: Name) -> None:
    if not stat.S_ISREG(info.st_mode):
        raise OSError(errno.EINVAL, "not a regular file", os.fspath(path))
