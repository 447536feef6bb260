"""The eye for what nobody calibrated: a straight picture (a capture card, a KVM) or corners set by hand, read by OCR or
a model. Where the cells are, the picture tells, again for each mode that the machine goes through while it starts."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from terma.vision.errors import NoSignal
from terma.vision.parts import Condition, Seen
from terma.vision.screen import condition, gate, lattice
from terma.vision.screen.grid import Grid
from terma.vision.screen.rectify import Corners, straighten
from terma.vision.types import Frame, FrameSource, Free, Image, Reader, TerminalState

QUIET = 0.3  # seconds without a change: the screen is at rest
_DOUBTED = 0.6  # mean confidence of the rows that hold text: below it the cells are looked for anew
_BELIEVED = 0.8  # of a reading without cells
_WIDEST = 1920  # pixels of a picture that corners are straightened to


@dataclass(frozen=True, slots=True)
class _View:
    """`picture` is what the next one is held against; `shown`, whose rows are those of `state`."""

    picture: Image
    shown: Image
    state: TerminalState
    condition: Condition


class PlainEye:
    """`reader` makes the reader of a screen with so many columns and rows. `corners` None: the picture is the screen.
    `size` is columns and rows where they are known, (0, 0) where the picture has to tell."""

    def __init__(
        self,
        source: FrameSource,
        reader: Callable[[int, int], Reader],
        corners: Corners | None = None,
        size: tuple[int, int] = (0, 0),
    ) -> None:
        self._source, self._reader, self._corners, self._size = source, reader, corners, size
        self._grid: Grid | None = None
        self._shape = (0, 0)
        self._last: _View | None = None
        self._number = 0

    async def look(self) -> Seen:
        """The screen as it is now. Raises EyesError where the source stalls or the reader fails."""
        try:
            frame = await self._source.latest(self._number)
        except NoSignal:
            self._last = None
            return self._nothing(_empty_frame(self._number), "no signal")
        self._number = frame.number
        return await self.read(frame)

    async def read(self, frame: Frame) -> Seen:
        """What a frame shows. Raises EyesError."""
        straight = await asyncio.to_thread(self._straight, frame.image)
        if (
            straight.shape[:2] != self._shape
        ):  # another mode: another grid, and nothing of the last look holds
            self._shape, self._grid, self._last = straight.shape[:2], None, None
        dark = condition.of_picture(straight)
        if dark is not None and dark != "cleared":
            self._last = None
            return self._nothing(frame, dark)
        if self._grid is None:
            self._grid = await asyncio.to_thread(self._found, straight)
        picture = self._grid.picture(straight)
        last = self._last
        if last is not None and not gate.changed(last.picture, picture).any():
            return Seen(frame, last.state, last.shown, last.condition)
        view = await self._seen(picture, straight)
        self._last = view
        return Seen(frame, view.state, view.shown, view.condition)

    async def settle(self, seconds: float) -> Seen:
        """Look once nothing moved for QUIET seconds, after so many seconds at the latest."""
        end = time.monotonic() + seconds
        seen = await self.look()
        while time.monotonic() < end:
            await asyncio.sleep(QUIET)
            before, seen = seen, await self.look()
            if seen.state == before.state and seen.condition == before.condition:
                return seen
        return seen

    async def _seen(self, picture: Image, straight: Image) -> _View:
        """Read it. What floats, or is in much doubt in its cells, is read without cells too."""
        assert self._grid is not None
        floats = await asyncio.to_thread(condition.afloat, straight)
        reader = self._reader(self._grid.columns, self._grid.rows)
        free = None
        if floats in ("free", "cells") and isinstance(reader, Free):
            free = await reader.freely(straight)
        if free is not None and (floats == "free" or _trust(free) > _BELIEVED):
            return _View(picture, straight, free, condition.of_text(free, floats))
        picture, state = await self._in_cells(picture, straight)
        if free is None and _doubtful(state) and isinstance(reader, Free):
            free = await reader.freely(straight)
        if free is not None and _trust(free) > _trust(state):
            return _View(picture, straight, free, condition.of_text(free, floats))
        return _View(picture, picture, state, condition.of_text(state, floats))

    async def _in_cells(self, picture: Image, straight: Image) -> tuple[Image, TerminalState]:
        """Where much is in doubt, or the letters stand elsewhere, the cells are looked for anew."""
        assert self._grid is not None
        state = await self._reader(self._grid.columns, self._grid.rows).read(picture)
        if _doubtful(state) and not any(self._size):
            found = await asyncio.to_thread(lattice.find, straight)
            if found is not None and found != self._grid:
                again = found.picture(straight)
                other = await self._reader(found.columns, found.rows).read(again)
                if _trust(other) > _trust(state):
                    self._grid = found
                    return again, other
        return picture, state

    def _straight(self, image: Image) -> Image:
        if self._corners is None:
            return image
        points = self._corners.array
        width = int(max(np.hypot(*(points[1] - points[0])), np.hypot(*(points[2] - points[3]))))
        height = int(max(np.hypot(*(points[3] - points[0])), np.hypot(*(points[2] - points[1]))))
        scale = min(2.0, _WIDEST / max(width, 1))
        return straighten(image, self._corners, round(width * scale), round(height * scale))

    def _found(self, straight: Image) -> Grid:
        height, width = straight.shape[:2]
        if all(self._size):
            return lattice.sized(width, height, *self._size)
        return lattice.find(straight) or lattice.usual(width, height)

    def _nothing(self, frame: Frame, what: Condition) -> Seen:
        state = TerminalState(rows=("",), confidence=(1.0,), reader="plain")
        return Seen(frame, state, None, what)


def _trust(state: TerminalState) -> float:
    """The mean confidence of the rows that hold text."""
    rows = [sure for row, sure in zip(state.rows, state.confidence, strict=True) if row.strip()]
    return float(np.mean(rows)) if rows else 1.0


def _doubtful(state: TerminalState) -> bool:
    return _trust(state) < _DOUBTED


def _empty_frame(number: int) -> Frame:
    return Frame(np.zeros((1, 1, 3), np.uint8), time.monotonic(), number, "no signal")
