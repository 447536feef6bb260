"""The session memory as asks feed it: a shell tells its last command with every ask, and it counts once."""

from __future__ import annotations

from collections.abc import Mapping

from terma.context.memory import Event, Memory

Fields = Mapping[str, str]
MAX_SHELLS = 1_000  # whose last run is known; beyond, one may be counted twice


class Remembering:
    """What ran in each shell lately, as lines to tell a model."""

    def __init__(self) -> None:
        self._memory = Memory()
        self._last: dict[tuple[str, int], tuple[tuple[str, int, int], tuple[str, ...]]] = {}

    def note(self, fields: Fields, event: Event) -> tuple[str, ...]:
        """Remember `event` of the shell that asks; the lines of what ran there before it, the oldest first."""
        shell, run = shell_id(fields), (event.command, event.status, event.duration)
        known = self._last.pop(shell, None)
        if known is None or known[0] != run:
            known = (run, tuple(past.line for past in self._memory.recent(shell)))
            self._memory.remember(shell, event)
        self._last[shell] = known
        while len(self._last) > MAX_SHELLS:
            del self._last[next(iter(self._last))]
        return known[1]


def shell_of(fields: Fields) -> str:
    """Which shell asks: the connection puts its name and process there."""
    return fields.get("client", "")


def shell_id(fields: Fields) -> tuple[str, int]:
    """The same as the memory wants it: the client's name and its process."""
    name, _, pid = shell_of(fields).rpartition(" ")
    return name, int(pid) if pid.isdigit() else 0
