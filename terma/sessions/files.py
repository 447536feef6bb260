"""Keeps a session's output in files that outlive the agent: capped, for their owner alone, with secrets masked.

A session has a directory; its pieces are named by the offset of their first byte, and the oldest is removed when all
of them together are too large. A secret is replaced by stars of the same length, so that offsets stay true.
"""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Callable
from pathlib import Path

from terma import paths

DEFAULT_CAPACITY = 64 * 1024 * 1024  # bytes on the disk
_PIECES = 8
_LONGEST_LINE = 64 * 1024  # bytes that wait for the end of their line


def directory(name: str) -> Path:
    """Where session `name` keeps its output. Raises UnsafePath when that is not ours alone."""
    place = paths.state_dir() / "sessions"
    paths.make_private(place)
    return place / name


def masked(line: bytes) -> bytes:
    """`line` with its secrets as stars. Its length is the same."""
    from terma.redact import redact

    text = line.decode("utf-8", "surrogateescape")
    hidden = redact(text)
    for secret in sorted(hidden.secrets.values(), key=len, reverse=True):
        text = text.replace(secret, "*" * len(secret.encode("utf-8", "surrogateescape")))
    return text.encode("utf-8", "surrogateescape")


class Files:
    """A ring.Store in `place`, which is made anew. What has not ended its line yet is in memory alone."""

    @classmethod
    def saved(cls, place: Path) -> Files | None:
        """What an agent before this one left in `place`, to be read; None when there is nothing."""
        pieces = sorted(place.glob("*.out")) if place.is_dir() and not place.is_symlink() else []
        starts = [int(path.stem) for path in pieces if path.stem.isdigit()]
        if not starts:
            return None
        paths.check_private(place)
        store = cls.__new__(cls)
        store._place, store._mask, store._piece = place, masked, 1
        store._starts, store._start, store._line, store._file = deque(starts), starts[0], b"", -1
        store._written = starts[-1] + pieces[-1].stat().st_size
        return store

    def __init__(
        self, place: Path, capacity: int = DEFAULT_CAPACITY, mask: Callable[[bytes], bytes] = masked
    ) -> None:
        self._place, self._mask = place, mask
        self._piece = max(capacity // _PIECES, 1)
        self._starts: deque[int] = deque()
        self._written = 0  # the offset behind what is on the disk
        self._start = 0
        self._line = b""
        self._file = -1
        self.remove()
        paths.make_private(place)

    @property
    def start(self) -> int:
        return self._start

    @property
    def end(self) -> int:
        return self._written + len(self._line)

    def write(self, data: bytes) -> None:
        self._line += data
        cut = self._line.rfind(b"\n") + 1
        if not cut and len(self._line) > _LONGEST_LINE:
            cut = len(self._line)
        whole, self._line = self._line[:cut], self._line[cut:]
        if whole:
            self._append(self._mask(whole))

    def read(self, at: int, limit: int) -> bytes:
        at = max(at, self._start)
        pieces = []
        for number, first in enumerate(self._starts):
            after = self._starts[number + 1] if number + 1 < len(self._starts) else self._written
            if at >= after or limit <= 0:
                continue
            with self._path(first).open("rb") as file:
                file.seek(at - first)
                pieces.append(file.read(min(limit, after - at)))
            at += len(pieces[-1])
            limit -= len(pieces[-1])
        if at >= self._written and limit > 0:
            pieces.append(self._line[at - self._written :][:limit])
        return b"".join(pieces)

    def finish(self) -> None:
        """Nothing more comes: what has no line end is written as well."""
        whole, self._line = self._line, b""
        if whole:
            self._append(self._mask(whole))
        if self._file >= 0:
            os.close(self._file)
            self._file = -1

    def clear(self) -> None:
        self._written, self._line = self.end, b""
        self._drop_files()
        self._start = self._written

    def remove(self) -> None:
        self._drop_files()
        for path in self._place.glob("*.out"):
            path.unlink(missing_ok=True)
        if self._place.is_dir() and not self._place.is_symlink():
            self._place.rmdir()

    def _append(self, data: bytes) -> None:
        if self._file < 0 or not self._starts or self._written - self._starts[-1] >= self._piece:
            self._next()
        os.write(self._file, data)
        self._written += len(data)

    def _next(self) -> None:
        if self._file >= 0:
            os.close(self._file)
        self._starts.append(self._written)
        flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_APPEND | os.O_NOFOLLOW | os.O_CLOEXEC
        self._file = os.open(self._path(self._written), flags, 0o600)
        while len(self._starts) > _PIECES:
            self._path(self._starts.popleft()).unlink(missing_ok=True)
            self._start = self._starts[0]

    def _drop_files(self) -> None:
        if self._file >= 0:
            os.close(self._file)
            self._file = -1
        for first in self._starts:
            self._path(first).unlink(missing_ok=True)
        self._starts.clear()

    def _path(self, first: int) -> Path:
        return self._place / f"{first:016d}.out"
