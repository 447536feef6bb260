"""`terma mcp`, spoken to by hand, line by line, and by the official client where it is installed."""

from __future__ import annotations

import asyncio
import json
import os
import re
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
    assert "state=idle" in made["result"]["content"][0]["text"]
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
    assert tools["session_read"]["annotations"]["readOnlyHint"] is False  # what was read is not read again
    assert tools["session_search"]["annotations"]["readOnlyHint"] is True
    assert tools["session_kill"]["annotations"]["destructiveHint"] is True


def test_a_session_from_its_beginning_to_its_end(mcp):
    assert "state=idle" in mcp.told("session_create", session="work")
    head, output = mcp.told("session_exec", session="work", input="cd /; pwd; false").split("\n")
    assert head.startswith("session=work exit_status=1 ended_by=marker state=idle ")
    assert output == "/"
    uri, state = [one["uri"] for one in mcp.ask("resources/list")["result"]["resources"]]
    told = mcp.ask("resources/read", uri=state)["result"]["contents"][0]["text"]
    assert told.startswith("session=work state=idle last_status=1 ")
    assert "pwd" in mcp.ask("resources/read", uri=uri)["result"]["contents"][0]["text"]
    assert mcp.told("session_kill", session="work").startswith("session=work state=exited processes=")
    assert mcp.ask("resources/list")["result"]["resources"] == []


def test_a_secret_does_not_reach_the_model(mcp):
    token = "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"
    mcp.tool("session_create", session="work")
    assert token not in json.dumps(mcp.tool("session_exec", session="work", input=f"echo token={token}"))
    assert token not in json.dumps(mcp.ask("resources/read", uri="terma://session/work/output"))
    assert token not in json.dumps(mcp.tool("session_search", session="work", pattern="token"))


def test_much_output_is_cut_in_the_middle(mcp):
    mcp.tool("session_create", session="work")
    head, _, output = mcp.told("session_exec", session="work", input="seq 100000", limit=2000).partition("\n")
    assert "truncated=true length=588894" in head
    assert len(output) < 3000
    assert output.startswith("1\n")
    assert output.endswith("100000")
    start = int(re.search(r"start=(\d+)", head)[1])
    again = mcp.told("session_read", session="work", since=start, limit=800_000)
    assert again.split("\n")[1:4] == ["1", "2", "3"]
    assert "\n50000\n" in again


def test_of_very_much_output_whole_lines_of_both_ends_are_told(mcp):
    mcp.tool("session_create", session="work")
    told = mcp.told("session_exec", session="work", input="seq 1000000 1200000", limit=400)
    head, *lines = told.split("\n")
    assert "truncated=true length=1600007" in head
    assert (lines[0], lines[-1]) == ("1000000", "1200000")
    left_out = [line for line in lines if "characters left out" in line]
    assert left_out == [f"… {1_600_007 - 8 * (len(lines) - 1) + 2:,} characters left out"]
    assert all(line in left_out or len(line) == 7 for line in lines)


def test_a_wait_can_be_cancelled_while_others_are_answered(mcp):
    mcp.tool("session_create", session="work")
    waiting = mcp.send("tools/call", name="session_exec", arguments={"session": "work", "input": "sleep 60"})
    wait_until(lambda: "state=running" in mcp.told("session_info", session="work"), "sleep")
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
    assert seen[-1]["message"] == "5 bytes of output: one"


def test_progress_tells_no_secret(mcp):
    mcp.tool("session_create", session="work")
    number = mcp.send(
        "tools/call",
        name="session_exec",
        arguments={
            "session": "work",
            "input": "printf 'DB_PASSWORD=x9Qz77Lm%s\\n' aa; printf x9Qz77; sleep 3",
        },
        _meta={"progressToken": "p"},
    )
    seen = []
    while (message := mcp.read()).get("id") != number:
        seen.append(message["params"]["message"])
    assert seen[-1].endswith("output: DB_PASSWORD=<SECRET_1>")


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


