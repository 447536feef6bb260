"""Keys by their names, as vim and tmux users write them: <Down>, <C-c>, <F10>, and the mouse: <Click:3,10>; what an
xterm sends for each.

Codes: invisible-island.net/xterm/ctlseqs ("PC-Style Function Keys"). Cursor keys have a second form for programs that
ask for it (DECCKM, as ncurses programs do): who knows the terminal's mode translates them, see `application`.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from terma.errors import UsageError

_NAME = re.compile(r"<((?:[CMS]-)*)([A-Za-z][A-Za-z0-9]*|[^\sA-Za-z<])>")
_MOUSE = re.compile(r"<((?:[CMS]-)*)([A-Za-z]+):(\d{1,4}),(\d{1,4})>")
_BUTTONS = {"click": 0, "middleclick": 1, "rightclick": 2, "scrollup": 64, "scrolldown": 65}
_REPORT = re.compile(rb"\x1b\[<(\d+);(\d+);(\d+)([Mm])")
_FURTHEST = 222  # the last column and row that the older form of a report can tell, from 0
_PLAIN = {
    "enter": "\r",
    "cr": "\r",
    "return": "\r",
    "tab": "\t",
    "esc": "\x1b",
    "escape": "\x1b",
    "space": " ",
}
_PLAIN |= {"bs": "\x7f", "backspace": "\x7f", "lt": "<", "gt": ">"}
_LETTERS = {"up": "A", "down": "B", "right": "C", "left": "D", "end": "F", "home": "H"}
_TILDES = {"insert": 2, "delete": 3, "del": 3, "pageup": 5, "pagedown": 6}
_TILDES |= {
    f"f{number}": code for number, code in zip(range(5, 13), (15, 17, 18, 19, 20, 21, 23, 24), strict=True)
}
_SS3 = {f"f{number}": letter for number, letter in zip(range(1, 5), "PQRS", strict=True)}
_CURSOR = re.compile(rb"\x1b\[([ABCDFH])")


def decoded(text: str, between: Callable[[str], str]) -> str:
    """`text` with each <Name> as what the key sends, and `between` of all else. Raises UsageError for a name that is
    none: it would be typed as it stands."""
    pieces, at = [], 0
    named = [*_NAME.finditer(text), *_MOUSE.finditer(text)]
    for found in sorted(named, key=lambda found: found.start()):
        sent = _mouse(found) if found.re is _MOUSE else _key(found[0], found[1], found[2])
        pieces += [between(text[at : found.start()]), sent]
        at = found.end()
    return "".join([*pieces, between(text[at:])])


def literal(text: str) -> str:
    """`text` written so that all of it is typed as it stands: no key's name, no escape."""
    return text.replace("\\", "\\\\").replace("<", "<lt>")


def points(keys: bytes) -> bool:
    """Whether the mouse is among them."""
    return _REPORT.search(keys) is not None


def older_mouse(keys: bytes) -> bytes:
    """What the mouse does in the form of a terminal without SGR reports (1006): three bytes, each 32 higher. Raises
    UsageError for a place that this cannot tell."""

    def one(found: re.Match[bytes]) -> bytes:
        button, column, row = (int(found[number]) for number in (1, 2, 3))
        if max(column, row) > _FURTHEST + 1:
            raise UsageError("the program asks for mouse reports that cannot tell a place so far out")
        button = button if found[4] == b"M" else 3 | (button & ~3)
        return b"\x1b[M" + bytes((32 + button, 32 + column, 32 + row))

    return _REPORT.sub(one, keys)


def application(keys: bytes) -> bytes:
    """Cursor keys in the form of a terminal in application mode."""
    return _CURSOR.sub(b"\x1bO\\1", keys)


def _mouse(found: re.Match[str]) -> str:
    """A button pressed and let go, or a turn of the wheel, as SGR reports (1006) have it, which count from 1."""
    button = _BUTTONS.get(found[2].lower())
    if button is None:
        raise UsageError(f"there is no key {found[0]}", f"<Click:ROW,COLUMN>, {', '.join(_BUTTONS)}; from 0")
    held = 4 * ("S-" in found[1]) + 8 * ("M-" in found[1]) + 16 * ("C-" in found[1])
    row, column = int(found[3]) + 1, int(found[4]) + 1
    report = f"\x1b[<{button + held};{column};{row}"
    return report + "M" + (report + "m" if button < 64 else "")


def _key(written: str, held: str, name: str) -> str:
    control, meta, shift = "C-" in held, "M-" in held, "S-" in held
    low = name.lower()
    modifiers = 1 + shift + 2 * meta + 4 * control
    if low in _LETTERS or low in _SS3:
        letter = _LETTERS.get(low) or _SS3[low]
        plain = f"\x1b[{letter}" if low in _LETTERS else f"\x1bO{letter}"
        return plain if modifiers == 1 else f"\x1b[1;{modifiers}{letter}"
    if low in _TILDES:
        return f"\x1b[{_TILDES[low]}~" if modifiers == 1 else f"\x1b[{_TILDES[low]};{modifiers}~"
    if low == "tab" and shift:
        return "\x1b[Z"
    char = _PLAIN.get(low) or (name if len(name) == 1 and held else "")
    if control and len(char) == 1:
        char = _controlled(char)
    if not char or (shift and not char.isalpha()):
        raise UsageError(f"there is no key {written}", "write <lt> for a < that is to be typed")
    return ("\x1b" if meta else "") + (char.upper() if shift else char)


def _controlled(char: str) -> str:
    """What Ctrl with this character sends; "" where nothing is sent."""
    if char == "?":
        return "\x7f"
    code = ord(char.upper() if char != " " else "@")
    return chr(code & 31) if 64 <= code < 96 else ""
