"""Put the grid back where the screen is, when a camera or a display was nudged: by a search for the best fit.

A shift by a whole cell fits as well as none, so the search ends half a cell away. What has moved farther, turned or
come nearer is an error: nothing is typed on what cannot be read.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view

from terma.vision.errors import EyesError
from terma.vision.screen import patches
from terma.vision.screen.cells import Classifier
from terma.vision.screen.grid import CELL, MARGIN, Grid
from terma.vision.screen.patches import Floats, Patches
from terma.vision.types import Image

LOOSE = 0.5  # a fit above this: the screen is not where the grid is (cells.Reading says what a fit is)
_REACH = 6  # pixels of the straightened picture, in each direction: half the width of a cell
_STEPS = range(-_REACH, _REACH + 1, 2)
_TRIED = 4  # of the best of them
_APART = 4  # pixels: farther away is another place
_CLEARLY = 1.25  # times worse is every other place, or none of them is known to be right
_MOST = 120  # cells that are looked at
_FEWEST = 4  # with less text than that there is nothing to go by


@dataclass(frozen=True, slots=True)
class Place:
    """Where the screen was found. `fit` is None where it is empty: then the grid is as it was. `moved` is in cells."""

    grid: Grid
    fit: float | None
    moved: tuple[float, float] = (0.0, 0.0)


def register(image: Image, grid: Grid, classifier: Classifier) -> Place:
    """The grid that fits a frame, starting from the last one. Raises EyesError where none within reach does."""
    fit = _Fit.of(grid.picture(image, (MARGIN[0] + _REACH, MARGIN[1] + _REACH)), grid, classifier)
    if fit is None:
        return Place(grid, None)
    coarse = [(x, y) for x in _STEPS for y in _STEPS]
    best = sorted(coarse, key=lambda at: fit.at(*at))[:_TRIED]
    around = {(x + a, y + b) for x, y in best for a in (-1, 0, 1) for b in (-1, 0, 1)}
    near = [at for at in around if max(map(abs, at)) <= _REACH]
    x, y = min(near, key=lambda at: fit.at(*at))
    other = min((fit.at(*at) for at in near if abs(at[0] - x) > _APART), default=np.inf)
    # between two pixels the fit is worse by a little, so it is asked at the bottom of its valley
    finer = fit.valley(x, y)
    if finer.least > LOOSE or other < _CLEARLY * fit.at(x, y):
        raise EyesError(
            "the camera or the screen moved: what it shows cannot be read",
            "put it back, or calibrate again: terma eyes calibrate",
        )
    moved = (finer.x / CELL[0], finer.y / CELL[1])
    return Place(grid.moved(*moved), finer.least, moved)


@dataclass(frozen=True, slots=True)
class _Valley:
    x: float
    y: float
    least: float


@dataclass(frozen=True, slots=True)
class _Fit:
    """How well some cells fit their letters when they are looked for a few pixels aside. The colours of each cell's
    ground and ink are taken once, so that a look costs a millisecond."""

    classifier: Classifier
    ink: Floats  # cell, y, x: with _REACH pixels more on each side than a cell has
    known: dict[tuple[int, int], float]

    @classmethod
    def of(cls, picture: Image, grid: Grid, classifier: Classifier) -> _Fit | None:
        """None where there is too little text."""
        size = (patches.SHAPE[0] + 2 * _REACH, patches.SHAPE[1] + 2 * _REACH)
        wide = sliding_window_view(picture.astype(np.float32), size, axis=(0, 1))[:: CELL[1], :: CELL[0]]
        here = wide[..., _REACH:-_REACH, _REACH:-_REACH]
        found = patches.describe(here)
        inked = np.flatnonzero(found.strength > classifier.faint)
        if len(inked) < _FEWEST:
            return None
        chosen = inked[np.linspace(0, len(inked) - 1, min(_MOST, len(inked))).astype(int)]
        row, column = np.divmod(chosen, grid.columns)
        cells = wide[row, column]
        inner = cells.reshape(len(cells), 3, -1)
        ground, towards = patches.colours(inner, inner)
        ink = np.einsum("ckyx,ck->cyx", cells - ground[:, :, None, None], towards)
        return cls(classifier, ink, {})

    def at(self, x: int, y: int) -> float:
        """The fit when the screen stands so many pixels to the right and down."""
        if (x, y) not in self.known:
            height, width = patches.SHAPE
            there = self.ink[:, _REACH + y : _REACH + y + height, _REACH + x : _REACH + x + width]
            ink = there.reshape(len(there), -1)
            cells = Patches(ink, patches.strength(ink), ink[:, 0])
            self.known[x, y] = float(np.median(self.classifier.distances(cells).min(1)))
        return self.known[x, y]

    def valley(self, x: int, y: int) -> _Valley:
        """The least value near a pixel, where parabolas through it and its neighbours have their bottom."""
        here = self.at(x, y)
        found, least = [], here
        for beside in ((1, 0), (0, 1)):
            before, behind = ((x + way * beside[0], y + way * beside[1]) for way in (-1, 1))
            if max(map(abs, (*before, *behind))) > _REACH:
                found.append(0.0)
                continue
            low, high = self.at(*before), self.at(*behind)
            bend = low - 2 * here + high
            at = float(np.clip((low - high) / (2 * bend), -0.5, 0.5)) if bend > 1e-9 else 0.0
            least -= (low - high) * at / 4
            found.append(at)
        return _Valley(x + found[0], y + found[1], least)
