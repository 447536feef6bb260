"""`terma usage`: what models cost, day by day."""

from __future__ import annotations

import argparse
import contextlib
import json
from typing import Any

from terma.commands._asking import asker, surroundings

HELP = "show what models cost, per day and model"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--days", type=int, default=7, metavar="N", help="the last N days (default: 7)")
    parser.add_argument("--json", action="store_true", help="for programs: every day that is kept")


def run(args: argparse.Namespace) -> int:
    """Exit status 0, also where nothing was asked of a model."""
    with contextlib.ExitStack() as stack:
        days = asker(stack)("usage", surroundings())["days"]
    if args.json:
        print(json.dumps(days))
        return 0
    rows = [
        (day, name, entry)
        for day in sorted(days)[-max(args.days, 1) :]
        for name, entry in sorted(days[day].items())
    ]
    if not rows:
        print("no model was asked yet; the embedded engine costs nothing")
    for day, name, entry in rows:
        tokens = f"{entry['prompt_tokens']} + {entry['completion_tokens']} tokens"
        print(f"{day}  {name:<32} {entry['answers']:>4} answers  {tokens:<22} {_money(entry)}")
    return 0


def _money(entry: dict[str, Any]) -> str:
    if not entry["unpriced"]:
        return f"${entry['cost']:.4f}"
    known = entry["answers"] - entry["unpriced"]
    return f"${entry['cost']:.4f} and {entry['unpriced']} of unknown price" if known else "price unknown"
