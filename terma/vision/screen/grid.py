"""The lattice of character cells on a straightened screen: how many columns and rows, and where each cell lies."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from terma.vision.errors import EyesError
from terma.vision.screen import card
from terma.vision.screen.rectify import Corners, matrix, straighten
from terma.vision.types import Image

CELL = (12, 24)  # width and height in pixels of a cell in the picture that readers get
MARGIN = (3, 6)  # pixels around that picture: letters reach over their cells
_COLUMNS, _ROWS = (16, 320), (8, 120)  # the fewest and the most
_ASPECT = (1.2, 3.4)  # height over width of a cell, foreshortened as it may be
_PEAKS, _TRIED = 24, 8  # frequencies tried down and across
_AS_LIKELY = 0.06
_FILLED = 0.5  # of the usual edges, which a cell with text has at least
_COVERED = 0.8  # of the screen, by the card
_FINER = 16  # steps of a frequency
_COARSER = 3
_OUTSIDE = 0.4  # of a cell: so far it may seem to reach over the screen's edge
_LIKE = 0.6  # correlation of brightness with the card: it is 0.8 to 0.95 for the right grid


@dataclass(frozen=True, slots=True)
class Grid:
    """`matrix` takes (column, row, 1), fractions included, to pixels of the frame: nine numbers, row by row."""

    columns: int
    rows: int
    matrix: tuple[float, ...]

    def array(self) -> NDArray[np.float64]:
        """The homography, 3 by 3."""
        return np.asarray(self.matrix, np.float64).reshape(3, 3)

    def changed(self, change: NDArray[np.float64]) -> Grid:
        """The grid after a 3 by 3 change of its own coordinates, in cells."""
        return Grid(self.columns, self.rows, tuple(float(x) for x in (self.array() @ change).ravel()))

    def moved(self, columns: float, rows: float) -> Grid:
        """The grid moved by so many cells."""
        return self.changed(np.array([[1.0, 0.0, columns], [0.0, 1.0, rows], [0.0, 0.0, 1.0]]))

    def seen(self, pose: NDArray[np.float64]) -> Grid:
        """The grid in another frame, to which `pose` takes pixels of this one."""
        return Grid(self.columns, self.rows, tuple(float(x) for x in (pose @ self.array()).ravel()))

    def apart(self, other: Grid) -> tuple[float, float]:
        """How far a corner of `other` is from this grid's, at most: in columns and in rows."""
        corners = np.array([[[0.0, 0], [self.columns, 0], [self.columns, self.rows], [0, self.rows]]])
        there = cv2.perspectiveTransform(corners, np.linalg.inv(self.array()) @ other.array())
        columns, rows = np.abs(there - corners)[0].max(0)
        return float(columns), float(rows)

    def corners(self) -> Corners:
        """Of the cells, in the frame."""
        at = np.array([[[0.0, 0], [self.columns, 0], [self.columns, self.rows], [0, self.rows]]])
        return Corners(tuple((float(x), float(y)) for x, y in cv2.perspectiveTransform(at, self.array())[0]))

    def pixels(self) -> tuple[float, float]:
        """Width and height of the middle cell in the frame, in pixels."""
        at = np.array([[0.0, 0.0], [1.0, 0.0], [0.0, 1.0]]) + np.array([self.columns / 2, self.rows / 2])
        seen = cv2.perspectiveTransform(at.reshape(1, 3, 2), self.array())[0]
        return float(np.hypot(*(seen[1] - seen[0]))), float(np.hypot(*(seen[2] - seen[0])))

    def picture(self, image: Image, around: tuple[int, int] = MARGIN) -> Image:
        """The screen seen straight on, every cell CELL pixels large, with `around` pixels on its sides."""
        width, height = self.pixels()
        shrunk = max(width / CELL[0], height / CELL[1])
        if shrunk > 1.3:  # a coarser picture holds no finer detail: what remains of it is moiré
            image = np.asarray(cv2.GaussianBlur(image, (0, 0), 0.4 * shrunk))
        scale = np.array([[1 / CELL[0], 0, 0], [0, 1 / CELL[1], 0], [0, 0, 1]])
        shift = np.array([[1.0, 0.0, -around[0]], [0.0, 1.0, -around[1]], [0.0, 0.0, 1.0]])
        # OpenCV counts from the middle of a pixel, a cell from its edge
        to_frame = _half(-0.5) @ self.array() @ scale @ shift @ _half(0.5)
        size = (self.columns * CELL[0] + 2 * around[0], self.rows * CELL[1] + 2 * around[1])
        how = cv2.INTER_CUBIC | cv2.WARP_INVERSE_MAP
        return np.asarray(
            cv2.warpPerspective(image, to_frame, size, flags=how, borderMode=cv2.BORDER_REPLICATE)
        )