def test_an_error_speaks_of_tools(mcp):
    mcp.tool("session_create", session="work")
    mcp.tool("session_exec", session="work", input="sleep 60", timeout=0.1)
    for name, arguments, words in (
        ("session_exec", {"session": "work", "input": "x"}, "session_read work wait REGEX"),
        ("session_create", {"session": "work"}, "if_not_exists"),
        ("session_read", {"session": "work", "sinc": 1}, "it takes session, all, head, tail, since,"),
    ):
        failed = mcp.told(name, **arguments)
        assert words in failed
        assert "terma session" not in failed
        assert "--" not in failed


def test_sessions_are_listed_a_line_each(mcp):
    assert mcp.told("session_list") == "there is no session; session_create makes one"
    mcp.tool("session_create", session="one")
    made = mcp.told("session_create", session="one", if_not_exists=True)
    assert made.startswith("there already: session=one state=idle kind=bash ")
    mcp.tool("session_create", session="two", command=["cat"])
    lines = mcp.told("session_list").split("\n")
    assert [line.split()[0] for line in lines] == ["session=one", "session=two"]
    assert lines[1].endswith("command=cat")


@pytest.fixture
def hiding(mcp):
    """A client that was shown <SECRET_1>, which stands for HELD."""
    mcp.tool("session_create", session="work")
    shown = mcp.told("session_exec", session="work", input=f"printf 'DB_PASSWORD=%s\\n' '{HELD}'")
    assert shown.endswith("\nDB_PASSWORD=<SECRET_1>")
    assert "redacted=1" in shown
    return mcp


HELD = "x9Qz77Lm$HOME;true"


def test_a_placeholder_is_put_back_where_it_is_typed_and_its_value_never_shown(hiding):
    told = hiding.told("session_exec", session="work", input="x='<SECRET_1>'; echo ${#x} \"$x\"")
    assert told.split("\n")[1:] == [f"{len(HELD)} <SECRET_1>"]
    asked = hiding.told("session_exec", session="work", input="read -rsp 'Password: ' y")
    assert "state=password" in asked
    hiding.tool("session_send", session="work", text="<SECRET_1>", enter=True)
    same = hiding.told("session_exec", session="work", input='[ "$x" = "$y" ]')
    assert "exit_status=0" in same
    assert "<SECRET_1>" in hiding.told("session_search", session="work", pattern="DB_PASSWORD")


@pytest.mark.parametrize(
    ("name", "arguments", "words"),
    [
        ("session_exec", {"input": "echo '<SECRET_1>' > kept"}, "would be written into kept"),
        ("session_exec", {"input": "echo '<SECRET_1>' | tee -a kept"}, "would be written into kept"),
        ("session_exec", {"input": "cat > kept <<'E'\n<SECRET_1>\nE"}, "would be written into kept"),
        (
            "session_exec",
            {"input": "if true; then echo '<SECRET_1>' >> kept; fi"},
            "would be written into kept",
        ),
        ("session_send", {"text": ["echo '<SECRET_1>' > kept"], "enter": True}, "would be written into kept"),
        (
            "session_send",
            {"text": ["echo '<SECRET_1>'", " > kept"], "enter": True},
            "would be written into kept",
        ),
        (
            "session_send",
            {"text": "echo '<SECRET_1>' > kept<Enter>", "keys": True},
            "would be written into kept",
        ),
        ("session_send", {"text": "echo '<SECRET_1>'<Up><Enter>", "keys": True}, "cannot be read in full"),
        ("session_exec", {"input": "echo '<SECRET_1>"}, "cannot be read in full"),
        ("session_exec", {"input": "echo <SECRET_1>"}, "between single quotes"),
        ("session_exec", {"input": "echo <SECRET_9>"}, "stands for nothing"),
        ("session_exec", {"input": "true", "wait": "<SECRET_1>"}, "nowhere else"),
        ("session_create", {"command": ["echo", "<SECRET_1>"]}, "nowhere else"),
    ],
    ids=range(13),
)
def test_a_placeholder_is_refused_where_a_file_or_the_shell_would_get_more_than_a_value(
    hiding, agent, name, arguments, words
):
    refused = hiding.tool(name, session="work", **arguments)
    assert refused["isError"] is True
    assert words in refused["content"][0]["text"]
    assert HELD not in json.dumps(refused)
    assert not (agent.home / "kept").exists()


def test_keys_carry_a_placeholder_as_it_stands(hiding):
    told = hiding.told(
        "session_send", session="work", text="echo '<SECRET_1>'<Enter>", keys=True, settle=300, timeout=WAIT
    )
    assert "echo '<SECRET_1>'" in told
    assert HELD not in told


