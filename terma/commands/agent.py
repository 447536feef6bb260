"""`terma agent`: the process behind the prompt, to start, stop and look at by hand."""

from __future__ import annotations

import argparse
import contextlib
import json
import sys
from typing import Any

HELP = "start, stop and look at the agent that answers the shells"
ACTIONS = {
    "run": "serve in this terminal until Ctrl+C, with the log on standard error",
    "start": "start it in the background; nothing to do when it runs",
    "stop": "end it",
    "restart": "end it and start it anew",
    "status": "say whether it runs, and how it is",
    "logs": "show the last lines of its log",
}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    actions = parser.add_subparsers(dest="action", required=True, metavar="ACTION")
    for name, text in ACTIONS.items():
        action = actions.add_parser(name, help=text, description=text)
        if name == "status":
            action.add_argument("--json", action="store_true", help="for programs: one JSON object")
        if name == "logs":
            action.add_argument("-n", "--lines", type=int, default=50, help="how many (default: 50)")


def run(args: argparse.Namespace) -> int:
    """Exit status 0; 1 when `status` finds no agent. Raises TermaError."""
    from terma.agent import lifecycle

    match args.action:
        case "run":
            from terma.agent.__main__ import main

            return main(["--foreground"])
        case "start":
            lifecycle.start()
            _refresh_shell_code()
        case "stop":
            print("stopped" if lifecycle.stop() else "no agent was running")
        case "restart":
            lifecycle.restart()
        case "logs":
            sys.stdout.writelines(line + "\n" for line in lifecycle.logs(args.lines))
        case "status":
            return _status(lifecycle.status(), args.json)
    return 0


def _refresh_shell_code() -> None:
    """After an upgrade the first Ctrl+T starts a new agent: the moment to bring the shell code along."""
    from terma import shell_code

    with contextlib.suppress(OSError):
        shell_code.refresh()


def _status(facts: dict[str, Any] | None, as_json: bool) -> int:
    if as_json:
        print(json.dumps(({"running": True} | facts) if facts else {"running": False}))
    elif facts is None:
        print("no agent is running; the next Ctrl+T starts it, or: terma agent start")
    else:
        minutes = facts["uptime"] / 60
        print(f"running: process {facts['pid']}, version {facts['version']}, for {minutes:.0f} min")
        print(f"{facts['requests']} requests, {facts['rss'] / 2**20:.0f} MB")
        print(f"socket {facts['socket']}")
        if facts["log_problem"]:
            print(f"the log cannot be written: {facts['log_problem']} ({facts['log']})")
    return 0 if facts else 1
