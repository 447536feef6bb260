"""Sees a session of the agent: its screen as the emulator has it, so nothing is guessed and no camera is needed.

It is how the loop works on a program of this machine, and how it is tried without optics.
"""

from __future__ import annotations

import asyncio
import re
import time
from typing import Any, Self

import numpy as np
from pydantic import ValidationError

from terma import client
from terma.errors import UsageError
from terma.picture.cells import grid_of
from terma.sessions import remote
from terma.text import sanitize
from terma.vision.errors import EyesError
from terma.vision.parts import Seen
from terma.vision.screen.state import PROMPT
from terma.vision.types import Cursor, Frame, Image, TerminalState

_PAUSE = 0.05  # seconds between two looks at a screen that moves


class SessionEye:
    """The session called `name`, which must keep its screen (terma session create NAME --tui)."""

    def __init__(self, name: str) -> None:
        self._name = name
        self._number = 0
        self._painter: Any = None
        self._connection: client.Connection | None = None

    async def __aenter__(self) -> Self:
        """Raises TermaError when there is no such session, or it keeps no screen."""
        self._connection = await asyncio.to_thread(client.connect)
        try:
            await self.look()
        except BaseException:
            self._connection.close()
            raise
        return self

    async def __aexit__(self, *error: object) -> None:
        if self._connection is not None:
            self._connection.close()
            self._connection = None

    async def look(self) -> Seen:
        """The screen now. Raises EyesError when the program has exited, TermaError when the agent is gone."""
        if self._connection is None:
            raise RuntimeError("the eye is not open")
        arguments = {"session": self._name, "snapshot": True}
        seen = await asyncio.to_thread(remote.call, self._connection, "read", arguments)
        if seen["state"] == "exited":
            raise EyesError(
                f"the program of session {self._name} has exited", "terma session create makes another"
            )
        state = _state(seen)
        picture = self._drawn(state)
        self._number += 1
        image = picture if picture is not None else np.zeros((1, 1, 3), np.uint8)
        return Seen(Frame(image, time.monotonic(), self._number, f"session {self._name}"), state, picture)

    async def settle(self, seconds: float) -> Seen:
        """The screen once two looks show the same."""
        end = time.monotonic() + seconds
        before = await self.look()
        while True:
            await asyncio.sleep(_PAUSE)
            now = await self.look()
            if now.state == before.state or time.monotonic() > end:
                return now
            before = now

    def _drawn(self, state: TerminalState) -> Image | None:
        """The screen as a picture, where what draws it is installed."""
        size = (state.columns, len(state.rows))
        try:
            from terma.picture.painter import Painter

            if self._painter is None or (self._painter.columns, self._painter.rows) != size:
                self._painter = Painter(*size)
        except (ImportError, UsageError):
            return None
        cursor = (state.cursor.row, state.cursor.column) if state.cursor else None
        picture: Image = self._painter.paint(grid_of("\n".join(state.rows), *size, cursor)).copy()
        return picture


def _state(seen: dict[str, Any]) -> TerminalState:
    columns, height = int(seen["columns"]), int(seen["rows"])
    rows = [sanitize(row)[:columns].rstrip() for row in str(seen["screen"]).split("\n")][:height]
    rows += [""] * (height - len(rows))
    cursor = Cursor(row=min(seen["cursor_row"], height - 1), column=min(seen["cursor_column"], columns))
    try:
        return TerminalState(
            rows=tuple(rows),
            columns=columns,
            cursor=cursor,
            prompt=_at_prompt(seen["state"], rows[cursor.row][: cursor.column]),
            password=seen["state"] == "password",
            confidence=(1.0,) * height,
            reader="session",
        )
    except ValidationError as error:
        raise EyesError(f"the session's screen is none: {error.errors()[0]['msg']}", "look again") from None


def _at_prompt(told: str, row: str) -> bool:
    """A shell of ours says so itself; of another program that waits, the row has to tell."""
    if told in ("needs_input", "unsure"):
        return re.search(PROMPT, row) is not None
    return told in ("idle", "continuation")
