"""Keeps a session's output in files that outlive the agent: capped, for their owner alone, with secrets masked.

A session has a directory; its pieces are named by the offset of their first byte, and the oldest is removed when all
of them together are too large. Who writes there holds the lock of the directory (`claims`).
"""

from __future__ import annotations

import os
import sys
from collections import deque
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from terma import paths
from terma.sessions.claims import Claim
from terma.sessions.masking import Masker, whole_until

DEFAULT_CAPACITY = 64 * 1024 * 1024  # bytes on the disk
_PIECES = 8
_LONGEST_LINE = 64 * 1024  # bytes that wait for the end of their line
_PORTION = 4096  # bytes that are looked through at once: a millisecond or two
_MUCH = 4 * 1024 * 1024  # bytes that wait


def home() -> Path:
    """Where sessions keep their output, each in a directory of its name. Raises UnsafePath unless it is ours alone."""
    place = paths.state_dir() / "sessions"
    paths.make_private(place)
    return place


class Pieces:
    """The files of one directory, in order; reads across them."""

    def __init__(self, place: Path) -> None:
        self.place = place
        starts = sorted(int(path.stem) for path in place.glob("*.out") if path.stem.isdigit())
        self.starts: deque[int] = deque(starts)
        self.start = starts[0] if starts else 0
        self.end = starts[-1] + self.path(starts[-1]).stat().st_size if starts else 0

    def path(self, first: int) -> Path:
        return self.place / f"{first:016d}.out"

    def read(self, at: int, limit: int) -> bytes:
        at = max(at, self.start)
        found = []
        for number, first in enumerate(self.starts):
            after = self.starts[number + 1] if number + 1 < len(self.starts) else self.end
            if at >= after or limit <= 0:
                continue
            with self.path(first).open("rb") as file:
                file.seek(at - first)
                found.append(file.read(min(limit, after - at)))
            at += len(found[-1])
            limit -= len(found[-1])
        return b"".join(found)

    def remove(self) -> None:
        while self.starts:
            self.path(self.starts.popleft()).unlink(missing_ok=True)


class Kept(NamedTuple):
    """What somebody kept of an output, from offset `start` on."""

    start: int
    data: bytes


class Files:
    """A ring.Store in `place`, which is made, claimed and emptied; with `kept`, what is stored there is the beginning
    of that, and it goes on behind it. What has not ended its line yet is in memory alone.

    Looking for secrets takes a second for some megabytes: `later` calls what it is given when nobody is held up by
    that, and until then output waits in memory. Raises UnsafePath when others may look there, TermaError when another
    agent writes there."""

    def __init__(
        self,
        place: Path,
        capacity: int = DEFAULT_CAPACITY,
        mask: Callable[[bytes], bytes] | None = None,
        later: Callable[[Callable[[], None]], None] | None = None,
        kept: Kept | None = None,
    ) -> None:
        self._claim = Claim(place)
        self._mask = mask if mask is not None else Masker()
        self._later = later
        self._working = False
        self._ended = False
        self._piece = capacity // _PIECES or (1 if capacity else sys.maxsize)
        if kept is None:
            Pieces(place).remove()
        self._pieces = Pieces(place)
        self._waiting = bytearray()  # what is not on the disk yet
        self._file = -1
        if kept is not None:
            self._go_on(kept)

    def _go_on(self, kept: Kept) -> None:
        pieces, end = self._pieces, kept.start + len(kept.data)
        if pieces.starts and pieces.starts[-1] <= end < pieces.end:  # that comes again
            os.truncate(pieces.path(pieces.starts[-1]), end - pieces.starts[-1])
            pieces.end = end
        if not kept.start <= pieces.end <= end:
            pieces.remove()
            pieces.start = pieces.end = kept.start
        self._waiting += kept.data[pieces.end - kept.start :]

    @property
    def stored(self) -> int:
        """The offset up to which all is on the disk."""
        return self._pieces.end

    @property
    def start(self) -> int:
        return self._pieces.start

    @property
    def end(self) -> int:
        return self._pieces.end + len(self._waiting)

    @property
    def behind(self) -> bool:
        return len(self._waiting) > _MUCH

    def write(self, data: bytes) -> None:
        self._waiting += data
        if self._later is None or len(self._waiting) > 2 * _MUCH:
            while self._store_some():
                pass
        elif not self._working:
            if len(self._waiting) > _PORTION:
                self._working = True
                self._later(self._work)
            else:
                self._store_some()

    def _work(self) -> None:
        """Store a portion, and come back for the next."""
        more = self._store_some()
        self._working = more and self._later is not None
        if self._later is not None and more:
            self._later(self._work)

    def _store_some(self) -> bool:
        """Store whole lines, a portion of what waits; whether there is more that can be stored."""
        cut = self._waiting.find(b"\n", _PORTION) + 1 or self._waiting.rfind(b"\n") + 1
        if not cut and (self._ended or len(self._waiting) > _LONGEST_LINE):
            cut = len(self._waiting)
        if cut and not self._ended and not (cut := whole_until(bytes(self._waiting[:cut]))):
            # a key goes on: as far as one may
            cut = whole_until(bytes(self._waiting[: self._waiting.rfind(b"\n", 0, 2 * _LONGEST_LINE) + 1]))
        if cut:
            self._append(self._mask(bytes(self._waiting[:cut])))
            del self._waiting[:cut]
        if self._ended and not self._waiting:
            self._close()
        return bool(cut and self._waiting)

    def read(self, at: int, limit: int) -> bytes:
        pieces = self._pieces
        data = pieces.read(at, limit)
        at, limit = max(at, pieces.start) + len(data), limit - len(data)
        if at >= pieces.end and limit > 0:
            first = at - pieces.end
            data += self._waiting[first : first + limit]
        return data

    def finish(self) -> None:
        """Nothing more comes: what has no line end is written as well."""
        self._ended = True
        self.write(b"")

    def leave(self) -> None:
        """Let others have the directory; the files stay."""
        self._later, self._ended = None, True
        self.write(b"")
        self._claim.release()

    def clear(self) -> None:
        end = self.end
        self._waiting.clear()
        self._close()
        self._pieces.remove()
        self._pieces.start = self._pieces.end = end

    def skip(self, count: int) -> None:
        self.clear()
        self._pieces.start = self._pieces.end = self._pieces.end + count

    def part(self) -> None:
        """Let others have the directory as it is: somebody goes on where this stands."""
        self._close()
        self._claim.release()

    def remove(self) -> None:
        self._later, self._ended = None, True
        self.clear()
        self._claim.remove()

    def _append(self, data: bytes) -> None:
        pieces = self._pieces
        try:
            kept = pieces.end - pieces.starts[-1] if pieces.starts else 0
            if self._file < 0 or not pieces.starts or (kept and kept + len(data) > self._piece):
                self._next()
            written = 0
            while written < len(data):
                written += os.write(self._file, data[written:])
        except OSError:  # the disk is full, or gone: give back what is taken there, and tell readers of a gap
            self._close()
            pieces.remove()
            pieces.start = pieces.end + len(data)
        pieces.end += len(data)

    def _next(self) -> None:
        self._close()
        pieces = self._pieces
        while len(pieces.starts) >= _PIECES:
            pieces.path(pieces.starts.popleft()).unlink(missing_ok=True)
        pieces.starts.append(pieces.end)
        pieces.start = pieces.starts[0]
        flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_APPEND | os.O_NOFOLLOW | os.O_CLOEXEC
        self._file = os.open(pieces.path(pieces.end), flags, 0o600)

    def _close(self) -> None:
        if self._file >= 0:
            os.close(self._file)
            self._file = -1
