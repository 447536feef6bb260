"""One command of a history, with what its shell wrote down beside it."""

from __future__ import annotations

from terma.records import dataclass


@dataclass(frozen=True, slots=True)
class Entry:
    """`time` is the start in seconds since the epoch, 0 when unknown; `status` is -1 and `cwd` is "" when unknown;
    `duration` is in microseconds, 0 when unknown."""

    command: str
    time: float = 0.0
    status: int = -1
    duration: int = 0
    cwd: str = ""
