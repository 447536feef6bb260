"""`terma mcp`: the sessions, suggest, why and last_failure as tools of a coding agent."""

from __future__ import annotations

import argparse
from pathlib import Path

from terma.commands._asking import last_command, surroundings, terminal
from terma.errors import UsageError

HELP = "serve sessions, suggest and why to a coding agent (Model Context Protocol, stdio)"
DESCRIPTION = """Serve the Model Context Protocol on standard input and output. A coding agent starts this itself:

  claude mcp add terma -- terma mcp
  {"mcpServers": {"terma": {"command": "terma", "args": ["mcp"]}}}"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--eyes", action="store_true", help="the machine of terma eyes as tools too, each key approved by you"
    )
    parser.add_argument("--session", metavar="NAME", help="--eyes: this session of terma, not a camera")
    parser.add_argument("--target", metavar="NAME", help="--eyes: the machine of [eyes.targets.NAME]")
    parser.add_argument(
        "--auto", action="store_true", help="--eyes: do not ask for what [eyes.policy] allow matches"
    )
    parser.add_argument("--stop-file", metavar="FILE", type=Path, help="--eyes: end as soon as this is there")


def run(args: argparse.Namespace) -> int:
    """Exit status 0 at the end of the input. Raises TermaError where --eyes cannot be."""
    from terma.mcp.server import main

    more = None
    if args.eyes:
        from terma.commands._eyes._tools import EyesTools

        more = EyesTools(args)
    elif args.session or args.target or args.auto or args.stop_file:
        raise UsageError("that belongs to --eyes", "terma mcp --eyes")
    return main(lambda: surroundings() | terminal() | last_command(), more)
