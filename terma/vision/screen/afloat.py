"""Whether a picture is a few words afloat on an even ground, as a monitor, a capture card or a boot picture draws them.

That is told by looks alone, in whatever language: all that stands there is one small block away from where a text
screen begins, on a ground of one colour or a test card's bars, and its letters do not stand in cells.
"""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from terma.vision.types import Image

_WIDTH = 320  # pixels of the picture that is looked at for blocks
_STEP = 16  # grey levels that are taken for one when the commonest colour is looked for
_APART = 22  # grey levels from the ground
_MOST = 0.35  # of the picture, that is not its ground
_LARGEST = 0.45  # of the picture, a block with what it encloses: a larger one is a small display of its own
_GROUND = 0.6  # of a picture: with more of it in other colours it has no ground
_JOINED = (0.04, 0.09)  # of width and height: what is nearer belongs to one block
_SPECK = 6  # pixels of what is no letter
_AWAY = (0.025, 0.02)  # of width and height: a text screen begins nearer to the left and the top than that
_FEWEST = 9  # letters of a line that tells whether they stand in cells
_CELLS = 0.06  # of a cell: nearer to its middle, on average, are letters of one width in one line at least
_PITCHES = (0.35, 1.1, 140)  # of a line's height: the widths of a cell that are tried


def block(picture: Image) -> tuple[int, int, int, int] | None:
    """Left, top, right and bottom of the block in pixels; None where there is none, or more than one."""
    height, width = picture.shape[:2]
    scale = _WIDTH / width
    mask = _other(_resized(picture, max(round(height * scale), 1)))
    if not 0 < mask.mean() < _MOST:
        return None
    near = np.ones([max(round(part * side), 1) for part, side in zip(_JOINED[::-1], mask.shape, strict=True)])
    joined = cv2.morphologyEx(np.pad(mask, 40), cv2.MORPH_CLOSE, near.astype(np.uint8))[40:-40, 40:-40]
    found = cv2.connectedComponentsWithStats(joined)[2][1:]
    found = found[found[:, 4] >= _SPECK]
    if len(found) != 1:
        return None
    left, top, wide, high = (int(one) for one in found[0][:4])
    if left < _AWAY[0] * _WIDTH or top < _AWAY[1] * mask.shape[0] or wide * high > _LARGEST * mask.size:
        return None
    right, bottom = min((left + wide) / scale, width), min((top + high) / scale, height)
    return round(left / scale), round(top / scale), round(right), round(bottom)


def even(picture: Image) -> bool:
    """Whether most of a picture has one colour, as the ground of a text screen has."""
    return float(_other(_resized(picture, _WIDTH)).mean()) < _GROUND


def in_cells(picture: Image, place: tuple[int, int, int, int]) -> bool:
    """Whether the letters of a block stand in cells of one width, as on a text screen; False where too few tell."""
    left, top, right, bottom = place
    inside = picture[top:bottom, left:right]
    ink = _other(inside)
    apart = [one for line in lines(letters(ink)) if len(line) >= _FEWEST and (one := _off(line)) is not None]
    return min(apart, default=1.0) < _CELLS


def _resized(picture: Image, height: int) -> Image:
    return np.asarray(cv2.resize(picture, (_WIDTH, height), interpolation=cv2.INTER_AREA), np.uint8)


def _other(picture: Image) -> NDArray[np.uint8]:
    """1 where a picture has not its commonest colour."""
    coarse = (picture // _STEP).astype(np.int32)
    keys = (coarse[:, :, 0] << 16) | (coarse[:, :, 1] << 8) | coarse[:, :, 2]
    values, counts = np.unique(keys, return_counts=True)
    ground = np.median(picture[keys == values[counts.argmax()]], axis=0)
    return np.asarray(np.abs(picture.astype(np.int16) - ground).max(axis=2) > _APART, np.uint8)


def letters(ink: NDArray[np.uint8]) -> NDArray[np.float64]:
    """Left, top, width and height of what may be a letter: an i and its dot are one, a frame is none."""
    tall = cv2.morphologyEx(ink, cv2.MORPH_CLOSE, np.ones((5, 1), np.uint8))
    found = cv2.connectedComponentsWithStats(tall)[2][1:].astype(np.float64)
    height, width = ink.shape
    kept = (found[:, 4] >= _SPECK) & (found[:, 2] < width / 4) & (found[:, 3] < max(height * 0.9, 8))
    return np.asarray(found[kept], np.float64)


def lines(found: NDArray[np.float64]) -> list[NDArray[np.float64]]:
    """The letters by line, from left to right."""
    if not len(found):
        return []
    usual = float(np.median(found[:, 3]))
    found = found[found[:, 3] > 0.5 * usual]  # dots and dashes say little of where a cell is
    middles = found[:, 1] + found[:, 3] / 2
    order = np.argsort(middles)
    cuts = np.flatnonzero(np.diff(middles[order]) > 0.6 * usual) + 1
    return [part[np.argsort(part[:, 0])] for part in np.split(found[order], cuts)]


def _off(line: NDArray[np.float64]) -> float | None:
    """How far the letters of one line are from the middles of the cells that fit best, in cells, on average."""
    middles = line[:, 0] + line[:, 2] / 2
    least = float(np.diff(middles).min(initial=np.inf))
    high = float(np.percentile(line[:, 3], 90))
    tried = np.geomspace(_PITCHES[0] * high, _PITCHES[1] * high, _PITCHES[2])
    tried = tried[tried <= 1.15 * max(least, _PITCHES[0] * high)]
    if not len(tried):
        return None
    phase = middles[:, None] / tried % 1
    turn = np.exp(2j * np.pi * phase)
    middle = np.angle(turn.mean(0)) / (2 * np.pi)
    away = np.abs((phase - middle + 0.5) % 1 - 0.5)
    return float(away.mean(0).min())
