"""The keys that every layout shares, as the HID usage tables number them (page 7), and the bits of modifiers."""

from __future__ import annotations

from terma.vision.types import Modifier

_IN_ORDER = (
    "PrintScreen ScrollLock Pause Insert Home PageUp Delete End PageDown Right Left Down Up NumLock".split()
)
NAMED = {
    **{"Enter": 0x28, "Escape": 0x29, "Backspace": 0x2A, "Tab": 0x2B, "Space": 0x2C, "CapsLock": 0x39},
    **{f"F{number}": 0x39 + number for number in range(1, 13)},
    **{f"F{number}": 0x68 + number - 13 for number in range(13, 25)},
    **{name: 0x46 + place for place, name in enumerate(_IN_ORDER)},
}
BITS: dict[Modifier, int] = {"ctrl": 0x01, "shift": 0x02, "alt": 0x04, "meta": 0x08, "altgr": 0x40}
