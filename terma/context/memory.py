"""What happened in each shell lately, for the next question about it: in memory alone, and little of it."""

from __future__ import annotations

import os
from collections import OrderedDict, deque
from collections.abc import Callable
from dataclasses import replace

from terma import regex as re
from terma.records import dataclass

LIMIT = 64_000  # characters over all shells
MAX_OUTPUT = 1_000  # of one event: its end
MAX_COMMAND = 1_000
MAX_EVENTS = 100  # of one shell
_OVERHEAD = 64  # characters that an event counts besides its text

# These change nothing and say nothing about what the person is after.
_TRIVIAL = frozenset(
    "ls ll la l dir pwd clear cls reset cd .. ... - pushd popd dirs exit logout history fc jobs fg bg true : date "
    "whoami id tty w who uptime z".split()
)
_WORD = re.compile(r"\s*(?:(?:command|builtin|\\)\s*)?(\S+)")
_COMPOUND = re.compile(r"[|&;<>`\n]|\$\(")  # more than one command, or one whose output goes somewhere

Shell = tuple[str, int]  # the client's name as in its hello, and its process id


@dataclass(frozen=True, slots=True)
class Event:
    """A command that ended. `status` is -1 when unknown, `duration` in microseconds, `output` the end of what it
    printed, "" when that is not known. `times`: how often it ran in a row with the same status."""

    command: str
    status: int = -1
    duration: int = 0
    cwd: str = ""
    output: str = ""
    times: int = 1

    @property
    def line(self) -> str:
        """The event in one line: `make test (status 2, 3 times)`."""
        told = [f"status {self.status}"] if self.status > 0 else []
        if self.times > 1:
            told.append(f"{self.times} times")
        command = " ".join(self.command.split())
        return f"{command} ({', '.join(told)})" if told else command

    @property
    def size(self) -> int:
        """The characters that it counts against a limit."""
        return len(self.command) + len(self.output) + len(self.cwd) + _OVERHEAD


def is_trivial(command: str) -> bool:
    """Whether `command` only looked around, moved, or asked us; not when it is part of a pipe or a list."""
    word = _WORD.match(command)
    if word is None:
        return True
    if word[1].startswith("?why") or word[1] == "terma":
        return True
    return word[1] in _TRIVIAL and not _COMPOUND.search(command.strip())


def _alive(shell: Shell) -> bool:
    try:
        os.kill(shell[1], 0)
    except ProcessLookupError:
        return False
    except (PermissionError, OverflowError, ValueError):
        pass
    return True


class Memory:
    """Rings of events, one a shell; `limit` characters over all of them, the oldest event goes first.

    `alive` tells whether a shell still runs; rings of those that do not are dropped. Nothing is written anywhere."""

    def __init__(self, limit: int = LIMIT, alive: Callable[[Shell], bool] = _alive) -> None:
        self._limit = limit
        self._alive = alive
        self._rings: dict[Shell, deque[Event]] = {}
        self._ages: OrderedDict[int, Shell] = (
            OrderedDict()
        )  # one entry an event, in the order of their coming
        self._number = 0
        self._size = 0

    @property
    def size(self) -> int:
        """Characters held, over all shells."""
        return self._size

    def remember(self, shell: Shell, event: Event) -> bool:
        """Keep `event`; False when it is trivial and did not fail. The same command again, with the same status, only
        counts up, and its newest output stays."""
        command = event.command.strip()
        if not command or shell[1] <= 0 or (event.status <= 0 and is_trivial(command)):
            return False
        event = replace(
            event,
            command=command[:MAX_COMMAND],
            output=event.output[-MAX_OUTPUT:],
            cwd=event.cwd[:MAX_COMMAND],
        )
        if shell not in self._rings:
            self.sweep()
        ring = self._rings.setdefault(shell, deque())
        last = ring[-1] if ring else None
        if last and (last.command, last.status) == (event.command, event.status):
            event = replace(event, times=last.times + event.times, output=event.output or last.output)
            self._forget_newest(shell)
            ring = self._rings.setdefault(shell, deque())
        ring.append(event)
        self._number += 1
        self._ages[self._number] = shell
        self._size += event.size
        if len(ring) > MAX_EVENTS:
            self._forget_oldest(shell)
        while self._size > self._limit:
            self._forget_oldest(next(iter(self._ages.values())))
        return True

    def recent(self, shell: Shell, limit_chars: int = 4_000) -> tuple[Event, ...]:
        """The newest events of `shell`, oldest first, as many as `limit_chars` characters hold."""
        chosen: list[Event] = []
        for event in reversed(self._rings.get(shell, ())):
            limit_chars -= event.size
            if limit_chars < 0:
                break
            chosen.append(event)
        return tuple(reversed(chosen))

    def forget(self, shell: Shell) -> None:
        """Drop all that is known of `shell`."""
        self._size -= sum(event.size for event in self._rings.pop(shell, ()))
        for number in [number for number, owner in self._ages.items() if owner == shell]:
            del self._ages[number]

    def sweep(self) -> None:
        """Drop the rings of shells that are gone."""
        for shell in [shell for shell in self._rings if not self._alive(shell)]:
            self.forget(shell)

    def _forget_oldest(self, shell: Shell) -> None:
        number = next(number for number, owner in self._ages.items() if owner == shell)
        del self._ages[number]
        self._take(shell, self._rings[shell].popleft())

    def _forget_newest(self, shell: Shell) -> None:
        number = next(number for number in reversed(self._ages) if self._ages[number] == shell)
        del self._ages[number]
        self._take(shell, self._rings[shell].pop())

    def _take(self, shell: Shell, event: Event) -> None:
        self._size -= event.size
        if not self._rings[shell]:
            del self._rings[shell]
