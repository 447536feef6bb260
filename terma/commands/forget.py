"""`terma forget`: what was learned from suggestions, one entry or all of it."""

from __future__ import annotations

import argparse

from terma.errors import UsageError

HELP = "forget what was learned from suggestions: one entry of `terma learned`, or all"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    what = parser.add_mutually_exclusive_group(required=True)
    what.add_argument("number", nargs="?", type=int, help="the entry, as terma learned counts it")
    what.add_argument("--all", action="store_true", help="everything")


def run(args: argparse.Namespace) -> int:
    """Exit status 0. Raises UsageError for an entry that is not there."""
    from terma.agent.learned import Learned

    learned = Learned()
    if args.all:
        print(f"forgotten: {learned.forget()}")
        return 0
    entries = learned.entries()
    if not 1 <= args.number <= len(entries):
        raise UsageError(f"there is no entry {args.number}", "terma learned lists them")
    one = entries[args.number - 1]
    learned.forget([one])
    print(f"forgotten: {one.command} for {one.words}")
    return 0
