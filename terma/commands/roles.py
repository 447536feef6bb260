"""`terma roles`: what a model may be told to be."""

from __future__ import annotations

import argparse

from terma import paths

HELP = "list the roles a model can take, or print one"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("name", nargs="?", metavar="NAME", help="print this role's text")


def run(args: argparse.Namespace) -> int:
    """A name that does not exist is a UsageError that lists the known ones."""
    from terma.config import roles

    folder = paths.config_dir() / "roles"
    if args.name:
        print(roles.load(args.name, folder).text)
        return 0
    for name in roles.names(folder):
        role = roles.load(name, folder)
        model = f" · {role.model}" if role.model else ""
        print(f"{name:<12} {role.description}{model}{'' if role.shipped else ' (yours)'}")
    print(f"# your own: {folder}/NAME.md, a file of the same name wins")
    return 0
