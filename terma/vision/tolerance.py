"""A camera, cable or model that fails for a moment ends no run: it is tried again, then a person says what to do."""

from __future__ import annotations

import asyncio
import contextlib

from terma.chat import ModelError
from terma.vision.errors import EyesError
from terma.vision.log import RunLog
from terma.vision.parts import Person
from terma.vision.types import Keyboard

Trouble = EyesError | ModelError
_FIRST, _LONGEST = 0.5, 8.0  # seconds until it is tried again, twice as many each time


class Tolerance:
    """`most` failures in a row are tried again unasked."""

    def __init__(self, most: int, person: Person, keyboard: Keyboard, log: RunLog, *, dry: bool) -> None:
        self._most, self._person, self._keyboard, self._log = most, person, keyboard, log
        self._dry = dry
        self._row = 0
        self._final: Trouble | None = None  # nobody wants it tried again

    def well(self) -> None:
        """Something worked: what failed before is over."""
        self._row = 0

    async def take(self, error: Trouble) -> None:
        """Let go of all keys, and wait until it may be tried again. Raises `error` where nobody wants that."""
        if error is self._final:
            raise error
        with contextlib.suppress(EyesError):
            self._keyboard.release_all()
        self._row += 1
        self._write(error, self._row)
        if self._row > self._most:
            await self._ask(error)
            return
        self._person.told("error", f"{error.message}: trying again ({self._row} of {self._most})")
        await asyncio.sleep(min(_FIRST * 2 ** (self._row - 1), _LONGEST))

    async def undecided(self, error: Trouble) -> None:
        """A strategy cannot decide: it has tried again itself, and each time costs. Raises `error` as `take` does."""
        self._write(error, 1)
        await self._ask(error)

    async def _ask(self, error: Trouble) -> None:
        if self._dry or not await self._person.resume(error):
            self._final = error
            raise error
        self._row = 0
        self._log.write("resume")

    def _write(self, error: Trouble, times: int) -> None:
        said = getattr(error, "raw", "")
        raw = {"raw": said} if said else {}
        self._log.write("error", message=error.message, hint=error.hint, times=times, **raw)
