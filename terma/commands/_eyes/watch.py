"""`terma eyes watch`: the other machine's screen as text, as it changes. Nothing is typed."""

from __future__ import annotations

import argparse
import asyncio
import os
import sys

from terma.printing import own

HELP = "print the screen that is watched as text, as it changes"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--once", action="store_true", help="print the screen once, when it rests")
    parser.add_argument(
        "--json", action="store_true", help="for programs: a JSON object a line, with cursor and confidence"
    )


def run(args: argparse.Namespace) -> int:
    """Until Ctrl+C. Raises TermaError where the camera stalls or the screen cannot be read."""
    from terma.commands._eyes import _extras

    _extras.need("vision", "numpy", "cv2")
    asyncio.run(_watch(args))
    return 0


async def _watch(args: argparse.Namespace) -> None:
    from terma import paths
    from terma.commands._eyes import _camera
    from terma.config.layers import load

    settings = load(paths.config_dir() / "config.toml", os.environ).settings.eyes
    clears = sys.stdout.isatty() and not args.json and not args.once
    shown = None
    async with _camera.opened(settings) as eye:
        while True:
            seen = await eye.settle(2.0)
            if seen.state.rows != shown:
                shown = seen.state.rows
                said = seen.state.model_dump_json() if args.json else seen.state.text
                if clears:
                    own("\x1b[H\x1b[2J")
                print(said, flush=True)
                if not (clears or args.json or args.once):
                    print("---", flush=True)
            if args.once:
                return
