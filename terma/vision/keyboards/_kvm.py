"""What the keyboards of KVM boxes (PiKVM, NanoKVM, JetKVM) share: a box that is opened and left, keys that are pressed
one by one with our own layouts, and that are up in the end, whatever happens."""

from __future__ import annotations

import asyncio
from abc import ABC, abstractmethod
from typing import Any, Generic, Protocol, Self, TypeVar

from terma.config import eyes
from terma.vision.errors import EyesError
from terma.vision.keyboards import _layouts
from terma.vision.keyboards._layouts import Stroke
from terma.vision.keyboards._secrets import Secrets
from terma.vision.keyboards._strokes import strokes
from terma.vision.types import Combination, Keystroke, Line, Text


class _Opened(Protocol):
    """A way to a box that is opened and left."""

    async def __aenter__(self) -> Any: ...
    async def __aexit__(self, *error: object) -> None: ...


Box = TypeVar("Box", bound=_Opened)


class KvmKeyboard(ABC, Generic[Box]):
    """Types through `box`. Whoever was there before may have died with a key down: `_opened` lets go of all."""

    def __init__(self, settings: eyes.Keyboard, secrets: Secrets, box: Box) -> None:
        """Raises UsageError for a layout that is not there."""
        self._settings, self._secrets, self._box = settings, secrets, box
        self._layout = _layouts.load(settings.layout)

    async def __aenter__(self) -> Self:
        """Raises EyesError when nobody is there, the login is refused, or the box is too old."""
        await self._box.__aenter__()
        try:
            await self._opened()
        except BaseException:
            await self._left()
            raise
        return self

    async def __aexit__(self, *error: object) -> None:
        try:
            await self._up()
        except EyesError:
            if error[0] is None:
                raise
        finally:
            await self._left()

    def check(self, action: Keystroke | Combination | Text | Line) -> None:
        """Raises UnmappableKey for what the layout or the box lacks, EyesError for a secret that is not there."""
        self._strokes(action)

    async def send(self, action: Keystroke | Combination | Text | Line) -> None:
        """Type it. Raises UnmappableKey before any key, EyesError when the box does not take it."""
        for stroke in self._strokes(action):
            try:
                await self._press(stroke)
                await asyncio.sleep(self._settings.hold)
            finally:
                await asyncio.shield(self._up())
            await asyncio.sleep(self._settings.gap)

    @abstractmethod
    async def _opened(self) -> None:
        """The box is there: see that it takes keys."""

    @abstractmethod
    async def _press(self, stroke: Stroke) -> None:
        """Press the keys of `stroke`. They count as down before the box is asked: its answer may be lost."""

    @abstractmethod
    async def _up(self) -> None:
        """Let go of all keys that are down."""

    def _strokes(self, action: Keystroke | Combination | Text | Line) -> list[Stroke]:
        return strokes(self._layout, self._secrets, action)

    async def _left(self) -> None:
        await self._box.__aexit__(None, None, None)


def part_of(size: int, at: float) -> int:
    """Where a pointer goes whose farthest place is `size`: `at` is from 0 to 1; what lies outside is at the edge."""
    return round(min(max(at, 0), 1) * size)
