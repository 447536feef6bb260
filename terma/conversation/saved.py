"""Conversations on the disk: one file each, for its owner alone, without secrets, and never half-written.

Several processes may save at once: each holds its conversation by a lock. Whoever goes on with one that is open
elsewhere gets a copy under a name of its own.
"""

from __future__ import annotations

import json
import re
import secrets as randoms
import time
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import asdict, dataclass, field
from pathlib import Path

from terma import paths
from terma.chat import ChatMessage
from terma.conversation.memory import Memory, Totals
from terma.conversation.saved_file import MAX_BYTES, VERSION, read
from terma.conversation.saved_locks import let_go, locked
from terma.conversation.words import split
from terma.errors import TermaError, UsageError
from terma.text import ago, one_line

TITLE = 80  # code points
_ID = re.compile(r"[0-9]{8}-[0-9]{6}-[0-9a-f]{4}\Z")
LAST = "last"


@dataclass(frozen=True, slots=True)
class Summary:
    """A line of the list. `updated` is in seconds since the epoch; `problem` says why it cannot be gone on with."""

    id: str
    title: str = ""
    updated: float = 0.0
    turns: int = 0
    model: str = ""
    cwd: str = ""
    shell: str = ""
    problem: str = ""


@dataclass
class Saved:
    """One conversation of this process. `copied_from` is the id of the one that was open elsewhere; `shell` is where it
    was asked, `updated` when it was last written, in seconds since the epoch (0: never)."""

    id: str
    folder: Path
    keep: int = 200
    messages: tuple[ChatMessage, ...] = ()
    earlier: tuple[tuple[ChatMessage, ...], ...] = ()
    totals: Totals = field(default_factory=Totals)
    model: str = ""
    cwd: str = ""
    shell: str = ""
    created: float = 0.0
    updated: float = 0.0
    copied_from: str = ""
    _lock: int = -1

    def save(self, memory: Memory) -> None:
        """Write `memory` down, whole or not at all; one without turns is removed. Raises OSError."""
        self.messages, self.totals = tuple(memory.messages), memory.totals
        self.earlier = tuple(memory.earlier)
        if not self.messages:
            self._file.unlink(missing_ok=True)
            return
        self.created = self.created or time.time()
        first = not self._file.exists()
        data = self._data()
        while len(data) > MAX_BYTES and self.earlier:  # what is said now is what must come back
            self.earlier = self.earlier[1:]
            data = self._data()
        paths.write_atomic(self._file, data)
        if first:
            prune(self.folder, self.keep)

    def _data(self) -> bytes:
        text = {
            "version": VERSION,
            "id": self.id,
            "created": self.created,
            "updated": time.time(),
            "title": title(self.messages),
            "model": self.model,
            "cwd": self.cwd,
            "shell": self.shell,
            "totals": asdict(self.totals),
            "messages": [asdict(message) for message in self.messages],
            "earlier": [[asdict(message) for message in turns] for turns in self.earlier],
        }
        return json.dumps(text, ensure_ascii=False, indent=1).encode("utf-8", "replace")

    def restore(self, memory: Memory) -> None:
        """Put what was saved into `memory`."""
        memory.messages[:] = self.messages
        memory.earlier[:] = self.earlier
        memory.totals = self.totals

    def close(self) -> None:
        """Let others go on with it."""
        if self._lock >= 0:
            let_go(self.folder, self.id, self._lock)
            self._lock = -1

    @property
    def _file(self) -> Path:
        return self.folder / f"{self.id}.json"


def place() -> Path:
    """Where they are: `conversations` in the state directory."""
    return paths.state_dir() / "conversations"


def new(folder: Path, keep: int = 200) -> Saved:
    """A fresh one; nothing is written before its first turn. Raises OSError where there can be none."""
    _folder(folder)
    while True:
        name = f"{time.strftime('%Y%m%d-%H%M%S')}-{randoms.token_hex(2)}"
        lock = locked(folder, name)
        if lock is None:
            continue
        if not (folder / f"{name}.json").exists():
            return Saved(name, folder, keep, _lock=lock)
        let_go(folder, name, lock)  # one that ended has this name


