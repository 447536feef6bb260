"""Notices, in what a program prints, how it has set its terminal: alternate screen, application keys, title."""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Mapping
from typing import Any

_SWITCH = re.compile(rb"\x1b\[\?([\d;]+)([hl])|\x1bc")
_TITLE = re.compile(rb"\x1b\](?:0|2);([^\x07\x1b]*)(?:\x07|\x1b\\)")
_ALTERNATE, _APPLICATION = {b"1049", b"1047", b"47"}, b"1"
_PASTE = b"2004"
_MOUSE, _SGR = {b"9", b"1000", b"1002", b"1003"}, b"1006"
_LONGEST = 256  # bytes of a sequence that a read may have cut
_STRETCHES = 32  # that are remembered
ENTERED = b"\x1b[?1049h"  # stands for what a reader missed that begins on the alternate screen


class Modes:
    """`alternate`: whether the program draws on the alternate screen now, and `since` which offset; `application`:
    whether it wants cursor keys in their second form (DECCKM); `mouse`: whether it wants to know of the mouse, `sgr` in
    the newer form; `paste`: whether it wants to know what is pasted (a line editor at its prompt), `released` whether
    it did on this alternate screen and then no longer, as what passes on a line editor's wishes does (tmux); `title` as
    it was set last."""

    def __init__(self) -> None:
        self.alternate = self.application = self.sgr = self.paste = self.released = False
        self._mouse: set[bytes] = set()
        self.since = 0
        self._left: deque[tuple[int, int]] = deque(maxlen=_STRETCHES)  # from where to where it was shown
        self.title = ""
        self._rest = b""
        self._before = 0  # the offset of what `_rest` came with

    def take(self, data: bytes, at: int) -> None:
        """The next piece of what is printed; it begins at offset `at` or before."""
        if b"\x1b" not in data and not self._rest:
            return
        text = self._rest + data
        begun = self._before if self._rest else at
        for found in _SWITCH.finditer(text):
            self._set(set((found[1] or b"").split(b";")), found[2] == b"h", begun, whole=found[1] is None)
        for title in _TITLE.finditer(text):
            self.title = title[1].decode("utf-8", "replace")
        cut = text.rfind(b"\x1b", -_LONGEST)
        tail = text[cut:] if cut >= 0 else b""
        self._rest = b"" if _SWITCH.match(tail) or _TITLE.match(tail) else tail[:_LONGEST]
        self._before = at

    def _set(self, modes: set[bytes], on: bool, at: int, whole: bool) -> None:
        if whole or modes & _ALTERNATE:
            if self.alternate and not on:
                self._left.append((self.since, at))
            self.since = at if on and not self.alternate else self.since
            self.released = self.released and self.alternate and on
            self.alternate = on
        if whole or _APPLICATION in modes:
            self.application = on
        if whole or _SGR in modes:
            self.sgr = on
        if whole or _PASTE in modes:
            self.released = self.released or (self.alternate and self.paste and not on)
            self.paste = on
        self._mouse = set() if whole else self._mouse | modes & _MOUSE if on else self._mouse - modes

    def drawn_at(self, at: int) -> bool:
        """Whether the alternate screen was shown at offset `at`, where a piece of what is printed ends."""
        return (self.alternate and self.since < at) or any(first < at <= last for first, last in self._left)

    @property
    def mouse(self) -> bool:
        return bool(self._mouse)

    def kept(self) -> dict[str, Any]:
        """For who goes on with them: `go_on` takes this."""
        told: dict[str, Any] = {"alternate": self.alternate, "application": self.application, "sgr": self.sgr}
        told |= {"since": self.since, "title": self.title, "before": self._before, "paste": self.paste}
        told |= {"released": self.released, "left": list(self._left)}
        mouse = sorted(mode.decode() for mode in self._mouse)
        return told | {"mouse": mouse, "rest": self._rest.decode("latin-1")}

    def go_on(self, kept: Mapping[str, Any]) -> None:
        self.alternate, self.application = bool(kept["alternate"]), bool(kept["application"])
        self.sgr, self.since, self.title = bool(kept["sgr"]), int(kept["since"]), str(kept["title"])
        self.paste = bool(kept.get("paste"))  # an agent of an earlier version says nothing of it
        self.released = bool(kept.get("released"))
        self._left.extend((int(first), int(last)) for first, last in kept.get("left", ()))
        self._mouse = {str(mode).encode() for mode in kept["mouse"]}
        self._rest, self._before = str(kept["rest"]).encode("latin-1"), int(kept["before"])
