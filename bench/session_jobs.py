"""Ten jobs of a coding agent in a terminal, done in several ways: terma's tools over MCP (with the official client),
terma's command line, tmux by hand (send-keys, capture-pane); where they are installed, the MCP inspector's command line
and an MCP server for tmux. For each: how many calls, and how many tokens the model writes and reads.

A way is followed as its documentation has it. With tmux nobody says when a command has ended, so the model looks again
every `LOOK` seconds until it sees what it waits for, and it asks for the exit status in the line that it types.
`python -m bench.session_jobs --tmux-server libtmux-mcp --inspector mcp-inspector` prints the table of docs/sessions.md.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import sys
import tempfile
from contextlib import AsyncExitStack, ExitStack
from pathlib import Path
from typing import Any

from bench import _job_by_terma, _job_by_tmux, _job_by_tmux_server
from bench._job_ways import TERMA, At, ByCommand, ByInspector, Cost, OverMcp, Tmux, TmuxServer, shell
from bench.agent import empty_home
from tests.e2e.far import far_away

Figure = tuple[str, float, str, str]
Row = tuple[str, dict[str, Cost]]
# Each job, and what the model must have read at its end.
NAMES = (
    ("a login over ssh, two commands", ("passwd",)),
    ("a python REPL, a block and an exception", ("84", "ZeroDivisionError")),
    ("a database (sqlite3)", ("42",)),
    ("a server: up, then its log", ("Serving", "GET /Makefile")),
    ("a build of 3 s that fails", ("compiling 3",)),
    ("vim: add a line, look, save", ("hello",)),
    ("a password that the person types", ("length 8",)),
    ("one error in 5,000 lines", ("line 1234 ERROR disk full",)),
    ("two at once: the first that is up", ("one is up",)),
    ("a command that is interrupted", ("begun", "status 130")),
)


async def _all(at: At, inspector: str, tmux_server: str) -> list[Row]:
    server = f"jobs-{os.getpid()}"
    rows: list[Row] = []
    async with AsyncExitStack() as stack:
        client = await stack.enter_async_context(_client(TERMA, "mcp"))
        other = await stack.enter_async_context(_client(tmux_server, server=server)) if tmux_server else None
        for number, (name, wanted) in enumerate(NAMES):
            costs = await _one(number, at, client, server)
            if inspector:
                cost = costs["MCP inspector"] = Cost()
                await _job_by_terma.JOBS[number](ByInspector(inspector, cost), at)
            if other is not None:
                cost = costs["tmux by MCP"] = Cost()
                await _job_by_tmux_server.JOBS[number](TmuxServer(other, cost, server), at)
            for way, cost in costs.items():
                missed = [words for words in wanted if words not in cost.read]
                assert not missed, f"{name} by {way}: {missed} was never read:\n{cost.read}"
            rows.append((name, costs))
            print(
                name,
                {way: (cost.calls, cost.tokens) for way, cost in costs.items()},
                file=sys.stderr,
                flush=True,
            )
    await shell(f"tmux -L {server} kill-server")
    return rows


async def _one(number: int, at: At, client: Any, server: str) -> dict[str, Cost]:
    """The job in the ways that need nothing else installed."""
    costs = {"MCP tools": Cost(), "`terma session`": Cost(), "tmux": Cost()}
    await _job_by_terma.JOBS[number](OverMcp(client, costs["MCP tools"]), at)
    await _job_by_terma.JOBS[number](ByCommand(costs["`terma session`"]), at)
    await _job_by_tmux.JOBS[number](Tmux(costs["tmux"], server), at)
    return costs


def _client(program: str, *words: str, server: str = "") -> Any:
    from mcp import StdioServerParameters
    from mcp.client.client import Client
    from mcp.client.stdio import stdio_client

    env = dict(os.environ) | {"LIBTMUX_SOCKET": server, "LIBTMUX_TOOLSETS": "inspect,manage,execute,teardown"}
    return Client(stdio_client(StdioServerParameters(command=program, args=[*words], env=env)))


def run(inspector: str = "", tmux_server: str = "") -> list[Row]:
    """For each job what it costs in each way. Raises AssertionError where one fails."""
    with ExitStack() as stack:
        stack.enter_context(empty_home())
        place = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="terma-j", dir="/tmp")))
        (place / "ssh").mkdir()
        config = stack.enter_context(far_away(place / "ssh"))
        os.environ |= {"SHELL": "/bin/bash", "PS1": "$ "}
        at = At(place, f"ssh -F {config} host")
        at.prepare()
        return asyncio.run(_all(at, inspector, tmux_server))


def measure() -> list[Figure]:
    return [
        (f"jobs: {name}", float(cost.tokens), "tokens", f"{cost.calls} calls, {way.strip('`')}")
        for name, costs in run()
        for way, cost in costs.items()
    ]


def table(rows: list[Row]) -> str:
    """As markdown."""
    total = {way: Cost() for way in rows[0][1]}
    lines = [f"| job | {' | '.join(total)} |", "|---" * (len(total) + 1) + "|"]
    for name, costs in rows:
        for way, cost in costs.items():
            total[way].calls += cost.calls
            total[way].tokens += cost.tokens
        lines.append(f"| {name} | " + " | ".join(map(_cell, costs.values())) + " |")
    return "\n".join([*lines, "| all ten | " + " | ".join(map(_cell, total.values())) + " |"])


def _cell(cost: Cost) -> str:
    return f"{cost.calls} calls, {cost.tokens:,}"


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--inspector", default="", help="the program mcp-inspector")
    parser.add_argument("--tmux-server", default="", help="the program libtmux-mcp")
    args = parser.parse_args()
    print(table(run(args.inspector, args.tmux_server)))
