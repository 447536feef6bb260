"""The stand-in target and its parts: pictures a second, how long a key takes to be seen, what drawing costs, and how
soon a keyboard that takes nothing says so."""

from __future__ import annotations

import asyncio
import os
import statistics
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import cv2
import httpx

from terma.config import eyes
from terma.picture.cells import Cell, Grid, grid_of
from terma.picture.painter import Painter
from terma.vision import keyboards
from terma.vision.errors import EyesError
from terma.vision.frames.mjpeg import Mjpeg
from terma.vision.target import serving
from terma.vision.target.look import parse
from terma.vision.types import Frame, Keystroke, Text

KEYS = 40
TEXT = "\n".join(
    "".join(chr(33 + (row * 37 + column * 11) % 94) for column in range(80)) for row in range(24)
)
Row = tuple[str, float, str, str]


def measure() -> list[Row]:
    """Rows for bench: figure, value, unit, note."""
    return [*_drawing(), *asyncio.run(_served(None)), *asyncio.run(_served("yaw=20,noise=8")), _blocked()]


def _drawing() -> list[Row]:
    grid = grid_of(TEXT, 80, 24)
    turned = Grid(tuple(tuple(Cell(cell.text.swapcase()) for cell in row) for row in grid.rows))
    painter = Painter()
    for one in (grid, turned):
        painter.paint(one)
    both = [grid, turned]

    def whole(number: int) -> None:
        painter.paint(both[number % 2])

    def line(number: int) -> None:
        rows = (*grid.rows[:7], turned.rows[7] if number % 2 else grid.rows[7], *grid.rows[8:])
        painter.paint(Grid(rows))

    return [
        ("picture, a whole screen of 80 × 24 that changed", _median(whole), "ms", "976 × 664 pixels"),
        ("picture, one line that changed", _median(line), "ms", ""),
    ]


def _median(work: Callable[[int], None]) -> float:
    times = []
    for number in range(101):
        begun = time.perf_counter()
        work(number)
        times.append((time.perf_counter() - begun) * 1e3)
    return statistics.median(times[1:])


async def _served(look: str | None) -> list[Row]:
    """A target with, or without, a simulated camera."""
    running: asyncio.Future[serving.Running] = asyncio.get_running_loop().create_future()
    settings = serving.Settings(camera=parse(look) if look else None)
    task = asyncio.create_task(serving.serve(settings, running.set_result))
    there = await asyncio.wait_for(running, 60)
    try:
        name = "with a camera" if look else "plain"
        return [
            (f"target {name}, frames", await _rate(there), "per s", "MJPEG over HTTP"),
            *await _keys(there, name),
            *([] if look else [await _refused(there)]),
        ]
    finally:
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)


def _source(there: serving.Running) -> Mjpeg:
    return Mjpeg(eyes.Camera(kind="mjpeg", address=f"{there.url}/stream.mjpg"), there.token)


async def _rate(there: serving.Running, seconds: float = 3.0) -> float:
    """While something is printed all the time."""
    there.machine.type(b"while :; do date +%N; sleep 0.01; done\r")
    async with _source(there) as source:
        first = await source.latest()
        begun = time.monotonic()
        last = first
        while time.monotonic() - begun < seconds:
            last = await source.latest(last.number)
        there.machine.type(b"\x03")
        return (last.number - first.number) / (last.at - first.at)


async def _keys(there: serving.Running, name: str) -> list[Row]:
    """From a key's request until a picture that differs has come."""
    await asyncio.sleep(0.5)
    os.environ["BENCH_EYES_TOKEN"] = there.token
    settings = eyes.Keyboard(kind="http", address=there.url, token_env="BENCH_EYES_TOKEN")  # noqa: S106 its name
    times = []
    async with keyboards.of(settings) as keys, _source(there) as source:
        for number in range(KEYS):
            before = await source.latest()
            begun = time.monotonic()
            await keys.send(Text(text="x") if number % 40 != 39 else Keystroke(key="Enter"))
            frame = before
            while not _differ(frame, before):
                frame = await source.latest(frame.number)
            times.append((time.monotonic() - begun) * 1e3)
            await asyncio.sleep(0.05)
    times.sort()
    return [
        (f"target {name}, keystroke to changed frame", statistics.median(times), "ms", f"median of {KEYS}"),
        (f"target {name}, keystroke to changed frame, p95", times[int(len(times) * 0.95)], "ms", ""),
    ]


def _differ(one: Frame, other: Frame) -> bool:
    """Whether a character came or went: more than noise does to any five by five pixels."""
    apart = cv2.blur(cv2.absdiff(one.image[..., 1], other.image[..., 1]), (5, 5))
    return bool(apart.max() > 30)


async def _refused(there: serving.Running) -> Row:
    async with httpx.AsyncClient(trust_env=False) as client:
        answers = [await client.get(f"{there.url}{path}") for path in ("/", "/health", "/stream.mjpg")]
    refused = sum(answer.status_code == httpx.codes.UNAUTHORIZED for answer in answers)
    return ("target, requests without the token that got 401", refused, f"of {len(answers)}", "")


def _blocked() -> Row:
    """A device that takes nothing, as an unplugged cable makes it."""

    async def send(path: Path) -> float:
        settings = eyes.Keyboard(kind="hid", address=str(path))
        async with keyboards.of(settings) as keys:
            _fill(path)
            begun = time.monotonic()
            try:
                await keys.send(Text(text="ls"))
            except EyesError:
                return time.monotonic() - begun
        raise RuntimeError("a full pipe took keys")

    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "hidg0"
        os.mkfifo(path)
        reader = os.open(path, os.O_RDONLY | os.O_NONBLOCK)
        try:
            seconds = asyncio.run(send(path))
        finally:
            os.close(reader)
    return ("a keyboard that takes no keys says so after", seconds, "s", "at most 0.5")


def _fill(path: Path) -> None:
    writer = os.open(path, os.O_WRONLY | os.O_NONBLOCK)
    try:
        while True:
            os.write(writer, bytes(8))
    except BlockingIOError:
        return
    finally:
        os.close(writer)
