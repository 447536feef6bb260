"""`terma eyes power`: the power and reset buttons of a machine behind a box that holds them."""

from __future__ import annotations

import argparse
import asyncio
import sys
from typing import TYPE_CHECKING

from terma.commands._eyes import _target
from terma.errors import UsageError
from terma.quiet import yes

if TYPE_CHECKING:
    from terma.config.eyes import Keyboard

HELP = "press the machine's power or reset button, or say whether it is on"
DESCRIPTION = """Presses the buttons of a machine behind a box that is wired to them ([eyes.keyboard] kind = "pikvm",
"nanokvm" or "jetkvm"). No model presses them, in any run: you do, and are asked first.

  terma eyes power            on or off?
  terma eyes power reset --target rack"""
_SAYS = {
    "on": "This presses the power button of a machine that is off.",
    "off": "This asks the machine to shut down.",
    "hard-off": "This cuts the machine's power: what it has not saved is lost.",
    "reset": "This resets the machine: what it has not saved is lost.",
}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "what", nargs="?", choices=["status", *_SAYS], default="status", help="(default: status)"
    )
    _target.add_argument(parser)
    parser.add_argument("--yes", action="store_true", help="do not ask before pressing")


def run(args: argparse.Namespace) -> int:
    """0; for the status 1 where it is off. Raises TermaError."""
    from terma.commands._eyes import _extras

    _extras.need("vision", "numpy", "cv2")
    settings = _target.settings(args.target).keyboard
    if args.what != "status" and not args.yes:
        _ask(args.what)
    on = asyncio.run(_do(settings, args.what))
    if args.what == "status":
        print("on" if on else "off")
        return 0 if on else 1
    print("pressed")
    return 0


def _ask(what: str) -> None:
    if not sys.stdin.isatty():
        raise UsageError("nobody can be asked here", "add --yes")
    print(_SAYS[what])
    if not yes("Go on?"):
        raise UsageError("nothing was pressed")


async def _do(settings: Keyboard, what: str) -> bool:
    from terma.vision import keyboards
    from terma.vision.types import Powered

    keyboard = keyboards.of(settings)
    if not isinstance(keyboard, Powered):
        raise UsageError(
            f"a keyboard of kind {settings.kind!r} holds no power button",
            '[eyes.keyboard] kind = "pikvm", "nanokvm" or "jetkvm" does',
        )
    async with keyboard as box:
        if what == "status":
            return await box.powered()
        await box.power(what)
        return True
