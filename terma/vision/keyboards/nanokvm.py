"""Types through a NanoKVM: HID reports over its WebSocket, as its page sends them; its mouse is absolute, and it may
hold the machine's power and reset buttons.

The box confirms no report, so what arrived is known from the screen alone."""

from __future__ import annotations

import asyncio
from typing import Self

from terma.config import eyes
from terma.vision.errors import EyesError
from terma.vision.keyboards import _layouts
from terma.vision.keyboards._secrets import Secrets
from terma.vision.keyboards._strokes import strokes
from terma.vision.nanokvm import Box
from terma.vision.types import Combination, Keystroke, Line, Text
from terma.vision.websocket import Socket

_KEYS, _POINTER = b"\x01", b"\x02"  # what a message is about
_UP = bytes(8)
_FARTHEST = 32767  # of the pointer, to the right and down
_BUTTONS = {"left": 1, "right": 2, "middle": 4}
_PRESSED = {  # which button, and for how many milliseconds
    "on": ("power", 800),
    "off": ("power", 800),
    "hard-off": ("power", 5000),
    "reset": ("reset", 800),
}


class NanoKvmKeyboard:
    """`address` is the box (http://… or https://…), `token_env` names the variable with user:password."""

    name = "nanokvm"

    def __init__(self, settings: eyes.Keyboard, secrets: Secrets) -> None:
        """Raises UsageError for a layout that is not there."""
        self._settings, self._secrets = settings, secrets
        self._layout = _layouts.load(settings.layout)
        self._box = Box(settings.address, settings.token_env, settings.ca_file)
        self._socket: Socket | None = None
        self._down = False

    async def __aenter__(self) -> Self:
        """Raises EyesError when nobody is there, the login is refused, or the box is too old."""
        await self._box.__aenter__()
        try:
            self._socket = await self._box.keys()
            self._down = True  # whoever was here before may have died with a key down
            await asyncio.to_thread(self.release_all)
        except BaseException:
            await self._left()
            raise
        return self

    async def __aexit__(self, *error: object) -> None:
        try:
            await asyncio.to_thread(self.release_all)
        except EyesError:
            if error[0] is None:
                raise
        finally:
            await self._left()

    def check(self, action: Keystroke | Combination | Text | Line) -> None:
        """Raises UnmappableKey for what the layout lacks, EyesError for a secret that is not there."""
        strokes(self._layout, self._secrets, action)

    async def send(self, action: Keystroke | Combination | Text | Line) -> None:
        """Type it. Raises UnmappableKey before any key, EyesError when the box is gone."""
        for stroke in strokes(self._layout, self._secrets, action):
            self._down = True
            try:
                await self._say(_KEYS + bytes([stroke.modifiers, 0, stroke.usage]) + bytes(5))
                await asyncio.sleep(self._settings.hold)
            finally:
                await asyncio.shield(asyncio.to_thread(self.release_all))
            await asyncio.sleep(self._settings.gap)

    def release_all(self) -> None:
        """Every key is up when this was sent. Raises EyesError when the box is gone, which lets go of them too."""
        if self._socket is not None and self._down:
            self._socket.send(_KEYS + _UP)
            self._down = False

    async def click(self, x: float, y: float, button: str = "left") -> None:
        """Press a button at a place of the screen, from 0 to 1 to the right and down. Raises EyesError."""
        at = b"".join(round(min(max(part, 0), 1) * _FARTHEST).to_bytes(2, "little") for part in (x, y))
        for held in (0, _BUTTONS[button], 0):
            await self._say(_POINTER + bytes([held]) + at + b"\x00")
            await asyncio.sleep(self._settings.hold)

    async def power(self, action: str) -> None:
        """Press the machine's buttons: on, off, hard-off, reset. Raises EyesError."""
        kind, milliseconds = _PRESSED[action]
        await self._box.told("POST", "/api/vm/gpio", {"type": kind, "duration": milliseconds})

    async def powered(self) -> bool:
        """Whether the machine's power light is on. Raises EyesError."""
        return bool((await self._box.told("GET", "/api/vm/gpio")).get("pwr"))

    async def _say(self, message: bytes) -> None:
        if self._socket is None:
            raise RuntimeError("the keyboard is not open")
        await asyncio.to_thread(self._socket.send, message)

    async def _left(self) -> None:
        socket, self._socket = self._socket, None
        if socket is not None:
            await asyncio.to_thread(socket.close)
        await self._box.__aexit__()


PLUGIN = NanoKvmKeyboard
