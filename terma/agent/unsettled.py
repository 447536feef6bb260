"""Suggestions of which nobody knows yet whether they were run, kept in one private file while the agent is away.

A shell of which terma is asked once tells nothing any more, and the agent leaves after an idle hour: what became of its
suggestion stands in the history when the next shell asks."""

from __future__ import annotations

import json
import time
from collections import OrderedDict
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import asdict, field
from pathlib import Path

from terma import paths, reading
from terma.context.history.since import Mark
from terma.records import dataclass

MAX_SHELLS = 50
MAX_WAITING = 8  # suggestions of one shell that were not run yet
MAX_KEPT = 64  # in the file, the newest
MAX_BYTES = 500_000
MAX_AGE = 30 * 86_400.0  # seconds


@dataclass(slots=True)
class Shown:
    """A suggestion that stood on a line: its commands in the order in which they stood there. `history` is its newest
    end at that time and `mark` the end of its file; `when` is in seconds since the epoch."""

    words: str
    ran_before: tuple[str, ...]
    history: tuple[str, ...] = ()
    commands: list[str] = field(default_factory=list)
    mark: Mark | None = None
    when: float = field(default_factory=time.time)


class Unsettled:
    """By the shell that showed them. What an agent left behind is read once, when the first shell asks."""

    def __init__(self, file: Path | None = None) -> None:
        self._file = file
        self._read = False
        self._by: OrderedDict[str, list[Shown]] = OrderedDict()

    @property
    def file(self) -> Path:
        return self._file or paths.state_dir() / "unsettled.json"

    def of(self, shell: str) -> list[Shown]:
        """Those of `shell`, the newest last."""
        self._load()
        return self._by.get(shell, [])

    def all(self) -> Iterator[tuple[str, list[Shown]]]:
        """Each shell with its own."""
        self._load()
        return iter(list(self._by.items()))

    def keep(self, shell: str, shown: list[Shown]) -> None:
        """Those of `shell` are these from now on."""
        self._by[shell] = shown[-MAX_WAITING:]
        self._by.move_to_end(shell)
        if not shown:
            del self._by[shell]
        while len(self._by) > MAX_SHELLS:
            self._by.popitem(last=False)

    def save(self, has_secret: Callable[[str], bool]) -> None:
        """For the next agent: those of which a history file will tell. Never raises."""
        if not self._by:
            return
        rows = [
            {"shell": shell} | asdict(one) | {"history": (), "ran_before": ()}
            for shell, shown in self._by.items()
            for one in shown
            if one.mark and not any(has_secret(text) for text in (one.words, *one.commands))
        ]
        rows.sort(key=lambda row: row["when"])
        with suppress(OSError):  # a full disk costs what would have been learned, and no more
            paths.write_atomic(self.file, json.dumps({"version": 1, "shown": rows[-MAX_KEPT:]}).encode())

    def forget(self) -> None:
        """What an agent that left has left behind is gone."""
        with suppress(OSError):
            self.file.unlink(missing_ok=True)

    def _load(self) -> None:
        if self._read:
            return
        self._read = True
        with suppress(OSError, ValueError, TypeError, KeyError, AttributeError):
            rows = json.loads(reading.whole(self.file, MAX_BYTES))["shown"]
            for row in rows[-MAX_KEPT:]:
                shell, mark = row.pop("shell"), Mark(**row.pop("mark"))
                row |= {"history": (), "ran_before": (), "commands": list(map(str, row["commands"]))}
                shown = Shown(**row, mark=mark)
                if shown.commands and time.time() - shown.when < MAX_AGE:
                    self.keep(str(shell), [*self._by.get(str(shell), []), shown])
        self.forget()  # it must not be counted twice
