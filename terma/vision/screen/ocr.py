"""Optical character recognition as a reader: RapidOCR's recogniser, whose model comes in its wheel: nothing is fetched.

It knows letters in general and not this screen's; seconds, where the classifier takes a tenth of one. Where letters
stand is known from the grid, so nothing is detected: each row goes to the model as a strip of even ink, dark on light
whatever its colours, and its answer over time is laid onto the cells that hold ink: one letter each, in order.
"""

from __future__ import annotations

import asyncio
import unicodedata
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from terma.vision.screen import engines, freely, patches
from terma.vision.screen.cells import UNREADABLE
from terma.vision.screen.grid import CELL
from terma.vision.screen.reading import find_cursor
from terma.vision.screen.shapes import ALPHABET, chosen
from terma.vision.screen.state import Looks, state
from terma.vision.types import Image, TerminalState

Floats = NDArray[np.float64]
_HEIGHT, _WIDTH = 48, 24  # pixels of a strip, as the model has it, and of a cell in it: three of its steps
_AROUND = 3  # pixels of ground above and below a row
_PIECE, _SHARED = 26, 4  # cells read at once, and read again with what follows
_ALONE, _BEFORE = 8, 10  # letters of a row that are few, and cells of another row that they are read behind
_ASIDE = 2.0  # how dear it is that a letter is seen a cell beside its own
_NEVER = 1e-7
_FOREIGN = 0.9  # of the likelihood, to be none of ALPHABET
_NOISE, _LEAST, _DIM = 2.2, 10.0, 0.25  # ink is so many times noise, in grey levels, and of the usual ink
_SHINES, _STRONG = (
    4,
    0.4,
)  # pixels of the cells above and below that a block reaches; of full ink, where it is some
_EDGE, _STROKE = 0.7, 8  # of a row of pixels, that is an edge; pixels of the smallest letter
_ALIKE = dict(zip("。、“”‘’—–−∶∣丨〜∼一", ".,\"\"''---:||~~-", strict=True))


