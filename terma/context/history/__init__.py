"""The commands that a person typed before, read from the history that their shell names: one format a file."""

from __future__ import annotations

import re
import stat
from collections.abc import Iterable
from functools import lru_cache
from pathlib import Path

from terma import reading
from terma.context.history import bash, fish, xonsh, zsh
from terma.context.history.entry import Entry

__all__ = ["MAX_BYTES", "MAX_COMMANDS", "MAX_LENGTH", "Entry", "entries", "parse", "parse_entries", "read"]

MAX_BYTES = 512 * 1024  # of the newest end of a file
MAX_COMMANDS = 4_000
MAX_LENGTH = 1_000  # code points; a longer one is a pasted script and nobody asks for it by name

_ZSH_NAME = re.compile(r"zsh|zhistory|\.histfile\Z", re.IGNORECASE)
_SQLITE = b"SQLite format 3\0"


def read(path: str) -> tuple[str, ...]:
    """The commands in the history `path`, the newest last, each once where it was last used.

    `path` is a history file of zsh, bash, fish or xonsh, or the directory of xonsh's JSON histories. () when it is not
    absolute, is none of these or cannot be read. Reads again when it has changed."""
    return _commands(path, _state(path))


def entries(path: str) -> tuple[Entry, ...]:
    """The same commands with all that the shell wrote down, the newest last, each as often as it was used."""
    return _entries(path, _state(path))


def parse(data: bytes) -> tuple[str, ...]:
    """The commands in a history file's `data`, the newest last, each once."""
    return _once(parse_entries(data))


def parse_entries(data: bytes, name: str = "", *, stamped: bool = False) -> tuple[Entry, ...]:
    """The entries in a history file's `data`; its `name` tells a zsh file without time stamps from a bash file.

    `stamped`: `data` is the end of a bash file that begins with a time stamp."""
    if fish.ENTRY.match(data) or (name.endswith("fish_history") and fish.ENTRY.search(data)):
        return _kept(fish.parse(data))
    if data.startswith(b'{"locs"'):
        return _kept(xonsh.parse(data))
    if zsh.STAMP.search(data[:8192]) or _ZSH_NAME.search(name):
        return _kept(zsh.parse(data))
    if stamped and (first := re.search(rb"^#\d+\n", data, re.M)):
        data = data[first.start() :]
    return _kept(bash.parse(data))


def _kept(found: Iterable[Entry]) -> tuple[Entry, ...]:
    kept = []
    for entry in found:
        text = entry.command.strip()
        if text and len(text) <= MAX_LENGTH and "\ufffd" not in text:
            clean = text == entry.command
            kept.append(entry if clean else Entry(text, entry.time, entry.status, entry.duration, entry.cwd))
    return tuple(kept[-4 * MAX_COMMANDS :])


def _once(found: tuple[Entry, ...]) -> tuple[str, ...]:
    seen: dict[str, None] = {}
    for entry in reversed(found):
        seen.setdefault(entry.command)
        if len(seen) == MAX_COMMANDS:
            break
    return tuple(reversed(seen))


# What tells one state of a history from the next; empty when there is nothing to read.
_State = tuple[tuple[int, int], ...]


def _state(path: str) -> _State:
    if not path.startswith("/"):
        return ()
    try:
        info = Path(path).stat()
        if stat.S_ISDIR(info.st_mode):
            return tuple((mtime, size) for mtime, size, _ in xonsh.sessions(Path(path)))
    except (OSError, ValueError):
        return ()
    if not stat.S_ISREG(info.st_mode):
        return ()
    states = [(info.st_mtime_ns, info.st_size)]
    if path.endswith(".sqlite"):
        try:
            log = Path(path + "-wal").stat()
            states.append((log.st_mtime_ns, log.st_size))
        except OSError:
            pass
    return tuple(states)


@lru_cache(maxsize=4)
def _commands(path: str, state: _State) -> tuple[str, ...]:
    return _once(_entries(path, state))


@lru_cache(maxsize=4)
def _entries(path: str, state: _State) -> tuple[Entry, ...]:
    if not state:
        return ()
    place = Path(path)
    try:
        if place.is_dir():
            return _kept(_of_sessions(place))
        return _of_file(place, state[0][1])
    except OSError:
        return ()


def _of_sessions(folder: Path) -> list[Entry]:
    found = [
        entry
        for _, size, file in xonsh.sessions(folder)
        if size <= xonsh.MAX_SESSION_BYTES
        for entry in xonsh.parse(_bytes(file, 0, size))
    ]
    return sorted(found, key=lambda entry: entry.time)


def _of_file(path: Path, size: int) -> tuple[Entry, ...]:
    head = _bytes(path, 0, 64)
    if head.startswith(_SQLITE):
        return _kept(xonsh.database(path, MAX_COMMANDS))
    if head.startswith(b'{"locs"'):
        return parse_entries(_bytes(path, 0, min(size, xonsh.MAX_SESSION_BYTES)))
    data = _bytes(path, max(0, size - MAX_BYTES), MAX_BYTES)
    if size > MAX_BYTES:
        data = data.partition(b"\n")[2]
        if first := fish.ENTRY.search(data) if head.startswith(b"- cmd: ") else None:
            data = data[first.start() :]
    return parse_entries(data, path.name, stamped=bool(bash.STAMP.match(head)))


def _bytes(path: Path, start: int, length: int) -> bytes:
    """Up to `length` bytes of `path`. Raises OSError."""
    return reading.head(path, length, start)
