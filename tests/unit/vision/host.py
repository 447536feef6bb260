"""The other end of a USB keyboard, written from the HID specification: reports in, characters and key presses out.

It reads the layouts as data and shares no code with what types."""

from __future__ import annotations

import tomllib
import unicodedata
from pathlib import Path

import terma

LAYOUTS = Path(terma.__file__).parent / "vision/keyboards/layouts"
# HID usage tables 1.12, page 0x07
KEYS = {
    **{0x28: "Enter", 0x29: "Escape", 0x2A: "Backspace", 0x2B: "Tab", 0x39: "CapsLock"},
    **{0x3A + n: f"F{n + 1}" for n in range(12)},
    **{0x46: "PrintScreen", 0x47: "ScrollLock", 0x48: "Pause", 0x49: "Insert", 0x4A: "Home", 0x4B: "PageUp"},
    **{0x4C: "Delete", 0x4D: "End", 0x4E: "PageDown", 0x4F: "Right", 0x50: "Left", 0x51: "Down", 0x52: "Up"},
    0x53: "NumLock",
    **{0x68 + n: f"F{n + 13}" for n in range(12)},
}
HELD = {0x01: "ctrl", 0x02: "shift", 0x04: "alt", 0x08: "meta", 0x40: "altgr"}
SPACED = {"\u0300": "`", "\u0302": "^", "\u0303": "~"}


class Host:
    """`typed` is the text that came out; `pressed` what else was pressed, as "ctrl+c" or "F5"; `down` what is held."""

    def __init__(self, layout: str) -> None:
        data = tomllib.loads((LAYOUTS / f"{layout}.toml").read_text(encoding="utf-8"))
        self._keys = {int(usage, 16): levels for usage, levels in data["keys"].items()}
        self.typed, self.pressed, self.down = "", [], b""
        self._dead = ""

    def read(self, reports: bytes) -> Host:
        assert len(reports) % 8 == 0, f"{len(reports)} bytes are no whole number of reports"
        for at in range(0, len(reports), 8):
            self._report(reports[at : at + 8])
        return self

    def _report(self, report: bytes) -> None:
        assert report[1] == 0 and report[3:] == bytes(5), report
        if report == bytes(8):
            self.down = b""
            return
        assert not self.down, f"{report.hex()} while {self.down.hex()} is held"
        self.down = report
        held, usage = report[0], report[2]
        if usage in KEYS:
            self._press(held, KEYS[usage])
            return
        level = (1 if held & 0x02 else 0) + (2 if held & 0x40 else 0)
        levels = self._keys[usage]
        if held & ~0x42:
            self._press(held, levels[0])
            return
        self._character(levels[level])

    def _character(self, made: str) -> None:
        assert made, "a key that types nothing"
        if made[0] == "◌":
            assert not self._dead, "two dead keys in a row"
            self._dead = made[1:]
        elif self._dead:
            composed = SPACED[self._dead] if made == " " else unicodedata.normalize("NFC", made + self._dead)
            assert len(composed) == 1, f"{made!r} takes no {self._dead!r}"
            self.typed, self._dead = self.typed + composed, ""
        else:
            self.typed += made

    def _press(self, held: int, key: str) -> None:
        names = [name for bit, name in HELD.items() if held & bit]
        assert sum(bit for bit, name in HELD.items() if name in names) == held
        self.pressed.append("+".join([*names, key]))
