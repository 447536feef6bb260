"""Ten jobs of a coding agent in a terminal, done three ways: terma's tools over MCP (with the official client), terma's
command line, and tmux by hand (send-keys, capture-pane). For each: how many calls, and how many characters the model
writes and reads.

A way is followed as its documentation has it. With tmux nobody says when a command has ended, so the model looks again
every `LOOK` seconds until it sees what it waits for, and it asks for the exit status in the line that it types.
`python -m bench.session_jobs` prints the table of docs/sessions.md.
"""

from __future__ import annotations

import asyncio
import json
import os
import shlex
import sys
import tempfile
from collections.abc import Awaitable, Callable
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol

from bench.agent import empty_home
from terma.sessions.operations import BY_NAME
from tests.e2e.far import far_away

Figure = tuple[str, float, str, str]
LOOK = 2.0  # seconds
_MOST_LOOKS = 40
TERMA = str(Path(sys.executable).parent / "terma")


@dataclass
class Cost:
    """Of one job. `characters` that the model wrote and read."""

    calls: int = 0
    characters: int = 0
    read: str = ""

    def add(self, asked: str, answered: str) -> str:
        self.calls += 1
        self.characters += len(asked) + len(answered)
        self.read += answered + "\n"
        return answered


class Terma(Protocol):
    """One of terma's two ways: `name` is an operation."""

    async def __call__(self, name: str, **arguments: Any) -> str: ...


@dataclass
class OverMcp:
    client: Any
    cost: Cost

    async def __call__(self, name: str, **arguments: Any) -> str:
        told = await self.client.call_tool(f"session_{name}", arguments)
        return self.cost.add(f"session_{name} {json.dumps(arguments)}", told.content[0].text)


@dataclass
class ByCommand:
    cost: Cost

    async def __call__(self, name: str, **arguments: Any) -> str:
        words = ["terma", "session", name]
        rest: list[str] = []
        for parameter in BY_NAME[name].parameters:
            value = arguments.get(parameter.name)
            if value is None or value is False:
                continue
            if parameter.positional == "rest":
                rest = ["--", *value]
            elif parameter.positional:
                words += value if isinstance(value, list) else [str(value)]
            elif value is True:
                words.append(parameter.flag)
            else:
                for one in value if isinstance(value, list) else [value]:
                    words += [parameter.flag, str(one)]
        line = shlex.join([*words, *rest])
        return self.cost.add(line, await shell(line.replace("terma", TERMA, 1)))


async def shell(line: str) -> str:
    """What an agent's own tool for commands answers: the output, and the exit status where it is not 0."""
    child = await asyncio.create_subprocess_shell(
        line,
        stdin=asyncio.subprocess.DEVNULL,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.STDOUT,
    )
    out, _ = await child.communicate()
    status = f"\nexit status {child.returncode}" if child.returncode else ""
    return out.decode("utf-8", "replace") + status


@dataclass
class Tmux:
    cost: Cost
    server: str
    names: list[str] = field(default_factory=list)

    async def start(self, name: str, command: str = "bash") -> None:
        await self.run(f"tmux new-session -d -s {name} -x 120 -y 32 {shlex.quote(command)}")

    async def run(self, line: str) -> str:
        return self.cost.add(line, await shell(line.replace("tmux", f"tmux -L {self.server} -f /dev/null")))

    async def type(self, name: str, *keys: str, until: str = "", more: str = "") -> None:
        """Keys, then looks until `until` stands there."""
        typed = [
            key[:-1] + "\\;" if key.endswith(";") else key for key in keys
        ]  # tmux ends its own command there
        await self.run(f"tmux send-keys -t {name} {shlex.join(typed)}")
        for _ in range(_MOST_LOOKS if until else 0):
            shown = await self.run(f"tmux capture-pane -p -t {name}{more}")
            if until in shown:
                return
            await asyncio.sleep(LOOK)
        assert not until, f"tmux never showed {until!r}"


@dataclass(frozen=True)
class Job:
    """`wanted` is what the model must have read at the end."""

    name: str
    wanted: tuple[str, ...]
    terma: Callable[[Terma], Awaitable[Any]]
    tmux: Callable[[Tmux], Awaitable[Any]]


async def person(name: str, words: str) -> None:
    """The person types a password themselves: no call of the model's."""
    await shell(f"{TERMA} session send {name} {words} --enter")


