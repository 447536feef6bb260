"""`terma eyes watch`: the other machine's screen as text, as it changes. Nothing is typed."""

from __future__ import annotations

import argparse
import asyncio
import json
import sys
from typing import TYPE_CHECKING

from terma.commands._eyes import _target
from terma.printing import own

if TYPE_CHECKING:
    from terma.vision.parts import Seen

HELP = "print the screen that is watched as text, as it changes"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    _target.add_argument(parser)
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
    from terma.commands._eyes import _camera

    settings = _target.settings(args.target)
    clears = sys.stdout.isatty() and not args.json and not args.once
    shown: tuple[str, tuple[str, ...]] | None = None
    async with _camera.opened(settings, args.target) as eye:
        while True:
            seen = await eye.settle(2.0)
            now = (seen.condition, seen.state.rows)
            if now != shown:
                shown = now
                said = _json(seen) if args.json else _text(seen)
                if clears:
                    own("\x1b[H\x1b[2J")
                print(said, flush=True)
                if not (clears or args.json or args.once):
                    print("---", flush=True)
            if args.once:
                return


def _text(seen: Seen) -> str:
    if seen.dark:
        return f"[{seen.condition}]"
    return f"[notice]\n{seen.state.text}" if seen.condition == "notice" else seen.state.text


def _json(seen: Seen) -> str:
    return json.dumps(seen.state.model_dump() | {"condition": seen.condition}, ensure_ascii=False)
