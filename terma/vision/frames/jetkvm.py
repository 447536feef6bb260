"""The picture of a JetKVM: its video track, straight and complete."""

from __future__ import annotations

from collections.abc import Callable
from typing import Self

from terma.config import eyes
from terma.vision.errors import EyesError, NoSignal, Stalled
from terma.vision.frames._latest import Latest
from terma.vision.jetkvm import Box
from terma.vision.types import Frame


class JetKvm:
    """`address` is the box, `token_env` names the variable with its password."""

    name = "jetkvm"

    def __init__(self, settings: eyes.Camera) -> None:
        self._settings = settings
        self._box = Box(settings.address, settings.token_env, settings.ca_file)
        self._latest: Latest | None = None
        self._ends: Callable[[], None] = lambda: None

    async def __aenter__(self) -> Self:
        """Raises EyesError when nobody is there, or the login is refused."""
        await self._box.__aenter__()
        peer = self._box.peer
        self._latest = Latest(peer.name, self._settings.crop)
        self._ends = peer.watch(self._latest)
        return self

    async def __aexit__(self, *error: object) -> None:
        self._ends()
        self._latest, self._ends = None, lambda: None
        await self._box.__aexit__(*error)

    async def latest(self, after: int = 0) -> Frame:
        """Raises NoSignal where the machine sends no picture, EyesError where the box does not answer."""
        if self._latest is None:
            raise RuntimeError("the source is not open")
        try:
            return await self._latest.get(after)
        except Stalled as stalled:
            state = await self._box.peer.ask("getVideoState")
            if isinstance(state, dict) and state.get("ready"):
                raise EyesError(
                    stalled.message, "it has a picture, and does not send it: open it anew"
                ) from None
        raise NoSignal("the machine sends the JetKVM no picture", "is it on, and its cable in?")


PLUGIN = JetKvm
