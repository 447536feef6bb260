"""xonsh's two histories: a directory of JSON files, one a session, or an SQLite database (xonsh/history/)."""

from __future__ import annotations

import json
import os
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

from terma.context.history.entry import Entry

MAX_SESSIONS = 40  # of the newest files of a directory
MAX_SESSION_BYTES = 2 * 1024 * 1024  # a larger one holds outputs; it is left out
_SELECT = "SELECT inp, tsb, tse, rtn, cwd FROM xonsh_history ORDER BY rowid DESC LIMIT ?"
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
    """The newest `most` entries of the database `path`, oldest first; [] when it cannot be read.

    Takes no lock that a shell would wait for and creates no file: a write-ahead log is read along where one is in
    use, and otherwise the file is read as one that does not change."""
    import sqlite3

    logged = all(path.with_name(path.name + end).exists() for end in ("-wal", "-shm"))
    uri = path.as_uri() + ("?mode=ro" if logged else "?immutable=1")
    try:
        with closing(sqlite3.connect(uri, uri=True, timeout=_WAIT)) as connection:
            connection.set_progress_handler(Clock(_READ), _STEPS)  # a view of that name may never end
            rows = connection.execute(_SELECT, (most,)).fetchall()
    except sqlite3.Error:
        return []
    entries = [_entry(row[0], *row[1:]) for row in rows if isinstance(row[0], str)]
    return sorted(reversed(entries), key=lambda entry: entry.time)


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
