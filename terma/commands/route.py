"""`terma route`: what terma would take a line for, a command or a prompt, and why."""

from __future__ import annotations

import argparse
import json
import os
import sys
from pathlib import Path

from terma.errors import UsageError
from terma.text import one_line

HELP = "say whether a line is a command for the shell or a prompt for the model, and why"
DESCRIPTION = """Say whether LINE is a command for the shell or a prompt for the model, how sure that is, and why.

`!`, `$ ` or `\\` in front of a line force a command, `>` forces a prompt."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("line", nargs="?", metavar="LINE", help="the line, as one argument")
    parser.add_argument(
        "--batch",
        action="store_true",
        help="one line in from standard input, out command or prompt, a tab and the score (0.5 to 1)",
    )
    parser.add_argument(
        "--json", action="store_true", help='for programs: {"kind", "score", "unsure", "signals"}'
    )
    parser.add_argument(
        "--shell", default="", metavar="NAME", help="the shell that would run it (default: $SHELL)"
    )
    parser.add_argument("--cwd", default="", metavar="DIR", help="where it would run (default: here)")


def run(args: argparse.Namespace) -> int:
    """Exit status 0 whatever the decision: both are answers."""
    from terma.routing import Known, route

    if args.batch == (args.line is not None):
        raise UsageError("give one LINE, or --batch and lines on standard input")
    shell = args.shell or Path(os.environ.get("SHELL") or "bash").name
    cwd = str(Path(args.cwd or ".").absolute())
    known = Known(path=os.environ.get("PATH", os.defpath), shell=shell, cwd=cwd)
    if not args.batch:
        found = route(args.line, known)
        signals = [{"name": s.name, "weight": s.weight, "why": s.why} for s in found.signals]
        if args.json:
            answer = {
                "kind": found.kind,
                "score": round(found.score, 4),
                "unsure": found.unsure,
                "signals": signals,
            }
            print(json.dumps(answer, ensure_ascii=False))
            return 0
        print(f"{found.kind}  {found.score:.2f}{'  unsure: terma would ask' if found.unsure else ''}")
        for signal in found.signals:
            print(f"  {signal.weight:+5.1f}  {signal.name:<10}  {one_line(signal.why, 200)}")
        return 0
    sys.stdin.reconfigure(errors="replace")  # type: ignore[union-attr]
    for line in sys.stdin:
        found = route(line.rstrip("\r\n"), known)
        sys.stdout.write(f"{found.kind}\t{found.score:.4f}\n")
        sys.stdout.flush()
    return 0
