"""`terma eyes hid-setup`: how a Raspberry Pi or the like becomes a USB keyboard, printed or done."""

from __future__ import annotations

import argparse
import os
from pathlib import Path

from terma.errors import UsageError

HELP = "make this computer a USB keyboard: print the steps, or do them"
DESCRIPTION = """Makes this computer a USB keyboard for the one it is plugged into (Linux, configfs), as /dev/hidg0.

  terma eyes hid-setup                   print the steps
  sudo terma eyes hid-setup --apply      do them
  sudo terma eyes hid-setup --undo --apply"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--apply", action="store_true", help="do it; needs root")
    parser.add_argument("--undo", action="store_true", help="take the keyboard away again")
    parser.add_argument(
        "--at",
        type=Path,
        metavar="DIR",
        help="the folder of gadgets (default: /sys/kernel/config/usb_gadget)",
    )
    parser.add_argument(
        "--udc", metavar="NAME", help="the USB controller (default: the first in /sys/class/udc)"
    )


def run(args: argparse.Namespace) -> int:
    """Raises EyesError for a step that fails, UsageError for --apply without root."""
    from terma.vision.keyboards import _gadget

    gadget = (args.at or _gadget.BASE) / _gadget.NAME
    if not args.apply:
        controller = args.udc or "$(ls /sys/class/udc | head -n 1)"
        wanted = _gadget.undoing() if args.undo else _gadget.steps(controller)
        print(_gadget.script(wanted, gadget).replace(f"'{controller}'", f'"{controller}"'))
        return 0
    if args.at is None and os.geteuid() != 0:
        raise UsageError("only root can make a USB keyboard", "sudo terma eyes hid-setup --apply")
    if args.undo:
        _gadget.apply(_gadget.undoing(), gadget)
        print("The keyboard is gone.")
        return 0
    _gadget.make(gadget, args.udc or _gadget.controller())
    print("The keyboard is made: /dev/hidg0. Plug this computer into the other one, then: terma eyes run")
    return 0
