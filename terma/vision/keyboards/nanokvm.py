"""Types through a NanoKVM: HID reports over its WebSocket, as its page sends them; its mouse is absolute, and it may
hold the machine's power and reset buttons.

The box confirms no report, so what arrived is known from the screen alone."""

from __future__ import annotations

import asyncio

from terma.config import eyes
from terma.vision.keyboards._kvm import KvmKeyboard, part_of
from terma.vision.keyboards._layouts import Stroke
from terma.vision.keyboards._secrets import Secrets
from terma.vision.nanokvm import Box
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


class NanoKvmKeyboard(KvmKeyboard[Box]):
    """`address` is the box (http://… or https://…), `token_env` names the variable with user:password."""

    name = "nanokvm"

    def __init__(self, settings: eyes.Keyboard, secrets: Secrets) -> None:
        """Raises UsageError for a layout that is not there."""
        super().__init__(settings, secrets, Box(settings.address, settings.token_env, settings.ca_file))
        self._socket: Socket | None = None
        self._down = False

    async def _opened(self) -> None:
        self._socket = await self._box.keys()
        self._down = True  # whoever was here before may have died with a key down
        await self._up()

    async def _press(self, stroke: Stroke) -> None:
        self._down = True
        await self._say(_KEYS + bytes([stroke.modifiers, 0, stroke.usage]) + bytes(5))

    async def _up(self) -> None:
        await asyncio.to_thread(self.release_all)

    def release_all(self) -> None:
        """Every key is up when this was sent. Raises EyesError when the box is gone, which lets go of them too."""
        if self._socket is not None and self._down:
            self._socket.send(_KEYS + _UP)
            self._down = False

    async def click(self, x: float, y: float, button: str = "left") -> None:
        """Press a button at a place of the screen, from 0 to 1 to the right and down. Raises EyesError."""
        at = b"".join(part_of(_FARTHEST, part).to_bytes(2, "little") for part in (x, y))
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
        await super()._left()


PLUGIN = NanoKvmKeyboard
