"""All of the eyes at work on this one machine: a target, a camera that is simulated, and a small task by script.

Nothing is taken from the target but what its camera shows; only at the end is what was read held against the truth.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import time
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from terma.config import eyes
from terma.errors import TermaError
from terma.vision import frames, keyboards
from terma.vision.calibrating import calibrate
from terma.vision.eye import ScreenEye
from terma.vision.log import RunLog
from terma.vision.loop import Loop
from terma.vision.parts import Answer, Outcome, Seen
from terma.vision.policy import Policy, Verdict
from terma.vision.strategy import Script
from terma.vision.target import serving
from terma.vision.target.look import parse
from terma.vision.types import Act, Done, FrameSource, Keyboard, Line

if TYPE_CHECKING:
    from terma.vision.target.machine import Machine

TOKEN = "TERMA_EYES_TRY_TOKEN"  # noqa: S105 - the variable's name
GOAL = "write three facts into a file and count them"
SECONDS = 480.0  # on a machine that has nothing else to do it is a twentieth of that
_FPS = 8  # a camera that is simulated costs more than one that is not
_FACTS = ("O0o Il1 |! 5S 8B 2Z rn m", '{a,b}[0] <c> "d" ~/e #f $g %h', "x=3.14; y=(2+7)*0 & z")
_SHOWN = (
    r"printf '\033[1;32mbold green\033[0m \033[7m reverse \033[0m \033[31mred\033[0m \033[34mblue\033[0m\n'"
)


@dataclass(frozen=True, slots=True)
class Trial:
    """What came of it. `exact` of `lines` that stood on the screen at rest were read without a fault, in all looks."""

    outcome: Outcome
    columns: int
    rows: int
    accuracy: float
    exact: int
    lines: int
    seconds: float


def task() -> Script:
    """The steps, and the evidence that they were done: the shell's own count."""
    words = " ".join("'" + fact + "'" for fact in _FACTS)
    text = "".join(fact + "\n" for fact in _FACTS)
    counted = f"3 {len(text.split())} {len(text)} facts.txt"
    return Script(
        [
            Line(text="mkdir notes; cd notes; clear"),
            Line(text=rf"printf '%s\n' {words} > facts.txt"),
            Line(text="cat -n facts.txt"),
            Line(text=_SHOWN),
            Line(text="uname; ls -la"),
            Line(text="wc facts.txt"),
            Done(evidence=counted),
        ]
    )


async def run(look: str, told: Callable[[str, str], None], folder: Path) -> Trial:
    """Do all of it; `look` is how the camera stands, `folder` where the log goes. Raises TermaError.

    `told` gets a word (calibrate, send, screen, …) and a text, as things happen."""
    begun = time.monotonic()
    async with asyncio.timeout(SECONDS), _target(look) as running:
        camera_settings, keyboard_settings = _settings(running)
        async with frames.of(camera_settings) as source, keyboards.of(keyboard_settings) as keyboard:
            await source.latest()
            return await _work(source, keyboard, running.machine, told, folder, begun)


async def _work(
    source: FrameSource,
    keyboard: Keyboard,
    machine: Machine,
    told: Callable[[str, str], None],
    folder: Path,
    begun: float,
) -> Trial:
    profile = await calibrate(source, keyboard, lambda line: told("calibrate", line))
    eye = _Compared(ScreenEye(source, profile), machine, told)
    log = RunLog(folder)
    try:
        policy = Policy(eyes.Policy())
        loop = Loop(eye, keyboard, task(), policy, _Nobody(told), log, eyes.Limits(seconds=SECONDS))
        outcome = await loop.run(GOAL)
    finally:
        log.close()
    grid = profile.grid
    passed = time.monotonic() - begun
    return Trial(outcome, grid.columns, grid.rows, profile.accuracy, eye.exact, eye.lines, passed)


class _Compared:
    """An eye whose every look at a screen at rest is held against what really stands there."""

    def __init__(self, eye: ScreenEye, machine: Machine, told: Callable[[str, str], None]) -> None:
        self._eye, self._machine, self._told = eye, machine, told
        self._shown: tuple[str, ...] = ()
        self.exact = self.lines = 0

    async def look(self) -> Seen:
        return await self._eye.look()

    async def settle(self, seconds: float) -> Seen:
        number = self._machine.number
        seen = await self._eye.settle(seconds)
        if self._machine.number == number:
            self._compare(seen)
        return seen

    def _compare(self, seen: Seen) -> None:
        truth = [str(row).rstrip() for row in self._machine.text()["rows"]]  # type: ignore[attr-defined]
        pairs = [(a, b) for a, b in zip(truth, seen.state.rows, strict=True) if a or b]
        self.lines += len(pairs)
        self.exact += sum(a == b for a, b in pairs)
        rows = tuple(row for row in seen.state.rows if row)
        pairs_shown = zip(self._shown, rows, strict=False)
        same = next(
            (number for number, (a, b) in enumerate(pairs_shown) if a != b), min(len(self._shown), len(rows))
        )
        for row in rows[same:]:
            self._told("screen", row)
        self._shown = rows


class _Nobody:
    """Nobody is asked: the script is ours, and the target is made for it."""

    def __init__(self, told: Callable[[str, str], None]) -> None:
        self.told = told

    async def approve(self, action: Act, verdict: Verdict, seen: Seen, why: str = "") -> Answer:
        return Answer("yes")  # the script is ours, and so is the machine, which is gone afterwards

    async def reached(self, evidence: str, seen: Seen) -> bool:
        return False

    async def resume(self, error: TermaError) -> bool:
        return False

    async def password(self, seen: Seen) -> str | None:
        return None


@contextlib.asynccontextmanager
async def _target(look: str) -> AsyncIterator[serving.Running]:
    """A target that serves until the block ends. Raises UsageError where it cannot start."""
    up: asyncio.Future[serving.Running] = asyncio.get_running_loop().create_future()
    task = asyncio.create_task(serving.serve(serving.Settings(camera=parse(look), fps=_FPS), up.set_result))
    try:
        await asyncio.wait((task, asyncio.ensure_future(up)), return_when=asyncio.FIRST_COMPLETED)
        if task.done():
            task.result()
        yield up.result()
    finally:
        task.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await task


def _settings(running: serving.Running) -> tuple[eyes.Camera, eyes.Keyboard]:
    os.environ[TOKEN] = running.token  # of this process: where both look for it
    return (
        eyes.Camera(kind="mjpeg", address=f"{running.url}/stream.mjpg", token_env=TOKEN),
        eyes.Keyboard(kind="http", address=running.url, token_env=TOKEN),
    )
