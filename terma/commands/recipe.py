"""`terma recipe`: words of one's own for commands of one's own."""

from __future__ import annotations

import argparse
import os
import sys

from terma.errors import UsageError
from terma.text import one_line

HELP = "teach terma words of your own for a command: add, list, remove"
ACTIONS = {
    "add": "let words stand for the last command, or for another one",
    "list": "show your recipes, and what of them is left out",
    "remove": "forget one that was added so",
}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    actions = parser.add_subparsers(dest="action", required=True, metavar="ACTION")
    for name, text in ACTIONS.items():
        action = actions.add_parser(name, help=text, description=text)
        if name == "add":
            action.add_argument(
                "words", metavar="WORDS", help="what you will say, as one argument; {file} is a place"
            )
            action.add_argument(
                "--command", default="", metavar="C", help="the command (default: the last one)"
            )
        if name == "remove":
            action.add_argument("name", metavar="NAME", help="as terma recipe list calls it")


def run(args: argparse.Namespace) -> int:
    """Exit status 0; 1 where `list` has something to say against a file. Raises TermaError."""
    if args.action == "add":
        return _add(args.words, args.command)
    if args.action == "remove":
        from terma.offline import recipe_file

        print(f"forgotten: {recipe_file.remove(args.name)}")
        return 0
    return _list()


def _add(words: str, command: str) -> int:
    from terma.offline import recipe_file

    command = command or os.environ.get("TERMA_LAST_COMMAND", "")
    if not command.strip():
        raise UsageError("there is no last command here", "terma recipe add WORDS --command 'COMMAND'")
    name = recipe_file.add(words, command)
    print(f"{one_line(words)}\n  {one_line(command)}\nterma recipe remove {name}  forgets it")
    return 0


def _list() -> int:
    from terma.offline import recipes

    found = recipes.read()
    for row in found.rows:
        print(f"{row[0].removeprefix(recipes.OWN)}\n  {one_line(row[2])}")
    if not found.rows and not found.errors:
        print(f"none yet; they lie in {recipes.folder()}, and terma recipe add makes one")
    for line in found.errors:
        print(f"terma: left out: {line}", file=sys.stderr)
    return 1 if found.errors else 0
