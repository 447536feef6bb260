"""Cells of a straightened screen, each described without its colours: what is left is the shape of its ink."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view
from numpy.typing import NDArray

from terma.vision.errors import EyesError
from terma.vision.screen.grid import CELL, MARGIN
from terma.vision.types import Image

Floats = NDArray[np.float32]
SHAPE = (
    CELL[1] + 2 * MARGIN[1],
    CELL[0] + 2 * MARGIN[0],
)  # rows and columns of pixels of a cell with its margin
_STRONGEST = 6  # pixels that tell how strong a cell's ink is
INNER = np.zeros(SHAPE, bool)  # the cell without its margin
INNER[MARGIN[1] : -MARGIN[1], MARGIN[0] : -MARGIN[0]] = True
_CORE = np.zeros(SHAPE, bool)  # where no neighbour's letter or ground reaches
_CORE[MARGIN[1] + 2 : -MARGIN[1] - 1, MARGIN[0] + 1 : -MARGIN[0] - 1] = True
MIDDLE = np.zeros(SHAPE, bool)  # where a block cursor that is a little aside has no edge
MIDDLE[MARGIN[1] + 4 : -MARGIN[1] - 4, MARGIN[0] + 3 : -MARGIN[0] - 3] = True
_EDGE = INNER.copy()
_EDGE[MARGIN[1] + 2 : -MARGIN[1] - 2, MARGIN[0] + 1 : -MARGIN[0] - 1] = False


@dataclass(frozen=True, slots=True)
class Patches:
    """Cells in the order of reading. `ink` is, for each pixel of SHAPE, how far it is from the cell's ground in the
    direction of the cell's own colour; `strength` is the ink's own; `ground` is its brightness. All in grey levels."""

    ink: Floats
    strength: Floats
    ground: Floats

    def only(self, which: NDArray[np.bool_]) -> Patches:
        """Some of them."""
        return Patches(self.ink[which], self.strength[which], self.ground[which])

    def even(self, faint: float) -> Floats:
        """Ink of one strength, whatever its colour; what is fainter than any letter stays faint. Without the margin:
        what stands beside a letter says nothing of it."""
        return np.asarray(
            (self.ink[:, INNER.ravel()] / np.maximum(self.strength, faint)[:, None]).clip(-0.5, 1.5)
        )


def windows(picture: Image, columns: int, rows: int) -> NDArray[np.float32]:
    """The cells of a picture that Grid.picture made, with their margins: row, column, colour, y, x."""
    size = (rows * CELL[1] + 2 * MARGIN[1], columns * CELL[0] + 2 * MARGIN[0])
    if picture.shape[:2] != size:
        raise EyesError(f"the picture of the screen does not hold {columns} by {rows} cells")
    return np.asarray(every_window(picture)[:: CELL[1], :: CELL[0]])


def every_window(picture: Image) -> NDArray[np.float32]:
    """What a cell would hold, began it at each pixel: y, x, colour, and the cell's y and x. Nothing is copied."""
    return sliding_window_view(picture.astype(np.float32), SHAPE, axis=(0, 1))


def describe(cells: NDArray[np.float32]) -> Patches:
    """Of cells (…, colour, y, x), flattened to one list."""
    pixels = cells.reshape(-1, 3, SHAPE[0] * SHAPE[1])
    ground, towards = colours(pixels[:, :, INNER.ravel()], pixels[:, :, _EDGE.ravel()])
    ink = np.einsum("ckp,ck->cp", pixels - ground[:, :, None], towards)
    return Patches(ink, strength(ink), ground.mean(axis=1))


def colours(inner: NDArray[np.float32], edge: NDArray[np.float32]) -> tuple[Floats, Floats]:
    """Of each cell (colour, pixel): its ground's colour, and the direction (of length 1) in which its ink lies."""
    ground = np.median(edge, axis=2)
    apart = inner - ground[:, :, None]
    weight = np.einsum("ckp,ckp->cp", apart, apart)
    towards = np.einsum("cp,ckp->ck", weight, apart)
    towards /= np.linalg.norm(towards, axis=1, keepdims=True) + 1e-6
    return ground, towards


def strength(ink: Floats, where: NDArray[np.bool_] = _CORE) -> Floats:
    """How strong the ink of each cell is, in grey levels."""
    return np.asarray(np.partition(ink[:, where.ravel()], -_STRONGEST, axis=1)[:, -_STRONGEST:].mean(axis=1))


def of(picture: Image, columns: int, rows: int) -> Patches:
    """Every cell of a picture that Grid.picture made. Raises EyesError where its size is another's."""
    return describe(windows(picture, columns, rows))


def join(parts: list[Patches]) -> Patches:
    """One list of all."""
    return Patches(
        np.concatenate([part.ink for part in parts]),
        np.concatenate([part.strength for part in parts]),
        np.concatenate([part.ground for part in parts]),
    )