class OcrReader:
    """Reads pictures that Grid.picture made: printable ASCII, and says where it is something else."""

    name = "ocr"

    def __init__(
        self, columns: int, rows: int, looks: Looks | None = None, recogniser: _Recogniser | None = None
    ) -> None:
        """Raises UsageError where RapidOCR is not installed."""
        self._recogniser = recogniser or _Recogniser()
        self._columns, self._rows, self._looks = columns, rows, looks or Looks()

    def sized(self, columns: int, rows: int) -> OcrReader:
        """The same for a screen of another size."""
        if (columns, rows) == (self._columns, self._rows):
            return self
        return OcrReader(columns, rows, self._looks, self._recogniser)

    async def read(self, image: Image) -> TerminalState:
        """The screen's text. Raises EyesError where the picture is another screen's, or OCR fails."""
        return await asyncio.to_thread(self._read, image)

    async def freely(self, picture: Image) -> TerminalState:
        """The text of a picture that has no cells. Raises EyesError where OCR fails."""
        return await asyncio.to_thread(freely.read, picture, self._recogniser.letters, self._looks)

    def _read(self, image: Image) -> TerminalState:
        shape = (self._rows, self._columns)
        found = patches.of(image, self._columns, self._rows)
        strength = found.strength.reshape(shape)
        inked, usual = _inked(strength)
        cursor = find_cursor(found.ground.reshape(shape), usual)
        ink = found.even(0.4 * usual).reshape(*shape, CELL[1], CELL[0])
        if cursor is not None:
            row, column = cursor.row, cursor.column
            block = found.only(np.arange(len(found.ink)) == row * self._columns + column)
            ink[row, column], inked[row, column] = _in_block(block, usual)
            # a block shines into its neighbours
            ink[row, :column][-1:, :, -2:], ink[row, column + 1 :][:1, :, :2] = 0, 0
            for beside, edge in ((row - 1, slice(-_SHINES, None)), (row + 1, slice(0, _SHINES))):
                if 0 <= beside < self._rows:
                    ink[beside, column, edge] = 0
                    inked[beside, column] &= (ink[beside, column] > _STRONG).sum() >= _STROKE
        likely = np.full((*shape, len(ALPHABET) + 1), np.log(_NEVER))
        ink = ink * inked[:, :, None, None]
        before = _context(ink, inked)
        for at in np.flatnonzero(inked.any(axis=1)):
            likely[at] = self._row(ink[at], inked[at], before)
        cells, sure = np.full(shape, " "), np.ones(shape)
        if inked.any():
            read = chosen(likely[inked][:, :-1], ink[inked])
            foreign = np.exp(likely[inked][:, -1]) > _FOREIGN
            cells[inked] = np.where(foreign, UNREADABLE, np.array(ALPHABET)[read])
            sure[inked] = np.where(foreign, 0.0, np.exp(likely[inked][:, :-1].max(axis=1)))
        rows = ["".join(row) for row in cells]
        confidence = sure.min(axis=1).tolist()
        return state(rows, confidence, self._columns, self.name, cursor, self._looks)

    def _row(
        self,
        ink: NDArray[np.float32],
        inked: NDArray[np.bool_],
        before: tuple[NDArray[np.float32], NDArray[np.bool_]],
    ) -> Floats:
        """The logarithms of how likely each letter is in each cell; the last: none of them. A few letters are read
        behind others, `before`: alone, a recogniser takes > for a V."""
        if inked.sum() < _ALONE and len(before[0]):
            much = len(before[0])
            ink, inked = np.concatenate([before[0], ink]), np.concatenate([before[1], inked])
            return self._row(ink, inked, (before[0][:0], before[1][:0]))[much:]
        likely = np.full((len(inked), len(ALPHABET) + 1), np.log(_NEVER))
        depth = np.full(len(inked), -1)  # cells to the cut: what is cut is read worse
        at, stop = int(inked.argmax()), len(inked) - int(inked[::-1].argmax())
        while True:
            end = min(at + _PIECE, stop)
            there = at + np.flatnonzero(inked[at:end])
            cut = end - 1 - there if end < stop else np.full(len(there), _PIECE)
            cut = np.minimum(cut, there - at) if at != inked.argmax() else cut
            better = cut > depth[there]
            read = self._piece(ink[at:end], there - at)
            likely[there[better]], depth[there[better]] = read[better], cut[better]
            if end == stop:
                return likely
            at = end - _SHARED + int(inked[end - _SHARED :].argmax())

    def _piece(self, ink: NDArray[np.float32], there: NDArray[np.intp]) -> Floats:
        """The same, of the cells that hold ink alone."""
        strip = ink.clip(0, 1).transpose(1, 0, 2).reshape(CELL[1], -1)
        strip = np.pad(strip, ((_AROUND, _AROUND), (CELL[0], CELL[0])))
        size = (_WIDTH * (len(ink) + 2), _HEIGHT)
        steps = self._recogniser(1 - 2 * cv2.resize(strip, size, interpolation=cv2.INTER_CUBIC).clip(0, 1))
        blank, letters = np.log(steps[:, 0] + _NEVER), np.log(steps[:, 1:] + _NEVER)
        each = len(steps) / (len(ink) + 2)  # steps a cell
        aside = np.abs(np.arange(len(steps))[:, None] - ((there + 1.5) * each - 0.5)) / each
        owner = _aligned(
            blank, letters[:, :-1].max(axis=1)[:, None] - _ASIDE * np.maximum(aside - 0.5, 0) ** 2
        )
        return np.array([letters[owner == cell].max(axis=0) for cell in range(len(there))])


class _Recogniser:
    """A strip, from -1 to 1, to likelihoods by step: of no letter, of each of ALPHABET, of any other."""

    def __init__(self) -> None:
        self._session: Any = engines.session("*_rec_*.onnx")
        self._known = self._session.get_modelmeta().custom_metadata_map["character"].splitlines()
        self._classes = _classes(self._known)

    def __call__(self, strip: NDArray[np.float32]) -> Floats:
        steps = self._run(np.repeat(strip[None, None], 3, axis=1).astype(np.float32))
        found = np.zeros((len(steps), len(ALPHABET) + 2))
        np.add.at(found.T, self._classes, steps.T)
        return found

    def letters(self, strip: NDArray[np.float32]) -> list[tuple[float, str, float]]:
        """The letters of a strip in colour (3, height, width), whatever they are: the middle of each in pixels, the
        letter, its likelihood. A space is " "."""
        steps = self._run(strip[None])
        each = strip.shape[2] / len(steps)
        best, likely = steps.argmax(axis=1), steps.max(axis=1)
        begins = np.flatnonzero(np.diff(best, prepend=-1))
        ends = np.append(begins[1:], len(best))
        known = ["", *self._known, " "]
        return [
            ((begin + end) / 2 * each, known[best[begin]], float(likely[begin:end].max()))
            for begin, end in zip(begins.tolist(), ends.tolist(), strict=True)
            if best[begin]
        ]

    def _run(self, batch: NDArray[np.float32]) -> NDArray[np.float32]:
        return np.asarray(engines.run(self._session, batch)[0])


