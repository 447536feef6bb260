"""Follows the directory of xonsh's JSON histories: a session's file is read again only when it has changed."""

from __future__ import annotations

import heapq
import threading
from collections.abc import Iterable
from pathlib import Path

from terma import reading
from terma.context.history import xonsh
from terma.context.history.entry import Entry
from terma.context.history.following import MAX_COMMANDS, usable


class Sessions:
    """The newest sessions in `folder` as one history, in the order of time."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._read: dict[tuple[Path, int, int], list[Entry]] = {}  # as `_entries` gives them
        self.lock = threading.Lock()
        self.found: tuple[str, ...] = ()
        """What the last look gave."""

    def read(self) -> tuple[str, ...]:
        """The commands, the newest last, each once. Raises OSError."""
        states = {
            (file, mtime, size)
            for mtime, size, file in xonsh.sessions(self._folder)
            if size <= xonsh.MAX_SESSION_BYTES
        }
        if states != self._read.keys():
            self._read = {state: self._read.get(state) or _entries(state[0], state[2]) for state in states}
            self.found = tuple(reversed(_newest(heapq.merge(*self._read.values(), key=_time, reverse=True))))
        return self.found


def _entries(file: Path, size: int) -> list[Entry]:
    """Those of a session that may be among the newest of all, the newest first."""
    usual = sorted(usable(xonsh.parse(reading.head(file, size))), key=_time)
    return list(_newest(reversed(usual)).values())


def _newest(entries: Iterable[Entry]) -> dict[str, Entry]:
    """The first MAX_COMMANDS different commands of `entries`, which come the newest first, each with its entry."""
    found: dict[str, Entry] = {}
    for entry in entries:
        found.setdefault(entry.command, entry)
        if len(found) == MAX_COMMANDS:
            break
    return found


def _time(entry: Entry) -> float:
    return entry.time
