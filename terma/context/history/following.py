"""Follows a history file that a shell appends to: only what was added is read and parsed at the next look."""

from __future__ import annotations

import os
import stat
import threading
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from pathlib import Path

from terma import reading
from terma import regex as re
from terma.context.history import bash, fish, xonsh, zsh
from terma.context.history.entry import Entry
from terma.context.own import is_ours

MAX_BYTES = 512 * 1024  # of the newest end of a file
MAX_COMMANDS = 4_000
MAX_LENGTH = 1_000  # code points; a longer one is a pasted script and nobody asks for it by name

_HEAD = 8192  # bytes by which a format is known, and a file that was written anew
_SEAM = 256  # bytes before the place up to which was read, which stay while a file only grows
_ZSH_NAME = re.compile(r"zsh|zhistory|\.histfile\Z", re.IGNORECASE)
_SQLITE = b"SQLite format 3\0"

Parse = Callable[[bytes], list[Entry]]


class Commands:
    """The newest `MAX_COMMANDS` different commands, the newest last."""

    def __init__(self) -> None:
        self._last_used: dict[str, None] = {}

    def add(self, found: Iterable[Entry]) -> None:
        kept = self._last_used
        for entry in usable(found):
            kept.pop(entry.command, None)
            kept[entry.command] = None
        while len(kept) > MAX_COMMANDS:
            del kept[next(iter(kept))]

    def with_last(self, unfinished: Iterable[Entry]) -> tuple[str, ...]:
        """All of them, and behind them what may still be written to."""
        kept = self._last_used.copy()
        for entry in usable(unfinished):
            kept.pop(entry.command, None)
            kept[entry.command] = None
        return tuple(kept)[-MAX_COMMANDS:]


class History:
    """One history file. `read` gives its commands, each once where it was last used.

    A file that only grew since the last look is read from there on. One that was cut, replaced or written anew (another
    inode, a shorter file, other bytes at its beginning or before the seam) is read afresh, at most `MAX_BYTES` of it.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self.lock = threading.Lock()
        self.found: tuple[str, ...] = ()
        """What the last look gave."""
        self._forget()

    def _forget(self) -> None:
        self._commands = Commands()
        self._known: tuple[tuple[int, ...], ...] = ()
        self._inode = (0, 0)
        self._upto = 0  # bytes whose commands are complete
        self._head = self._seam = b""
        self._lines: _Lines | None = None
        self._rows: xonsh.Rows | None = None

    def read(self) -> tuple[str, ...]:
        """The commands, the newest last. Raises OSError and ValueError."""
        info = self._path.stat()
        if not stat.S_ISREG(info.st_mode):
            self.found = ()
            return ()
        known = tuple(_state(file) for file in (info, *_beside(self._path)))
        if known == self._known:
            return self.found
        if self._rows and (info.st_dev, info.st_ino) == self._inode:
            self.found = self._of_rows(self._rows)
        elif not (self._lines and self._grew(info)):
            self._afresh(info)
        if self._lines:
            self.found = self._go_on(self._lines, info.st_size)
        self._known = known
        return self.found

    def _grew(self, info: os.stat_result) -> bool:
        if (info.st_dev, info.st_ino) != self._inode or info.st_size < self._upto or len(self._head) < _HEAD:
            return False
        begins = reading.head(self._path, len(self._head))
        seam = reading.head(self._path, len(self._seam), self._upto - len(self._seam))
        return (begins, seam) == (self._head, self._seam) and info.st_size - self._upto <= MAX_BYTES

    def _afresh(self, info: os.stat_result) -> None:
        self._forget()
        self._inode = (info.st_dev, info.st_ino)
        self._head = reading.head(self._path, min(_HEAD, info.st_size))
        if self._head.startswith(_SQLITE):
            self._rows = xonsh.Rows(self._path, MAX_COMMANDS)
            self.found = self._of_rows(self._rows)
            return
        if self._head.startswith(b'{"locs"'):
            size = min(info.st_size, xonsh.MAX_SESSION_BYTES)
            self._commands.add(xonsh.parse(reading.head(self._path, size)))
            self.found = self._commands.with_last(())
            return
        self._lines = lines_of(self._head, self._path.name)
        if info.st_size > MAX_BYTES:
            cut = reading.head(self._path, MAX_BYTES, info.st_size - MAX_BYTES)
            self._upto = info.st_size - len(cut) + self._lines.first(cut)

    def _of_rows(self, rows: xonsh.Rows) -> tuple[str, ...]:
        added, anew = rows.read()
        if anew:
            self._commands = Commands()
        self._commands.add(added)
        return self._commands.with_last(())

    def _go_on(self, lines: _Lines, size: int) -> tuple[str, ...]:
        data = reading.head(self._path, size - self._upto, self._upto)
        end = lines.last(data)
        if end:
            self._commands.add(lines.parse(data[:end]))
            self._seam = (self._seam + data[:end])[-_SEAM:]
            self._upto += end
        return self._commands.with_last(lines.parse(data[end:]))


class _Lines:
    """A format of lines: `begins` matches where an entry may begin, `parse` reads whole entries."""

    def __init__(self, parse: Parse, begins: re.Pattern[bytes]) -> None:
        self.parse = parse
        self._begins = begins

    def first(self, data: bytes) -> int:
        """Where the first entry begins behind a cut; the length of `data` where none does."""
        found = self._begins.search(data, data.find(b"\n") + 1)
        return found.start() if found else len(data)

    def last(self, data: bytes) -> int:
        """Where the last entry begins, which may still grow; 0 where that is the first."""
        at = len(data)
        while (at := data.rfind(b"\n", 0, at)) >= 0:
            if at + 1 < len(data) and self._begins.match(data, at + 1):
                return at + 1
        return 0


_ANY_LINE = re.compile(rb"(?<!\\\n)^", re.M)  # a backslash at a line's end has the entry go on
_LINE = re.compile(rb"^", re.M)
_STAMPED = re.compile(rb"^#\d+$", re.M)


def lines_of(head: bytes, name: str) -> _Lines:
    """The format of a history file that begins with `head`; its `name` tells zsh without time stamps from bash."""
    if fish.ENTRY.match(head) or name.endswith("fish_history"):
        return _Lines(fish.parse, fish.ENTRY)
    if zsh.STAMP.search(head) or _ZSH_NAME.search(name):
        return _Lines(zsh.parse, _ANY_LINE)
    if bash.STAMP.match(head):
        return _Lines(partial(bash.parse, stamped=True), _STAMPED)
    return _Lines(partial(bash.parse, stamped=False), _LINE)


def usable(found: Iterable[Entry]) -> Iterator[Entry]:
    """Those whose command is text that somebody may ask for, without blanks around it; no words to terma itself."""
    for entry in found:
        text = entry.command.strip()
        if text and len(text) <= MAX_LENGTH and "\ufffd" not in text and not is_ours(text):
            clean = text == entry.command
            yield entry if clean else Entry(text, entry.time, entry.status, entry.duration, entry.cwd)


def _state(info: os.stat_result) -> tuple[int, ...]:
    return info.st_dev, info.st_ino, info.st_mtime_ns, info.st_size


def _beside(path: Path) -> Iterator[os.stat_result]:
    """SQLite's log, in which new rows stand before the database has them."""
    if path.suffix == ".sqlite":
        try:
            yield path.with_name(f"{path.name}-wal").stat()
        except OSError:
            return
