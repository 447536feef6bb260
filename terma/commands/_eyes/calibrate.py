"""`terma eyes calibrate`: learn a target's screen and letters from a card that is typed onto it."""

from __future__ import annotations

import argparse
import asyncio
import sys
from typing import TYPE_CHECKING

from terma.commands._eyes import _target
from terma.errors import UsageError
from terma.quiet import yes

if TYPE_CHECKING:
    from terma.vision.screen.profile import Profile
    from terma.vision.screen.rectify import Corners

HELP = "learn a screen and its letters, from a card that is typed onto it"
DESCRIPTION = """Finds the screen in the picture and learns its letters. A shell must wait at its prompt there: it is
asked, through [eyes.keyboard], to reverse its colours and then to print a card (with awk), and to clear the screen.

  terma eyes calibrate
  terma eyes calibrate --corners 212,80 1080,64 1066,690 220,660    where the screen cannot reverse its colours"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    _target.add_argument(parser)
    parser.add_argument(
        "--corners", nargs=4, metavar="X,Y", help="the corners of the lit screen in the picture, in pixels"
    )
    parser.add_argument(
        "--straight",
        action="store_true",
        help="the picture is the screen: a capture card, a KVM, eyes target",
    )
    parser.add_argument(
        "--fixed", action="store_true", help="neither camera nor screen can move: look at nothing around it"
    )
    parser.add_argument("--yes", action="store_true", help="do not ask before typing")


def run(args: argparse.Namespace) -> int:
    """Raises TermaError where the screen, the card or its letters are not found."""
    from terma.commands._eyes import _extras

    _extras.need("vision", "numpy", "cv2")
    from terma.vision.screen import profile

    if not args.yes:
        _ask()
    path = _target.profile_path(args.target)
    learned = asyncio.run(_calibrate(args))
    profile.save(learned, path)
    grid = learned.grid
    print(f"{grid.columns} by {grid.rows} cells, {learned.accuracy:.1%} of the card read right: {path}")
    return 0


def _ask() -> None:
    if not sys.stdin.isatty():
        raise UsageError("calibrating types on the other machine, and nobody can be asked here", "add --yes")
    print("This types on the other machine: clear, printf, awk. A shell must wait at its prompt there.")
    if not yes("Go on?"):
        raise UsageError("nothing was typed", "terma eyes try shows all of it without hardware")


async def _calibrate(args: argparse.Namespace) -> Profile:
    from terma.vision import frames, keyboards
    from terma.vision.calibrating import calibrate

    settings = _target.settings(args.target)
    async with frames.of(settings.camera) as source, keyboards.of(settings.keyboard) as keyboard:
        frame = await source.latest()
        height, width = frame.image.shape[:2]
        return await calibrate(source, keyboard, print, _where(args, width, height), fixed=args.fixed)


def _where(args: argparse.Namespace, width: int, height: int) -> Corners | None:
    from terma.vision.screen import rectify

    if args.straight:
        return rectify.whole(width, height)
    return _corners(args.corners, width, height) if args.corners else None


def _corners(given: list[str], width: int, height: int) -> Corners:
    from terma.vision.screen import rectify

    try:
        points = [[float(number) for number in point.split(",")] for point in given]
    except ValueError:
        raise UsageError("a corner is two numbers: x,y", "terma eyes calibrate --help") from None
    if any(len(point) != 2 for point in points):
        raise UsageError("a corner is two numbers: x,y", "terma eyes calibrate --help")
    return rectify.by_hand(points, width, height)
