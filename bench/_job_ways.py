"""Ways to do a job in a terminal, each with what it costs: calls, and the tokens that a model writes and reads."""

from __future__ import annotations

import asyncio
import importlib.util
import json
import os
import shlex
import sys
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any, Protocol

from terma.sessions.operations import BY_NAME

LOOK = 2.0  # seconds
MOST_LOOKS = 40
PORT = "8765"
TERMA = str(Path(sys.executable).parent / "terma")


@cache
def _encoder() -> Callable[[str], list[int]]:
    """cl100k, from what litellm brings along."""
    import tiktoken

    found = importlib.util.find_spec("litellm")
    assert found is not None
    assert found.origin is not None
    os.environ["TIKTOKEN_CACHE_DIR"] = str(Path(found.origin).parent / "litellm_core_utils/tokenizers")
    encoding = tiktoken.get_encoding("cl100k_base")
    return lambda text: encoding.encode(text, disallowed_special=())


def tokens(text: str) -> int:
    """How many a model counts, about."""
    return len(_encoder()(text))


@dataclass
class Cost:
    """Of one job. `tokens` that the model wrote and read."""

    calls: int = 0
    tokens: int = 0
    read: str = ""

    def add(self, asked: str, answered: str) -> str:
        self.calls += 1
        self.tokens += tokens(asked) + tokens(answered)
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
class ByInspector:
    """The MCP inspector's command line: a process and a server for each call."""

    program: str
    cost: Cost

    async def __call__(self, name: str, **arguments: Any) -> str:
        words = [
            self.program,
            "--cli",
            TERMA,
            "mcp",
            "--method",
            "tools/call",
            "--tool-name",
            f"session_{name}",
        ]
        for key, value in arguments.items():
            words += ["--tool-arg", f"{key}={value if isinstance(value, str) else json.dumps(value)}"]
        told = json.loads(await shell(shlex.join(words)))
        return self.cost.add(f"session_{name} {json.dumps(arguments)}", told["content"][0]["text"])


@dataclass
class TmuxServer:
    """libtmux-mcp, through the official client. `server` is the tmux server that it works on."""

    client: Any
    cost: Cost
    server: str

    async def __call__(self, name: str, **arguments: Any) -> str:
        told = await self.client.call_tool(name, arguments)
        assert not told.is_error, told.content[0].text
        return self.cost.add(f"{name} {json.dumps(arguments)}", told.content[0].text)

    async def start(self, name: str, **arguments: Any) -> None:
        await self("create_session", session_name=name, x=120, y=32, **arguments)

    async def type(self, name: str, keys: str, until: str = "", **arguments: Any) -> None:
        """Keys, then looks until `until` stands there."""
        if keys.endswith(";"):
            keys = keys[:-1] + "\\;"  # tmux ends its own command there
        await self("send_keys", session_name=name, keys=keys, **arguments)
        if until:
            await self.look(name, until)

    async def look(self, name: str, until: str) -> None:
        for _ in range(MOST_LOOKS):
            if until in await self("capture_pane", session_name=name):
                return
            await asyncio.sleep(LOOK)
        raise AssertionError(f"tmux never showed {until!r}")

    async def end(self, name: str) -> None:
        await self("kill_session", session_name=name)


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
        for _ in range(MOST_LOOKS if until else 0):
            shown = await self.run(f"tmux capture-pane -p -t {name}{more}")
            if until in shown:
                return
            await asyncio.sleep(LOOK)
        assert not until, f"tmux never showed {until!r}"


async def person(name: str, words: str) -> None:
    """The person types a password themselves: no call of the model's."""
    await shell(f"{TERMA} session send {name} {words} --enter")


@dataclass(frozen=True)
class At:
    """Where the jobs are done: their files in `place`, and the command that logs in to another machine."""

    place: Path
    ssh: str

    @property
    def ask(self) -> str:
        return f"{self.place}/ask"

    @property
    def serve(self) -> list[str]:
        return ["python3", "-u", "-m", "http.server", PORT, "--bind", "127.0.0.1", "-d", str(self.place)]

    def prepare(self) -> None:
        """Write the files."""
        (self.place / "Makefile").write_text(
            "all:\n\t@for n in 1 2 3; do echo compiling $$n; sleep 1; done\n\t@exit 3\n"
        )
        (self.place / "log.py").write_text(
            "for n in range(5000):\n    print(f'line {n}', 'ERROR disk full' if n == 1234 else 'ok')\n"
        )
        Path(self.ask).write_text(
            "stty -echo; printf 'Password: '; read p; stty echo; echo; echo length ${#p}\n"
        )
