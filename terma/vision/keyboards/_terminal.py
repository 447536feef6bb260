"""What a terminal sends for a key: for keyboards that end in a PTY and for the stand-in target alike (xterm's form)."""

from __future__ import annotations

from terma.vision.errors import UnmappableKey
from terma.vision.types import Combination, Keystroke, Line, Modifier, Text

_PLAIN = {"Enter": b"\r", "Escape": b"\x1b", "Backspace": b"\x7f", "Tab": b"\t", "Space": b" "}
_LETTER = {"Up": "A", "Down": "B", "Right": "C", "Left": "D", "Home": "H", "End": "F"} | {
    f"F{number}": letter for number, letter in enumerate("PQRS", 1)
}
_NUMBER = {"Insert": 2, "Delete": 3, "PageUp": 5, "PageDown": 6} | {
    f"F{number}": code for number, code in zip(range(5, 13), (15, 17, 18, 19, 20, 21, 23, 24), strict=True)
}
_WEIGHT: dict[Modifier, int] = {"shift": 1, "alt": 2, "ctrl": 4}
_CONTROL = {
    "Space": 0,
    "@": 0,
    "[": 27,
    "\\": 28,
    "]": 29,
    "^": 30,
    "_": 31,
    "/": 31,
    "?": 127,
    "Backspace": 8,
}


def encode(action: Keystroke | Combination | Text | Line) -> bytes:
    """The bytes for `action`; a Line without its Enter. Raises UnmappableKey for keys that a terminal does not know."""
    if isinstance(action, Text | Line):
        return action.text.encode()
    held = frozenset(action.modifiers) if isinstance(action, Combination) else frozenset()
    unknown = held - set(_WEIGHT)
    if unknown:
        raise UnmappableKey(
            f"a terminal knows no {', '.join(sorted(unknown))} key", "ctrl, alt and shift are known"
        )
    if action.key in _LETTER or action.key in _NUMBER:
        return _function(action.key, sum(_WEIGHT[one] for one in held))
    return _character(action.key, held)


def _function(key: str, weight: int) -> bytes:
    if key in _NUMBER:
        code = f"{_NUMBER[key]};{weight + 1}" if weight else str(_NUMBER[key])
        return f"\x1b[{code}~".encode()
    if weight:
        return f"\x1b[1;{weight + 1}{_LETTER[key]}".encode()
    return f"\x1b{'O' if key[0] == 'F' else '['}{_LETTER[key]}".encode()


def _character(key: str, held: frozenset[Modifier]) -> bytes:
    if key not in _PLAIN and len(key) > 1:
        raise UnmappableKey(f"a terminal has nothing for the {key} key", "use a keyboard of kind hid")
    data = _PLAIN.get(key) or key.encode()
    if "shift" in held:
        data = b"\x1b[Z" if key == "Tab" else data.decode().upper().encode()
    if "ctrl" in held:
        data = _control(key)
    return (b"\x1b" if "alt" in held else b"") + data


def _control(key: str) -> bytes:
    if len(key) == 1 and key.isascii() and key.isalpha():
        return bytes([ord(key.upper()) & 31])
    if key in _CONTROL:
        return bytes([_CONTROL[key]])
    raise UnmappableKey(f"a terminal has nothing for Ctrl and {key}", "use a keyboard of kind hid")
