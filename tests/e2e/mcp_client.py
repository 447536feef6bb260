"""One server of `terma mcp`, spoken to by hand, line by line."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import WAIT

COMMAND = ["-I", "-m", "terma.cli", "mcp"]


class Client:
    """One server process and the messages to and from it."""

    def __init__(
        self, agent, cwd: Path | None = None, engine: str = "offline", more: Sequence[str] = ()
    ) -> None:
        self.env = agent.env | {"SHELL": "/bin/bash", "TERMA_ENGINE": engine}
        self.process = subprocess.Popen(
            [sys.executable, *COMMAND, *more],
            env=self.env,
            cwd=cwd or agent.home,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
        )
        self.number = 0

    def write(self, line: bytes) -> None:
        assert self.process.stdin
        self.process.stdin.write(line + b"\n")
        self.process.stdin.flush()

    def read(self) -> Any:
        assert self.process.stdout
        line = self.process.stdout.readline()
        assert line, "the server ended"
        return json.loads(line)

    def send(self, method: str, **params: Any) -> int:
        self.number += 1
        message = {"jsonrpc": "2.0", "id": self.number, "method": method, "params": params}
        self.write(json.dumps(message).encode())
        return self.number

    def ask(self, method: str, **params: Any) -> Any:
        number = self.send(method, **params)
        while True:
            answer = self.read()
            if answer.get("id") == number:
                return answer

    def tool(self, name: str, **arguments: Any) -> Any:
        return self.ask("tools/call", name=name, arguments=arguments)["result"]

    def told(self, name: str, **arguments: Any) -> str:
        """What the tool's text says: its first line is terma's own, what was printed stands below."""
        return str(self.tool(name, **arguments)["content"][0]["text"])

    def close(self) -> int:
        assert self.process.stdin
        self.process.stdin.close()
        status = self.process.wait(WAIT)
        assert self.process.stdout
        self.process.stdout.close()
        return status


@pytest.fixture
def mcp(agent):
    made = Client(agent)
    made.ask(
        "initialize", protocolVersion="2025-06-18", capabilities={}, clientInfo={"name": "t", "version": "1"}
    )
    yield made
    made.close()
