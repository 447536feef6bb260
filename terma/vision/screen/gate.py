"""Whether anything on the screen changed: a single typed character is noticed, noise and a flickering lamp are not.

Pictures of the whole are compared half cell by half cell, since a comma is nothing in an average over the screen.
"""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from terma.vision.screen.grid import CELL, MARGIN
from terma.vision.types import Image

Cells = NDArray[np.bool_]  # rows by columns
_BLOCK = (CELL[0], CELL[1] // 2)  # width and height of half a cell
_SMOOTH = 2.0  # pixels: noise goes, strokes stay
_GAINED = 0.5
_NOISE = 7.0  # times the picture's own noise
_LEAST, _MOST = 14.0, 30.0  # grey levels, however still or noisy the picture


def scores(before: Image, now: Image) -> NDArray[np.float32]:
    """The largest difference in each half cell of two pictures that Grid.picture made, in grey levels."""
    old, new = _grey(before), _grey(now)
    # a camera that sets its exposure anew makes every letter brighter
    around = old - old.mean()
    gain = float(np.vdot(new - new.mean(), around)) / max(float(np.vdot(around, around)), 1.0)
    difference = new - (gain if _GAINED < gain < 1 / _GAINED else 1.0) * old
    difference -= cv2.blur(difference, (CELL[0] * 8 + 1, CELL[1] * 4 + 1))  # light that comes and goes
    difference = np.abs(cv2.GaussianBlur(difference, (0, 0), _SMOOTH))
    inner = difference[MARGIN[1] : -MARGIN[1], MARGIN[0] : -MARGIN[0]]
    rows, columns = inner.shape[0] // _BLOCK[1], inner.shape[1] // _BLOCK[0]
    blocks = inner.reshape(rows, _BLOCK[1], columns, _BLOCK[0])
    return np.asarray(blocks.max((1, 3)), np.float32)


def changed(before: Image, now: Image) -> Cells:
    """The cells that changed between two pictures."""
    found = scores(before, now)
    noise = float(np.median(found)) / 2  # half a cell's largest difference is about twice the deviation
    # where everything changed the median says nothing of noise: there is a most, too
    loud = found > np.clip(_NOISE * noise, _LEAST, _MOST)
    return np.asarray(loud[0::2] | loud[1::2])


def _grey(picture: Image) -> NDArray[np.float32]:
    # the brightest colour of a pixel: blue letters are as visible as white ones
    blue, green, red = cv2.split(picture)
    return np.asarray(cv2.max(cv2.max(blue, green), red), np.float32)
