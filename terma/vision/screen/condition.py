"""What a screen is like as a whole: text, cleared, black, off, a box's own "no signal", or a notice.

A machine that starts shows them in turn. On text alone is anything decided, and on a notice where a person is asked;
none of them is a camera that moved.
"""

from __future__ import annotations

from typing import Literal

import cv2
import numpy as np
from numpy.typing import NDArray

from terma.vision.parts import Condition
from terma.vision.screen import afloat as blocks
from terma.vision.screen import monitors
from terma.vision.types import Image, TerminalState

# Few words in a block of their own, in a text screen's cells or without; or a ground of no one colour; or neither.
Afloat = Literal["", "cells", "free", "picture"]
_FLAT = 10.0  # grey levels: a picture whose parts differ by less shows nothing
_BLACK = 40.0  # grey levels of a screen that is lit and black, at most
_OFF = 0.55  # of a lit black screen's light through the same camera
_COLOURED = 60.0  # grey levels between a plain picture's colours: a capture device's own, not a screen's
_BARS = (4, 16)
_FEW = 4  # rows that a device's own words fill at most


def of_picture(picture: Image, lit: float | None = None) -> Condition | None:
    """What a straight picture of the screen alone tells; None where it shows something. `lit` is the light of the
    black, lit screen in grey levels, where that was learned: what is darker by far is off."""
    small = cv2.GaussianBlur(cv2.resize(picture, (160, 100), interpolation=cv2.INTER_AREA), (0, 0), 1.0)
    colours = small.astype(np.float32)
    if float(np.ptp(np.percentile(colours.mean(2), (0.2, 99.9)))) < _FLAT and not _blots(picture):
        middle = np.median(colours.reshape(-1, 3), axis=0)
        if np.ptp(middle) > _COLOURED:
            return "no signal"
        light = float(middle.mean())
        if lit is not None and light < _OFF * lit - 1:
            return "off"
        return "black" if light < _BLACK or lit is not None else "cleared"
    return "no signal" if _bars(colours) else None


def afloat(picture: Image) -> Afloat:
    """Whether all that stands there is a few words afloat, and whether they stand in the cells of a text screen."""
    place = blocks.block(picture)
    if place is None:
        return "" if blocks.even(picture) else "picture"
    return "cells" if blocks.in_cells(picture, place) else "free"


def of_text(state: TerminalState, floats: Afloat | None = None) -> Condition:
    """What the text of a screen tells: "cleared" holds a prompt at most. `floats` is how it looks, where that is known:
    a text of several rows that begins where a screen's does is the machine's own, whatever it says."""
    rows = [row for row in state.rows if row.strip()]
    if not (state.prompt or state.password):
        if floats == "free" or (floats == "picture" and not rows):
            return "no signal" if monitors.names(rows) else "notice"
        most = 1 if floats in ("", "picture") else _FEW
        if len(rows) <= most and monitors.says(rows, strict=floats != "cells"):
            return "no signal"
    return "cleared" if not rows or (len(rows) == 1 and state.prompt) else "text"


def _blots(picture: Image) -> bool:
    """Whether a small spot stands on an even ground, as a lone cursor does: averages do not show it."""
    grey = picture.max(axis=2)
    spots = np.abs(cv2.blur(grey, (3, 3)).astype(np.float32) - float(np.median(grey))) > 3 * _FLAT
    return int(spots.sum()) >= 8


def _bars(colours: NDArray[np.float32]) -> bool:
    """Upright bars of plain colours, from top to bottom: a test card of a capture device."""
    upper = colours[: len(colours) // 4]  # a text may stand in the middle of them
    if float(upper.std(axis=0).max()) > _FLAT:
        return False
    line = upper.mean(0)
    steps = np.abs(np.diff(line, axis=0)).max(1) > 2 * _FLAT
    edges = int((steps[1:] & ~steps[:-1]).sum())
    return _BARS[0] <= edges <= _BARS[1] and float(np.ptp(line, axis=1).max()) > _COLOURED
