"""`terma learned`: what became of suggestions on this machine, and so what comes first."""

from __future__ import annotations

import argparse
import json
import time
from dataclasses import asdict

from terma.text import ago, one_line

HELP = "show what was learned from accepted, changed and undone suggestions"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--json", action="store_true", help="for programs: a list of objects")


def run(args: argparse.Namespace) -> int:
    """Exit status 0, also where nothing was learned."""
    from terma.agent.learned import OFTEN, Learned

    learned = Learned()
    entries = learned.entries()
    if args.json:
        print(json.dumps([asdict(one) for one in entries], ensure_ascii=False))
        return 0
    if not entries:
        print("nothing was learned yet; it comes with the suggestions that you run")
        return 0
    for number, one in enumerate(entries, 1):
        place = "first" if one.times >= OFTEN else "last" if one.times <= -OFTEN else "as it was"
        print(f"{number:>3}  {one_line(one.words)}")
        print(f"     {one_line(one.command)}  ({one.times:+d}, {place}, {ago(time.time() - one.when)})")
        if one.changed:
            print(f"     changed to: {one_line(one.changed)}")
    print(f"in {learned.file}; terma forget NUMBER or terma forget --all deletes it")
    return 0
