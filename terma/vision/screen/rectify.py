"""Find the four corners of the lit screen in a camera's picture, so that it can be looked at straight on.

The sure way is a flash: the target reverses its whole screen, and what differs between two frames is the screen and
nothing else. Corners set by hand are as good as the hand. Contours alone find a bezel or a poster as readily as the
screen, so what `hint` says is for a person to look at.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from terma.vision.errors import EyesError
from terma.vision.types import Image

Points = NDArray[np.float32]
SMALLEST = 0.02  # of the picture: a screen that fills less is not readable
_RIM = 0.02  # of the picture: nearer to its corners the screen is all of it
_EVERYWHERE, _WHOLE = (
    60.0,
    0.9,
)  # grey levels, and the part of the picture that flashes where nothing is around
_CLEAR = 4.0  # times the noise, which a flash exceeds even in the dark


@dataclass(frozen=True, slots=True)
class Corners:
    """Top left, top right, bottom right and bottom left of the screen, (x, y) in pixels of the frame."""

    points: tuple[tuple[float, float], ...]

    @property
    def array(self) -> Points:
        """The four points as rows."""
        return np.asarray(self.points, np.float32)


def by_flash(dark: Image, light: Image) -> Corners:
    """The screen's corners from two frames, one of them in reverse video. Raises EyesError where nothing flashed."""
    difference = cv2.absdiff(_calm(dark), _calm(light))
    _, mask = cv2.threshold(difference, 0, 255, cv2.THRESH_BINARY + cv2.THRESH_OTSU)
    if (
        float((difference > _EVERYWHERE).mean()) > _WHOLE
    ):  # a cable's picture: there is nothing around the screen
        return whole(mask.shape[1], mask.shape[0])
    inside, outside = difference[mask > 0], difference[mask == 0]
    if not len(inside) or not len(outside) or np.median(inside) < _CLEAR * (1 + np.median(outside)):
        raise EyesError(
            "no screen reversed its colours in the picture",
            "point the camera at it, or set its corners by hand",
        )
    reach = max(3, int(min(mask.shape) * 0.02) | 1)  # closes what text and glare leave open
    mask = cv2.morphologyEx(mask, cv2.MORPH_CLOSE, np.ones((reach, reach), np.uint8))
    mask = cv2.morphologyEx(mask, cv2.MORPH_OPEN, np.ones((3, 3), np.uint8))
    found = _quadrangle(mask, SMALLEST)
    if found is None:
        raise EyesError(
            "what flashed in the picture is too small or no rectangle",
            "bring the camera nearer, or set the corners by hand",
        )
    if _fills(found, mask.shape[1], mask.shape[0]):
        return whole(mask.shape[1], mask.shape[0])
    if (found < 1).any() or (found > [mask.shape[1] - 2, mask.shape[0] - 2]).any():
        raise EyesError(
            "the picture holds a part of the screen", "move the camera back, or turn it to the screen"
        )
    return _corners(found)


def whole(width: int, height: int) -> Corners:
    """The screen that is all of the picture."""
    return Corners(((0.0, 0.0), (float(width), 0.0), (float(width), float(height)), (0.0, float(height))))


def _fills(found: Points, width: int, height: int) -> bool:
    """Whether the corners are the picture's own, but for a rim."""
    return bool((np.abs(found - whole(width, height).array) < _RIM * np.array([width, height])).all())


def by_hand(points: Sequence[Sequence[float]], width: int, height: int) -> Corners:
    """Four points of a frame of so many pixels, in any order. Raises EyesError where they make no screen."""
    given = np.asarray(points, np.float32)
    if given.shape != (4, 2) or not np.isfinite(given).all():
        raise EyesError("a screen has four corners", "give them as x,y x,y x,y x,y")
    if (given < 0).any() or (given > [width, height]).any():
        raise EyesError(f"a corner lies outside the picture, which is {width} by {height} pixels")
    ordered = _ordered(given)
    if not cv2.isContourConvex(ordered) or cv2.contourArea(ordered) < SMALLEST * width * height:
        raise EyesError(
            "these corners make no screen", "they are x,y pixels of the four corners of the lit area"
        )
    return _corners(ordered)


