"""`terma doctor`: looks at everything that terma needs and says what to do about what is missing."""

from __future__ import annotations

import argparse
import json

HELP = "check shells, key, socket, agent and transport, and say what to do"
MARKS = {"ok": "ok  ", "note": "note", "fail": "FAIL"}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--json", action="store_true", help="for programs: a list of checks")


def run(args: argparse.Namespace) -> int:
    """Exit status 1 when something is broken; what is merely absent is no failure."""
    from terma.diagnosis import checks

    found = checks()
    if args.json:
        print(json.dumps([check.as_dict() for check in found], ensure_ascii=False))
    else:
        for check in found:
            print(f"{MARKS[check.status]}  {check.name:<10} {check.detail}")
            if check.hint:
                print(f"      {'':<10} → {check.hint}")
    return 1 if any(check.status == "fail" for check in found) else 0
