"""`terma mcp`, spoken to by hand, line by line, and by the official client where it is installed."""

from __future__ import annotations

import asyncio
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from terma.sessions.operations import OPERATIONS
from tests.conftest import WAIT
from tests.e2e.sessioned import children_with, wait_until

COMMAND = ["-I", "-m", "terma.cli", "mcp"]


class Client:
    """One server process and the messages to and from it."""

    def __init__(self, agent, cwd: Path | None = None, engine: str = "offline") -> None:
        self.env = agent.env | {"SHELL": "/bin/bash", "TERMA_ENGINE": engine}
        self.process = subprocess.Popen(
            [sys.executable, *COMMAND],
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


@pytest.mark.parametrize("version", ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"])
def test_it_speaks_the_version_that_it_is_asked_for(mcp, version):
    assert (
        mcp.ask("initialize", protocolVersion=version, capabilities={})["result"]["protocolVersion"]
        == version
    )


def test_a_version_that_it_does_not_know_gets_the_newest(mcp):
    assert mcp.ask("initialize", protocolVersion="1999-01-01")["result"]["protocolVersion"] == "2025-11-25"


STATELESS = {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientCapabilities": {},
}


@pytest.fixture
def modern(agent):
    made = Client(agent)
    yield made
    made.close()


def test_a_client_of_2026_needs_no_handshake(modern):
    found = modern.ask("server/discover", _meta=STATELESS)["result"]
    assert found["supportedVersions"][0] == "2026-07-28"
    tools = modern.ask("tools/list", _meta=STATELESS)["result"]
    assert (tools["resultType"], tools["cacheScope"]) == ("complete", "private")
    made = modern.ask("tools/call", _meta=STATELESS, name="session_create", arguments={"session": "work"})
    assert made["result"]["structuredContent"]["state"] == "idle"
    assert modern.ask("resources/list", _meta=STATELESS)["result"]["ttlMs"] == 0


@pytest.mark.parametrize(
    ("method", "meta", "code"),
    [
        ("tools/list", STATELESS | {"io.modelcontextprotocol/protocolVersion": "2099-01-01"}, -32022),
        ("tools/list", STATELESS | {"io.modelcontextprotocol/protocolVersion": 7}, -32602),
        ("tools/list", {"io.modelcontextprotocol/protocolVersion": "2026-07-28"}, -32602),
        ("initialize", STATELESS, -32600),
    ],
)
def test_a_version_of_which_something_is_missing_is_refused(modern, method, meta, code):
    assert modern.ask(method, _meta=meta)["error"]["code"] == code


def test_every_operation_is_a_tool_with_its_schema_and_its_hints(mcp):
    tools = {tool["name"]: tool for tool in mcp.ask("tools/list")["result"]["tools"]}
    wanted = {f"session_{one.name}" for one in OPERATIONS if one.only != "cli"} | {
        "suggest",
        "why",
        "last_failure",
    }
    assert set(tools) == wanted
    assert tools["session_exec"]["inputSchema"]["required"] == ["session", "input"]
    assert tools["session_read"]["annotations"]["readOnlyHint"] is True
    assert tools["session_kill"]["annotations"]["destructiveHint"] is True


def test_a_session_from_its_beginning_to_its_end(mcp):
    assert mcp.tool("session_create", session="work")["structuredContent"]["state"] == "idle"
    done = mcp.tool("session_exec", session="work", input="cd /; pwd; false")
    assert (done["structuredContent"]["output"], done["structuredContent"]["exit_status"]) == ("/", 1)
    uri = mcp.ask("resources/list")["result"]["resources"][0]["uri"]
    assert "pwd" in mcp.ask("resources/read", uri=uri)["result"]["contents"][0]["text"]
    assert mcp.tool("session_kill", session="work")["structuredContent"]["processes"] >= 1
    assert mcp.ask("resources/list")["result"]["resources"] == []


def test_a_secret_does_not_reach_the_model(mcp):
    token = "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"
    mcp.tool("session_create", session="work")
    assert token not in json.dumps(mcp.tool("session_exec", session="work", input=f"echo token={token}"))
    assert token not in json.dumps(mcp.ask("resources/read", uri="terma://session/work/output"))
    assert token not in json.dumps(mcp.tool("session_search", session="work", pattern="token"))


def test_much_output_is_cut_in_the_middle(mcp):
    mcp.tool("session_create", session="work")
    output = mcp.tool("session_exec", session="work", input="seq 100000", limit=2000)["structuredContent"][
        "output"
    ]
    assert len(output) < 3000
    assert output.startswith("1\n")
    assert output.endswith("100000")


def test_a_wait_can_be_cancelled_while_others_are_answered(mcp):
    mcp.tool("session_create", session="work")
    waiting = mcp.send("tools/call", name="session_exec", arguments={"session": "work", "input": "sleep 60"})
    wait_until(
        lambda: mcp.tool("session_info", session="work")["structuredContent"]["state"] == "running", "sleep"
    )
    cancel = {"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": waiting}}
    mcp.write(json.dumps(cancel).encode())
    assert mcp.ask("ping")["result"] == {}
    assert mcp.tool("session_kill", session="work")["isError"] is False


def test_a_long_wait_tells_of_its_progress(mcp):
    mcp.tool("session_create", session="work")
    number = mcp.send(
        "tools/call",
        name="session_exec",
        arguments={"session": "work", "input": "echo one; sleep 3"},
        _meta={"progressToken": "p"},
    )
    seen = []
    while (message := mcp.read()).get("id") != number:
        seen.append(message["params"])
    assert seen
    assert seen[0]["progressToken"] == "p"
    assert "5 bytes" in seen[-1]["message"]


@pytest.mark.parametrize(
    ("line", "code"),
    [
        (b"{", -32700),
        (b"[" * 100_000, -32700),
        (b"1", -32600),
        (b'{"id": 1}', -32600),
        (b'{"jsonrpc": "2.0", "id": 5, "method": "no/such"}', -32601),
        (b'{"jsonrpc": "2.0", "id": 5, "method": "tools/call", "params": []}', -32600),
        (b'{"jsonrpc": "2.0", "id": 5, "method": "tools/call", "params": {"name": "rm"}}', -32602),
        (
            b'{"jsonrpc": "2.0", "id": 5, "method": "resources/read", "params": {"uri": "file:///etc/passwd"}}',
            -32002,
        ),
        (
            b'{"jsonrpc": "2.0", "id": 5, "method": "resources/read", "params": {"uri": "terma://session/x/output"}}',
            -32002,
        ),
    ],
    ids=range(9),
)
def test_what_is_wrong_gets_its_code_and_the_server_goes_on(mcp, line, code):
    mcp.write(line)
    assert mcp.read()["error"]["code"] == code
    assert mcp.ask("ping")["result"] == {}


def test_a_tool_that_fails_says_so_to_the_model(mcp):
    for name, arguments in (
        ("session_exec", {"session": "none", "input": "x"}),
        ("session_exec", {"session": "none"}),
        ("session_exec", {"session": "none", "input": "x", "other": 1}),
        ("session_read", {"session": "none", "wait": "("}),
        ("session_create", {"session": "a/b"}),
        ("suggest", {}),
    ):
        failed = mcp.tool(name, **arguments)
        assert failed["isError"] is True
        assert "Traceback" not in failed["content"][0]["text"]


def test_the_end_of_the_input_is_the_end_and_nothing_waits_on(agent):
    made = Client(agent)
    made.tool("session_create", session="work")
    made.send("tools/call", name="session_exec", arguments={"session": "work", "input": "sleep 61.5"})
    wait_until(lambda: children_with("sleep 61.5"), "the command to run")
    assert made.close() == 0


def test_the_last_failure_is_told(agent):
    agent.env |= {"TERMA_LAST_COMMAND": "make all", "TERMA_LAST_STATUS": "2"}
    made = Client(agent)
    told = made.tool("last_failure")
    made.close()
    assert "Command: make all\nExit status: 2" in told["content"][0]["text"]
    assert told["isError"] is False


def test_suggest_and_why_answer_as_well(mcp):
    assert mcp.tool("suggest", words="list files")["structuredContent"]["candidates"]
    why = mcp.tool("why", command="gti status", status=127, output="bash: gti: command not found")
    assert "git status" in why["content"][0]["text"]


def test_a_secret_on_a_screen_is_starred_where_it_stands(mcp):
    token = "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"
    command = ["sh", "-c", f"printf 'token=\\033[31m{token}\\033[0m end'; sleep 300"]
    mcp.tool("session_create", session="work", command=command, tui=True, cols=30)
    for form in ("plain", "ansi"):
        wait_until(
            lambda form=form: (
                "end" in json.dumps(mcp.tool("session_read", session="work", snapshot=True, form=form))
            ),
            "the screen",
        )
        seen = mcp.tool("session_read", session="work", snapshot=True, form=form)
        assert token[:25] not in json.dumps(seen)
        assert "****" in seen["structuredContent"]["screen"]
    assert "38;5;1m*" in seen["structuredContent"]["ansi"]


def test_an_expression_without_end_ends_and_the_server_goes_on(mcp):
    mcp.tool(
        "session_create", session="work", command=["sh", "-c", "printf %3000s | tr ' ' a; echo; sleep 300"]
    )
    endless = {"session": "work", "pattern": "(a+)+$b"}
    number = mcp.send("tools/call", name="session_search", arguments=endless)
    assert mcp.ask("ping")["result"] == {}
    while (answer := mcp.read()).get("id") != number:
        pass
    assert answer["result"]["isError"] is True
    assert "takes longer" in answer["result"]["content"][0]["text"]


def official(agent, talk: Any, **options: Any) -> Any:
    """What `talk(client)` returns, with the official SDK's client of a server that it started itself."""
    from mcp import StdioServerParameters
    from mcp.client.client import Client as Official
    from mcp.client.stdio import stdio_client

    environment = {"PATH": os.environ["PATH"]} | agent.env | {"SHELL": "/bin/bash", "TERMA_ENGINE": "offline"}
    how = StdioServerParameters(command=sys.executable, args=COMMAND, env=environment)

    async def run() -> Any:
        async with Official(stdio_client(how), **options) as found:
            return await talk(found)

    return asyncio.run(run())


@pytest.mark.parametrize("mode", ["auto", "legacy"])
def test_the_official_client_understands_it(agent, mode):
    async def talk(client: Any) -> Any:
        tools = {tool.name: tool for tool in (await client.list_tools()).tools}
        assert tools["session_read"].annotations.read_only_hint is True
        await client.call_tool("session_create", {"session": "work"})
        told = await client.call_tool("session_exec", {"session": "work", "input": "echo official"})
        resources = (await client.list_resources()).resources
        read = await client.read_resource(resources[0].uri)
        why = await client.call_tool(
            "why", {"command": "gti status", "status": 127, "output": "bash: gti: command not found"}
        )
        failed = await client.call_tool("session_info", {"session": "nowhere"})
        return told.structured_content, read.contents[0].text, why.content[0].text, failed.is_error

    told, read, why, failed = official(agent, talk, mode=mode)
    assert (told["output"], told["exit_status"]) == ("official", 0)
    assert "official" in read
    assert "git status" in why
    assert failed is True


def test_the_official_client_hears_of_progress(agent):
    heard: list[str | None] = []

    async def talk(client: Any) -> None:
        async def progress(_done: float, _all: float | None, message: str | None) -> None:
            heard.append(message)

        await client.call_tool("session_create", {"session": "work"})
        slow = {"session": "work", "input": "echo one; sleep 3"}
        await client.call_tool("session_exec", slow, progress_callback=progress)

    official(agent, talk)
    assert "5 bytes of output" in heard
