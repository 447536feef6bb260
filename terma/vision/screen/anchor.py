"""What stands around the screen and moves with it, held on to: letters alone do not tell a move by a whole cell.

Rays go from the screen outwards to the first clear edge, which is the bezel's or the wall's behind it. A picture is
believed when most of these edges stand where one perspective puts them; how far they went is how the screen moved.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np
from numpy.lib.stride_tricks import sliding_window_view
from numpy.typing import NDArray

from terma.vision.errors import EyesError
from terma.vision.screen import fitting
from terma.vision.screen.grid import Grid
from terma.vision.types import Image

Floats = NDArray[np.float32]
Pose = NDArray[np.float64]  # 3 by 3: from pixels of the frame that was learned from to pixels of another
HERE: Pose = np.eye(3)
HALF = 8  # pixels of a profile on each side of its edge
_RAYS = 48  # on each side of the screen
_BESIDE = 4  # pixels to each side of a ray that are averaged: noise goes, an edge stays
_FIRST = 4  # pixels from the cells, where a ray begins
_FAR = 0.15  # of the screen's width, where it ends
_CLEAR = 10.0  # grey levels of a clear edge
_FEWEST, _SIDES = 12, 3  # rays with an edge on so many sides: with less a move is not told from a turn
_ALIKE = 0.8  # correlation of an edge with how it was
_OFF = 0.12  # of a cell's width: so far off may an edge stand
_HELD = 0.6  # of the edges stand where they should: the others may be hidden
_NEAR = (
    (1.5, False),
    (0.75, False),
    (0.5, True),
)  # how far edges are looked for, in cells' widths; whether in any perspective
_WIDE = ((9.0, False), (4.0, False), (1.5, False), (0.75, False), (0.5, True))
_BENT = (
    0.03  # of half the screen's width: so far a corner may be from where a shift, a turn and a zoom put it
)
_DIRECT = 0.04  # of the screen's width: with less around it a picture comes from a cable and cannot move


@dataclass(frozen=True, slots=True, eq=False)
class Anchor:
    """One row an edge: where it stands in the frame that was learned from, in which direction (of length 1) it is
    crossed, the grey levels along that way, on which side of the screen. `cell` is a cell's width, `middle` the
    screen's middle, `half` half its width, all in pixels."""

    points: Floats
    normals: Floats
    profiles: Floats
    sides: NDArray[np.int64]
    cell: float
    middle: Floats
    half: float


def grey(image: Image) -> NDArray[np.uint8]:
    """What all of this looks at."""
    return np.asarray(cv2.cvtColor(image, cv2.COLOR_BGR2GRAY), np.uint8)


def surrounded(grid: Grid, width: int, height: int) -> bool:
    """Whether a frame of that size holds more than the screen: else nothing stands around it, and nothing can move."""
    corners = _at(
        grid.array(), np.array([[0, 0], [grid.columns, 0], [grid.columns, grid.rows], [0, grid.rows]])
    )
    left, top = corners.min(0)
    right, bottom = corners.max(0)
    return bool(max(left, top, width - right, height - bottom) > _DIRECT * (right - left))


def learn(image: Floats, grid: Grid) -> Anchor:
    """From the mean of some grey frames that show the screen where `grid` is. Raises EyesError where too little
    stands around it."""
    cell = grid.pixels()[0]
    width = cell * grid.columns
    starts, outwards, sides = _rays(grid)
    along = _FIRST + np.arange(-HALF, int(_FAR * width) + HALF, dtype=np.float32)
    levels = _sampled(image, starts, outwards, along)
    smooth = cv2.GaussianBlur(levels, (0, 0), 1.5)
    rise = np.abs(smooth[:, 6:] - smooth[:, :-6])  # over six pixels, around along[3:-3]
    rise[:, : HALF - 3], rise[:, -(HALF - 3) :] = 0, 0  # there is no whole profile
    inside = _inside(starts[:, None] + outwards[:, None] * along[None, 3:-3, None], image.shape)
    rise = np.where(inside, rise, 0)
    clear = (rise > _CLEAR) & (rise == _largest_near(rise))
    found = np.flatnonzero(clear.any(1))
    place = clear[found].argmax(1) + 3
    points = starts[found] + outwards[found] * along[place][:, None]
    counts = np.bincount(sides[found], minlength=4)
    if (counts >= _FEWEST).sum() < _SIDES:
        raise EyesError(
            "nothing around the screen tells when it moves",
            "show its edges and what is behind, in more light; or --fixed where neither can move",
        )
    profiles = sliding_window_view(levels, 2 * HALF + 1, axis=1)[found, place - HALF]
    return Anchor(
        points.astype(np.float32),
        outwards[found].astype(np.float32),
        profiles.astype(np.float32),
        sides[found],
        cell,
        _at(grid.array(), np.array([[grid.columns / 2, grid.rows / 2]]))[0].astype(np.float32),
        width / 2,
    )


