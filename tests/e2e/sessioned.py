"""A real agent's sessions, spoken to as the command line and the MCP server do."""

from __future__ import annotations

import json
import os
import shutil
import sys
from collections.abc import Callable, Mapping
from typing import Any

import pytest

from terma.sessions import remote
from tests import conftest
from tests.conftest import RunningAgent

SLOW = 60.0  # seconds: the bound where a program has to start, on a machine that may be very busy
EVERYTHING = (
    sys.platform == "linux"
)  # tools/system-packages installs all that is driven here: what is missing fails
SHELLS = [
    name for name in ("bash", "zsh", "fish", "dash") if shutil.which(name) or (EVERYTHING and name != "dash")
]


class Session:
    """One session; every call has a connection of its own, as every call of the command line has."""

    def __init__(self, agent: RunningAgent, name: str) -> None:
        self.agent, self.name = agent, name

    def call(self, operation: str, **values: Any) -> dict[str, Any]:
        with self.agent.connect() as connection:
            return remote.call(connection, operation, {"session": self.name} | values)

    def exec(self, text: str, **values: Any) -> dict[str, Any]:
        result = self.call("exec", input=text, **({"timeout": SLOW} | values))
        return result | {"output": remote.text_of(result)}

    def send(self, *text: str, **values: Any) -> dict[str, Any]:
        return self.call("send", text=list(text), **values)

    def press(self, keys: str) -> None:
        self.call("send", text=[keys], keys=True)

    def read(self, **values: Any) -> str:
        return remote.text_of(self.call("read", **values))

    def state(self) -> str:
        return str(self.call("info")["state"])

    def wait_for_state(self, *states: str) -> None:
        wait_until(lambda: self.state() in states, f"{self.name} to be {' or '.join(states)}")

    def pid(self) -> int:
        return int(self.call("info")["pid"])


def create(
    agent: RunningAgent,
    *command: str,
    name: str = "work",
    env: Mapping[str, str] | None = None,
    **values: Any,
) -> Session:
    """Start `command` in the test's own home."""
    args = {
        "session": name,
        "command": list(command),
        "environment": agent.env | {"SHELL": "/bin/bash"} | dict(env or {}),
        "cwd": str(agent.home),
        **values,
    }
    with agent.connect() as connection:
        connection.ask_json("session_create", {"args": json.dumps(args)}, SLOW)
    return Session(agent, name)


def wait_until(check: Callable[[], object], what: str, timeout: float = SLOW) -> None:
    """Poll `check` until it is true; programs that start have their time."""
    conftest.wait_until(check, what, timeout)


def alive(pid: int) -> bool:
    """Whether there is such a process, and it is no zombie."""
    try:
        with open(f"/proc/{pid}/stat", encoding="utf-8", errors="replace") as file:  # noqa: PTH123
            return file.read().rpartition(")")[2].split()[0] not in "ZX"
    except OSError:
        return False


def sleeps(pid: int) -> bool:
    """Whether the process waits for something: a prompt is seen before its program reads."""
    try:
        with open(f"/proc/{pid}/stat", encoding="utf-8", errors="replace") as file:  # noqa: PTH123
            return file.read().rpartition(")")[2].split()[0] == "S"
    except OSError:
        return False


def needs(program: str) -> Any:
    """Skip where `program` is not installed and nobody says that it must be."""
    return pytest.mark.skipif(not installed(program), reason=f"{program} is not installed")


def installed(program: str) -> bool:
    """Whether a test may count on `program`."""
    return EVERYTHING or shutil.which(program) is not None


def children_with(words: str) -> list[int]:
    """The processes whose command line holds `words`."""
    found = []
    for entry in os.listdir("/proc"):  # noqa: PTH208
        if entry.isdigit():
            try:
                with open(f"/proc/{entry}/cmdline", "rb") as file:  # noqa: PTH123
                    line = file.read().replace(b"\0", b" ").decode("utf-8", "replace")
            except OSError:
                continue
            if words in line and alive(int(entry)):
                found.append(int(entry))
    return found
