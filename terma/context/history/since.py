"""What a shell added to its history file since a moment, each command as often as it ran.

The commands of a history stand once each, where they were last used: who runs the same ones every day leaves no trace
in their order. The file itself tells, also of a shell that writes it when it ends, and long after the moment."""

from __future__ import annotations

from pathlib import Path

from terma import reading
from terma.context.history.following import MAX_BYTES, lines_of, usable
from terma.records import dataclass

try:  # hashlib brings OpenSSL: 3 MB that the agent need not hold
    from _blake2 import blake2b
except ImportError:
    from hashlib import blake2b

_SEAM = 256  # bytes before the moment's end, which stay while a file only grows
_HEAD = 8192
_NO_LINES = (b"SQLite format 3\0", b'{"locs"')


@dataclass(frozen=True, slots=True)
class Mark:
    """The end of a history file at a moment: its size in bytes, and what stood before that, as a digest."""

    path: str
    size: int
    seam: str


def mark(path: str) -> Mark | None:
    """The end of the history file `path` now; of one that is not there yet its beginning. None where it cannot be told:
    a folder, a database, a file that cannot be read."""
    if not path.startswith("/"):
        return None
    try:
        size = Path(path).stat().st_size
        if reading.head(path, len(_NO_LINES[0])).startswith(_NO_LINES):
            return None
        return Mark(path, size, _seam(path, size))
    except FileNotFoundError:
        return Mark(path, 0, _seam("", 0))
    except (OSError, ValueError):
        return None


def since(moment: Mark) -> tuple[str, ...] | None:
    """The commands that were added since, the newest last, at most MAX_BYTES of them; None where the file was written
    anew meanwhile, or cannot be read."""
    try:
        if Path(moment.path).stat().st_size < moment.size or _seam(moment.path, moment.size) != moment.seam:
            return None
        kind = lines_of(reading.head(moment.path, _HEAD), Path(moment.path).name)
        added = kind.parse(reading.head(moment.path, MAX_BYTES, moment.size))
        return tuple(entry.command for entry in usable(added))
    except FileNotFoundError:
        return () if not moment.size else None
    except (OSError, ValueError):
        return None


def _seam(path: str, size: int) -> str:
    start = max(size - _SEAM, 0)
    before = reading.head(path, size - start, start) if size else b""
    return blake2b(before, digest_size=8).hexdigest()