def find(image: Image, anchor: Anchor, last: Pose) -> Pose:
    """Where the screen is now, given where it was last. Raises EyesError where its surroundings do not tell."""
    levels = grey(image)
    for steps, sides in (
        (_NEAR, _SIDES),
        (_WIDE, 4),
    ):  # a side that is out of sight is another's edge elsewhere
        pose, held = last, 0
        for cells, free in steps:
            pose, held = _follow(levels, anchor, pose, cells, free)
        if held >= sides and _bent(anchor, pose) < _BENT * anchor.half:
            return pose
    raise EyesError(
        "the camera or the screen moved, or something stands between them",
        "put it back, or calibrate again: terma eyes calibrate",
    )


def _follow(
    image: NDArray[np.uint8], anchor: Anchor, pose: Pose, cells: float, free: bool
) -> tuple[Pose, int]:
    """The pose near `pose`, where edges are looked for so many cells' widths aside, and how many sides of the screen
    stand there; 0 where it is not to be believed. Not `free`: moved, turned and magnified, in the same perspective."""
    reach = max(4, round(cells * anchor.cell))
    points, normals = _put(anchor, pose)
    levels = _sampled(image, points, normals, np.arange(-HALF - reach, HALF + reach + 1, dtype=np.float32))
    likeness, off = _found(levels, anchor.profiles, reach)
    alike = likeness > _ALIKE
    if alike.sum() < 3 * _FEWEST:
        return pose, 0
    terms = fitting.terms((points - anchor.middle) / anchor.half, normals, free)
    change, left = fitting.solved(terms, off, alike, _OFF * anchor.cell)
    good = alike & (np.abs(left) < max(1.0, _OFF * anchor.cell))
    sides = [good[anchor.sides == side] for side in range(4)]
    held = sum(len(side) >= _FEWEST and side.mean() > _HELD for side in sides)
    return _changed(anchor, pose, change), held if good.mean() > _HELD else 0


def _rays(grid: Grid) -> tuple[Floats, Floats, NDArray[np.int64]]:
    """Where rays begin, at the edges of the outermost cells, their directions, and the side of each."""
    part = np.linspace(0.02, 0.98, _RAYS)
    across, down, none = part * grid.columns, part * grid.rows, np.zeros(_RAYS)
    at = [
        (across, none, 0, -1),
        (none + grid.columns, down, 1, 0),
        (across, none + grid.rows, 0, 1),
        (none, down, -1, 0),
    ]
    starts = np.concatenate([np.column_stack([x, y]) for x, y, _, _ in at])
    ahead = np.concatenate([np.column_stack([x + dx, y + dy]) for x, y, dx, dy in at])
    begin = _at(grid.array(), starts)
    way = _at(grid.array(), ahead) - begin
    way /= np.linalg.norm(way, axis=1, keepdims=True)
    return begin.astype(np.float32), way.astype(np.float32), np.repeat(np.arange(4), _RAYS)