def resume(folder: Path, wanted: str, keep: int = 200, shell: str = "", cwd: str = "") -> Saved:
    """The conversation with the id `wanted`, or the beginning of one, or "last": the newest that `shell` asked, else
    the newest of the directory `cwd`.

    Raises UsageError when there is none, TermaError when its file is damaged or of a newer terma."""
    name = _last(folder, shell, cwd) if wanted == LAST else _found(folder, wanted)
    found = read(folder / f"{name}.json")
    lock = locked(folder, name)
    if lock is not None:
        one = Saved(name, folder, keep, created=found.created, _lock=lock)
    else:
        one = new(folder, keep)
        one.copied_from = name
    one.messages, one.earlier, one.totals = found.messages, found.earlier, found.totals
    one.model, one.cwd, one.updated = found.model, found.cwd, found.updated
    return one


def followed(folder: Path, shell: str, within: float) -> str:
    """The id of the newest conversation that `shell` asked within so many seconds; "" where there is none."""
    since = time.time() - within
    recent = [file for file in _files(folder) if _age(file) >= since] if shell and within else []
    for file in sorted(recent, key=_age, reverse=True):
        with suppress(TermaError):
            if read(file).shell == shell:
                return file.stem
    return ""


def listed(folder: Path) -> list[Summary]:
    """All of them, the newest first. What cannot be read is listed with its problem."""
    found = []
    for file in _files(folder):
        try:
            one = read(file)
            turns = sum(message.role == "user" for message in one.messages)
            words = (one_line(text, 200) for text in (one.title, one.model, one.cwd, one.shell))
            found.append(Summary(file.stem, next(words), one.updated, turns, *words))
        except TermaError as error:
            found.append(Summary(file.stem, updated=_age(file), problem=error.message))
    return sorted(found, key=lambda one: (one.updated, one.id), reverse=True)


def remove(folder: Path, name: str) -> None:
    """Forget one. Raises UsageError when there is none of that id."""
    (folder / f"{_found(folder, name)}.json").unlink(missing_ok=True)


def prune(folder: Path, keep: int) -> None:
    """Remove the oldest beyond `keep`, and locks that nobody holds; what is open stays."""
    files = sorted(_files(folder), key=_age, reverse=True)
    for file in files[keep:]:
        lock = locked(folder, file.stem)
        if lock is not None:
            with suppress(OSError):
                file.unlink(missing_ok=True)
            let_go(folder, file.stem, lock)


def title(messages: tuple[ChatMessage, ...], most: int = TITLE) -> str:
    """The first question, in one line of at most so many code points."""
    first = next((message.content for message in messages if message.role == "user"), "")
    question, context = split(first)
    return one_line(question or context, most)


def _last(folder: Path, shell: str, cwd: str) -> str:
    """The newest of this shell, else of this directory."""
    readable = [one for one in listed(folder) if not one.problem]
    if not readable:
        raise UsageError("there is no saved conversation", 'begin one: terma "question"')
    own = [one for one in readable if shell and one.shell == shell] or [
        one for one in readable if one.cwd == cwd
    ]
    if not own:
        newest = readable[0]
        what = f"the newest is “{newest.title}”, {ago(time.time() - newest.updated)}, of {newest.cwd}"
        raise UsageError(
            "no saved conversation is of this terminal or this directory", f"{what}: --resume {newest.id}"
        )
    return own[0].id


def _found(folder: Path, wanted: str) -> str:
    names = [file.stem for file in _files(folder)]
    fitting = [name for name in names if name == wanted] or [
        name for name in names if name.startswith(wanted)
    ]
    fitting = fitting or [name for name in names if wanted and name.endswith(wanted)]
    if len(fitting) != 1 or not wanted:
        problem = (
            "there are several saved conversations"
            if fitting and wanted
            else "there is no saved conversation"
        )
        raise UsageError(f"{problem} {one_line(wanted, 40)!r}", "terma ask --list shows their ids")
    return fitting[0]


def _files(folder: Path) -> Iterator[Path]:
    with suppress(OSError):
        yield from (file for file in folder.glob("*.json") if _ID.match(file.stem))


def _age(file: Path) -> float:
    try:
        return file.stat().st_mtime
    except OSError:
        return 0.0


def _folder(folder: Path) -> None:
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
