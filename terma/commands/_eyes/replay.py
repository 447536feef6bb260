"""`terma eyes replay DIR`: a run as a page, to be looked at in a browser."""

from __future__ import annotations

import argparse
import os
from pathlib import Path

HELP = "make a page of a run: what was seen, decided, approved and typed"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("folder", metavar="DIR", type=Path, nargs="?", help="the run (default: the last one)")


def run(args: argparse.Namespace) -> int:
    """Prints where the page is. Raises EyesError where there is no run."""
    from terma import paths
    from terma.commands._eyes import _extras
    from terma.commands._eyes._runs import above, last
    from terma.config.layers import load

    _extras.need("vision", "cv2", "numpy")
    from terma.vision import replaying

    if args.folder is None:
        settings = load(paths.config_dir() / "config.toml", os.environ).settings.eyes
        args.folder = last(above(settings.log))
    print(replaying.write(args.folder))
    return 0
