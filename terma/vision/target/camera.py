"""What a lens makes of a screen: perspective, a bezel in a room, blur, glare, darkness, noise, drift and lag.

Light is added, so it is computed in linear form (a gamma of 2). What does not change from frame to frame is computed
once: of a screen that stays as it is, only the noise is new.
"""

from __future__ import annotations

import functools
import math
import threading
from collections import deque

import cv2
import numpy as np
from numpy.typing import NDArray

from terma.errors import UsageError
from terma.vision.target.look import Look
from terma.vision.types import Image

_FLOATS = NDArray[np.float32]
_BLACK, _WHITE = 0.012, 0.9  # of a lit screen, in linear light: its backlight bleeds
_LINEAR = (_WHITE * (np.arange(256, dtype=np.float32) / 255) ** 2 + _BLACK).astype(np.float32)
_NOISES = 6  # frames of noise that are made once, when they are first seen, and shifted at random
_SHIFTS = 64  # rows
_WANDERING = 23.0  # seconds that a drift takes around
_SIZES = ((1280, 720), (1920, 1080), (2560, 1440))  # of the frame: the first one that shows the whole screen
_BEZEL = np.float32(0.010)
_Place = tuple[float, float, float, float]  # pixels to the right and down, degrees clockwise, times as large


class Camera:
    """Stands before a picture of `width` by `height` pixels with `columns` cells in a line. One thread at a time."""

    def __init__(self, look: Look, width: int, height: int, columns: int = 80) -> None:
        self.settings = look
        self._width, self._height = width, height
        self._screen = look.cell * columns  # pixels of the frame
        self._place: _Place = (0.0, 0.0, 0.0, 1.0)
        for self.size in _SIZES:
            if self._fits():
                break
        else:
            raise UsageError(
                f"camera: with cells of {look.cell:g} pixels the screen does not fit into {self.size[0]} pixels",
                "use a smaller cell",
            )
        self._late: deque[tuple[float, Image]] = deque(maxlen=256)
        self._random = np.random.default_rng(int(look.seed))
        self._fixed: tuple[_Place, _FLOATS, _FLOATS, _FLOATS] | None = None
        self._clean: tuple[_Place, Image, Image] | None = None  # where it stood, what it saw, and how
        self._lock = threading.Lock()

    @property
    def corners(self) -> _FLOATS:
        """Where the picture's corners are in the frame: left top, right top, right bottom, left bottom."""
        return self._corners(0.0, self._place)

    def move(self, right: float, down: float, turn: float = 0.0, zoom: float = 1.0) -> None:
        """Push what it looks at: by so many pixels, around its middle by so many degrees, nearer by so many times."""
        with self._lock:
            was = self._place
            self._place = (was[0] + right, was[1] + down, was[2] + turn, was[3] * zoom)

    def look(self, picture: Image, at: float) -> Image:
        """What it sees of `picture` at `at` (seconds that only grow): a new array. A picture that was handed over is
        never written into: the same array is the same screen."""
        return self.grainy(self.clean(picture, at))

    def clean(self, picture: Image, at: float) -> Image:
        """The same without noise; the same array as long as nothing changes."""
        with self._lock:
            place, shown = self._wandered(at), self._delayed(picture, at)
            if self._clean is None or self._clean[0] != place or self._clean[1] is not shown:
                self._clean = (place, shown, self._without_noise(place, shown))
            return self._clean[2]

    def _without_noise(self, place: _Place, flat: Image) -> Image:
        seen, light, more = self._geometry(place)
        if self._softness > 0.3:
            flat = np.asarray(cv2.GaussianBlur(flat, (0, 0), self._softness), np.uint8)
        warped = cv2.warpPerspective(flat, seen, self.size, flags=cv2.INTER_LINEAR)
        bright = cv2.LUT(warped, _LINEAR)
        cv2.multiply(bright, light, bright)
        cv2.add(bright, more, bright)
        np.sqrt(bright, bright)
        return np.asarray(cv2.convertScaleAbs(bright, alpha=255.0), np.uint8)

    def grainy(self, frame: Image) -> Image:
        """A new array: `frame` with noise that it never had before."""
        look = self.settings
        if not look.noise:
            return frame.copy()
        more, less = _noise(int(look.seed), int(self._random.integers(_NOISES)), look.noise, self.size)
        down = int(self._random.integers(_SHIFTS))
        here = slice(down, down + self.size[1])
        return np.asarray(cv2.subtract(cv2.add(frame, more[here]), less[here]), np.uint8)

    @property
    def _softness(self) -> float:
        """The blur of the lens and of pixels that become fewer, in pixels of the picture."""
        ratio = self._width / self._screen
        return math.hypot(self.settings.blur * ratio, 0.45 * max(ratio - 1, 0))

    def _wandered(self, at: float) -> _Place:
        right, down, turn, zoom = self._place
        if self.settings.drift:
            phase = 2 * math.pi * at / _WANDERING
            right += self.settings.drift * math.sin(phase)
            down += self.settings.drift * 0.6 * math.sin(2.3 * phase)
        return round(right * 4) / 4, round(down * 4) / 4, turn, zoom

    def _delayed(self, picture: Image, at: float) -> Image:
        if not self.settings.lag:
            return picture
        self._late.append((at, picture))
        while len(self._late) > 1 and self._late[1][0] <= at - self.settings.lag / 1000:
            self._late.popleft()
        return self._late[0][1]

    def _fits(self) -> bool:
        corners = self._corners(0.0, self._place)
        return bool((corners > 2).all() and (corners < np.array(self.size) - 2).all())

    def _corners(self, margin: float, place: _Place) -> _FLOATS:
        """The corners of the picture with `margin` (part of its width) around it, as a pinhole sees them."""
        half, high = 0.5 + margin, 0.5 * self._height / self._width + margin
        points = np.array([[-half, -high, 0], [half, -high, 0], [half, high, 0], [-half, high, 0]])
        width, height = self.size
        focal = 1.2 * width
        turned = points @ _rotation(self.settings).T + [0, 0, focal / self._screen]
        flat = focal * turned[:, :2] / turned[:, 2:]
        right, down, turn, zoom = place
        around = zoom * _rotation(Look(roll=turn))[:2, :2]
        return np.asarray(flat @ around.T + [width / 2 + right, height / 2 + down], np.float32)

    def _geometry(self, place: _Place) -> tuple[_FLOATS, _FLOATS, _FLOATS]:
        """The perspective, and what each pixel's light is multiplied by and added to."""
        if self._fixed is None or self._fixed[0] != place:
            corners = self._corners(0.0, place)
            width, height = self._width, self._height
            flat = np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float32)
            seen = cv2.getPerspectiveTransform(flat, corners).astype(np.float32)
            here = cv2.warpPerspective(np.ones((height, width), np.float32), seen, self.size)[..., None]
            room, lens = self._room(place), self._lens()
            gain = (1 - self.settings.dark) * lens
            more = room * (1 - here) + self._glare(corners)
            light = np.repeat(here * gain, 3, 2).astype(np.float32)
            self._fixed = (place, seen, light, (more * gain).astype(np.float32))
        return self._fixed[1:]

    def _room(self, place: _Place) -> _FLOATS:
        width, height = self.size
        down, right = np.mgrid[0:height, 0:width].astype(np.float32)
        room = np.dstack(
            [0.10 + 0.04 * right / width, 0.10 + 0.02 * down / height, 0.11 + 0.03 * right / width]
        )
        room = np.ascontiguousarray(room, np.float32)
        cv2.rectangle(room, (width // 50, height // 20), (width // 8, height * 2 // 5), (0.5, 0.45, 0.35), -1)
        cv2.rectangle(room, (0, height * 9 // 10), (width, height), (0.01, 0.02, 0.05), -1)
        bezel = np.zeros((height, width), np.uint8)
        frame = np.round(16 * self._corners(self.settings.bezel, place)).astype(np.int32)
        cv2.fillConvexPoly(bezel, frame, 255, cv2.LINE_AA, 4)  # to a sixteenth of a pixel
        part = (bezel / np.float32(255))[..., None]
        return np.asarray(room * (1 - part) + _BEZEL * part, np.float32)

    def _lens(self) -> _FLOATS:
        """Darker towards the corners."""
        down, right = self._grid()
        return (1 - 0.35 * (right**2 + down**2))[..., None].astype(np.float32)

    def _glare(self, corners: _FLOATS) -> _FLOATS:
        """A lamp that mirrors in the screen, right above its middle."""
        width, height = self.size
        down, right = self._grid()
        middle = (corners.mean(0) + np.array([0.18, -0.10]) * self._screen) / [width, height] - 0.5
        spread = self._screen / width * 0.14, self._screen / height * 0.10
        spot = np.exp(-(((right - middle[0]) / spread[0]) ** 2 + ((down - middle[1]) / spread[1]) ** 2))
        return np.asarray(self.settings.glare * spot, np.float32)[..., None]

    def _grid(self) -> tuple[_FLOATS, _FLOATS]:
        width, height = self.size
        down, right = np.mgrid[0:height, 0:width].astype(np.float32)
        return down / height - 0.5, right / width - 0.5


@functools.lru_cache(maxsize=2 * _NOISES)  # most of the time that it takes to see for the first time
def _noise(
    seed: int, number: int, deviation: float, size: tuple[int, int]
) -> tuple[NDArray[np.uint8], NDArray[np.uint8]]:
    """A frame of noise: the light that is added, and the light that is taken away."""
    random, shape = np.random.default_rng([seed, number]), (size[1] + _SHIFTS, size[0], 3)
    one = np.float32(deviation) * random.standard_normal(shape, np.float32)
    return one.clip(0, 255).astype(np.uint8), (-one).clip(0, 255).astype(np.uint8)


def _rotation(look: Look) -> NDArray[np.float64]:
    yaw, pitch, roll = (math.radians(angle) for angle in (look.yaw, look.pitch, look.roll))
    around_z = [[math.cos(roll), -math.sin(roll), 0], [math.sin(roll), math.cos(roll), 0], [0, 0, 1]]
    around_x = [[1, 0, 0], [0, math.cos(pitch), -math.sin(pitch)], [0, math.sin(pitch), math.cos(pitch)]]
    around_y = [[math.cos(yaw), 0, math.sin(yaw)], [0, 1, 0], [-math.sin(yaw), 0, math.cos(yaw)]]
    turned: NDArray[np.float64] = np.array(around_z) @ np.array(around_x) @ np.array(around_y)
    return turned
