"""Optical character recognition as a reader: RapidOCR, whose models come in its wheel, so nothing is fetched.

It knows letters in general and not this screen's: slower than the classifier (seconds), and spaces are not its
business. Where letters stand is taken from the picture itself: the cells with ink.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from terma.errors import UsageError
from terma.vision.errors import EyesError
from terma.vision.screen import patches
from terma.vision.screen.cells import UNREADABLE
from terma.vision.screen.grid import CELL, MARGIN
from terma.vision.screen.state import Looks, state
from terma.vision.types import Image, TerminalState

_LARGER = 2  # times the picture of the cells: small letters are not found
_UNSURE = 0.5  # of the engine's own confidence, where characters and cells do not match in number
_WIDE = str.maketrans(
    "：，；！？（）［］｛｝／＼｜～＝＋＜＞＂＇％＆＃＠＊－＿。、", ":,;!?()[]{}/\\|~=+<>\"'%&#@*-_.,"
)


@dataclass(frozen=True, slots=True)
class _Found:
    """A piece of text: its row, its first cell and the one behind its last, how sure the engine is."""

    row: int
    first: int
    end: int
    text: str
    sure: float


class OcrReader:
    """Reads pictures that Grid.picture made."""

    name = "ocr"

    def __init__(self, columns: int, rows: int, looks: Looks | None = None) -> None:
        """Raises UsageError where RapidOCR is not installed."""
        try:
            from rapidocr_onnxruntime import RapidOCR  # type: ignore[import-untyped,unused-ignore]
        except ImportError as error:
            raise UsageError(
                f"there is no OCR here: {error}",
                "pip install 'xontrib-terma[ocr]', then pip install --no-deps rapidocr-onnxruntime",
            ) from None
        self._engine: Any = RapidOCR(use_cls=False)
        self._columns, self._rows, self._looks = columns, rows, looks or Looks()

    async def read(self, image: Image) -> TerminalState:
        """The screen's text. Raises EyesError where the picture is another screen's, or OCR fails."""
        return await asyncio.to_thread(self._read, image)

    def _read(self, image: Image) -> TerminalState:
        inked = _inked(image, self._columns, self._rows)
        cells = np.full((self._rows, self._columns), " ")
        sure = np.ones(self._rows)
        for piece in self._pieces(image, inked):
            there = inked[piece.row, piece.first : piece.end]
            letters = _placed(piece.text, there)
            cells[piece.row, piece.first : piece.end] = letters
            fits = (letters != UNREADABLE).all() and len(piece.text.replace(" ", "")) == there.sum()
            sure[piece.row] = min(sure[piece.row], piece.sure * (1.0 if fits else _UNSURE))
        cells[inked & (cells == " ")] = UNREADABLE
        unread = (cells == UNREADABLE).any(axis=1)
        rows = ["".join(row) for row in cells]
        return state(rows, np.where(unread, 0.0, sure).tolist(), self._columns, self.name, None, self._looks)

    def _pieces(self, image: Image, inked: NDArray[np.bool_]) -> list[_Found]:
        # dark letters on light paper are what the models have seen most
        larger = 255 - cv2.resize(image, None, fx=_LARGER, fy=_LARGER, interpolation=cv2.INTER_CUBIC)
        try:
            found, _ = self._engine(larger)
        except Exception as error:  # whatever the engine raises
            raise EyesError(f"OCR failed: {error}", "look again, or use another reader") from None
        pieces = [self._piece(box, text, float(sure)) for box, text, sure in found or ()]
        return [piece for piece in pieces if piece.text and inked[piece.row, piece.first : piece.end].any()]

    def _piece(self, box: Sequence[Sequence[float]], text: str, sure: float) -> _Found:
        corners = np.asarray(box, np.float64) / _LARGER
        middle = (corners[:, 1].mean() - MARGIN[1]) / CELL[1]
        left, right = ((side - MARGIN[0]) / CELL[0] for side in (corners[:, 0].min(), corners[:, 0].max()))
        return _Found(
            int(np.clip(middle, 0, self._rows - 1)),
            int(np.clip(round(left), 0, self._columns - 1)),
            int(np.clip(round(right), 1, self._columns)),
            " ".join(text.translate(_WIDE).split()),
            sure,
        )


def _placed(text: str, inked: NDArray[np.bool_]) -> NDArray[np.str_]:
    """The characters of a piece on its cells: each on one with ink, in order, words on words as far as that goes
    (Needleman and Wunsch's alignment). A cell that gets none is unreadable; a character without a cell is dropped."""
    bare = text.replace(" ", "")
    placed = np.full(len(inked), " ")
    if len(bare) == inked.sum():
        placed[inked] = list(bare)
        return placed
    placed[inked] = UNREADABLE
    cells = [at for at in range(len(inked)) if inked[at] or (at and inked[at - 1])]  # a gap counts once
    worth = np.zeros((len(text) + 1, len(cells) + 1))
    worth[:, 0], worth[0, :] = -np.arange(len(text) + 1), -np.arange(len(cells) + 1)
    for i, character in enumerate(text, 1):
        for j, at in enumerate(cells, 1):
            same = (character == " ") == (not inked[at])
            both = worth[i - 1, j - 1] + ((2.0 if character == " " else 1.0) if same else -2.0)
            worth[i, j] = max(both, worth[i - 1, j] - 1, worth[i, j - 1] - 1)
    i, j = len(text), len(cells)
    while i and j:
        if worth[i, j] == worth[i - 1, j] - 1:
            i -= 1
        elif worth[i, j] == worth[i, j - 1] - 1:
            j -= 1
        else:
            i, j = i - 1, j - 1
            if inked[cells[j]] and text[i] != " ":
                placed[cells[j]] = text[i]
    return placed


def _inked(image: Image, columns: int, rows: int) -> NDArray[np.bool_]:
    """The cells that hold a letter."""
    strength = patches.of(image, columns, rows).strength
    levels = np.clip(strength, 0, 255).astype(np.uint8).reshape(rows, columns)
    least, _ = cv2.threshold(levels, 0, 255, cv2.THRESH_BINARY + cv2.THRESH_OTSU)
    return np.asarray(levels > max(0.6 * float(least), 12.0))
