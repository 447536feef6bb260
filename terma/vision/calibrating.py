"""Learn a target: its corners from a flash, its grid and its letters from the card that is typed onto it."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable

import numpy as np

from terma.vision.errors import EyesError
from terma.vision.screen import anchor, card, cells
from terma.vision.screen import grid as grids
from terma.vision.screen.profile import Profile
from terma.vision.screen.rectify import Corners, by_flash, overlap
from terma.vision.types import Frame, FrameSource, Image, Keyboard, Keystroke, Line

REVERSE, NORMAL = r"clear;printf '\033[?5h'", r"clear;printf '\033[?5l'"
CLEAR = "clear"
ENOUGH = 0.97  # of the card's cells, read right from another frame
_PATIENCE = 10.0  # seconds for a change to come onto the screen
_REST = 0.3  # seconds between two looks at the same thing
_STILL = 6.0  # grey levels: two frames that differ by less, on average over the changed part, are the same
_LOOKS = 4  # frames that the surroundings are learned from
_DARKER = 30  # percent of the empty screen's pixels are darker than what is taken for its black
_SAME = 0.99  # overlap of what two looks at a flash found


async def calibrate(
    source: FrameSource,
    keyboard: Keyboard,
    told: Callable[[str], None] = lambda line: None,
    corners: Corners | None = None,
    *,
    fixed: bool = False,
) -> Profile:
    """Learn the screen. A shell waits at its prompt there. `corners` set by hand spare the flash. `fixed`: neither
    screen nor camera can move, so nothing around the screen is needed to tell.

    Raises EyesError where the screen, the card or its letters are not found."""
    if corners is None:
        told("reversing the screen's colours, to find it")
        corners = await _corners(source, keyboard)
    told("showing the calibration card")
    await _enter(keyboard, card.command())
    try:
        frame, grid, learned, right = await _learned(source, corners, told)
    finally:
        await keyboard.send(Keystroke(key="Enter"))  # the card waits for it
    await _enter(keyboard, CLEAR)
    if right < ENOUGH:
        raise EyesError(
            f"only {right:.0%} of the calibration card can be read",
            "bring the camera nearer (7 pixels a character or more), or make it sharper",
        )
    height, width = frame.image.shape[:2]
    surrounded = not fixed and anchor.surrounded(grid, width, height)
    empty, shown = await _emptied(source, frame)
    around = await asyncio.to_thread(anchor.learn, empty, grid) if surrounded else None
    black = float(np.percentile(grid.picture(shown.image).max(2), _DARKER))
    return Profile(grid, learned, width, height, right, around, black)


async def _learned(
    source: FrameSource, corners: Corners, told: Callable[[str], None]
) -> tuple[Frame, grids.Grid, cells.Classifier, float]:
    """The card, its grid, its letters, and the part of them that is read right from another frame; learned again where
    that is too little, for a while: the card may not have been complete yet."""
    end = time.monotonic() + _PATIENCE
    while True:
        frame, grid = await _grid(source, corners)
        told(f"{grid.columns} columns and {grid.rows} rows: learning their letters")
        expected = card.shown(grid.columns, grid.rows)
        learned = await asyncio.to_thread(cells.train, [grid.picture(frame.image)], [expected])
        again = await source.latest(frame.number)
        right = await asyncio.to_thread(_accuracy, learned, grid.picture(again.image), expected)
        if right >= ENOUGH or time.monotonic() > end:
            return frame, grid, learned, right


async def _emptied(source: FrameSource, shown: Frame) -> tuple[anchor.Floats, Frame]:
    """The picture once the card that was `shown` is off it, grey, the mean of some frames, for noise; and the last."""
    before, end = shown, time.monotonic() + _PATIENCE
    while True:
        await asyncio.sleep(_REST)
        frame = await source.latest(before.number)
        gone = _difference(shown, frame) > 2 * _STILL and _difference(before, frame) < _STILL
        if gone or time.monotonic() > end:
            break
        before = frame
    grey = []
    for _ in range(_LOOKS):
        frame = await source.latest(frame.number)
        grey.append(anchor.grey(frame.image))
    return np.mean(grey, axis=0, dtype=np.float32), frame


async def _corners(source: FrameSource, keyboard: Keyboard) -> Corners:
    await _enter(keyboard, NORMAL)
    await asyncio.sleep(2 * _REST)
    dark = await source.latest()
    await _enter(keyboard, REVERSE)
    try:
        return await _flashed(source, dark)
    finally:
        await _enter(keyboard, NORMAL)
        await asyncio.sleep(_REST)


async def _flashed(source: FrameSource, dark: Frame) -> Corners:
    """The corners, once two looks agree: a flash takes time to be complete."""
    end = time.monotonic() + _PATIENCE
    before: Corners | None = None
    number = dark.number
    height, width = dark.image.shape[:2]
    while True:
        await asyncio.sleep(_REST)
        light = await source.latest(number)
        number = light.number
        try:
            found = await asyncio.to_thread(by_flash, dark.image, light.image)
        except EyesError:
            if time.monotonic() > end:
                raise
            continue
        if before is not None and overlap(before, found, width, height) > _SAME:
            return found
        before = found
        if time.monotonic() > end:
            raise EyesError("the screen does not come to rest", "hold the camera still")


async def _grid(source: FrameSource, corners: Corners) -> tuple[Frame, grids.Grid]:
    """The card at rest, and its grid."""
    end = time.monotonic() + _PATIENCE
    before: Frame | None = None
    while True:
        await asyncio.sleep(_REST)
        frame = await source.latest(before.number if before is not None else 0)
        still = before is not None and _difference(before, frame) < _STILL
        before = frame
        if not still and time.monotonic() < end:
            continue
        try:
            return frame, await asyncio.to_thread(grids.find, frame.image, corners)
        except EyesError:
            if time.monotonic() > end:
                raise


def _difference(one: Frame, other: Frame) -> float:
    """The largest difference of two frames over a block of 16 by 16 pixels, in grey levels."""
    height, width = (length - length % 16 for length in one.image.shape[:2])
    apart = np.abs(one.image[:height, :width].astype(np.int16) - other.image[:height, :width])
    return float(apart.reshape(height // 16, 16, width // 16, 16, 3).mean((1, 3, 4)).max())


def _accuracy(learned: cells.Classifier, picture: Image, expected: list[list[card.Sample | None]]) -> float:
    read = learned.read(picture).characters
    wanted = [cell for row in expected for cell in row]
    right = [one.character == got for one, got in zip(wanted, read, strict=True) if one is not None]
    return float(np.mean(right))


async def _enter(keyboard: Keyboard, line: str) -> None:
    await keyboard.send(Line(text=line))
    await keyboard.send(Keystroke(key="Enter"))