def _sampled(image: NDArray[Any], points: Floats, normals: Floats, along: Floats) -> Floats:
    """Grey levels at each point plus `along` its normal, averaged over _BESIDE pixels aside: point, place."""
    aside = np.arange(-_BESIDE, _BESIDE + 1, dtype=np.float32)
    tangents = normals[:, ::-1] * np.array([-1, 1], np.float32)
    at = (
        points[:, None, None]
        + normals[:, None, None] * along[None, :, None, None]
        + tangents[:, None, None] * aside[None, None, :, None]
    ).astype(np.float32)
    flat = at.reshape(len(points), len(along) * len(aside), 2)
    levels = cv2.remap(image, flat[..., 0], flat[..., 1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(levels.reshape(len(points), len(along), len(aside)).mean(2), np.float32)


def _found(levels: Floats, profiles: Floats, reach: int) -> tuple[Floats, Floats]:
    """How alike each edge's likeliest place is to how it was, and how far that is along its normal, in pixels."""
    windows = sliding_window_view(levels, profiles.shape[1], axis=1)
    windows = windows - windows.mean(2, keepdims=True)
    wanted = profiles - profiles.mean(1, keepdims=True)
    strong = np.linalg.norm(wanted, axis=1)
    length = np.maximum(np.linalg.norm(windows, axis=2), strong[:, None] / 4)  # noise is no edge
    likeness = np.einsum("nsw,nw->ns", windows, wanted) / (length * strong[:, None] + 1e-6)
    best = likeness.argmax(1)
    rows = np.arange(len(best))
    within = (best > 0) & (best < likeness.shape[1] - 1)  # at an end it may be still more alike behind
    inner = np.clip(best, 1, likeness.shape[1] - 2)
    low, here, high = (likeness[rows, inner + step] for step in (-1, 0, 1))
    bend = np.minimum(low - 2 * here + high, -1e-6)
    finer = np.where(best == inner, np.clip((low - high) / (2 * bend), -0.5, 0.5), 0)
    return np.where(within, likeness[rows, best], 0), (best + finer - reach).astype(np.float32)


def _changed(anchor: Anchor, pose: Pose, change: Floats) -> Pose:
    a = np.asarray(change, np.float64) / anchor.half
    a = np.pad(a, (0, 8 - len(a)))
    across, down = (a[2] + a[4], a[5] - a[3]), (a[3] + a[5], a[2] - a[4])
    step = np.array([[1 + across[0], across[1], a[0]], [down[0], 1 + down[1], a[1]], [-a[6], -a[7], 1]])
    away = np.array([[anchor.half, 0, anchor.middle[0]], [0, anchor.half, anchor.middle[1]], [0, 0, 1]])
    moved: Pose = away @ step @ np.linalg.inv(away) @ pose
    return np.asarray(moved / moved[2, 2])


def _bent(anchor: Anchor, pose: Pose) -> float:
    """How far a pose puts a corner from where a shift, a turn and a zoom alone would put it, in pixels."""
    corners = anchor.middle + anchor.half * np.array([[-1, -0.6], [1, -0.6], [1, 0.6], [-1, 0.6]])
    before, now = (points - points.mean(0) for points in (corners, _at(pose, corners)))
    x, y = before.T
    plain = np.concatenate([np.column_stack([x, -y]), np.column_stack([y, x])])
    alike = np.linalg.lstsq(plain, now.T.ravel(), rcond=None)[0]
    return float(np.abs(plain @ alike - now.T.ravel()).max())


def _put(anchor: Anchor, pose: Pose) -> tuple[Floats, Floats]:
    points = _at(pose, anchor.points)
    ahead = _at(pose, anchor.points + anchor.normals) - points
    return points.astype(np.float32), (ahead / np.linalg.norm(ahead, axis=1, keepdims=True)).astype(
        np.float32
    )


def _at(matrix: Pose, points: NDArray[Any]) -> NDArray[np.float64]:
    return np.asarray(cv2.perspectiveTransform(np.asarray(points, np.float64).reshape(1, -1, 2), matrix)[0])


def _inside(points: Floats, shape: tuple[int, ...]) -> NDArray[np.bool_]:
    return np.asarray(((points >= 2) & (points < np.array([shape[1], shape[0]]) - 2)).all(2))


def _largest_near(rise: Floats) -> Floats:
    return np.asarray(cv2.dilate(rise.astype(np.float32), np.ones((1, 9), np.uint8)))
