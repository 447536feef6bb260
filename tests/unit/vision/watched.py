"""A real shell that the loop works on: its screen is read from the emulator, its keys are counted."""

from __future__ import annotations

import asyncio
import re
import time
from collections.abc import Awaitable, Callable
from pathlib import Path

import numpy as np

from terma.config import eyes
from terma.vision.errors import UnmappableKey
from terma.vision.keyboards import _terminal
from terma.vision.log import RunLog
from terma.vision.loop import Loop
from terma.vision.parts import Answer, Outcome, Seen
from terma.vision.policy import Policy
from terma.vision.target.machine import Machine, default_command, environment
from terma.vision.types import Cursor, Frame, Keystroke, Line, TerminalState, Text

PROMPT = re.compile(r"user@target:.*[$#] ?$")
BOUND = 90.0


class Watched:
    """`sent` is every action that reached the keyboard, `typed` the bytes; `garble` changes them on their way."""

    name = "watched"

    def __init__(self, home: Path, **size: int) -> None:
        self.machine = Machine(default_command(), **size)
        self._home = home
        self.sent: list[object] = []
        self.typed = b""
        self.released = 0
        self.garble: Callable[[bytes], bytes] = lambda data: data
        self.before_look: Callable[[], None] = lambda: None
        self._number = 0

    async def __aenter__(self) -> Watched:
        self.machine.start(self._home, environment(self._home))
        await self.until(lambda state: state.prompt)
        return self

    async def __aexit__(self, *error: object) -> None:
        await self.machine.stop()

    # the eye

    async def look(self) -> Seen:
        self.before_look()
        await asyncio.sleep(0.01)
        self._number += 1
        picture = self.machine.picture().copy()
        return Seen(Frame(picture, time.monotonic(), self._number, "watched"), self.state(), picture)

    async def settle(self, seconds: float) -> Seen:
        end = time.monotonic() + seconds
        number = -1
        while number != self.machine.number and time.monotonic() < end:
            number = self.machine.number
            await self.machine.change(number, 0.08)
        return await self.look()

    def state(self) -> TerminalState:
        seen = self.machine.text()
        rows = tuple(seen["rows"])  # type: ignore[arg-type]
        row, column = seen["cursor"]  # type: ignore[misc]
        line = rows[row][:column].ljust(column)
        return TerminalState(
            rows=rows,
            columns=self.machine.columns,
            cursor=Cursor(row=row, column=column),
            prompt=bool(PROMPT.search(line)),
            password=line.rstrip().lower().endswith("password:"),
            confidence=(1.0,) * len(rows),
        )

    async def until(self, check: Callable[[TerminalState], object]) -> TerminalState:
        end = time.monotonic() + BOUND
        while not check(self.state()):
            assert time.monotonic() < end, self.state().text
            await self.machine.change(self.machine.number, 0.05)
        return self.state()

    async def shell(self, line: str, until: str = "") -> None:
        """Somebody else types there."""
        self.machine.type(line.encode() + b"\r")
        await self.until(lambda state: re.search(until, state.text) if until else state.prompt)

    # the keyboard

    def check(self, action) -> None:
        if isinstance(action, Text | Line) and "漢" in action.text:
            raise UnmappableKey("the us keyboard has no '漢'", "nothing was typed")

    async def send(self, action) -> None:
        self.sent.append(action)
        data = self.garble(_terminal.encode(action))
        self.typed += data
        self.machine.type(data)

    def release_all(self) -> None:
        self.released += 1

    @property
    def enters(self) -> int:
        """How often Enter was pressed."""
        return sum(action == Keystroke(key="Enter") for action in self.sent)


async def _nothing() -> None:
    """What happens while a person thinks, as a rule."""


class Someone:
    """A person who says `says` to everything and, where it differs, `believes` to whether a goal is reached; `asked` is
    what they were asked."""

    def __init__(self, says: bool = True, password: str | None = None) -> None:
        self.says, self.believes, self.secret = says, says, password
        self.answers: list[Answer] = []  # to the next questions, before `says` holds
        self.whys: list[str] = []
        self.resumes: list[bool] = []
        self.asked: list[tuple[object, str]] = []
        self.passwords = 0
        self.heard: list[tuple[str, str]] = []
        self.meanwhile: Callable[[], Awaitable[None]] = _nothing

    async def approve(self, action, verdict, seen, why="") -> Answer:
        self.asked.append((action, verdict.reason))
        self.whys.append(why)
        await self.meanwhile()
        await asyncio.sleep(0.05)
        return self.answers.pop(0) if self.answers else Answer("yes" if self.says else "no")

    async def resume(self, error) -> bool:
        self.asked.append((error.message, "resume"))
        return self.resumes.pop(0) if self.resumes else False

    async def reached(self, evidence, seen) -> bool:
        self.asked.append((evidence, "reached"))
        return self.believes

    async def password(self, seen) -> str | None:
        self.passwords += 1
        return self.secret

    def told(self, what: str, text: str) -> None:
        self.heard.append((what, text))


def work(
    place: Path,
    strategy,
    *,
    before: Callable[[Watched], object] = lambda watched: None,
    person: Someone | None = None,
    policy: eyes.Policy | None = None,
    auto: bool = False,
    dry: bool = False,
    goal: str = "a goal",
    size: dict[str, int] | None = None,
    **limits,
) -> tuple[Outcome, Watched, RunLog]:
    """One run of the loop on a fresh shell; how it ended, the machine, and the log."""

    async def run() -> tuple[Outcome, Watched, RunLog]:
        home = place / "home"
        home.mkdir(exist_ok=True)
        log = RunLog(place / "runs")
        try:
            async with Watched(home, **(size or {})) as watched:
                prepared = before(watched)
                if asyncio.iscoroutine(prepared):
                    await prepared
                loop = Loop(
                    watched,
                    watched,
                    strategy,
                    Policy(policy or eyes.Policy(), auto=auto),
                    person or Someone(),
                    log,
                    eyes.Limits(**({"seconds": 60.0} | limits)),
                    dry=dry,
                )
                return await loop.run(goal), watched, log
        finally:
            log.close()
            if hasattr(strategy, "close"):
                await strategy.close()

    return asyncio.run(run())


def dark(picture) -> bool:
    return bool(np.asarray(picture).std() < 12)
