"""The picture of a NanoKVM: its MJPEG stream, straight and complete."""

from __future__ import annotations

import contextlib
import time
from dataclasses import replace
from typing import Self

from terma.config import eyes
from terma.vision.errors import EyesError, NoSignal, Stalled
from terma.vision.frames.mjpeg import Mjpeg
from terma.vision.nanokvm import Box
from terma.vision.types import Frame

_DETECTION = "/api/stream/mjpeg/detect"
_AGAIN = 2.0  # seconds: the box stops sending a screen that stands still, unless it is asked not to


class NanoKvm:
    """`address` is the box, `token_env` names the variable with user:password."""

    name = "nanokvm"

    def __init__(self, settings: eyes.Camera) -> None:
        self._settings = settings
        self._box = Box(settings.address, settings.token_env, settings.ca_file)
        self._stream: Mjpeg | None = None
        self._holds, self._due = False, 0.0

    async def __aenter__(self) -> Self:
        """Raises EyesError when nobody is there, or the login is refused."""
        await self._box.__aenter__()
        try:
            with contextlib.suppress(EyesError):  # an application that knows no detection sends every picture
                self._holds = bool((await self._box.told("GET", _DETECTION)).get("enabled"))
            stream = replace(self._settings, address=f"{self._box.address}/api/stream/mjpeg", token_env="")
            self._stream = await Mjpeg(stream, given=self._box.given).__aenter__()
        except BaseException:
            await self._box.__aexit__()
            raise
        return self

    async def __aexit__(self, *error: object) -> None:
        stream, self._stream = self._stream, None
        if stream is not None:
            await stream.__aexit__(*error)
        await self._box.__aexit__(*error)

    async def latest(self, after: int = 0) -> Frame:
        """Raises NoSignal where the box sends no picture, EyesError where it does not answer."""
        if self._stream is None:
            raise RuntimeError("the source is not open")
        if self._holds and time.monotonic() >= self._due:
            await self._box.told("POST", f"{_DETECTION}/stop")
            self._due = time.monotonic() + _AGAIN
        try:
            return await self._stream.latest(after)
        except Stalled:
            await self._box.told("GET", "/api/vm/info")  # it is the picture that is missing, not the box
        raise NoSignal("the machine sends the NanoKVM no picture", "is it on, and its cable in?")


PLUGIN = NanoKvm
