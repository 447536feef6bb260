"""The eye of the loop: the newest frame, its screen put straight, held against drift, and read.

While the gate sees no change, pictures are averaged: noise goes, and what was read wrong is read again. A screen that
moved is found again by what stands around it, and to a hair by its letters; or nothing is said of it.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from terma.vision.errors import EyesError, NoSignal, Unknown
from terma.vision.parts import Condition, Seen
from terma.vision.plain_eye import PlainEye
from terma.vision.screen import anchor, condition, drift, gate
from terma.vision.screen.cells import Reading
from terma.vision.screen.grid import Grid
from terma.vision.screen.profile import Profile
from terma.vision.screen.reading import CellReader
from terma.vision.screen.rectify import Corners
from terma.vision.screen.state import Looks
from terma.vision.types import Frame, FrameSource, Image, Reader, TerminalState

QUIET = 0.3  # seconds without a change: the screen is at rest
_MOST = 16  # pictures in an average
_READ_AGAIN = (2, 3, 5, 9)  # pictures in the average
_SURE = 0.9  # the least confidence that one picture is enough for
_LOOSER = 0.3  # a fit above this is worth a look whether the screen moved a little
_NUDGED = (0.06, 0.03)  # columns and rows: a move by more is followed; noise in the surroundings stays below
_STRAYED = (0.4, 0.2)  # the letters' grid is no farther from where the surroundings put it
_TRIES = 4  # pictures at least, however slow this machine is
_NONE = np.zeros((1, 1, 3), np.uint8)
_PATIENCE = 1.0  # seconds for somebody to leave the picture, or a camera that was pushed to rest


@dataclass(frozen=True, slots=True)
class _View:
    """What was seen last: the average of `count` pictures of one screen, and what was read from it."""

    picture: Image
    state: TerminalState
    mean: NDArray[np.float32]
    count: int


class ScreenEye:
    """Looks at one calibrated screen. `reader` None: the classifier of the profile itself. `other` reads what that was
    not taught: the screens of a machine that starts, another font; without it they are an error."""

    def __init__(
        self,
        source: FrameSource,
        profile: Profile,
        reader: Reader | None = None,
        looks: Looks | None = None,
        other: Callable[[int, int], Reader] | None = None,
    ) -> None:
        self._source, self._looks, self._reader, self._other = source, looks, reader, other
        self._plain: PlainEye | None = None
        self._number = 0
        self.adopt(profile)

    def adopt(self, profile: Profile) -> None:
        """Look at the screen as it was calibrated anew."""
        self._profile = profile
        self._grid: Grid = profile.grid
        self._pose = anchor.HERE
        self._cells = CellReader(profile.classifier, self._looks)
        self._last: _View | None = None

    @property
    def corners(self) -> Corners:
        """Where the screen is in the picture now."""
        return self._grid.corners()

    async def look(self) -> Seen:
        """The screen as it is now. Raises EyesError where the source stalls or the screen cannot be read.

        What one picture alone does not say for sure is looked at in two: in noise a speck may pass for a dot."""
        try:
            frame = await self._source.latest(self._number)
        except NoSignal:
            return self._nothing(Frame(_NONE, time.monotonic(), self._number, "no signal"), "no signal")
        if frame.image.shape[:2] == (self._profile.height, self._profile.width):
            dark = await asyncio.to_thread(self._dark, frame)
            if dark is not None:
                return self._nothing(frame, dark)
        try:
            seen = await self._look()
            if self._last is not None and self._last.count == 1 and min(seen.state.confidence) < _SURE:
                seen = await self._look()
        except Unknown:
            if self._other is not None:
                return await self._as_plain()
            if await asyncio.to_thread(self._floats, frame):
                return self._nothing(frame, "notice")
            raise
        return seen

    async def _as_plain(self) -> Seen:
        """The screen as somebody reads it who knows letters in general."""
        assert self._other is not None
        frame = await self._source.latest(self._number)
        self._number = frame.number
        same = frame.image.shape[:2] == (self._profile.height, self._profile.width)
        cable = self._profile.anchor is None
        if self._plain is None or not cable:
            corners = None if cable and not same else self.corners
            self._plain = PlainEye(self._source, self._other, corners)
        return await self._plain.read(frame)

    def _dark(self, frame: Frame) -> Condition | None:
        picture = self._grid.picture(frame.image)
        found = condition.of_picture(picture, self._profile.black)
        return None if found == "cleared" else found

    def _floats(self, frame: Frame) -> bool:
        """Whether a display's own words are all that is seen: no letters of the machine's that could be learned."""
        same = frame.image.shape[:2] == (self._profile.height, self._profile.width)
        if not same and self._profile.anchor is not None:
            return False
        return condition.afloat(self._grid.picture(frame.image) if same else frame.image) == "free"

    def _nothing(self, frame: Frame, what: Condition) -> Seen:
        self._last = None
        state = TerminalState(rows=("",), confidence=(1.0,), reader="cells")
        return Seen(frame, state, None, what)

    async def _look(self) -> Seen:
        end, tries = time.monotonic() + _PATIENCE, 0
        while True:
            frame = await self._frame()
            tries += 1
            try:
                view = await asyncio.to_thread(self._still, frame)
                fresh = None if view else await asyncio.to_thread(self._read, frame)
                break
            except EyesError:
                self._last = None
                if time.monotonic() > end and tries >= _TRIES:
                    raise
        if fresh is not None:
            picture, reading = fresh
            view = _View(picture, await self._said(picture, reading), picture.astype(np.float32), 1)
        assert view is not None
        if view.count in _READ_AGAIN and self._reader is None:
            reading = await asyncio.to_thread(self._profile.classifier.read, view.picture)
            view = replace(view, state=await self._said(view.picture, reading))
        self._last = view
        return Seen(frame, view.state, view.picture, condition.of_text(view.state))

    async def _frame(self) -> Frame:
        frame = await self._source.latest(self._number)
        if frame.image.shape[:2] != (self._profile.height, self._profile.width):
            self._number = frame.number
            if self._profile.anchor is None:
                raise Unknown(
                    "the machine shows another mode than when it was calibrated",
                    'calibrate again at its shell; [eyes] reader = "ocr" reads any mode',
                )
            raise EyesError(
                "the camera's pictures have another size than when it was calibrated",
                "set it as it was, or calibrate again: terma eyes calibrate",
            )
        self._number = frame.number
        return frame

    async def _said(self, picture: Image, reading: Reading) -> TerminalState:
        return self._cells.state(reading) if self._reader is None else await self._reader.read(picture)

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

    def _still(self, frame: Frame) -> _View | None:
        """The last view with this frame in its average; None where something changed. Raises EyesError where nothing
        tells where the screen is."""
        self._place(frame)
        last, picture = self._last, self._grid.picture(frame.image)
        if last is None or gate.changed(last.picture, picture).any():
            return None
        count = min(last.count + 1, _MOST)
        mean = (last.mean + (picture - last.mean) / count).astype(np.float32)
        return _View(np.asarray(mean.round(), np.uint8), last.state, mean, count)

    def _place(self, frame: Frame) -> None:
        """Take the grid to where the surroundings say that the screen is, unless it is there."""
        if self._profile.anchor is None:
            return
        pose = anchor.find(frame.image, self._profile.anchor, self._pose)
        there = self._profile.grid.seen(pose)
        followed = self._grid.seen(pose @ np.linalg.inv(self._pose))
        if _beyond(_NUDGED, followed, self._grid):
            self._grid, self._pose, self._last = followed, pose, None
        if _beyond(_STRAYED, there, self._grid):
            self._grid, self._pose, self._last = there, pose, None

    def _read(self, frame: Frame) -> tuple[Image, Reading]:
        """The straight picture, from where the screen is now, and its cells."""
        picture = self._grid.picture(frame.image)
        reading = self._profile.classifier.read(picture)
        if self._reader is None and reading.fit is not None and reading.fit > _LOOSER:
            try:
                place = drift.register(frame.image, self._grid, self._profile.classifier)
            except (
                EyesError
            ):  # what stands around the screen has told that it is where it was, or nothing can move
                raise Unknown(
                    "the screen shows letters that were not learned: another font or mode, or it moved",
                    'calibrate again at its shell; [eyes] reader = "ocr" knows letters in general',
                ) from None
            if place.fit is not None and place.fit < reading.fit:
                self._grid = place.grid
                picture = self._grid.picture(frame.image)
                reading = self._profile.classifier.read(picture)
        return picture, reading


def _beyond(most: tuple[float, float], one: Grid, other: Grid) -> bool:
    """Whether two grids are more columns or rows apart."""
    return any(far > limit for far, limit in zip(one.apart(other), most, strict=True))


def _moved(before: Seen, now: Seen) -> bool:
    """Whether more than the cursor changed: it may blink for ever."""
    assert before.picture is not None and now.picture is not None
    cells = gate.changed(before.picture, now.picture)
    for cursor in (before.state.cursor, now.state.cursor):
        if cursor is not None and cursor.column < cells.shape[1]:
            cells[cursor.row, cursor.column] = False
    return bool(cells.any())
