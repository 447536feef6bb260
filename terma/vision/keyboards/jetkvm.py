"""Types through a JetKVM: HID reports as requests on its data channel, each one answered; its mouse is absolute, and an
extension may hold the machine's power."""

from __future__ import annotations

import asyncio
from typing import Any

from terma.config import eyes
from terma.vision.errors import EyesError
from terma.vision.jetkvm import Box
from terma.vision.keyboards._kvm import KvmKeyboard, part_of
from terma.vision.keyboards._layouts import Stroke
from terma.vision.keyboards._secrets import Secrets

_KEYS = 6  # usages in a report
_UP: dict[str, Any] = {"modifier": 0, "keys": [0] * _KEYS}
_FARTHEST = 32767  # of the pointer, to the right and down
_BUTTONS = {"left": 1, "right": 2, "middle": 4}
_ABSENT = ("not attached", "unknown")  # states of the USB line in which the box drops reports in silence
_ATX = {"on": "power-short", "off": "power-short", "hard-off": "power-long", "reset": "reset"}
_DC = {"on": True, "hard-off": False}


class JetKvmKeyboard(KvmKeyboard[Box]):
    """`address` is the box (http://… or https://…), `token_env` names the variable with its password."""

    name = "jetkvm"

    def __init__(self, settings: eyes.Keyboard, secrets: Secrets) -> None:
        """Raises UsageError for a layout that is not there."""
        super().__init__(settings, secrets, Box(settings.address, settings.token_env, settings.ca_file))
        self._usb, self._down = "", False

    async def _opened(self) -> None:
        self._usb = str(await self._box.peer.ask("getUSBState"))
        self._down = True  # whoever was here before may have died with a key down
        await self._up()

    async def _press(self, stroke: Stroke) -> None:
        self._attached()
        self._down = True
        keys = [stroke.usage, *_UP["keys"][1:]]
        await self._box.peer.ask("keyboardReport", modifier=stroke.modifiers, keys=keys)

    async def _up(self) -> None:
        if self._down:
            await self._box.peer.ask("keyboardReport", **_UP)
            self._down = False

    def release_all(self) -> None:
        """Every key is up when this returns. Raises EyesError when the box does not answer."""
        if self._down:
            self._box.peer.ask_at_once("keyboardReport", self._settings.deadline, **_UP)
            self._down = False

    async def click(self, x: float, y: float, button: str = "left") -> None:
        """Press a button at a place of the screen, from 0 to 1 to the right and down. Raises EyesError."""
        self._attached()
        at = {name: part_of(_FARTHEST, part) for name, part in (("x", x), ("y", y))}
        for held in (0, _BUTTONS[button], 0):
            await self._box.peer.ask("absMouseReport", buttons=held, **at)
            await asyncio.sleep(self._settings.hold)

    async def power(self, action: str) -> None:
        """Press the machine's buttons: on, off, hard-off, reset. Raises EyesError where the extension has none."""
        extension = await self._extension()
        if extension == "atx-power":
            await self._box.peer.ask("setATXPowerAction", action=_ATX[action])
        elif action in _DC:
            await self._box.peer.ask("setDCPowerState", enabled=_DC[action])
        else:
            raise EyesError(f"the JetKVM's DC extension has no {action}", "it knows on and hard-off")

    async def powered(self) -> bool:
        """Whether the machine's power is on. Raises EyesError."""
        atx = await self._extension() == "atx-power"
        state = await self._box.peer.ask("getATXState" if atx else "getDCPowerState")
        return isinstance(state, dict) and bool(state.get("power" if atx else "isOn"))

    async def _extension(self) -> str:
        extension = await self._box.peer.ask("getActiveExtension")
        if extension not in ("atx-power", "dc-power"):
            raise EyesError(
                f"{self._box.peer.name} has no power buttons", "its ATX or DC extension is not set up"
            )
        return str(extension)

    def _attached(self) -> None:
        """Raises EyesError where keys would be lost without a word."""
        usb = self._box.peer.news.get("usbState", self._usb)
        if usb in _ABSENT:
            raise EyesError(
                f"the machine has not taken the keyboard of {self._box.peer.name}",
                "is it on, and the USB cable in?",
            )


PLUGIN = JetKvmKeyboard
