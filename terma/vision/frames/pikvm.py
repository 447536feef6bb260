"""The picture of a PiKVM, taken when it is asked for: what its capture chip sees, straight and complete."""

from __future__ import annotations

import asyncio
import time
from typing import Self

from terma.config import eyes
from terma.vision.errors import EyesError, NoSignal
from terma.vision.frames._latest import cropped, decoded
from terma.vision.pikvm import Box
from terma.vision.types import Frame

_UNAVAILABLE = 503  # the machine behind it sends no picture


class PiKvm:
    """`address` is the box, `token_env` names the variable with user:password."""

    name = "pikvm"

    def __init__(self, settings: eyes.Camera) -> None:
        self._settings = settings
        self._box = Box(settings.address, settings.token_env, settings.ca_file)
        self._number = 0
        self._due = 0.0

    async def __aenter__(self) -> Self:
        """Raises EyesError when nobody is there, or the login is refused."""
        await self._box.__aenter__()
        try:
            await self._box.told("/api/streamer")
        except BaseException:
            await self._box.__aexit__()
            raise
        return self

    async def __aexit__(self, *error: object) -> None:
        await self._box.__aexit__(*error)

    async def latest(self, after: int = 0) -> Frame:
        """Raises NoSignal where the machine sends no picture, EyesError where the box does not answer."""
        await asyncio.sleep(max(self._due - time.monotonic(), 0))
        self._due = time.monotonic() + 1 / self._settings.fps
        at = time.monotonic()
        answer = await self._box.ask("GET", "/api/streamer/snapshot")
        if answer.status_code == _UNAVAILABLE:
            raise NoSignal("the machine sends the PiKVM no picture", "is it on, and its cable in?")
        name = f"the PiKVM at {self._box.address}"
        if answer.is_error:
            raise EyesError(f"{name} said {answer.status_code} instead of a picture", "its own log says why")
        image = cropped(await asyncio.to_thread(decoded, answer.content, name), self._settings.crop, name)
        image.flags.writeable = False
        self._number = max(self._number, after) + 1
        return Frame(image, at, self._number, name)


PLUGIN = PiKvm
