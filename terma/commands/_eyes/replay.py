"""`terma eyes replay DIR`: a run as a page, to be looked at in a browser."""

from __future__ import annotations

import argparse
from pathlib import Path

HELP = "make a page of a run: what was seen, decided, approved and typed"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("folder", metavar="DIR", type=Path, nargs="?", help="the run (default: the last one)")


def run(args: argparse.Namespace) -> int:
    """Prints where the page is. Raises EyesError where there is no run."""
    from terma.commands._eyes import _extras
    from terma.commands._eyes._runs import last, runs

    _extras.need("vision", "cv2", "numpy")
    from terma.vision import replaying

    print(replaying.write(args.folder or last(runs())))
    return 0
