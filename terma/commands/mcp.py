"""`terma mcp`: the sessions, suggest, why and last_failure as tools of a coding agent."""

from __future__ import annotations

import argparse

from terma.commands._asking import last_command, surroundings, terminal

HELP = "serve sessions, suggest and why to a coding agent (Model Context Protocol, stdio)"
DESCRIPTION = """Serve the Model Context Protocol on standard input and output. A coding agent starts this itself:

  claude mcp add terma -- terma mcp
  {"mcpServers": {"terma": {"command": "terma", "args": ["mcp"]}}}"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    pass


def run(args: argparse.Namespace) -> int:
    """Exit status 0 at the end of the input."""
    from terma.mcp.server import main

    return main(lambda: surroundings() | terminal() | last_command())
