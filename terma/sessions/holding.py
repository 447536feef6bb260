"""One agent's way to the process that holds its sessions: finds it, starts it, notices its end, and remembers on the
disk which sessions there were, so that none goes without a word.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Iterable
from pathlib import Path

from terma import paths
from terma.sessions.held.found import Found
from terma.sessions.held.link import Link

LIVE = "sessions.live"  # a file beside the socket, there while sessions are: their names
DIED = "the process that held this session died, and its program with it"


class Holding:
    """`socket` is the agent's. `broke` is called when what holds the sessions is gone, and the sessions with it."""

    def __init__(self, socket: Path, broke: Callable[[], None]) -> None:
        self._socket, self._broke = socket, broke
        self._live = paths.beside(socket, LIVE)
        self._link: Link | None = None
        self._one = asyncio.Lock()

    async def find(self) -> list[Found] | None:
        """What agents before this one left there; None where there is no holder. Raises TermaError."""
        opened = await Link.open(self._socket, self._gone, start=False)
        if opened is None:
            return None
        self._link, found = opened
        return found

    async def link(self) -> Link:
        """The connection, to a holder that is started when need be. Raises TermaError."""
        async with self._one:
            if self._link is None or not self._link.alive:
                opened = await Link.open(self._socket, self._gone, start=True)
                assert opened is not None
                self._link = opened[0]
            return self._link

    def _gone(self, superseded: bool) -> None:
        self._link = None
        if not superseded:
            self._broke()

    def close(self) -> None:
        """Leave what is held as it is."""
        if self._link is not None:
            self._link.close()

    def remember(self, names: Iterable[str]) -> None:
        """That there are these sessions. Raises OSError."""
        known = sorted(names)
        if known:
            paths.write_atomic(self._live, json.dumps(known).encode())
        else:
            self._live.unlink(missing_ok=True)

    def remembered(self) -> list[str] | None:
        """The sessions that there were; None where there were none."""
        try:
            told = json.loads(self._live.read_bytes() or b"[]")
        except FileNotFoundError:
            return None
        except (OSError, ValueError):
            return []
        return [str(name) for name in told] if isinstance(told, list) else []
