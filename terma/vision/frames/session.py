"""A session of the agent as a source of pictures: its own rendering, without any camera."""

from __future__ import annotations

from typing import Self

from terma.config import eyes
from terma.errors import UsageError
from terma.vision.errors import EyesError
from terma.vision.frames._latest import cropped
from terma.vision.session_eye import SessionEye
from terma.vision.types import Frame


class Session:
    """`address` is the session's name. Each picture is drawn when it is asked for."""

    name = "session"

    def __init__(self, settings: eyes.Camera) -> None:
        self._settings = settings
        self._eye = SessionEye(settings.address)

    async def __aenter__(self) -> Self:
        """Raises TermaError when there is no such session."""
        await self._eye.__aenter__()
        return self

    async def __aexit__(self, *error: object) -> None:
        await self._eye.__aexit__(*error)

    async def latest(self, after: int = 0) -> Frame:
        """Raises EyesError when its program has exited, UsageError where nothing can draw it."""
        seen = await self._eye.look()
        if seen.picture is None:
            raise UsageError("there is nothing to draw a session with", "pip install 'xontrib-terma[target]'")
        if seen.frame.number <= after:
            raise EyesError(f"{seen.frame.source} was asked for a frame of another source", "ask from 0 on")
        image = cropped(seen.picture, self._settings.crop, seen.frame.source)
        image.flags.writeable = False
        return Frame(image, seen.frame.at, seen.frame.number, seen.frame.source)


PLUGIN = Session
