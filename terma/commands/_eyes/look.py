"""`terma eyes look`: what the camera sees, before anything is calibrated."""

from __future__ import annotations

import argparse
import asyncio
import os
from pathlib import Path

from terma.commands._eyes import _target
from terma.errors import UsageError

HELP = "look through the camera: a page on this machine, or one picture in a file"
DESCRIPTION = """Shows what the camera sees, to point it at the screen. Nothing is typed, nothing has to be calibrated.

  terma eyes look                         a page on 127.0.0.1, with a token; click corners there for calibrate --corners
  terma eyes look --snapshot screen.jpg   one picture"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    _target.add_argument(parser)
    parser.add_argument("--snapshot", metavar="FILE", type=Path, help="write one picture (JPEG) and end")
    parser.add_argument("--port", type=int, default=0, help="of the page (default: a free one)")


def run(args: argparse.Namespace) -> int:
    """0; a page is served until Ctrl+C. Raises TermaError where there is no camera."""
    from terma.commands._eyes import _extras

    _extras.need("vision", "numpy", "cv2")
    asyncio.run(_look(args))
    return 0


async def _look(args: argparse.Namespace) -> None:
    from terma.vision import frames, looking

    settings = _target.settings(args.target)
    async with frames.of(settings.camera) as source:
        if args.snapshot is None:
            await looking.serve(source, _say, args.port)
            return
        frame = await source.latest()
        _write(args.snapshot, looking.jpeg(frame.image))
        print(f"{frame.image.shape[1]} by {frame.image.shape[0]} pixels: {args.snapshot}")


def _write(file: Path, data: bytes) -> None:
    """For its owner alone: a screen may show anything."""
    try:
        descriptor = os.open(file, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
        with os.fdopen(descriptor, "wb") as stream:
            stream.write(data)
    except OSError as error:
        raise UsageError(f"{file}: {error.strerror}", "name another file") from None


def _say(page: str) -> None:
    print(f"page  {page}\nCtrl+C ends it.", flush=True)
