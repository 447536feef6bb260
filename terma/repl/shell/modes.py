"""Remembers what a program switched on in the person's terminal, so that it can be switched off when it could not.

Sources: ECMA-48; xterm's ctlseqs (private modes, DECSTBM, DECSCUSR, modifyOtherKeys); the kitty keyboard protocol.
"""

from __future__ import annotations

import re

_ALTERNATE = (1049, 1047, 47)
_USUALLY_ON = (7, 25)  # autowrap, a cursor that is seen
_USUALLY_OFF = (
    *(1, 5, 6, 66),  # keys of the application, reverse screen, origin, keypad
    *(9, 1000, 1001, 1002, 1003, 1004, 1005, 1006, 1007, 1015, 1016),  # mouse and focus
    *(2004, 2026, 2031, 2048),  # paste, synchronised output, reports of colours and of size
)
_CHANGE = re.compile(
    rb"\x1b(?:\[\?(?P<modes>[0-9;]{1,40})(?P<set>[hl])"
    rb"|\[(?P<keys>[<>=])[0-9;]{0,10}u"
    rb"|\[>4(?P<other>;[0-9]+)?m"
    rb"|\[(?P<region>[0-9]*(?:;[0-9]*)?)r"
    rb"|\[(?P<shape>[0-9]*) q"
    rb"|(?P<keypad>[=>])"
    rb"|[()](?P<letters>[0A-Z])"
    rb"|(?P<reset>c|\[!p))"
)
_CUT = re.compile(rb"\x1b(?:[ -/]*|\[[0-?]{0,60}[ -/]{0,3}|[]PX^_][^\x07\x1b]*\x1b?)\Z")
_LONGEST = 256  # bytes of a sequence that was cut by the end of a read
_ANY = re.compile(rb"[\x1b\x0e]")


class Modes:
    """What is not as a terminal is by itself. Feed it everything that is written there."""

    def __init__(self) -> None:
        self._on: dict[int, None] = {}
        self._off: dict[int, None] = {}
        self._touched = False  # colours and character sets, too many to follow
        self._pushed = 0  # entries on kitty's stack of keyboard modes
        self._keys = self._other = self._region = self._shape = self._keypad = False
        self._rest = b""

    def feed(self, data: bytes) -> None:
        """Follow what is written."""
        if not self._rest and not _ANY.search(data):
            return
        data = self._rest + data
        self._touched = True
        for found in _CHANGE.finditer(data):
            self._change(found)
        at = max(data.rfind(b"\x1b"), 0)
        if at and data[at : at + 2] == b"\x1b\\":  # half of an end of a string is its escape
            at = max(data.rfind(b"\x1b", 0, at), 0)
        cut = _CUT.match(data, at) if data[at : at + 1] == b"\x1b" else None
        self._rest = data[at:][-_LONGEST:] if cut else b""

    def undo(self) -> bytes:
        """What puts the terminal back; nothing where nothing was changed. The cursor stays where it is."""
        said = b"\x18\x1b\\" if self._rest else b""  # cancel what was cut in the middle
        if self._pushed:
            said += b"\x1b[<%du" % self._pushed
        if self._keys:
            said += b"\x1b[=0u"
        said += b"\x1b[>4m" if self._other else b""
        said += b"\x1b7\x1b[r\x1b8" if self._region else b""
        left = [mode for mode in _ALTERNATE if mode in self._on]
        said += b"".join(b"\x1b[?%dl" % mode for mode in (*left, *(m for m in self._on if m not in left)))
        said += b"".join(b"\x1b[?%dh" % mode for mode in self._off)
        said += b"\x1b>" if self._keypad else b""
        said += b"\x1b[0 q" if self._shape else b""
        said += b"\x1b(B\x0f\x1b[0m" if self._touched else b""
        self.__init__()  # type: ignore[misc]
        return said

    def _change(self, found: re.Match[bytes]) -> None:
        if found["modes"]:
            for word in found["modes"].split(b";"):
                self._mode(int(word or b"0"), found["set"] == b"h")
        elif found["keys"]:
            self._keyboard(found["keys"], found[0])
        elif found["region"] is not None:
            self._region = found["region"].strip(b";") != b""
        elif found["shape"] is not None:
            self._shape = found["shape"] not in (b"", b"0")
        elif found["keypad"]:
            self._keypad = found["keypad"] == b"="
        elif found["reset"]:
            self.__init__()  # type: ignore[misc]
            self._touched = True
        elif found[0].startswith(b"\x1b[>4"):
            self._other = found["other"] not in (None, b";0")

    def _mode(self, mode: int, on: bool) -> None:
        if mode in _USUALLY_ON:
            where, there = self._off, not on
        elif mode in _USUALLY_OFF or mode in _ALTERNATE:
            where, there = self._on, on
        else:
            return
        if there:
            where[mode] = None
        else:
            where.pop(mode, None)

    def _keyboard(self, what: bytes, sequence: bytes) -> None:
        number = sequence[3:-1]
        if what == b">":
            self._pushed += 1
        elif what == b"<":
            self._pushed = max(self._pushed - int(number if number.isdigit() else b"1"), 0)
        else:
            self._keys = not number.startswith(b"0")
