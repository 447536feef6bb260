"""`terma eyes`: a camera watches another machine's screen, terma reads it and types on its keyboard."""

from __future__ import annotations

import argparse
from importlib import import_module
from pathlib import Path
from types import ModuleType

from terma import registry

HELP = "see another machine's screen through a camera, and type on its keyboard"
DESCRIPTION = """See another machine's screen through a camera, and type on its keyboard: for what has no network.

  terma eyes try                     all of it without any hardware
  terma eyes target                  a stand-in machine to try your own set-up on
  terma eyes hid-setup               make this computer a USB keyboard"""
_FOLDER = Path(__file__).parent / "_eyes"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    actions = parser.add_subparsers(dest="action", required=True, metavar="ACTION")
    for name in names():
        module = load(name)
        action = actions.add_parser(
            name,
            help=module.HELP,
            description=getattr(module, "DESCRIPTION", module.HELP),
            formatter_class=argparse.RawDescriptionHelpFormatter,
        )
        module.add_arguments(action)


def run(args: argparse.Namespace) -> int:
    """Raises TermaError."""
    status: int = load(args.action).run(args)
    return status


def names() -> list[str]:
    """The sub-commands there are: hid_setup.py is `hid-setup`, try_.py is `try`."""
    return sorted(name.rstrip("_").replace("_", "-") for name in registry.names("terma.commands._eyes"))


def load(name: str) -> ModuleType:
    """The module of sub-command `name`, which must exist. None of them imports what is heavy before it runs."""
    stem = name.replace("-", "_")
    return import_module(f"terma.commands._eyes.{stem if (_FOLDER / f'{stem}.py').exists() else f'{stem}_'}")
