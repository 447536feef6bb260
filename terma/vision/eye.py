"""The eye of the loop: the newest frame, its screen put straight, held against drift, and read.

A picture is read again only where the gate saw a change; a screen that moved is found again, or nothing is said of it.
"""

from __future__ import annotations

import asyncio
import time
from dataclasses import dataclass

from terma.vision.errors import EyesError
from terma.vision.parts import Seen
from terma.vision.screen import drift, gate
from terma.vision.screen.grid import Grid
from terma.vision.screen.profile import Profile
from terma.vision.screen.reading import CellReader
from terma.vision.screen.state import Looks
from terma.vision.types import Frame, FrameSource, Image, Reader, TerminalState

QUIET = 0.3  # seconds without a change: the screen is at rest
_LOOSER = 0.3  # a fit above this is worth a look whether the screen moved a little


@dataclass(frozen=True, slots=True)
class _View:
    """What was seen last."""

    picture: Image
    state: TerminalState


class ScreenEye:
    """Looks at one calibrated screen. `reader` None: the classifier of the profile itself."""

    def __init__(
        self, source: FrameSource, profile: Profile, reader: Reader | None = None, looks: Looks | None = None
    ) -> None:
        self._source, self._profile = source, profile
        self._grid: Grid = profile.grid
        self._cells = CellReader(profile.classifier, looks)
        self._reader = reader
        self._last: _View | None = None
        self._number = 0

    async def look(self) -> Seen:
        """The screen as it is now. Raises EyesError where the source stalls or the screen cannot be read."""
        frame = await self._source.latest(self._number)
        if frame.image.shape[:2] != (self._profile.height, self._profile.width):
            raise EyesError(
                "the camera's pictures have another size than when it was calibrated",
                "set it as it was, or calibrate again: terma eyes calibrate",
            )
        self._number = frame.number
        picture, state = await asyncio.to_thread(self._see, frame)
        if state is None:
            assert self._reader is not None
            state = await self._reader.read(picture)
        self._last = _View(picture, state)
        return Seen(frame, state, picture)

    async def settle(self, seconds: float) -> Seen:
        """Look once nothing moved for QUIET seconds, after so many seconds at the latest."""
        end = time.monotonic() + seconds
        seen = await self.look()
        still_since = seen.frame.at
        while time.monotonic() < end and seen.frame.at - still_since < QUIET:
            before = seen
            seen = await self.look()
            if _moved(before, seen):
                still_since = seen.frame.at
        return seen

    def _see(self, frame: Frame) -> tuple[Image, TerminalState | None]:
        """The straight picture and its text; None where another reader has to say."""
        picture = self._grid.picture(frame.image)
        if self._last is not None and not gate.changed(self._last.picture, picture).any():
            return picture, self._last.state
        reading = self._profile.classifier.read(picture)
        if reading.fit is not None and reading.fit > _LOOSER:
            place = drift.register(frame.image, self._grid, self._profile.classifier)
            if place.fit is not None and place.fit < reading.fit:
                self._grid = place.grid
                picture = self._grid.picture(frame.image)
                reading = self._profile.classifier.read(picture)
        return picture, self._cells.state(reading) if self._reader is None else None


def _moved(before: Seen, now: Seen) -> bool:
    """Whether more than the cursor changed: it may blink for ever."""
    assert before.picture is not None and now.picture is not None
    cells = gate.changed(before.picture, now.picture)
    for cursor in (before.state.cursor, now.state.cursor):
        if cursor is not None and cursor.column < cells.shape[1]:
            cells[cursor.row, cursor.column] = False
    return bool(cells.any())
