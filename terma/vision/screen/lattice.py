"""The cells of a straight picture of text, from the picture alone: for BIOS, boot menus and login prompts.

Letters of one width repeat: along each line the ink is most like itself one cell further, and lines likewise. Where
the ink is least when all cells are laid over each other, their borders are. No mode has to be known for that.
"""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from terma.vision.screen import afloat
from terma.vision.screen.grid import Grid
from terma.vision.types import Image

Floats = NDArray[np.float64]
_COLUMNS = (30, 260)  # the fewest and the most
_ASPECT = (1.5, 2.7)  # height over width of a cell
_USUAL_ASPECT = 2.0
_INK = 24  # grey levels over the ground
_FEWEST = 3  # lines of text: with less, width and height of a cell are chance
_TWICE, _WIDER = 0.7, 1.25  # of a cell and of the letters' distance: letters stand no nearer than cells
_STEPS = 400  # widths that are tried
_REPEATS = 10  # cells to the right that are looked at
_AS_GOOD = 0.8  # of the best: of a width and its double, the smaller
_BINS = 24
_FREE = 0.3  # of the usual ink: less stands between two letters
_CUT = 0.7  # of a cell: with less of it in the picture it is none
_USUAL = {(720, 400): (80, 25), (640, 400): (80, 25), (640, 480): (80, 30), (640, 350): (80, 25)}


def usual(width: int, height: int) -> Grid:
    """The cells of a text mode with so many pixels: letters of 8 by 16, but for VGA's own."""
    columns, rows = _USUAL.get((width, height), (max(30, width // 8), max(8, height // 16)))
    return _grid(width / columns, height / rows, 0.0, 0.0, columns, rows)


def sized(width: int, height: int, columns: int, rows: int) -> Grid:
    """The cells of a screen that fills the picture."""
    return _grid(width / columns, height / rows, 0.0, 0.0, columns, rows)


def find(picture: Image) -> Grid | None:
    """Where the cells are; None where too little stands there to tell."""
    ink = _inked(picture)
    height, width = ink.shape
    if _lines(ink) < _FEWEST:
        return None
    across = _alike(ink)
    wide = _pitch(across, width / _COLUMNS[1], width / _COLUMNS[0])
    beside = _beside(ink)
    if wide is not None and beside < _TWICE * wide:  # in little text every second cell may be most alike
        wide = _pitch(across, width / _COLUMNS[1], _WIDER * beside)
    if wide is None:
        return None
    profile = ink.sum(1, keepdims=True).T
    high = _pitch(_alike(profile), _ASPECT[0] * wide, _ASPECT[1] * wide) or _USUAL_ASPECT * wide
    left, top = _border(ink.sum(0), wide), _border(ink.sum(1), high)
    columns, rows = int((width - left) / wide + 0.3), int((height - top) / high + 0.3)
    return _grid(wide, high, left, top, max(columns, 1), max(rows, 1))


def _grid(wide: float, high: float, left: float, top: float, columns: int, rows: int) -> Grid:
    return Grid(columns, rows, (wide, 0.0, left, 0.0, high, top, 0.0, 0.0, 1.0))


def _inked(picture: Image) -> Floats:
    """1 where there is ink, whichever of ink and ground is brighter there; bars in reverse and rules are none."""
    grey = np.asarray(picture.max(axis=2), np.uint8)
    ground = cv2.medianBlur(grey, 2 * (max(grey.shape[1] // 60, 5)) + 1)
    ink = np.asarray(cv2.absdiff(grey, ground) > _INK, np.uint8)
    long = cv2.morphologyEx(ink, cv2.MORPH_OPEN, np.ones((1, grey.shape[1] // 25), np.uint8))
    if long.any():  # a bar is wider than any letter, with the letters that stand in it
        long = cv2.morphologyEx(long, cv2.MORPH_CLOSE, np.ones((3, grey.shape[1] // 10), np.uint8))
        ink[cv2.dilate(long, np.ones((3, 3), np.uint8)) > 0] = 0
    return np.asarray(ink, np.float64)


def _beside(ink: Floats) -> float:
    """How far the middles of two letters beside each other usually are; infinite where there are none."""
    lines = afloat.lines(afloat.letters(np.asarray(ink, np.uint8)))
    gaps = [gap for line in lines for gap in np.diff(line[:, 0] + line[:, 2] / 2)]
    return float(np.median(gaps)) if gaps else float("inf")


def _lines(ink: Floats) -> int:
    """How many lines of text there may be."""
    there = np.concatenate([[False], ink.sum(1) > 2])
    return int((there[1:] & ~there[:-1]).sum())


def _alike(ink: Floats) -> Floats:
    """How alike the lines are to themselves so many pixels further, all together: by distance, 1 at none."""
    smooth = ink - cv2.blur(ink, (2 * (ink.shape[1] // 40) + 1, 1))
    waves = np.fft.rfft(smooth, 2 * ink.shape[1], axis=1)
    found = np.fft.irfft((np.abs(waves) ** 2).sum(0))[: ink.shape[1]]
    return np.asarray(found / max(found[0], 1e-9))


def _pitch(alike: Floats, least: float, most: float) -> float | None:
    """The distance at whose multiples lines are most like themselves; None where nothing repeats."""
    tried = np.geomspace(max(least, 4.0), max(most, 5.0), _STEPS)
    many = np.arange(1, _REPEATS + 1)
    places = tried[:, None] * many
    weight = np.where(places < len(alike) * 0.8, 1.0 / many, 0.0)
    worth = (np.interp(places, np.arange(len(alike)), alike) * weight).sum(1) / np.maximum(
        weight.sum(1), 1e-9
    )
    if worth.max() <= 0.02:
        return None
    peaks = np.flatnonzero((worth[1:-1] >= worth[:-2]) & (worth[1:-1] >= worth[2:])) + 1
    good = peaks[worth[peaks] >= _AS_GOOD * worth.max()] if len(peaks) else np.array([worth.argmax()])
    first = float(tried[good[0] if len(good) else worth.argmax()])
    return _finer(alike, first)


def _finer(alike: Floats, pitch: float) -> float:
    """The distance to a fraction of a pixel, from its far multiples, one after the other."""
    for many in (2, 4, 8, 16, 32):
        reach = 0.3 * pitch
        at = np.arange(many * pitch - reach, many * pitch + reach, 0.25)
        if at[-1] > 0.8 * len(alike):
            break
        there = np.interp(at, np.arange(len(alike)), alike)
        if there.max() < 0.01:
            break
        pitch = float(at[there.argmax()]) / many
    return pitch


def _border(profile: Floats, pitch: float) -> float:
    """Where a cell begins, in pixels: where the ink of all cells laid over each other is least."""
    phase = ((np.arange(len(profile)) + 0.5) / pitch % 1 * _BINS).astype(int) % _BINS
    folded = np.bincount(phase, profile, _BINS)
    free = np.clip(1 - folded / max(_FREE * float(folded.mean()), 1e-9), 0, 1)
    if free.sum() < 0.5:
        free = (folded == folded.min()).astype(np.float64)
    turn = np.exp(
        2j * np.pi * (np.arange(_BINS) + 0.5) / _BINS
    )  # the middle of what is free, around the cell
    begin = float(np.angle((free * turn).sum())) / (2 * np.pi) % 1 * pitch
    return begin - pitch if begin > _CUT * pitch else begin
