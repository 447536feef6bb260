"""`terma eyes target`: a shell behind a camera that is simulated, to try eyes and keyboards on."""

from __future__ import annotations

import argparse
import os
import signal
from collections.abc import Coroutine
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from terma.vision.target.serving import Running

_TERMINATED = 128 + signal.SIGTERM
HELP = "a stand-in machine: a shell, its picture over HTTP, its keyboard, and a page"
DESCRIPTION = """A stand-in for the machine that is watched: a shell in an empty home, drawn as a picture and served
over HTTP: /stream.mjpg, /snapshot.jpg, /health, POST /keystroke, /key-combo and /text, and a page for people.

  terma eyes target
  terma eyes target --camera "yaw=20,noise=15,glare"     as a lens would see it
  terma eyes target -- htop                              another program than a shell

A camera has yaw, pitch, roll (degrees), cell (pixels a character), noise, glare, dark, blur, drift, bezel, lag (ms).
The token comes from TERMA_EYES_TOKEN, or is made up and printed."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "command", nargs="*", metavar="COMMAND", help="what runs there (default: a plain shell)"
    )
    parser.add_argument("--camera", metavar="LOOK", help='a simulated camera: "yaw=20,noise=15,glare"')
    parser.add_argument("--host", default="127.0.0.1", help="address to listen on (default: %(default)s)")
    parser.add_argument("--port", type=int, default=0, help="port (default: a free one)")
    parser.add_argument("--no-token", action="store_true", help="let every program of this machine in")
    parser.add_argument("--cols", type=int, default=80, help="columns (default: %(default)s)")
    parser.add_argument("--rows", type=int, default=24, help="rows (default: %(default)s)")
    parser.add_argument("--size", type=int, default=20, help="letters, in pixels (default: %(default)s)")
    parser.add_argument("--fps", type=float, default=30.0, help="pictures a second (default: %(default)g)")


def run(args: argparse.Namespace) -> int:
    """143 after SIGTERM. Raises UsageError for what does not fit, or where the extra is not installed."""
    import asyncio

    from terma.commands._eyes import _extras
    from terma.errors import UsageError

    _extras.need("target", "fastapi", "uvicorn", "cv2", "PIL", "numpy")
    from terma.vision.target import look, serving

    _within("--cols", args.cols, 20, 400)
    _within("--rows", args.rows, 5, 200)
    _within("--size", args.size, 6, 80)
    _within("--fps", args.fps, 1, 60)
    _within("--port", args.port, 0, 65535)
    token = os.environ.get("TERMA_EYES_TOKEN") or None
    if args.no_token and token:
        raise UsageError("--no-token and TERMA_EYES_TOKEN contradict each other", "keep one of them")
    settings = serving.Settings(
        command=tuple(args.command),
        host=args.host,
        port=args.port,
        token="" if args.no_token else token,
        columns=args.cols,
        rows=args.rows,
        size=args.size,
        fps=args.fps,
        camera=look.parse(args.camera) if args.camera is not None else None,
    )
    try:
        asyncio.run(_until_told(serving.serve(settings, _say)))
    except asyncio.CancelledError:
        return _TERMINATED
    return 0


async def _until_told(serving: Coroutine[Any, Any, None]) -> None:
    """As Ctrl+C does it, SIGTERM too leaves nothing behind."""
    import asyncio

    task = asyncio.current_task()
    assert task is not None
    asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, task.cancel)
    await serving


def _say(running: Running) -> None:
    print(f"page      {running.page}")
    print(f"pictures  {running.url}/stream.mjpg")
    print(f"token     {running.token or 'none is needed'}")
    print("Ctrl+C ends it.", flush=True)


def _within(name: str, value: float, low: float, high: float) -> None:
    from terma.errors import UsageError

    if not low <= value <= high:
        raise UsageError(f"{name} is from {low:g} to {high:g}, not {value:g}", "terma eyes target --help")
