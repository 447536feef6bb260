"""A program that holds one key after another on a keyboard device, guarded as `terma eyes run` guards it:
python -m tests.e2e.eyes_typist DEVICE STOP_FILE HEARTBEAT."""

from __future__ import annotations

import argparse
import asyncio
import sys
from pathlib import Path

from terma.commands._eyes import run
from terma.config import eyes
from terma.vision import keyboards
from terma.vision.types import Text


async def type_on(device: str, stop_file: str, heartbeat: str) -> None:
    given = argparse.Namespace(stop_file=Path(stop_file), heartbeat=Path(heartbeat))
    settings = eyes.Keyboard(kind="hid", address=device, hold=1.0, gap=0.0)
    async with keyboards.of(settings) as keyboard, run._guarded(given, keyboard):
        while True:
            await keyboard.send(Text(text="a" * 100))


if __name__ == "__main__":
    asyncio.run(type_on(*sys.argv[1:]))
