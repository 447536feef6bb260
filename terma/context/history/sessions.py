"""Follows the directory of xonsh's JSON histories: a session's file is read again only when it has changed."""

from __future__ import annotations

import threading
from pathlib import Path

from terma import reading
from terma.context.history import xonsh
from terma.context.history.entry import Entry
from terma.context.history.following import Commands


class Sessions:
    """The newest sessions in `folder` as one history, in the order of time."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._read: dict[tuple[Path, int, int], list[Entry]] = {}
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
            commands = Commands()
            everything = (entry for entries in self._read.values() for entry in entries)
            commands.add(sorted(everything, key=lambda entry: entry.time))
            self.found = commands.with_last(())
        return self.found


def _entries(file: Path, size: int) -> list[Entry]:
    return xonsh.parse(reading.head(file, size))
