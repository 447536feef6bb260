"""Types through a PiKVM, key by key as its web page does it, with our own layouts; its mouse is absolute, and it may
hold the machine's power and reset buttons."""

from __future__ import annotations

import asyncio

from terma.config import eyes
from terma.vision.errors import EyesError, UnmappableKey
from terma.vision.keyboards._kvm import KvmKeyboard, part_of
from terma.vision.keyboards._layouts import Stroke
from terma.vision.keyboards._secrets import Secrets
from terma.vision.keyboards._usages import BITS
from terma.vision.pikvm import Box
from terma.vision.types import Combination, Keystroke, Line, Text

_KEY = "/api/hid/events/send_key"
_LEAST, _MOST = -32768, 32767  # of the pointer, to the right and down
_HELD = {
    "ctrl": "ControlLeft",
    "shift": "ShiftLeft",
    "alt": "AltLeft",
    "meta": "MetaLeft",
    "altgr": "AltRight",
}
_PLAIN = (  # HID usages from 0x28 on, by the names that browsers give these keys
    "Enter Escape Backspace Tab Space Minus Equal BracketLeft BracketRight Backslash Backslash Semicolon Quote "
    "Backquote Comma Period Slash CapsLock F1 F2 F3 F4 F5 F6 F7 F8 F9 F10 F11 F12 PrintScreen ScrollLock Pause Insert "
    "Home PageUp Delete End PageDown ArrowRight ArrowLeft ArrowDown ArrowUp NumLock"
).split()
CODES = (
    {0x04 + at: f"Key{chr(ord('A') + at)}" for at in range(26)}
    | {0x1E + at: f"Digit{(at + 1) % 10}" for at in range(10)}
    | {0x28 + at: name for at, name in enumerate(_PLAIN)}
    | {
        0x64: "IntlBackslash",
        0x87: "IntlRo",
        0x88: "KanaMode",
        0x89: "IntlYen",
        0x8A: "Convert",
        0x8B: "NonConvert",
    }
)
ACTIONS = {"on": "on", "off": "off", "hard-off": "off_hard", "reset": "reset_hard"}


class PiKvmKeyboard(KvmKeyboard[Box]):
    """`address` is the box (https://…), `token_env` names the variable with user:password."""

    name = "pikvm"

    def __init__(self, settings: eyes.Keyboard, secrets: Secrets) -> None:
        """Raises UsageError for a layout that is not there."""
        super().__init__(settings, secrets, Box(settings.address, settings.token_env, settings.ca_file))
        self._down: list[str] = []

    async def _opened(self) -> None:
        await self._box.told("/api/hid")

    async def _press(self, stroke: Stroke) -> None:
        for key in _keys(stroke):
            self._down.append(key)
            await self._key(key, pressed=True)

    def release_all(self) -> None:
        """Every key is up when this returns. Raises EyesError when the box does not answer."""
        down = [{"key": key, "state": "false"} for key in reversed(self._down)]
        if down:
            self._box.at_once(_KEY, down)

    async def click(self, x: float, y: float, button: str = "left") -> None:
        """Press a button at a place of the screen, from 0 to 1 to the right and down. Raises EyesError."""
        to_x, to_y = (_LEAST + part_of(_MOST - _LEAST, at) for at in (x, y))
        await self._box.told("/api/hid/events/send_mouse_move", "POST", to_x=to_x, to_y=to_y)
        try:
            await self._box.told("/api/hid/events/send_mouse_button", "POST", button=button, state="true")
            await asyncio.sleep(self._settings.hold)
        finally:
            await self._box.told("/api/hid/events/send_mouse_button", "POST", button=button, state="false")

    async def power(self, action: str) -> None:
        """Press the machine's buttons, as ACTIONS names it. Raises EyesError where the box has none."""
        await self._box.told("/api/atx/power", "POST", action=ACTIONS[action], wait=1)

    async def powered(self) -> bool:
        """Whether the machine's power light is on. Raises EyesError."""
        told = await self._box.told("/api/atx")
        leds = told.get("leds")
        if not told.get("enabled") or not isinstance(leds, dict):
            raise EyesError(
                f"the PiKVM at {self._box.address} has no power buttons", "its ATX board is not set up"
            )
        return bool(leds.get("power"))

    async def _up(self) -> None:
        while self._down:
            await self._key(self._down[-1], pressed=False)
            self._down.pop()

    async def _key(self, key: str, *, pressed: bool) -> None:
        await self._box.told(_KEY, "POST", key=key, state=str(pressed).lower())

    def _strokes(self, action: Keystroke | Combination | Text | Line) -> list[Stroke]:
        found = super()._strokes(action)
        for stroke in found:
            if stroke.usage not in CODES:
                raise UnmappableKey(f"a PiKVM has no key {stroke.usage:#04x}", "nothing was typed")
        return found


def _keys(stroke: Stroke) -> list[str]:
    """The keys of `stroke` by their names, in the order in which they go down."""
    return [*(_HELD[name] for name, bit in BITS.items() if stroke.modifiers & bit), CODES[stroke.usage]]


PLUGIN = PiKvmKeyboard