def test_a_program_that_is_no_known_shell_gets_a_secret_but_no_file(hiding, agent):
    hiding.tool("session_create", session="far", command=["sh", "-c", "exec sh -i"], kind="none")
    told = hiding.told("session_exec", session="far", input="echo got '<SECRET_1>'", settle=300)
    assert "got <SECRET_1>" in told
    refused = hiding.told("session_exec", session="far", input="echo '<SECRET_1>' > kept")
    assert "would be written into kept" in refused
    assert not (agent.home / "kept").exists()


def test_a_secret_of_several_lines_is_no_answer(mcp):
    key = "\n".join(
        ["-----BEGIN OPENSSH PRIVATE KEY-----", *["b3BlbnNzaC1rZXktdjEAAAAABG5vbmUAAAAEbm9uZQAAAAAAAAABAAAAMwAA"] * 4,
         "-----END OPENSSH PRIVATE KEY-----"]
    )  # fmt: skip
    mcp.tool("session_create", session="work")
    assert "<SECRET_1>" in mcp.told("session_exec", session="work", input=f"echo '{key}'")
    mcp.tool("session_exec", session="work", input="read -rsp 'Password: ' y")
    refused = mcp.told("session_send", session="work", text="<SECRET_1>", enter=True)
    assert "stands for several lines" in refused


def test_a_session_in_files_gets_no_secret(hiding):
    hiding.tool("session_create", session="files", storage="file")
    refused = hiding.tool("session_exec", session="files", input="echo '<SECRET_1>'")
    assert "the files of this session" in refused["content"][0]["text"]


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
    assert "ls" in mcp.told("suggest", words="list files")
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
        assert "****" in seen["content"][0]["text"]
    assert "38;5;1m*" in seen["content"][0]["text"]


def test_a_full_screen_program_is_told_as_its_screen_with_the_secrets_starred(mcp):
    token = "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"
    draw = f"printf '\\033[?1049h\\033[2J\\033[Hfirst\\r\\ntoken={token}\\r\\nlast'; sleep 300"
    mcp.tool("session_create", session="work")
    mcp.tool("session_send", session="work", text=draw, enter=True)
    wait_until(lambda: "last" in mcp.told("session_read", session="work", snapshot=True), "the screen")
    head, *lines = mcp.told("session_read", session="work").split("\n")
    assert "alternate_screen=true" in head
    assert lines[-3:] == ["first", "token=" + "*" * len(token), "last"]
    assert mcp.told("session_read", session="work", tail=1).split("\n")[1:] == ["last"]


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


def official(agent, talk: Any, cwd: Path | None = None, **options: Any) -> Any:
    """What `talk(client)` returns, with the official SDK's client of a server that it started itself."""
    from mcp import StdioServerParameters
    from mcp.client.client import Client as Official
    from mcp.client.stdio import stdio_client

    environment = {"PATH": os.environ["PATH"]} | agent.env | {"SHELL": "/bin/bash", "TERMA_ENGINE": "offline"}
    how = StdioServerParameters(command=sys.executable, args=COMMAND, env=environment, cwd=cwd)

    async def run() -> Any:
        async with Official(stdio_client(how), **options) as found:
            return await talk(found)

    return asyncio.run(run())


@pytest.mark.parametrize("mode", ["auto", "legacy"])
def test_the_official_client_understands_it(agent, mode):
    async def talk(client: Any) -> Any:
        tools = {tool.name: tool for tool in (await client.list_tools()).tools}
        assert tools["session_search"].annotations.read_only_hint is True
        await client.call_tool("session_create", {"session": "work"})
        told = await client.call_tool("session_exec", {"session": "work", "input": "echo official"})
        resources = (await client.list_resources()).resources
        read = await client.read_resource(resources[0].uri)
        why = await client.call_tool(
            "why", {"command": "gti status", "status": 127, "output": "bash: gti: command not found"}
        )
        failed = await client.call_tool("session_info", {"session": "nowhere"})
        assert told.structured_content is None  # a client would show the model that, and not the text
        return told.content[0].text, read.contents[0].text, why.content[0].text, failed

    told, read, why, failed = official(agent, talk, mode=mode)
    head, output = told.split("\n")
    assert "exit_status=0" in head
    assert output == "official"
    assert "official" in read
    assert "git status" in why
    assert failed.is_error is True
    assert "session_list" in failed.content[0].text


