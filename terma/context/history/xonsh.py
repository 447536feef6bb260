"""xonsh's two histories: a directory of JSON files, one a session, or an SQLite database (xonsh/history/)."""

from __future__ import annotations

import json
import os
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, Any

from terma.context.history.entry import Entry

if TYPE_CHECKING:
    import sqlite3  # costs the agent 2 MB where no shell keeps such a history

MAX_SESSIONS = 40  # of the newest files of a directory
MAX_SESSION_BYTES = 2 * 1024 * 1024  # a larger one holds outputs; it is left out
_SELECT = (
    "SELECT rowid, inp, tsb, tse, rtn, cwd FROM xonsh_history WHERE rowid > ? ORDER BY rowid DESC LIMIT ?"
)
_COUNT = "SELECT count(*) FROM xonsh_history WHERE rowid BETWEEN ? AND ?"
_SEAM = "SELECT inp, tsb FROM xonsh_history WHERE rowid = ?"
_ALL = -(2**63)  # the lowest number that a row can have, and none has
_WAIT = 0.1  # seconds for a database that is being written
_READ = 0.5  # seconds for reading it
_STEPS = 10_000  # of SQLite's machine between two looks at the clock


class Clock:
    """Tells SQLite to stop once `seconds` are over."""

    def __init__(self, seconds: float) -> None:
        self._end = time.monotonic() + seconds

    def __call__(self) -> int:
        return int(time.monotonic() > self._end)


def sessions(folder: Path) -> list[tuple[int, int, Path]]:
    """(mtime in ns, size, path) of the newest session files in `folder`, the oldest first. Raises OSError."""
    found = []
    with os.scandir(folder) as files:
        for file in files:
            if file.name.startswith("xonsh-") and file.name.endswith(".json") and file.is_file():
                info = file.stat()
                found.append((info.st_mtime_ns, info.st_size, Path(file.path)))
    return sorted(found)[-MAX_SESSIONS:]


def parse(data: bytes) -> list[Entry]:
    """The entries of one session's JSON file, oldest first; [] when it is none."""
    try:
        session = json.loads(data)["data"]["cmds"]
    except (ValueError, KeyError, TypeError, RecursionError):
        return []
    return list(_entries(session)) if isinstance(session, list) else []


def _entries(commands: list[Any]) -> Iterator[Entry]:
    for command in commands:
        if isinstance(command, dict) and isinstance(command.get("inp"), str):
            times = command.get("ts")
            begun, ended = times if isinstance(times, list) and len(times) == 2 else (None, None)
            yield _entry(command["inp"], begun, ended, command.get("rtn"), command.get("cwd"))


def database(path: Path, most: int) -> list[Entry]:
    """The newest `most` entries of the database `path`, oldest first; [] when it cannot be read."""
    return Rows(path, most).read()[0]


class Rows:
    """The newest `most` rows of a database that grows: at the next look only those that were added are read.

    Rows that are gone, another row in the last one's place, or a command that began before one that is known (a shell
    writes it down when it ends) have all of them read afresh."""

    def __init__(self, path: Path, most: int) -> None:
        self._path = path
        self._most = most
        self._forget()

    def _forget(self) -> None:
        self._numbers: list[int] = []  # of the rows that were read, the newest last
        self._seam: tuple[Any, ...] | None = None
        self._latest = 0.0  # time at which the last of them began

    def read(self) -> tuple[list[Entry], bool]:
        """(entries, oldest first; whether they stand for all that were given before). ([], True) when the database
        cannot be read.

        Takes no lock that a shell would wait for and creates no file: a write-ahead log is read along where one is in
        use, and otherwise the file is read as one that does not change."""
        import sqlite3

        logged = all(self._path.with_name(self._path.name + end).exists() for end in ("-wal", "-shm"))
        uri = self._path.as_uri() + ("?mode=ro" if logged else "?immutable=1")
        try:
            with closing(sqlite3.connect(uri, uri=True, timeout=_WAIT)) as connection:
                connection.set_progress_handler(Clock(_READ), _STEPS)  # a view of that name may never end
                return self._added(connection)
        except sqlite3.Error:
            self._forget()
            return [], True

    def _added(self, connection: sqlite3.Connection) -> tuple[list[Entry], bool]:
        if not self._still_there(connection):
            self._forget()
        anew = not self._numbers
        since = _ALL if anew else self._numbers[-1]
        rows = connection.execute(_SELECT, (since, self._most)).fetchall()[::-1]
        entries = sorted((_entry(*row[1:]) for row in rows if isinstance(row[1], str)), key=_begun)
        if not anew and entries and _begun(entries[0]) < self._latest:
            self._forget()
            return self._added(connection)
        if rows:
            self._numbers = [*self._numbers, *(row[0] for row in rows)][-self._most :]
            self._seam = rows[-1][1:3]
            self._latest = max(self._latest, *map(_begun, entries)) if entries else self._latest
        return entries, anew

    def _still_there(self, connection: sqlite3.Connection) -> bool:
        if not self._numbers:
            return False
        first, last = self._numbers[0], self._numbers[-1]
        (count,) = connection.execute(_COUNT, (first, last)).fetchone()
        seam: tuple[Any, ...] | None = connection.execute(_SEAM, (last,)).fetchone()
        return bool(count == len(self._numbers) and seam == self._seam)


def _begun(entry: Entry) -> float:
    return entry.time


def _entry(command: str, begun: Any, ended: Any, status: Any, cwd: Any) -> Entry:
    begun = float(begun) if isinstance(begun, int | float) else 0.0
    ended = float(ended) if isinstance(ended, int | float) else begun
    return Entry(
        command,
        begun,
        status if isinstance(status, int) else -1,
        max(0, round((ended - begun) * 1e6)),
        cwd if isinstance(cwd, str) else "",
    )
