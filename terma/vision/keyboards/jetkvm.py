"""Types through a JetKVM: HID reports as requests on its data channel, each one answered; its mouse is absolute, and an
extension may hold the machine's power."""

from __future__ import annotations

import asyncio
from typing import Any, Self

from terma.config import eyes
from terma.vision.errors import EyesError
from terma.vision.jetkvm import Box
from terma.vision.keyboards import _layouts
from terma.vision.keyboards._secrets import Secrets
from terma.vision.keyboards._strokes import strokes
from terma.vision.types import Combination, Keystroke, Line, Text

_KEYS = 6  # usages in a report
_UP: dict[str, Any] = {"modifier": 0, "keys": [0] * _KEYS}
_FARTHEST = 32767  # of the pointer, to the right and down
_BUTTONS = {"left": 1, "right": 2, "middle": 4}
_ABSENT = ("not attached", "unknown")  # states of the USB line in which the box drops reports in silence
_ATX = {"on": "power-short", "off": "power-short", "hard-off": "power-long", "reset": "reset"}
_DC = {"on": True, "hard-off": False}


class JetKvmKeyboard:
    """`address` is the box (http://… or https://…), `token_env` names the variable with its password."""

    name = "jetkvm"

    def __init__(self, settings: eyes.Keyboard, secrets: Secrets) -> None:
        """Raises UsageError for a layout that is not there."""
        self._settings, self._secrets = settings, secrets
        self._layout = _layouts.load(settings.layout)
        self._box = Box(settings.address, settings.token_env, settings.ca_file)
        self._usb, self._down = "", False

    async def __aenter__(self) -> Self:
        """Raises EyesError when nobody is there, or the login is refused."""
        await self._box.__aenter__()
        try:
            self._usb = str(await self._box.peer.ask("getUSBState"))
            await self._up()  # whoever was here before may have died with a key down
        except BaseException:
            await self._box.__aexit__()
            raise
        return self

    async def __aexit__(self, *error: object) -> None:
        try:
            await self._up()
        except EyesError:
            if error[0] is None:
                raise
        finally:
            await self._box.__aexit__(*error)

    def check(self, action: Keystroke | Combination | Text | Line) -> None:
        """Raises UnmappableKey for what the layout lacks, EyesError for a secret that is not there."""
        strokes(self._layout, self._secrets, action)

    async def send(self, action: Keystroke | Combination | Text | Line) -> None:
        """Type it. Raises UnmappableKey before any key, EyesError when the box is gone or nobody is behind it."""
        for stroke in strokes(self._layout, self._secrets, action):
            self._attached()
            self._down = True  # before it is asked for: an answer may be lost
            try:
                keys = [stroke.usage, *_UP["keys"][1:]]
                await self._box.peer.ask("keyboardReport", modifier=stroke.modifiers, keys=keys)
                await asyncio.sleep(self._settings.hold)
            finally:
                await asyncio.shield(self._up())
            await asyncio.sleep(self._settings.gap)

    def release_all(self) -> None:
        """Every key is up when this returns. Raises EyesError when the box does not answer."""
        if self._down:
            self._box.peer.ask_at_once("keyboardReport", self._settings.deadline, **_UP)
            self._down = False

    async def click(self, x: float, y: float, button: str = "left") -> None:
        """Press a button at a place of the screen, from 0 to 1 to the right and down. Raises EyesError."""
        self._attached()
        at = {name: round(min(max(part, 0), 1) * _FARTHEST) for name, part in (("x", x), ("y", y))}
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

    async def _up(self) -> None:
        await self._box.peer.ask("keyboardReport", **_UP)
        self._down = False

    def _attached(self) -> None:
        """Raises EyesError where keys would be lost without a word."""
        usb = self._box.peer.news.get("usbState", self._usb)
        if usb in _ABSENT:
            raise EyesError(
                f"the machine has not taken the keyboard of {self._box.peer.name}",
                "is it on, and the USB cable in?",
            )


PLUGIN = JetKvmKeyboard
