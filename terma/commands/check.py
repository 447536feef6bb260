"""`terma check`: what in a command is not so on this machine: programs, options and files that are not there."""

from __future__ import annotations

import argparse
import json
import os
from pathlib import Path

HELP = "say which programs, options and files of a command are not on this machine"
PATIENCE = 10.0  # seconds; nobody's prompt waits here


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("command", metavar="COMMAND", help="the command, as one argument; it is not run")
    parser.add_argument("--json", action="store_true", help='for programs: {"problems": […]}')
    parser.add_argument("--cwd", default="", metavar="DIR", help="where it would run (default: here)")
    parser.add_argument(
        "--shell", default="bash", choices=("bash", "zsh", "xonsh"), help="who would run it (default: bash)"
    )


def run(args: argparse.Namespace) -> int:
    """Exit status 0 when nothing is known to be wrong, 1 when something is."""
    from terma.grounding import check

    cwd = str(Path(args.cwd or ".").absolute())
    problems = check(args.command, os.environ.get("PATH", ""), cwd, args.shell, seconds=PATIENCE)
    if args.json:
        print(json.dumps({"problems": problems}, ensure_ascii=False))
    else:
        print(*problems, sep="\n", end="\n" if problems else "")
    return 1 if problems else 0
