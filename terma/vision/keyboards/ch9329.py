"""A USB keyboard behind a serial line: the CH9329 chip, as in many KVM cables. It answers each report, so none is
lost unnoticed; its mouse is absolute."""

from __future__ import annotations

import asyncio
import contextlib
from typing import Self

from terma.config import eyes
from terma.vision.errors import EyesError
from terma.vision.keyboards import _layouts, _serial
from terma.vision.keyboards._layouts import Stroke
from terma.vision.keyboards._secrets import Secrets
from terma.vision.keyboards._strokes import strokes
from terma.vision.types import Combination, Keystroke, Line, Text

_UP = bytes(8)
_FARTHEST = 4095  # of the pointer, to the right and down
_BUTTONS = {"left": 1, "right": 2, "middle": 4}


class Ch9329Keyboard:
    """`address` is the serial device, `baud` its speed."""

    name = "ch9329"

    def __init__(self, settings: eyes.Keyboard, secrets: Secrets) -> None:
        """Raises UsageError for a layout that is not there."""
        self._settings, self._secrets = settings, secrets
        self._layout = _layouts.load(settings.layout)
        self._line: _serial.Line | None = None
        self._down = False

    async def __aenter__(self) -> Self:
        """Raises EyesError when no chip answers."""
        line = _serial.Line(self._settings.address, self._settings.baud)
        try:
            await asyncio.to_thread(line.ask, _serial.INFO, b"", self._settings.deadline)
            self._line, self._down = line, True  # whoever was here before may have died with a key down
            await asyncio.to_thread(self.release_all)
        except BaseException:
            self._line = None
            line.close()
            raise
        return self

    async def __aexit__(self, *error: object) -> None:
        line = self._line
        if line is None:
            return
        try:
            await asyncio.to_thread(self.release_all)
        except EyesError:
            if error[0] is None:
                raise
        finally:
            self._line = None
            line.close()

    def check(self, action: Keystroke | Combination | Text | Line) -> None:
        """Raises UnmappableKey for what the layout lacks, EyesError for a secret that is not there."""
        strokes(self._layout, self._secrets, action)

    async def send(self, action: Keystroke | Combination | Text | Line) -> None:
        """Type it. Raises UnmappableKey before any key, EyesError when the chip does not answer in time."""
        for stroke in strokes(self._layout, self._secrets, action):
            await self._tap(stroke)

    def release_all(self) -> None:
        """Every key is up when this returns. Raises EyesError when the chip does not answer."""
        if self._line is not None and self._down:
            self._line.ask(_serial.KEYS, _UP, self._settings.deadline)
            self._down = False

    async def click(self, x: float, y: float, button: str = "left") -> None:
        """Press a button at a place of the screen, from 0 to 1 to the right and down. Raises EyesError."""
        for held in (0, _BUTTONS[button], 0):
            at = b"".join(round(min(max(part, 0), 1) * _FARTHEST).to_bytes(2, "little") for part in (x, y))
            await self._ask(_serial.POINTER, bytes([2, held]) + at + b"\x00")
            await asyncio.sleep(self._settings.hold)

    async def _tap(self, stroke: Stroke) -> None:
        self._down = True
        try:
            await self._ask(_serial.KEYS, bytes([stroke.modifiers, 0, stroke.usage]) + bytes(5))
            await asyncio.sleep(self._settings.hold)
        except BaseException:
            with contextlib.suppress(EyesError):
                self.release_all()
            raise
        await asyncio.to_thread(self.release_all)
        await asyncio.sleep(self._settings.gap)

    async def _ask(self, command: int, data: bytes) -> None:
        if self._line is None:
            raise RuntimeError("the keyboard is not open")
        await asyncio.to_thread(self._line.ask, command, data, self._settings.deadline)


PLUGIN = Ch9329Keyboard
