"""The change of a perspective that explains how far most edges went, whatever a few of them did."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float32]


def terms(at: Floats, normals: Floats, free: bool) -> Floats:
    """How far a point moves along its normal with each number of a change: two of a shift, then those of a turn and a
    zoom, or of any perspective. `at` is in half widths from the middle."""
    (x, y), (across, down) = at.T, normals.T
    alike = [across, down, across * x + down * y, down * x - across * y]
    along = across * x + down * y
    bent = [across * x - down * y, across * y + down * x, along * x, along * y]
    return np.column_stack([*alike, *bent] if free else alike)


def solved(terms: Floats, off: Floats, alike: NDArray[np.bool_], near: float) -> tuple[Floats, Floats]:
    """The change (pixels at half a width) that explains most edges, and what it leaves of each one's way."""
    doubt = np.diag([1e-6, 1e-6] + [0.01] * (terms.shape[1] - 2))  # what nothing tells stays as it was
    weight = alike.astype(np.float32)
    spread = float(np.median(np.abs(off[alike]))) + 2 * near
    change = np.zeros(terms.shape[1], np.float32)
    for _ in range(12):
        weighted = terms * weight[:, None]
        change = np.linalg.solve(weighted.T @ terms + doubt, weighted.T @ off)
        left = off - terms @ change
        spread = max(near, 0.7 * spread)
        weight = np.asarray(alike * np.clip(1 - (left / (3 * spread)) ** 2, 0, None) ** 2, np.float32)
    return change, off - terms @ change
