"""A USB keyboard made by the kernel's gadget driver: boot-protocol reports to a device such as /dev/hidg0."""

from __future__ import annotations

import asyncio
import time
from typing import Self

from terma.config import eyes
from terma.vision.errors import EyesError
from terma.vision.keyboards import _layouts
from terma.vision.keyboards._layouts import Stroke
from terma.vision.keyboards._port import SIZE, Port
from terma.vision.keyboards._secrets import Secrets
from terma.vision.keyboards._strokes import strokes
from terma.vision.types import Combination, Keystroke, Line, Text

_PAUSE = 0.002  # between two tries of a busy device


class HidKeyboard:
    """Types through reports of eight bytes: modifiers, 0, one key, five empty places."""

    name = "hid"

    def __init__(self, settings: eyes.Keyboard, secrets: Secrets) -> None:
        """Raises UsageError for a layout that is not there."""
        self._settings, self._secrets = settings, secrets
        self._layout = _layouts.load(settings.layout)
        self._port: Port | None = None

    async def __aenter__(self) -> Self:
        self._port = Port(self._settings.address, self._settings.deadline)
        return self

    async def __aexit__(self, *error: object) -> None:
        port, self._port = self._port, None
        if port is None:
            return
        try:
            port.release()
        except EyesError:
            if error[0] is None:
                raise
        finally:
            port.close()

    def check(self, action: Keystroke | Combination | Text | Line) -> None:
        """Raises UnmappableKey for what the layout lacks, EyesError for a secret that is not there."""
        self._strokes(action)

    async def send(self, action: Keystroke | Combination | Text | Line) -> None:
        """Type it. Raises UnmappableKey before any key, EyesError when the device takes none in time."""
        for stroke in self._strokes(action):
            await self._tap(stroke)

    def release_all(self) -> None:
        """Every key is up when this returns. Raises EyesError when the device does not take it."""
        if self._port is not None:
            self._port.release()

    def _strokes(self, action: Keystroke | Combination | Text | Line) -> list[Stroke]:
        return strokes(self._layout, self._secrets, action)

    async def _tap(self, stroke: Stroke) -> None:
        port = self._opened()
        try:
            await self._write(port, bytes([stroke.modifiers, 0, stroke.usage]) + bytes(SIZE - 3))
            await asyncio.sleep(self._settings.hold)
        finally:
            port.release()  # not async: nothing comes between a key and its release
        await asyncio.sleep(self._settings.gap)

    async def _write(self, port: Port, report: bytes) -> None:
        end = time.monotonic() + self._settings.deadline
        while not port.offer(report):
            if time.monotonic() > end:
                raise port.late()
            await asyncio.sleep(_PAUSE)

    def _opened(self) -> Port:
        if self._port is None:
            raise EyesError("the keyboard is not open", "use it with `async with`")
        return self._port


PLUGIN = HidKeyboard