def _context(
    ink: NDArray[np.float32], inked: NDArray[np.bool_]
) -> tuple[NDArray[np.float32], NDArray[np.bool_]]:
    """The beginning of the row with the most letters, and a blank: its cells, and which of them hold ink."""
    row = int(inked.sum(axis=1).argmax())
    some = slice(first := int(inked[row].argmax()), first + _BEFORE)
    blank = ink[row, :2] * 0
    return np.append(ink[row, some], blank, axis=0), np.append(inked[row, some], [False, False])


def _classes(known: list[str]) -> NDArray[np.intp]:
    """For each class of the model what it is here: 0 nothing or a blank, then ALPHABET, then anything else. The model
    was taught full-width punctuation beside the plain: they are one."""
    plain = [_ALIKE.get(one, unicodedata.normalize("NFKC", one)) for one in known]
    places = {letter: number for number, letter in enumerate(ALPHABET, 1)}
    ours = [0 if not one.strip() else places.get(one, len(ALPHABET) + 1) for one in plain]
    return np.array([0, *ours, 0], np.intp)  # first the step without a letter, last the space


def _aligned(blank: Floats, letter: Floats) -> NDArray[np.intp]:
    """Which cell each step belongs to (-1: none), by the likeliest path through all cells in order (Viterbi): `blank`
    by step, `letter` by step and cell, as logarithms."""
    steps, cells = letter.shape
    states = np.empty((steps, 2 * cells + 1))  # a blank before, between and behind the letters
    states[:, 0::2], states[:, 1::2] = blank[:, None], letter
    worth = np.full(2 * cells + 1, -np.inf)
    worth[:2] = states[0, :2]
    came = np.zeros(states.shape, np.intp)
    for step in range(1, steps):
        one, two = np.full_like(worth, -np.inf), np.full_like(worth, -np.inf)
        one[1:] = worth[:-1]
        two[3::2] = worth[1:-2:2]  # from letter to letter
        ways = np.stack([worth, one, two])
        came[step] = ways.argmax(axis=0)
        worth = ways.max(axis=0) + states[step]
    at = 2 * cells if worth[-1] > worth[-2] else 2 * cells - 1
    owner = np.full(steps, -1)
    for step in reversed(range(steps)):
        owner[step] = at // 2 if at % 2 else -1
        at -= came[step, at]
    return owner


def _in_block(cell: patches.Patches, usual: float) -> tuple[NDArray[np.float32], bool]:
    """The even ink of a cell with a ground of its own, as under a block cursor, whose edges are no letter; and whether
    it holds one."""
    whole = cell.ink[0, patches.INNER.ravel()].reshape(CELL[1], CELL[0])
    inner = whole[2:-2, 1:-1]
    apart = np.abs(inner - np.median(inner))
    strength = float(np.percentile(apart, 95))
    strong = apart > _STRONG * max(strength, _LEAST)
    for side in (
        strong,
        strong[::-1],
        strong.T,
        strong.T[::-1],
    ):  # the block's own edge, where it is a little aside
        at = 0
        while at < len(side) // 2 and side[at].mean() > _EDGE:
            at += 1
        side[: at + (at > 0)] = False
    ink = np.zeros_like(whole)
    ink[2:-2, 1:-1] = np.where(strong, (apart / max(strength, _LEAST)).clip(0, 1), 0)
    return ink, bool(strength > _DIM * usual and strong.sum() >= _STROKE)


def _inked(strength: NDArray[np.float32]) -> tuple[NDArray[np.bool_], float]:
    """The cells that hold a letter, and how strong ink usually is."""
    faintest, strong = np.percentile(strength, (10, 95))
    noise = min(
        float(faintest), max(0.2 * float(strong), 25.0)
    )  # a screen full of letters has no noise alone
    clear = strength[strength > 3 * noise]
    usual = float(np.median(clear)) if len(clear) else 0.0
    return np.asarray(strength > max(_NOISE * noise, _DIM * usual, _LEAST)), max(usual, _LEAST)