def jobs(place: Path, ssh: str) -> list[Job]:
    """The ten, with their files in `place`; `ssh` reaches a machine."""
    (place / "Makefile").write_text(
        "all:\n\t@for n in 1 2 3; do echo compiling $$n; sleep 1; done\n\t@exit 3\n"
    )
    (place / "log.py").write_text(
        "for n in range(5000):\n    print(f'line {n}', 'ERROR disk full' if n == 1234 else 'ok')\n"
    )
    ask = f"{place}/ask"
    Path(ask).write_text("stty -echo; printf 'Password: '; read p; stty echo; echo; echo length ${#p}\n")
    port = "8765"

    async def t_ssh(do: Terma) -> None:
        await do("create", session="box", command=shlex.split(ssh), kind="sh")
        await do("exec", session="box", input="cd /etc && ls passwd")
        await do("exec", session="box", input="test -e /nope")
        await do("kill", session="box")

    async def x_ssh(do: Tmux) -> None:
        await do.start("box", ssh)
        await do.type("box", "cd /etc && ls passwd; echo status $?", "Enter", until="status 0")
        await do.type("box", "test -e /nope; echo status $?", "Enter", until="status 1")
        await do.run("tmux kill-session -t box")

    async def t_python(do: Terma) -> None:
        await do("create", session="py", command=["python3"])
        await do("exec", session="py", input="x = 6 * 7\nfor n in range(3):\n    print(n * x)")
        await do("exec", session="py", input="1 / 0")
        await do("kill", session="py")

    async def x_python(do: Tmux) -> None:
        await do.start("py", "python3")
        lines = ("x = 6 * 7", "Enter", "for n in range(3):", "Enter", "    print(n * x)", "Enter", "Enter")
        await do.type("py", *lines, until="84")
        await do.type("py", "1 / 0", "Enter", until="ZeroDivisionError")
        await do.run("tmux kill-session -t py")

    async def t_sqlite(do: Terma) -> None:
        await do("create", session="db", command=["sqlite3"])
        await do("exec", session="db", input="create table t (n); insert into t values (20), (22);")
        await do("exec", session="db", input="select sum(n) from t;")
        await do("kill", session="db")

    async def x_sqlite(do: Tmux) -> None:
        await do.start("db", "sqlite3")
        await do.type("db", "create table t (n); insert into t values (20), (22);", "Enter")
        await do.type("db", "select sum(n) from t;", "Enter", until="42")
        await do.run("tmux kill-session -t db")

    serve = ["python3", "-u", "-m", "http.server", port, "--bind", "127.0.0.1", "-d", str(place)]

    async def t_server(do: Terma) -> None:
        await do("create", session="web", command=serve)
        await do("read", session="web", since=0, wait="Serving")
        await shell(f"curl -s 127.0.0.1:{port}/Makefile")
        await do("read", session="web")
        await do("kill", session="web")

    async def x_server(do: Tmux) -> None:
        await do.start("web", shlex.join(serve))
        await do.type("web", "", until="Serving")
        await shell(f"curl -s 127.0.0.1:{port}/Makefile")
        await do.type("web", "", until="GET")
        await do.run("tmux kill-session -t web")

    async def t_build(do: Terma) -> None:
        await do("create", session="b", command=["bash"], cwd=str(place))
        await do("exec", session="b", input="make")
        await do("kill", session="b")

    async def x_build(do: Tmux) -> None:
        await do.start("b", f"cd {place} && bash")
        await do.type("b", "make; echo status $?", "Enter", until="status 2")
        await do.run("tmux kill-session -t b")

    async def t_vim(do: Terma) -> None:
        await do("create", session="ed", command=["vim", "-u", "NONE", f"{place}/Makefile"], tui=True)
        await do("send", session="ed", text=["Gohello<Esc>"], keys=True, settle=200)
        await do("send", session="ed", text=[":wq<Enter>"], keys=True)
        await do("kill", session="ed")

    async def x_vim(do: Tmux) -> None:
        await do.start("ed", f"vim -u NONE {place}/Makefile")
        await do.type("ed", "Gohello", "Escape", until="hello")
        await do.type("ed", ":wq", "Enter")

    async def t_password(do: Terma) -> None:
        await do("create", session="pw", command=["bash"])
        await do("exec", session="pw", input=f"sh {ask}")
        await person("pw", "hunter22")
        await do("read", session="pw", wait="length")
        await do("kill", session="pw")

    async def x_password(do: Tmux) -> None:
        await do.start("pw")
        await do.type("pw", f"sh {ask}", "Enter", until="Password:")
        await shell(f"tmux -L {do.server} send-keys -t pw hunter22 Enter")
        await do.type("pw", "", until="length 8")
        await do.run("tmux kill-session -t pw")

    async def t_log(do: Terma) -> None:
        await do("create", session="log", command=["python3", f"{place}/log.py"])
        await do("wait", sessions=["log"], until="exit")
        await do("search", session="log", pattern="ERROR", context=1)
        await do("kill", session="log")

    async def x_log(do: Tmux) -> None:
        line = f"tmux set -g history-limit 50000 \\; new-session -d -s log -x 120 -y 32 'python3 {place}/log.py; cat'"
        await do.run(line)
        await asyncio.sleep(LOOK)
        await do.run("tmux capture-pane -p -S - -t log | grep -C1 ERROR")
        await do.run("tmux kill-session -t log")

    async def t_two(do: Terma) -> None:
        await do("create", session="one", command=["sh", "-c", "sleep 3; echo one is up; cat"])
        await do("create", session="two", command=["sh", "-c", "sleep 8; echo two is up; cat"])
        await do("wait", sessions=["one", "two"], pattern=["up=is up"])
        await do("read", session="one")
        await do("kill", session="one")
        await do("kill", session="two")

    async def x_two(do: Tmux) -> None:
        await do.start("one", "sleep 3; echo one is up; cat")
        await do.start("two", "sleep 8; echo two is up; cat")
        for _ in range(_MOST_LOOKS):
            first = await do.run("tmux capture-pane -p -t one")
            second = await do.run("tmux capture-pane -p -t two")
            if "is up" in first + second:
                break
            await asyncio.sleep(LOOK)
        await do.run("tmux kill-session -t one")
        await do.run("tmux kill-session -t two")

    async def t_interrupted(do: Terma) -> None:
        await do("create", session="i", command=["bash"])
        await do("exec", session="i", input="echo begun; sleep 100", timeout=2)
        await do("send", session="i", text=["<C-c>"], keys=True)
        await do("exec", session="i", input="echo status $?")
        await do("kill", session="i")

    async def x_interrupted(do: Tmux) -> None:
        await do.start("i")
        await do.type("i", "echo begun; sleep 100", "Enter", until="begun\n")
        await do.type("i", "C-c")
        await do.type("i", "echo status $?", "Enter", until="status 130")
        await do.run("tmux kill-session -t i")

    return [
        Job("a login over ssh, two commands", ("passwd",), t_ssh, x_ssh),
        Job("a python REPL, a block and an exception", ("84", "ZeroDivisionError"), t_python, x_python),
        Job("a database (sqlite3)", ("42",), t_sqlite, x_sqlite),
        Job("a server: up, then its log", ("Serving", "GET /Makefile"), t_server, x_server),
        Job("a build of 3 s that fails", ("compiling 3",), t_build, x_build),
        Job("vim: add a line, look, save", ("hello",), t_vim, x_vim),
        Job("a password that the person types", ("length 8",), t_password, x_password),
        Job("one error in 5,000 lines", ("line 1234 ERROR disk full",), t_log, x_log),
        Job("two at once: the first that is up", ("one is up",), t_two, x_two),
        Job("a command that is interrupted", ("begun", "status 130"), t_interrupted, x_interrupted),
    ]