def find(image: Image, corners: Corners, page: int = 0) -> Grid:
    """The grid of a screen that a page of the calibration card fills. Raises EyesError where the card is not there."""
    top = corners.array
    width = int(2 * max(np.hypot(*(top[1] - top[0])), np.hypot(*(top[2] - top[3]))))
    height = int(2 * max(np.hypot(*(top[3] - top[0])), np.hypot(*(top[2] - top[1]))))
    grey = cv2.cvtColor(straighten(image, corners, width, height), cv2.COLOR_BGR2GRAY).astype(np.float32)
    smooth = cv2.GaussianBlur(grey, (0, 0), 1.5)
    # edges, not ink: reverse text has its ink where plain text has none
    edges = np.abs(cv2.Sobel(smooth, cv2.CV_32F, 1, 0)) + np.abs(cv2.Sobel(smooth, cv2.CV_32F, 0, 1))
    edges[:3], edges[-3:], edges[:, :3], edges[:, -3:] = 0, 0, 0, 0  # of the screen itself
    covered = _text_everywhere(edges)
    edges = np.minimum(edges, 4 * float(np.median(edges)) + 1e-3)  # bright styles weigh no more than dim ones
    coarse = cv2.resize(grey, (width // _COARSER, height // _COARSER), interpolation=cv2.INTER_AREA)
    found: list[tuple[float, _Line, _Line]] = []
    downs = _lines(edges.mean(1), _PEAKS, *_ROWS)
    for across in _lines(edges.mean(0), _TRIED, *_COLUMNS):
        for down in downs:
            if _ASPECT[0] < down.pitch / across.pitch < _ASPECT[1]:
                likeness = _likeness(coarse, across, down, page)
                found.append((likeness, across, down))
    best = max((one[0] for one in found), default=0.0)
    if best < _LIKE or covered < _COVERED:
        raise EyesError(
            "the calibration card is not on the screen", "look at the target: did the card appear?"
        )
    # the card hangs on its last line: with a line less it looks as likely
    likely = [one for one in found if one[0] > best - _AS_LIKELY]
    _, across, down = max(likely, key=lambda one: (one[1].number * one[2].number, one[0]))
    place = np.array([[across.pitch, 0.0, across.begin], [0.0, down.pitch, down.begin], [0.0, 0.0, 1.0]])
    whole = matrix(corners, width, height) @ place
    grid = Grid(across.number, down.number, tuple(float(x) for x in whole.ravel()))
    return _edged(grid, image, page)


def _edged(grid: Grid, image: Image, page: int) -> Grid:
    """The grid with its cells where their grounds begin and end: letters need not stand in their cells' middles."""
    reach = (CELL[0] // 2, CELL[1] // 2)
    picture = grid.picture(image, reach).max(2).astype(np.float32)
    grounds = np.kron(card.reverse(grid.columns, grid.rows, page), np.ones(CELL[::-1], np.float32))
    fits = cv2.matchTemplate(picture, grounds, cv2.TM_CCOEFF_NORMED)
    y, x = np.unravel_index(int(np.argmax(fits)), fits.shape)
    return grid.moved((float(x) - reach[0]) / CELL[0], (float(y) - reach[1]) / CELL[1])


@dataclass(frozen=True, slots=True)
class _Line:
    """Cells along one direction: how many, where the first begins, how long one is (pixels)."""

    number: int
    begin: float
    pitch: float


def _lines(edges: NDArray[np.float32], peaks_tried: int, fewest: int, most: int) -> list[_Line]:
    """The regular lattices that a profile of edges may come from, the likeliest first."""
    profile = edges.astype(np.float64)
    length = len(profile)
    inner = (profile - np.median(profile)).clip(-np.median(profile), np.median(profile)) * np.hanning(length)
    waves = np.fft.rfft(inner, _FINER * length)
    strength = np.abs(waves)
    peaks = np.flatnonzero((strength[1:-1] > strength[:-2]) & (strength[1:-1] >= strength[2:])) + 1
    peaks = peaks[(peaks >= _FINER * fewest) & (peaks <= _FINER * most)]
    found = []
    for at in sorted(peaks, key=lambda at: -strength[at])[:peaks_tried]:
        pitch = length * _FINER / int(at)
        middle = -float(np.angle(waves[at])) / (2 * np.pi) * pitch  # of some cell: there are the most edges
        begin = (middle - pitch / 2) % pitch - pitch
        number = int((length - begin) / pitch) + 1
        # how wide the padding is nobody knows: the first and the last cell may stand in it
        found += [
            _Line(number - less, begin + first * pitch, pitch)
            for first in (0, 1, 2)
            for less in range(first, first + 3)
            if number - less >= fewest
            and begin + first * pitch > -_OUTSIDE * pitch
            and begin + (first + number - less) * pitch < length + _OUTSIDE * pitch
            and _filled(profile, begin + first * pitch, pitch)
        ]
    return found


def _text_everywhere(edges: NDArray[Any]) -> float:
    """The part of the screen that holds text, by pieces of a fortieth of its width: the card leaves none out."""
    pieces = cv2.resize(edges, (40, 20), interpolation=cv2.INTER_AREA)
    return float((pieces > _FILLED / 2 * np.percentile(pieces, 90)).mean())


def _filled(profile: NDArray[np.float64], begin: float, pitch: float) -> bool:
    """Whether there is text in the first cell of a lattice."""
    first = profile[max(0, int(begin)) : max(1, int(begin + pitch))]
    return bool(first.mean() > _FILLED * np.median(profile))


def _likeness(grey: NDArray[Any], across: _Line, down: _Line, page: int) -> float:
    """How well the brightness of the cells fits where the card is in reverse: a correlation."""
    reverse = card.reverse(across.number, down.number, page)
    x = (np.arange(across.number) + 0.5) * across.pitch + across.begin
    y = (np.arange(down.number) + 0.5) * down.pitch + down.begin
    at = np.meshgrid((x / _COARSER).astype(np.float32), (y / _COARSER).astype(np.float32))
    wide, high = (max(1, round(line.pitch / _COARSER)) for line in (across, down))
    bright = cv2.remap(cv2.blur(grey, (wide, high)), at[0], at[1], cv2.INTER_LINEAR)
    if not reverse.any() or not bright.any():
        return 0.0
    return float(np.corrcoef(bright.ravel(), reverse.ravel())[0, 1])


def _half(by: float) -> NDArray[np.float64]:
    return np.array([[1.0, 0.0, by], [0.0, 1.0, by], [0.0, 0.0, 1.0]])
