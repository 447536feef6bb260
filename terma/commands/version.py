"""`terma version`: which terma this is, and where it lives."""

from __future__ import annotations

import argparse
import json
import platform
import sys
from pathlib import Path

import terma

HELP = "print the version"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--json", action="store_true", help="for programs: also Python's version and the place"
    )


def run(args: argparse.Namespace) -> int:
    if args.json:
        place = str(Path(terma.__file__).parent)
        facts = {"version": terma.__version__, "python": platform.python_version(), "path": place}
        print(json.dumps(facts | {"executable": sys.executable}))
    else:
        print(f"terma {terma.__version__}")
    return 0
