"""`terma eyes try`: all of it on this machine, with a camera that is simulated: no hardware, no key, no model."""

from __future__ import annotations

import argparse
import asyncio
import os
import signal
import sys
from pathlib import Path

HELP = "see all of it at work, without hardware, key or model (under two minutes)"
DESCRIPTION = """Starts a stand-in machine and a simulated camera before it, learns its letters from a calibration card,
and then does a small task there by reading the camera's picture and typing: what is read is held against the truth.

  terma eyes try
  terma eyes try --camera "yaw=25,noise=15,glare"

A camera has yaw, pitch, roll (degrees), cell (pixels a character), noise, glare, dark, blur, drift, bezel, lag (ms)."""
_LOOK = "yaw=12,pitch=5,noise=6"
_STYLES = {
    "calibrate": "",
    "send": "\x1b[1m",
    "screen": "\x1b[36m",
    "refuse": "\x1b[31m",
    "result": "\x1b[2m",
}
_MARKS = {"calibrate": "·", "send": "→", "screen": "│", "refuse": "✗", "result": " "}
_NEEDED = 0.99


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--camera", metavar="LOOK", default=_LOOK, help="how the camera stands (default: %(default)s)"
    )
    parser.add_argument(
        "--log", type=Path, metavar="DIR", help="where the run is logged (default: the state directory)"
    )


def run(args: argparse.Namespace) -> int:
    """0 when the task was done and 99 % of the lines were read exactly, else 1. Raises TermaError."""
    from terma.commands._eyes import _extras

    _extras.need("target", "numpy", "cv2", "PIL", "fastapi", "uvicorn")
    from terma.commands._eyes._runs import runs
    from terma.errors import TermaError
    from terma.vision import trying

    above = args.log or runs()
    try:
        done = asyncio.run(trying.run(args.camera, _told, above))
    except TimeoutError:
        raise TermaError(
            f"it was not done in {trying.SECONDS:g} seconds", "is this machine very busy?"
        ) from None
    except asyncio.CancelledError:
        return 128 + signal.SIGTERM
    share = done.exact / max(done.lines, 1)
    print(f"calibrated  {done.columns} by {done.rows} cells, {done.accuracy:.1%} of the card read right")
    print(f"task        {done.outcome.status}: {done.outcome.reason}")
    print(f"read        {done.exact} of {done.lines} lines exactly ({share:.1%})")
    print(f"took        {done.seconds:.0f} seconds; terma eyes replay shows each step")
    return 0 if done.outcome.status == "completed" and share >= _NEEDED else 1


def _told(what: str, text: str) -> None:
    from terma.printing import styled
    from terma.text import one_line

    coloured = sys.stdout.isatty() and not os.environ.get("NO_COLOR")
    style = _STYLES.get(what, "") if coloured else ""
    styled(f"{_MARKS.get(what, ' ')} {one_line(text, 200)}", style)
    print(flush=True)
