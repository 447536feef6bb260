"""What a letter's shape rules out: of letters that look alike, only the cells tell which is tall, deep or high.

A recogniser scales each line to its own height, so that w and W, | and l, _ and - are one to it. Here the heights of
the screen's own surer letters are the measure; a 0 with a mark inside tells itself from O, a slanted quote from '.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from terma.vision.screen.grid import CELL

ALPHABET = [chr(code) for code in range(33, 127)]
_LETTERS = np.array(ALPHABET)
_RULED_OUT = 9.0  # off the logarithm of a likelihood
_INKED = 0.45  # of a letter's strength
_BELOW = 1.5  # pixels under the line, from which on a letter reaches below it
_FEWEST = 3  # letters that a height is taken from
_MARKED = 0.12  # ink in the middle of a 0 with a dot or a stroke: it is 0.2 or more, and none in an O
_FAINT = 0.3
_SLANTED = 0.25  # columns a row: a backquote has 0.3 to 0.5, a quote none

_SURE = -0.2  # logarithm of a likelihood
_NEARER = 0.8  # of the squared distance from how the letter looks that was read
_TWINS = ("1Il|", "5S", "8B", "2Z")  # in the order of their codes

_SMALL = "aemnr"  # letters that are not mistaken for others: the heights are theirs
_LARGE = "bdhkABDEFHKLMNRT2345679"
_LOW = "acemnorsuvwxzgpqy"  # as high as an x
_CAPITALS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
_TALL = _CAPITALS + "0123456789bdfhkl"
_WIDE = "*#%@&MWmw"
_NOT_HIGH = "".join(one for one in ALPHABET if one not in "'\"`^*-~=")  # these alone stand above the middle
_DEEP = "gpqy|"
_STANDING = "abcdehiklmnorstuvwxz0123456789" + "ABCDEFGHIKLMNOPRSTUVWXYZ"  # on the line, in every font


def chosen(likely: NDArray[np.float64], ink: NDArray[np.float32]) -> NDArray[np.intp]:
    """The letter of each cell, as its place in ALPHABET, from the logarithms of likelihoods (cell, letter) and even
    ink (cell, y, x) that is 1 where a letter is as strong as it gets."""
    first = likely.argmax(axis=1)
    rows = ink.max(axis=2) > _INKED
    top = rows.argmax(axis=1)
    bottom = CELL[1] - rows[:, ::-1].argmax(axis=1)
    small, large = _level(top, first, _SMALL), _level(top, first, _LARGE)
    line = _level(bottom, first, _SMALL + _LARGE)
    if small is None or large is None or line is None:
        return np.asarray(first)
    middle, between = (small + line) / 2, (small + large) / 2
    against = np.zeros_like(likely)
    for where, letters in (
        (top < between, _LOW),
        (top > between, _TALL),
        (bottom < line + _BELOW, _DEEP),
        (bottom > line + _BELOW, _STANDING),
        (bottom > middle, "'\"`^"),
        (bottom < middle, _NOT_HIGH),
        (top < middle, ".,_"),
        (bottom > line - 1, "-~"),
        ((ink.max(axis=1) > _INKED).sum(axis=1) < CELL[0] / 2, _WIDE),
    ):
        against[np.ix_(where, np.isin(_LETTERS, list(letters)))] = _RULED_OUT
    likely = likely - against
    read = _like_each_other(likely.argmax(axis=1), likely.max(axis=1) > _SURE, ink)
    return _told(read, ink, round((large + line) / 2))


def _like_each_other(
    read: NDArray[np.intp], sure: NDArray[np.bool_], ink: NDArray[np.float32]
) -> NDArray[np.intp]:
    """Twins as the screen's own surer ones look: a recogniser goes by the word, and `ls -l` is none."""
    read = read.copy()
    for twins in _TWINS:
        letters = [ALPHABET.index(one) for one in twins]
        known = [one for one in letters if ((read == one) & sure).sum() >= _FEWEST]
        cells = np.flatnonzero(np.isin(read, known))
        if len(known) < 2:
            continue
        looks = np.array([np.median(ink[(read == one) & sure], axis=0) for one in known])
        apart = ((ink[cells, None].clip(0, 1) - looks[None].clip(0, 1)) ** 2).sum(axis=(2, 3))
        now = apart[np.arange(len(cells)), np.searchsorted(known, read[cells])]
        other = apart.min(axis=1) < _NEARER * now
        read[cells[other]] = np.array(known)[apart.argmin(axis=1)][other]
    return read


def _level(edge: NDArray[np.intp], read: NDArray[np.intp], letters: str) -> float | None:
    """Where these letters begin or end; None where too few of them are on the screen."""
    those = edge[np.isin(_LETTERS[read], list(letters))]
    return float(np.median(those)) if len(those) >= _FEWEST else None


def _told(read: NDArray[np.intp], ink: NDArray[np.float32], middle: int) -> NDArray[np.intp]:
    """0 or O by the mark, where the font has one, and ' or ` by the slant."""
    nought, letter, quote, back = (ALPHABET.index(one) for one in "0O'`")
    across = CELL[0] // 2
    core = ink[:, middle - 2 : middle + 2, across - 1 : across + 1].mean(axis=(1, 2))
    round_, marked = np.isin(read, (nought, letter)), core > _MARKED
    if (round_ & marked).any():
        read = np.where(round_, np.where(marked, nought, letter), read)
    for at in np.flatnonzero(np.isin(read, (quote, back))):
        read[at] = back if _slant(ink[at]) > _SLANTED else quote
    return read


def _slant(ink: NDArray[np.float32]) -> float:
    """By how many columns a mark moves to the right from row to row downwards."""
    weight = np.where(ink > _FAINT, ink.clip(0, 1) ** 2, 0.0)
    y, x = np.mgrid[: ink.shape[0], : ink.shape[1]]
    total = weight.sum() + 1e-6
    y, x = y - (weight * y).sum() / total, x - (weight * x).sum() / total
    return float((weight * x * y).sum() / ((weight * y * y).sum() + 1e-6))
