"""`terma last`: what an engine would be told of the last command, and what one was told."""

from __future__ import annotations

import argparse
import contextlib
import json
import time
from typing import Any

from terma.commands._asking import asker, last_command, surroundings, terminal

HELP = "show what an engine would be told of the last command; --sent: what it was told"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--sent", action="store_true", help="what was told last, and to whom")
    parser.add_argument("--json", action="store_true", help="for programs: engine, when, left, text")


def run(args: argparse.Namespace) -> int:
    """Exit status 1 with a reason when there is nothing to show."""
    fields = surroundings() | terminal() | last_command() | ({"sent": "1"} if args.sent else {})
    with contextlib.ExitStack() as stack:
        shown = asker(stack)("last", fields)
    print(json.dumps(shown, ensure_ascii=False) if args.json else _plain(shown, args.sent))
    return 0


def _plain(shown: dict[str, Any], sent: bool) -> str:
    when = time.strftime("%H:%M:%S", time.localtime(shown["when"]))
    whither = "it left this machine" if shown["left"] else "nothing left this machine"
    told = f"told to {shown['engine']} at {when}; {whither}" if sent else f"for {shown['engine']}"
    return f"# {told}\n{shown['text']}"