def test_the_official_client_hears_of_progress(agent):
    heard: list[str | None] = []

    async def talk(client: Any) -> None:
        async def progress(_done: float, _all: float | None, message: str | None) -> None:
            heard.append(message)

        await client.call_tool("session_create", {"session": "work"})
        slow = {"session": "work", "input": "echo one; sleep 3"}
        await client.call_tool("session_exec", slow, progress_callback=progress)

    official(agent, talk)
    assert "5 bytes of output: one" in heard


BACKGROUND = "until [ -e go ]; do sleep 0.02; done; (exit 3)"


def test_the_official_client_waits_over_several_sessions(agent):
    async def talk(client: Any) -> tuple[str, str]:
        for name in ("web", "db"):
            await client.call_tool("session_create", {"session": name})
        await client.call_tool("session_send", {"session": "web", "text": "sleep 300", "enter": True})
        timed = {"session": "db", "input": BACKGROUND, "timeout": 0.1}
        over = await client.call_tool("session_exec", timed)
        assert "ended_by=timeout state=running" in over.content[0].text
        waiting = asyncio.create_task(
            client.call_tool("session_wait", {"sessions": ["web", "db"], "timeout": WAIT})
        )
        (agent.home / "go").touch()
        waited = await waiting
        read = await client.call_tool("session_read", {"session": "db"})
        return waited.content[0].text, read.content[0].text

    waited, read = official(agent, talk, cwd=agent.home)
    assert waited.split("\n")[0] == "session=db ended_by=idle"
    assert re.search(r"session=db state=idle .*last_status=3", waited)
    assert "last_status=3" in read.split("\n")[0]


@pytest.mark.filterwarnings("ignore:resources/(un)?subscribe is removed")  # clients of 2025 have nothing else
def test_a_client_that_subscribed_is_told_when_a_command_ends_in_the_background(agent):
    heard: list[str] = []

    async def talk(client: Any) -> str:
        told = asyncio.Event()

        async def hear(message: Any) -> None:
            if getattr(message, "method", "") == "notifications/resources/updated":
                heard.append(str(message.params.uri))
                told.set()

        listeners.append(hear)
        await client.call_tool("session_create", {"session": "work"})
        await client.call_tool("session_exec", {"session": "work", "input": BACKGROUND, "timeout": 0.1})
        await client.subscribe_resource(STATE)
        assert not heard
        (agent.home / "go").touch()
        await asyncio.wait_for(told.wait(), WAIT)
        read = await client.read_resource(STATE)
        await client.unsubscribe_resource(STATE)
        await client.call_tool("session_exec", {"session": "work", "input": "true"})
        return str(read.contents[0].text)

    listeners: list[Any] = []

    async def any_message(message: Any) -> None:
        for listener in listeners:
            await listener(message)

    told = official(agent, talk, cwd=agent.home, mode="legacy", message_handler=any_message)
    assert told.startswith("session=work state=idle last_status=3")
    assert heard == [STATE]


def test_a_client_of_2026_listens_for_the_same(agent):
    async def talk(client: Any) -> tuple[str, str]:
        await client.call_tool("session_create", {"session": "work"})
        await client.call_tool("session_exec", {"session": "work", "input": BACKGROUND, "timeout": 0.1})
        async with client.listen(resource_subscriptions=[STATE]) as events:
            (agent.home / "go").touch()
            event = await asyncio.wait_for(anext(aiter(events)), WAIT)
        again = await client.call_tool("session_exec", {"session": "work", "input": "echo on"})
        return event.uri, again.content[0].text

    uri, again = official(agent, talk, cwd=agent.home, mode="auto")
    assert uri == STATE
    assert again.endswith("\non")


def test_nobody_subscribes_to_what_is_not_there(mcp):
    for uri in ("terma://session/nowhere/state", "terma://session/nowhere", "file:///etc/passwd"):
        assert mcp.ask("resources/subscribe", uri=uri)["error"]["code"] == -32002


STATE = "terma://session/work/state"
