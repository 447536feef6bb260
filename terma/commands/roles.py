"""`terma roles`: what a model may be told to be."""

from __future__ import annotations

import argparse

from terma import paths
from terma.errors import TermaError

HELP = "list the roles a model can take, print one, or copy ours to change them"
INIT = "init"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "name", nargs="?", metavar="NAME", help="print this role's file; init copies ours into your folder"
    )


def run(args: argparse.Namespace) -> int:
    """A name that does not exist is a UsageError that lists the known ones."""
    from terma.config import roles

    folder = paths.config_dir() / "roles"
    if args.name == INIT:
        written = roles.copy_shipped(folder)
        print("\n".join(map(str, written)) or "nothing to copy: each role has a file of yours")
        return 0
    if args.name:
        print(roles.source(args.name, folder).rstrip("\n"))
        return 0
    for name in roles.names(folder):
        try:
            role = roles.load(name, folder)
        except TermaError as error:  # the others can be used all the same
            print(f"{name:<12} cannot be used: {error.message}")
            continue
        model = f" · {role.model}" if role.model else ""
        print(f"{name:<12} {role.description}{model}{'' if role.shipped else ' (yours)'}")
    print(f"# your own: {folder}/NAME.md, a file of the same name wins; terma roles init copies ours")
    return 0
