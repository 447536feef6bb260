"""Keeps the newest picture of a source, and says so when there is none in time."""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Callable, Iterator
from typing import Self

import cv2
import numpy as np

from terma.config import eyes
from terma.vision.errors import EyesError, Stalled
from terma.vision.types import Frame, Image

FRESH = 0.15  # seconds: nothing older is handed out
PATIENCE = 3.0  # seconds until a source that gives nothing is an error
OPENING = 10.0  # seconds until its first picture: a device or a network takes its time to begin
_TURN = 0.1  # seconds
_Came = Image | bytes | Callable[[], Image]


class Latest:
    """What came last: a picture, the JPEG of one, or what makes one, which is done only when it is asked for.

    `put` and `fail` may be called from any thread."""

    def __init__(self, name: str, crop: tuple[int, ...] = ()) -> None:
        self.name = name
        self.received = 0  # pictures that came
        self.given = 0  # pictures that were asked for
        self._crop = crop
        self._loop = asyncio.get_running_loop()
        self._news = asyncio.Event()
        self._opening = True
        self._newest: tuple[_Came, float, int] | None = None
        self._error: EyesError | None = None
        self._frame: Frame | None = None

    def put(self, picture: _Came) -> None:
        """Take a picture that came now."""
        self._opening = False
        self.received += 1
        self._newest = (picture, time.monotonic(), self.received)
        self._wake()

    def fail(self, error: EyesError) -> None:
        """Nothing more will come; whoever asks from now on gets `error`."""
        self._error = error
        self._wake()

    def missing(self) -> None:
        """It could not be opened at the first try: whoever waits for its first picture waits no longer than usual."""
        self._opening = False
        self._wake()

    def _wake(self) -> None:
        if not self._loop.is_closed():
            self._loop.call_soon_threadsafe(self._news.set)

    async def get(self, after: int = 0) -> Frame:
        """The newest frame with a number above `after`: fresh, or come since it was asked for. Raises Stalled after
        PATIENCE without one, for the first one after OPENING; EyesError.

        Patience is counted in turns of this program, so that it is the camera that is late and not this machine."""
        begun, turns = time.monotonic(), 0
        while True:
            if self._error is not None:
                raise self._error
            newest = self._newest
            if newest is not None and newest[2] > after and newest[1] >= min(begun, time.monotonic() - FRESH):
                return await self._made(*newest)
            if turns * _TURN >= (OPENING if self._opening else PATIENCE):
                raise Stalled(
                    f"{self.name} gives no picture",
                    "is it plugged in, running, and not in use by another program?",
                )
            self._news.clear()
            try:
                async with asyncio.timeout(_TURN):
                    await self._news.wait()
            except TimeoutError:
                turns += 1

    async def _made(self, picture: _Came, at: float, number: int) -> Frame:
        if self._frame is not None and self._frame.number == number:
            return self._frame
        if isinstance(picture, bytes):
            image = await asyncio.to_thread(decoded, picture, self.name)
        else:
            image = await asyncio.to_thread(picture) if callable(picture) else picture
        image = cropped(image, self._crop, self.name)
        image.flags.writeable = False
        self.given += 1
        self._frame = Frame(image, at, number, self.name)
        return self._frame


class Threaded:
    """A source whose pictures come from a blocking library: subclasses yield them in `pictures`, in a thread."""

    name = ""

    def __init__(self, settings: eyes.Camera) -> None:
        self.settings = settings
        self._latest: Latest | None = None
        self._over = threading.Event()

    async def __aenter__(self) -> Self:
        self._latest = Latest(f"{self.name} {self.settings.address}", self.settings.crop)
        self._over.clear()
        threading.Thread(target=self._pump, args=(self._latest,), name="eyes-frames", daemon=True).start()
        return self

    async def __aexit__(self, *error: object) -> None:
        self._over.set()  # a library may hang in its device: its thread is left behind then
        self._latest = None

    async def latest(self, after: int = 0) -> Frame:
        """Raises EyesError when the source is missing, over, or stalls."""
        if self._latest is None:
            raise RuntimeError("the source is not open")
        return await self._latest.get(after)

    def pictures(self) -> Iterator[Image]:
        """Pictures as they come, each a new array. Raises EyesError."""
        raise NotImplementedError

    def pause(self, seconds: float) -> bool:
        """Wait; whether to go on."""
        return not self._over.wait(max(seconds, 0))

    def _pump(self, latest: Latest) -> None:
        try:
            for picture in self.pictures():
                if self._over.is_set():
                    return
                latest.put(picture)
            latest.fail(EyesError(f"{latest.name}: it is over", "there are no more pictures"))
        except EyesError as error:
            latest.fail(error)
        except Exception as error:  # a library's own: said in its place, not in a thread's traceback
            latest.fail(EyesError(f"{latest.name}: {error}", "is it what [eyes.camera] says?"))


def decoded(data: bytes, name: str) -> Image:
    """The picture in a JPEG or PNG. Raises EyesError for what is none."""
    image = cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_COLOR) if data else None
    if image is None:
        raise EyesError(f"{name} sends what is no picture", "is it an MJPEG stream?")
    return np.asarray(image, np.uint8)


def cropped(image: Image, crop: tuple[int, ...], name: str) -> Image:
    """The part that `crop` (left, top, width, height) names. Raises EyesError where it lies outside."""
    if not crop:
        return image
    left, top, width, height = crop
    if left + width > image.shape[1] or top + height > image.shape[0]:
        raise EyesError(
            f"{name}: the crop lies outside of its {image.shape[1]} × {image.shape[0]} pixels",
            "[eyes.camera] crop = [left, top, width, height]",
        )
    return np.ascontiguousarray(image[top : top + height, left : left + width])
