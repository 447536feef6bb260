"""`terma risk`: what a command could do to its person, said before it runs."""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path

from terma.errors import UsageError

HELP = "say what a command could do to you: low, medium or high, and why"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("command", nargs="?", metavar="COMMAND", help="the command, as one argument")
    parser.add_argument("--batch", action="store_true", help="read commands from standard input, one a line")
    parser.add_argument("--json", action="store_true", help='for programs: {"level", "reasons", "kinds"}')
    parser.add_argument(
        "--shell", default="", metavar="NAME", help="the shell that reads it (default: any; the worst counts)"
    )
    parser.add_argument("--cwd", default="", metavar="DIR", help="where it would run (default: here)")


def run(args: argparse.Namespace) -> int:
    """Exit status 0 whatever the level: a level is an answer, not an error."""
    if args.batch == (args.command is not None):
        raise UsageError("give one COMMAND, or --batch and commands on standard input")
    cwd = str(Path(args.cwd or ".").absolute())
    if not args.batch:
        print(_verdict(args.command, cwd, args.shell, args.json))
        return 0
    sys.stdin.reconfigure(errors="replace")  # type: ignore[union-attr]
    for line in sys.stdin:
        print(_verdict(line.rstrip("\r\n"), cwd, args.shell, args.json), flush=True)
    return 0


def _verdict(command: str, cwd: str, shell: str, as_json: bool) -> str:
    from terma.risk import assess

    risk = assess(command, cwd, shell)
    if as_json:
        told = {"level": risk.level, "reasons": list(risk.reasons), "kinds": list(risk.kinds)}
        return json.dumps(told, ensure_ascii=False)
    return f"{risk.level}: {'; '.join(risk.reasons)}" if risk.reasons else risk.level
