"""The commands that a person typed before, read from the history that their shell names: one format a file."""

from __future__ import annotations

import stat
import threading
from collections import OrderedDict
from pathlib import Path

from terma.context.history import xonsh
from terma.context.history.entry import Entry
from terma.context.history.following import (
    MAX_BYTES,
    MAX_COMMANDS,
    MAX_LENGTH,
    Commands,
    History,
    lines_of,
    usable,
)
from terma.context.history.sessions import Sessions
from terma.context.history.soon import Soon

__all__ = ["MAX_BYTES", "MAX_COMMANDS", "MAX_LENGTH", "Entry", "parse", "parse_entries", "read", "soon"]

_MAX_HISTORIES = 8  # that are followed at a time
_followed: OrderedDict[str, History | Sessions] = OrderedDict()
_lock = threading.Lock()


def read(path: str) -> tuple[str, ...]:
    """The commands in the history `path`, the newest last, each once where it was last used.

    `path` is a history file of zsh, bash, fish or xonsh, or the directory of xonsh's JSON histories. () when it is not
    absolute, is none of these or cannot be read. Of a file that grew since the last call only what was added is read.
    Safe in several threads."""
    if not path.startswith("/"):
        return ()
    try:
        followed = _follow(path)
        with followed.lock:
            return followed.read()
    except (OSError, ValueError):
        with _lock:
            _followed.pop(path, None)
        return ()


def _follow(path: str) -> History | Sessions:
    place = Path(path)
    wanted = Sessions if stat.S_ISDIR(place.stat().st_mode) else History
    with _lock:
        known = _followed.get(path)
        if not isinstance(known, wanted):
            known = _followed[path] = wanted(place)
        _followed.move_to_end(path)
        if len(_followed) > _MAX_HISTORIES:
            _followed.popitem(last=False)
        return known


def _known(path: str) -> tuple[str, ...] | None:
    followed = _followed.get(path)
    return followed.found if followed else None


soon = Soon(read, _known)  # what a question waits for


def parse(data: bytes) -> tuple[str, ...]:
    """The commands in a history file's `data`, the newest last, each once."""
    found = Commands()
    found.add(parse_entries(data))
    return found.with_last(())


def parse_entries(data: bytes, name: str = "") -> tuple[Entry, ...]:
    """The entries in all of a history file's `data`; its `name` tells a zsh file without time stamps from bash's."""
    if data.startswith(b'{"locs"'):
        return tuple(usable(xonsh.parse(data)))
    return tuple(usable(lines_of(data[:8192], name).parse(data)))
