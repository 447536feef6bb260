"""Text that stands in no cells, read by RapidOCR's detector and recogniser: a monitor's words, a login with a mouse.

Where lines are the detector says, and each is read as a whole. What comes of it is a screen like any other, its columns
as wide as a letter is on average: good enough to find words in, and to say where they stand.
"""

from __future__ import annotations

import functools
import unicodedata
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from terma.vision.screen import engines
from terma.vision.screen.state import Looks, state
from terma.vision.types import MOST_CELLS, Image, TerminalState

Letter = tuple[float, str, float]  # its middle in pixels of a strip, what it is, its likelihood
Box = tuple[int, int, int, int]
_LONGEST, _STEP = 960, 32  # pixels of the picture that the detector sees, and what its sides are multiples of
_TEXT = 0.3  # likelihood from which on a pixel is of text
_LEAST = (6, 5)  # pixels of a line: width and height
_GROWN = 1.6  # the detector marks the kernel of a line: so much of area over perimeter is added around
_HEIGHT, _SHORTEST = 48, 96  # pixels of a strip
_WORD = 0.17  # of a line's height: ink that is farther apart belongs to two words,
_FARTHER = 1.2  # where the letters' middles are so many times as far apart as usual
_INK = 0.35  # of the strongest ink of a strip: less is none
_SURE = 0.5  # mean likelihood of a line: with less it is none


@dataclass(frozen=True, slots=True)
class Line:
    """One line of text: `box` is left, top, right and bottom in pixels."""

    text: str
    box: Box
    sure: float


def read(
    picture: Image, letters: Callable[[NDArray[np.float32]], list[Letter]], looks: Looks | None = None
) -> TerminalState:
    """The text of a picture as rows; `letters` reads a strip. Raises EyesError."""
    height, width = picture.shape[:2]
    lines = [line for box in _boxes(picture) if (line := _line(picture, box, letters))]
    wide = float(np.median([(one.box[2] - one.box[0]) / len(one.text) for one in lines])) if lines else 8.0
    high = float(np.median([one.box[3] - one.box[1] for one in lines])) if lines else 16.0
    columns, count = (
        min(max(round(side / one), 1), MOST_CELLS) for side, one in ((width, wide), (height, high))
    )
    rows, sure = [""] * count, [1.0] * count
    for one in sorted(lines, key=lambda line: line.box[0]):
        at = min(int((one.box[1] + one.box[3]) / 2 / height * count), count - 1)
        begin = max(int(one.box[0] / width * columns), len(rows[at]) + 1 if rows[at] else 0)
        rows[at] = (rows[at].ljust(begin) + one.text)[:columns]
        sure[at] = min(sure[at], one.sure)
    return state(rows, sure, columns, "ocr", None, looks)


@functools.cache
def _detector() -> Any:
    return engines.session("*_det_*.onnx")


def _boxes(picture: Image) -> list[Box]:
    """Where lines are, from above."""
    height, width = picture.shape[:2]
    scale = min(_LONGEST / max(height, width), 2.0)
    size = tuple(max(round(length * scale / _STEP), 1) * _STEP for length in (width, height))
    seen = cv2.resize(picture, size, interpolation=cv2.INTER_AREA if scale < 1 else cv2.INTER_LINEAR)
    batch = (seen.astype(np.float32) / 127.5 - 1).transpose(2, 0, 1)[None]
    marked = np.asarray(engines.run(_detector(), batch)[0, 0] > _TEXT, np.uint8)
    found = []
    for left, top, wide, high, area in cv2.connectedComponentsWithStats(marked)[2][1:].tolist():
        around = _GROWN * area / (2 * (wide + high)) + 1
        x, y = width / size[0], height / size[1]
        box = (
            max(round((left - around) * x), 0),
            max(round((top - around) * y), 0),
            min(round((left + wide + around) * x), width),
            min(round((top + high + around) * y), height),
        )
        if box[2] - box[0] >= _LEAST[0] and box[3] - box[1] >= _LEAST[1]:
            found.append(box)
    return sorted(found, key=lambda box: box[1])


def _line(picture: Image, box: Box, letters: Callable[[NDArray[np.float32]], list[Letter]]) -> Line | None:
    left, top, right, bottom = box
    strip = picture[top:bottom, left:right]
    wide = max(round(_HEIGHT * strip.shape[1] / strip.shape[0]), _HEIGHT // 2)
    strip = np.asarray(cv2.resize(strip, (wide, _HEIGHT), interpolation=cv2.INTER_CUBIC), np.uint8)
    padded = cv2.copyMakeBorder(strip, 0, 0, 0, max(_SHORTEST - wide, 0), cv2.BORDER_REPLICATE)
    read_ = letters((padded.astype(np.float32) / 127.5 - 1).transpose(2, 0, 1))
    text, sure = _worded(read_, _free(strip))
    return Line(text, box, sure) if text and sure >= _SURE else None


def _free(strip: Image) -> NDArray[np.bool_]:
    """The columns of a strip in which no letter stands."""
    apart = np.abs(strip.astype(np.int16) - np.median(strip, axis=(0, 1))).max(axis=2)
    ink = apart.max(axis=0)
    return np.asarray(ink < _INK * max(float(ink.max()), 1.0))


def _worded(letters: list[Letter], free: NDArray[np.bool_]) -> tuple[str, float]:
    """The letters of one strip (place in pixels, letter, likelihood), with spaces where the recogniser or a gap of the
    ink has one; and how sure they are."""
    text, sure, last, space = "", [], 0.0, False
    apart = np.diff([at for at, one, _ in letters if one.strip()])
    usual = float(np.median(apart)) if len(apart) else 0.0
    for at, one, likely in letters:
        plain = unicodedata.normalize("NFKC", one)
        if not plain.strip():
            space = True
            continue
        if len(plain) != 1 or unicodedata.category(plain)[0] in "CM":
            continue
        far = at - last > _FARTHER * usual and _widest(free[int(last) : int(at)]) > _WORD * _HEIGHT
        text += f" {plain}" if text and (space or far) else plain
        last, space = at, False
        sure.append(likely)
    return text, float(np.mean(sure)) if sure else 0.0


def _widest(free: NDArray[np.bool_]) -> int:
    """The most columns in a row that are free."""
    taken = np.flatnonzero(~np.concatenate([[False], free, [False]]))
    return int(np.diff(taken).max()) - 1
