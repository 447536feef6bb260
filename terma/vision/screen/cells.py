"""The reader that knows its one screen: a classifier of character cells, trained from the calibration card.

Each character has a mean for plain, bold and reverse, all share one covariance (linear discriminant analysis), so a
screen is read in some hundredths of a second with numpy alone. What is near to no letter is U+FFFD, never a guess.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from terma.vision.errors import EyesError
from terma.vision.screen import patches
from terma.vision.screen.card import Sample
from terma.vision.screen.patches import Floats, Patches
from terma.vision.types import Image

UNREADABLE = "\ufffd"
_DIMENSIONS = 72  # that are kept of a cell's pixels
_SHRINKAGE = 0.08  # of the covariance, towards a round one: a card has few samples of each character
_ASIDE = ((0, 0), (1, 0), (-1, 0), (0, 1), (0, -1))  # pixels down and to the right
_FAR = 2.0  # times as far from every letter as the card's own are: no letter that was on the card
_BLOCK = 0.5
_FAR_ALONE = 5.0  # the edges of a cursor are no part of its letter
_FEWEST = 200  # samples that make a card


@dataclass(frozen=True, slots=True)
class Reading:
    """What each cell says, in the order of reading: its character, how sure that is (0..1), its looks.

    `fit` is how far the cells with ink lie from their letters, where 1 is the worst of the card's own: about 0.3 for
    a screen in its place, above 0.5 for one that moved. None where there is no ink."""

    characters: NDArray[np.str_]
    sure: Floats
    found: Patches
    fit: float | None


@dataclass(frozen=True, slots=True)
class Classifier:
    """What was learned from a card. `faint` is the least strength (grey levels) to which ink is made even; the rows of
    `means` are `letters` in some style, in the space of `axes`, where the covariance is round. `usual` is the
    distance of the card's own letters from their means, at the 99th percentile."""

    columns: int
    rows: int
    faint: float
    centre: Floats
    axes: Floats
    means: Floats
    letters: NDArray[np.str_]
    usual: float

    def distances(self, found: Patches) -> Floats:
        """The squared distance of each cell from each mean, in units of `usual`."""
        at = (found.even(self.faint) - self.centre) @ self.axes
        far = (at**2).sum(1)[:, None] - 2 * at @ self.means.T + (self.means**2).sum(1)[None, :]
        return np.asarray(np.maximum(far, 0) / self.usual)

    def fit(self, found: Patches) -> float | None:
        """How far cells lie from their nearest letters, as in Reading."""
        inked = found.strength > self.faint
        return float(np.median(self.distances(found.only(inked)).min(1))) if inked.any() else None

    def alone(self, found: Patches, index: int, usual: float) -> tuple[str, float]:
        """The character in a cell whose ground is its own, as under a block cursor, and how sure that is. `usual` is
        the strength of letters elsewhere."""
        one = found.only(np.arange(len(found.strength)) == index)
        inside = Patches(np.where(patches.INNER.ravel(), one.ink, 0), one.strength, one.ground)
        if patches.strength(one.ink, patches.MIDDLE)[0] <= max(self.faint, _BLOCK * usual):
            return " ", 1.0
        near = self.distances(inside)[0]
        best = self.letters[near.argmin()]
        other = near[self.letters != best].min()
        sure = 1 / (1 + np.exp(np.minimum((near.min() - other) * self.usual / 2, 0)))
        return (str(best), float(sure)) if near.min() <= _FAR_ALONE else (UNREADABLE, 0.0)

    def read(self, picture: Image) -> Reading:
        """The characters of a picture of this screen."""
        found = patches.of(picture, self.columns, self.rows)
        distances = self.distances(found)
        kinds, of_letter = np.unique(self.letters, return_inverse=True)
        nearest = np.stack([distances[:, of_letter == kind].min(1) for kind in range(len(kinds))], axis=1)
        least = nearest.min(1, keepdims=True)
        sure = 1 / np.exp(np.minimum((least - nearest) * self.usual / 2, 0)).sum(1)
        inked = found.strength > self.faint
        far = (least[:, 0] > _FAR) & inked
        return Reading(
            np.where(far, UNREADABLE, np.where(least[:, 0] > _FAR, " ", kinds[nearest.argmin(1)])),
            np.where(far, 0.0, sure).astype(np.float32),
            found,
            float(np.median(least[inked, 0])) if inked.any() else None,
        )


def train(pictures: Sequence[Image], pages: Sequence[Sequence[Sequence[Sample | None]]]) -> Classifier:
    """Learn from pictures of the card's pages and what stands in them. Raises EyesError where that is too little."""
    rows, columns = len(pages[0]), len(pages[0][0])
    cells = [cell for page in pages for row in page for cell in row]
    known = [cell for cell in cells if cell is not None]
    if len(known) < _FEWEST:
        raise EyesError(
            "the calibration card is too small to learn from", "use a screen of more rows and columns"
        )
    # each cell also from a pixel aside: a grid is never exact to the last fraction
    seen = [
        patches.of(np.roll(picture, aside, (0, 1)), columns, rows) for aside in _ASIDE for picture in pictures
    ]
    found = patches.join(seen).only(np.tile([cell is not None for cell in cells], len(_ASIDE)))
    known *= len(_ASIDE)
    inked = np.array([cell.character != " " for cell in known])
    faint = 0.7 * float(np.percentile(found.strength[inked], 1))
    vectors = found.even(faint)
    names, of_name = np.unique([_kind(cell) for cell in known], return_inverse=True)
    means = np.stack([vectors[of_name == number].mean(0) for number in range(len(names))])
    centre = means.mean(0)
    axes = _axes(vectors - centre, (means - centre), of_name)
    at, at_means = (vectors - centre) @ axes, (means - centre) @ axes
    usual = float(np.percentile(((at - at_means[of_name]) ** 2).sum(1), 99))
    letters = np.array([name[0] for name in names])
    return Classifier(columns, rows, faint, centre, axes, at_means, letters, usual)


def _kind(cell: Sample) -> str:
    return cell.character + {"7": "reverse", "1": "bold"}.get(cell.style[0], "plain")


def _axes(vectors: Floats, means: Floats, of_mean: NDArray[np.intp]) -> Floats:
    """Where the means differ, in units of how much one letter differs from itself."""
    _, turns = np.linalg.eigh(means.T @ means)
    wide = turns[:, -_DIMENSIONS:]
    spread = (vectors - means[of_mean]) @ wide
    covariance = spread.T @ spread / max(1, len(spread) - len(means))
    even = np.eye(len(covariance)) * np.trace(covariance) / len(covariance)
    values, turns = np.linalg.eigh((1 - _SHRINKAGE) * covariance + _SHRINKAGE * even)
    return np.asarray(wide @ (turns / np.sqrt(values)), np.float32)