async def _all(place: Path, ssh: str) -> list[tuple[str, list[Cost]]]:
    from mcp import StdioServerParameters
    from mcp.client.client import Client
    from mcp.client.stdio import stdio_client

    how = StdioServerParameters(command=TERMA, args=["mcp"], env=dict(os.environ))
    rows = []
    server = f"jobs-{os.getpid()}"
    async with Client(stdio_client(how)) as client:
        for job in jobs(place, ssh):
            costs = [Cost(), Cost(), Cost()]
            await job.terma(OverMcp(client, costs[0]))
            await job.terma(ByCommand(costs[1]))
            await job.tmux(Tmux(costs[2], server))
            for cost, way in zip(costs, ("MCP", "terma", "tmux"), strict=True):
                missed = [words for words in job.wanted if words not in cost.read]
                assert not missed, f"{job.name} by {way}: {missed} was never read:\n{cost.read}"
            rows.append((job.name, costs))
    await shell(f"tmux -L {server} kill-server")
    return rows


def run() -> list[tuple[str, list[Cost]]]:
    """For each job what it costs over MCP, by the command line, with tmux. Raises AssertionError where one fails."""
    with ExitStack() as stack:
        stack.enter_context(empty_home())
        place = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="terma-j", dir="/tmp")))
        (place / "ssh").mkdir()
        config = stack.enter_context(far_away(place / "ssh"))
        os.environ |= {"SHELL": "/bin/bash", "PS1": "$ "}
        return asyncio.run(_all(place, f"ssh -F {config} host"))


def measure() -> list[Figure]:
    rows = run()
    return [
        (f"jobs: {name}", float(costs[way].characters), "chars", f"{costs[way].calls} calls, {label}")
        for name, costs in rows
        for way, label in enumerate(("MCP", "terma session", "tmux"))
    ]


def table(rows: list[tuple[str, list[Cost]]]) -> str:
    """As markdown."""
    lines = ["| job | MCP tools | `terma session` | tmux |", "|---|---|---|---|"]
    total = [Cost(), Cost(), Cost()]
    for name, costs in rows:
        for one, whole in zip(costs, total, strict=True):
            whole.calls += one.calls
            whole.characters += one.characters
        lines.append(f"| {name} | " + " | ".join(map(_cell, costs)) + " |")
    return "\n".join([*lines, "| all ten | " + " | ".join(map(_cell, total)) + " |"])


def _cell(cost: Cost) -> str:
    return f"{cost.calls} calls, {cost.characters:,}"


if __name__ == "__main__":
    print(table(run()))