def hint(image: Image) -> Corners | None:
    """What looks like a screen without any help of its own: often its bezel. To be shown, never to be read from."""
    grey = _calm(image)
    edges = np.abs(cv2.Laplacian(cv2.cvtColor(image, cv2.COLOR_BGR2GRAY), cv2.CV_32F)) > 25
    best: tuple[float, Points] | None = None
    for kind in (cv2.THRESH_BINARY, cv2.THRESH_BINARY_INV):
        _, mask = cv2.threshold(grey, 0, 255, kind + cv2.THRESH_OTSU)
        reach = max(5, int(min(mask.shape) * 0.03) | 1)
        mask = cv2.morphologyEx(mask, cv2.MORPH_CLOSE, np.ones((reach, reach), np.uint8))
        found = _quadrangle(mask, SMALLEST)
        if found is None:
            continue
        inside = np.zeros(grey.shape, np.uint8)
        cv2.fillConvexPoly(inside, found.astype(np.int32), 1)
        share = float(inside.mean())
        worth = float(edges[inside > 0].mean()) * share**0.5
        if 0.05 < share < 0.97 and (best is None or worth > best[0]):
            best = (worth, found)
    return None if best is None else _corners(best[1])


def overlap(one: Corners, other: Corners, width: int, height: int) -> float:
    """Intersection over union of two screens in a frame of that size, 0..1."""
    masks = []
    for corners in (one, other):
        mask = np.zeros((height, width), np.uint8)
        cv2.fillConvexPoly(mask, np.round(corners.array).astype(np.int32), 1)
        masks.append(mask)
    return float((masks[0] & masks[1]).sum() / max(1, (masks[0] | masks[1]).sum()))


def matrix(corners: Corners, width: int, height: int) -> NDArray[np.float64]:
    """The 3 by 3 homography from a straight picture of `width` by `height` pixels to the frame."""
    straight = np.asarray([[0, 0], [width, 0], [width, height], [0, height]], np.float32)
    return np.asarray(cv2.getPerspectiveTransform(straight, corners.array), np.float64)


def straighten(image: Image, corners: Corners, width: int, height: int) -> Image:
    """The screen alone, seen straight on."""
    how = cv2.INTER_CUBIC | cv2.WARP_INVERSE_MAP
    return np.asarray(cv2.warpPerspective(image, matrix(corners, width, height), (width, height), flags=how))


def _calm(image: Image) -> NDArray[np.uint8]:
    """Grey, with the noise of single pixels smoothed."""
    return np.asarray(cv2.GaussianBlur(cv2.cvtColor(image, cv2.COLOR_BGR2GRAY), (0, 0), 1.5), np.uint8)


def _corners(points: Points) -> Corners:
    return Corners(tuple((float(x), float(y)) for x, y in points))


def _ordered(points: NDArray[Any]) -> Points:
    """Clockwise, from the top left."""
    given = np.asarray(points, np.float32).reshape(4, 2)
    from_centre = given - given.mean(0)
    given = given[np.argsort(np.arctan2(from_centre[:, 1], from_centre[:, 0]))]
    return np.roll(given, -int(np.argmin(given.sum(1))), 0)


def _quadrangle(mask: NDArray[Any], smallest: float) -> Points | None:
    """The four corners of the largest blob of a mask, when it has four."""
    outlines, _ = cv2.findContours(mask, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    outline = max(outlines, key=cv2.contourArea, default=None)
    if outline is None or cv2.contourArea(outline) < smallest * mask.size:
        return None
    hull = cv2.convexHull(outline)
    around = cv2.arcLength(hull, True)
    for tolerance in np.linspace(0.01, 0.08, 15):
        corners = cv2.approxPolyDP(hull, float(tolerance) * around, True)
        if len(corners) == 4:
            return _sharpened(outline.reshape(-1, 2).astype(np.float32), _ordered(corners))
        if len(corners) < 4:
            break
    return _ordered(cv2.boxPoints(cv2.minAreaRect(outline)))


def _sharpened(outline: Points, corners: Points) -> Points:
    """The corners as the crossings of lines fitted to the outline's sides: to a fraction of a pixel."""
    sides = []
    for start, end in zip(corners, np.roll(corners, -1, 0), strict=True):
        along = end - start
        length = float(np.hypot(*along))
        across = np.array([-along[1], along[0]]) / length
        place = (outline - start) @ along / length**2
        distance = np.abs((outline - start) @ across)
        near = outline[(place > 0.06) & (place < 0.94) & (distance < max(4.0, 0.02 * length))]
        if len(near) < 20:
            sides.append((start, along / length))
            continue
        dx, dy, x, y = np.asarray(cv2.fitLine(near, cv2.DIST_HUBER, 0, 0.01, 0.01)).ravel()
        sides.append((np.array([x, y]), np.array([dx, dy])))
    found = []
    for number, (point, direction) in enumerate(sides):
        before, towards = sides[number - 1]
        system = np.array([towards, -direction]).T
        if abs(float(np.linalg.det(system))) < 1e-6:
            return corners
        found.append(before + np.linalg.solve(system, point - before)[0] * towards)
    return _ordered(np.asarray(found, np.float32))
