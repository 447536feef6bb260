"""The classifier as a reader: the cells of a straightened picture to one TerminalState, cursor included."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from terma.vision.screen.cells import Classifier, Reading
from terma.vision.screen.state import Looks, state
from terma.vision.types import Cursor, Image, TerminalState

_LONE = 0.4  # of the ink's strength in one colour: by so much a cursor's ground differs from its neighbours'
_SECOND = 0.75  # of the most different cell: with another like it, neither is known to be the cursor


class CellReader:
    """Reads pictures that Grid.picture made."""

    name = "cells"

    def __init__(self, classifier: Classifier, looks: Looks | None = None) -> None:
        self.classifier = classifier
        self._looks = looks or Looks()

    async def read(self, image: Image) -> TerminalState:
        """The screen's text. Raises EyesError where the picture is another screen's."""
        return self.state(self.classifier.read(image))

    def state(self, reading: Reading) -> TerminalState:
        """What a reading of the cells says."""
        shape = (self.classifier.rows, self.classifier.columns)
        characters, sure = reading.characters.copy(), reading.sure.copy()
        strength = self._strength(reading)
        cursor = find_cursor(reading.found.ground.reshape(shape), strength)
        if cursor is not None:
            at = cursor.row * shape[1] + cursor.column
            characters[at], sure[at] = self.classifier.alone(reading.found, at, strength)
        rows = ["".join(row) for row in characters.reshape(shape)]
        confidence = [
            float(row[: max(1, len(text.rstrip()))].min())
            for row, text in zip(sure.reshape(shape), rows, strict=True)
        ]
        return state(rows, confidence, shape[1], self.name, cursor, self._looks)

    def _strength(self, reading: Reading) -> float:
        """Of the letters on the screen, or of the card's where there are none."""
        inked = reading.found.strength[reading.found.strength > self.classifier.faint]
        return float(np.median(inked)) if len(inked) else 2 * self.classifier.faint


def find_cursor(ground: NDArray[np.float32], strength: float) -> Cursor | None:
    """The one cell whose ground differs from those of both neighbours and of the rows above and below."""
    wide = np.pad(ground, 1, mode="edge")
    wide[:, 0], wide[:, -1] = wide[:, 2], wide[:, -3]  # at the sides there is one neighbour
    aside = np.minimum(np.abs(ground - wide[1:-1, :-2]), np.abs(ground - wide[1:-1, 2:]))
    order = np.argsort(aside, axis=None)[::-1]
    first, second = aside.flat[order[0]], aside.flat[order[1]]
    single = strength / np.sqrt(3)  # a strength is of three colours together, a ground their mean
    if first < _LONE * single or second > _SECOND * first:
        return None
    row, column = divmod(int(order[0]), ground.shape[1])
    return Cursor(row=row, column=column)
