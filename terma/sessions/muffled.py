"""Holds back what comes of the keys that set a shell up, so that they never stand in its output, and puts the prompt
that follows in the place of the one at which they were typed."""

from __future__ import annotations

import re
from collections.abc import Sequence

from terma.text import strip_ansi

_MOST = 16 * 1024  # bytes; a shell that says more than this did not understand
_TELLING = 24  # characters, without blanks, by which the echo of the keys is known
_COLOUR = rb"\x1b\[[0-?]*[@-~]"
_BETWEEN = rb"(?:%s|[ \r\n\b])*" % _COLOUR  # what a line editor draws between two of them


class Muffled:
    """From `begin` to `end` what is printed is nobody's."""

    def __init__(self) -> None:
        self._keys = b""
        self._held: bytearray | None = None

    def __bool__(self) -> bool:
        """Whether something is held back just now."""
        return self._held is not None

    def begin(self, keys: bytes) -> None:
        self._keys, self._held = keys.strip(), bytearray()

    def take(self, data: bytes) -> bool:
        """Hold `data` back; False when that was too much."""
        assert self._held is not None
        self._held += data
        return len(self._held) <= _MOST

    def end(self) -> bytes:
        """The mark that was asked for has come: what came before the echo of the keys. That was on its way when they
        were typed, and is output."""
        held, self._held = bytes(self._held or b""), None
        echo = _echo(self._keys).search(held)
        return held[: echo.start()] if echo else b""

    def release(self) -> bytes:
        """No mark came: what was held back is output after all, but for the keys, where they came back as typed."""
        held, self._held = bytes(self._held or b""), None
        return held.replace(self._keys, b"") if self._keys else held

    def kept(self) -> list[str] | None:
        """For who goes on: `go_on` takes this."""
        return None if self._held is None else [self._keys.decode("latin-1"), self._held.decode("latin-1")]

    def go_on(self, kept: Sequence[str] | None) -> None:
        if kept is not None:
            self._keys, self._held = kept[0].encode("latin-1"), bytearray(kept[1].encode("latin-1"))


def _echo(keys: bytes) -> re.Pattern[bytes]:
    """How the beginning of `keys` comes back, however a line editor wraps and colours it."""
    first = [re.escape(keys[at : at + 1]) for at in range(len(keys)) if keys[at : at + 1].strip()][:_TELLING]
    return re.compile(rb" ?(?:%s)*" % _COLOUR + _BETWEEN.join(first))


class Redrawn:
    """The prompt behind a setup, held back until it is whole. `stood` is the end of the output before it, with the
    prompt at which the keys were typed."""

    def __init__(self, stood: bytes, drawn: bytes = b"") -> None:
        self._stood = stood
        self._drawn = bytearray(drawn)

    def kept(self) -> list[str]:
        """For who goes on: what another one is made of, as latin-1."""
        return [self._stood.decode("latin-1"), self._drawn.decode("latin-1")]

    def take(self, data: bytes) -> bool:
        """Hold `data` back; False when that is too much for a prompt."""
        self._drawn += data
        return len(self._drawn) <= _MOST

    def whole(self) -> bytes:
        """What puts it in the place of the old one. Of an old prompt of several rows those go that are drawn again."""
        old, new = _rows(self._stood), _rows(bytes(self._drawn))
        count = 0
        for there, here in zip(reversed(old[:-1]), reversed(new[:-1]), strict=False):
            if there != here:
                break
            count += 1
        return b"\r\x1b[K" + b"\x1b[A\x1b[2K" * count + bytes(self._drawn)


def _rows(data: bytes) -> list[str]:
    """The lines of it as they look."""
    text = strip_ansi(data.decode("utf-8", "replace"))
    return [line.rpartition("\r")[2].rstrip() for line in text.replace("\r\n", "\n").split("\n")]
