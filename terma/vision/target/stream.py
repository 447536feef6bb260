"""Pictures over time: one JPEG for each change, encoded once however many look on; what stays is sent again."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator
from dataclasses import dataclass

import cv2

from terma.vision.target.camera import Camera
from terma.vision.target.machine import Machine
from terma.vision.types import Image

BOUNDARY = "terma-frame"
FASTEST = 1 / 60  # seconds between two pictures, however much is printed
GRAINS = 24  # pictures of what stays as it is, each with its own noise: more than anybody averages


@dataclass(frozen=True, slots=True)
class Shot:
    """One encoded picture. `number` counts pictures from 1; `at` is time.monotonic() seconds; `change` is the
    machine's number that it shows."""

    jpeg: bytes
    number: int
    at: float
    change: int

    def part(self) -> bytes:
        """As a part of a multipart/x-mixed-replace stream."""
        head = (
            f"--{BOUNDARY}\r\nContent-Type: image/jpeg\r\nContent-Length: {len(self.jpeg)}\r\n"
            f"X-Frame: {self.number}\r\nX-Timestamp: {self.at:.6f}\r\n\r\n"
        )
        return head.encode("ascii") + self.jpeg + b"\r\n"


class Stream:
    """What `machine` shows, or `camera` sees of it, `fps` times a second and at once after a change."""

    def __init__(self, machine: Machine, camera: Camera | None, fps: float = 30.0, quality: int = 90) -> None:
        self._machine, self._camera, self._quality = machine, camera, quality
        self._period = 1 / fps
        self._last: Shot | None = None
        self._shown: tuple[int, Image] | None = None  # the machine's number, and its picture then
        self._clean: Image | None = None  # what the camera saw last, and that with noise, encoded
        self._grains: list[bytes] = []
        self._count = 0
        self._one = asyncio.Lock()
        self.closing = asyncio.Event()

    async def shot(self) -> Shot:
        """The picture as it is now."""
        async with self._one:
            now, last = time.monotonic(), self._last
            if last is not None:
                if self._camera is None and last.change == self._machine.number:
                    return last
                if self._camera is not None and now - last.at < self._period / 2:
                    return last
            change = self._machine.number
            if self._camera is None:
                jpeg = self._encoded(self._machine.picture())
            else:
                if self._shown is None or self._shown[0] != change:
                    self._shown = (change, self._machine.picture().copy())
                jpeg = await asyncio.to_thread(self._seen, self._camera, self._shown[1], now)
            self._count += 1
            self._last = Shot(jpeg, self._count, now, change)
            return self._last

    async def shots(self) -> AsyncIterator[Shot]:
        """One after the other, until the server closes."""
        while not self.closing.is_set():
            begun = time.monotonic()
            shot = await self.shot()
            yield shot
            rest = max(begun + FASTEST - time.monotonic(), 0.0)
            await asyncio.sleep(rest)
            if self._camera is None:
                await self._machine.change(shot.change, self._period - rest)
            else:
                await asyncio.sleep(max(begun + self._period - time.monotonic(), 0.0))

    def _seen(self, camera: Camera, picture: Image, at: float) -> bytes:
        clean = camera.clean(picture, at)
        if clean is not self._clean:
            self._clean, self._grains = clean, []
        if len(self._grains) < GRAINS:
            self._grains.append(self._encoded(camera.grainy(clean)))
            return self._grains[-1]
        return self._grains[self._count % GRAINS]

    def _encoded(self, picture: Image) -> bytes:
        done, data = cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, self._quality])
        if not done:
            raise RuntimeError("OpenCV encoded no JPEG")
        return data.tobytes()
