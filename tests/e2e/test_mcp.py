"""`terma mcp`, spoken to by hand: the protocol, what tools answer, what is refused."""

from __future__ import annotations

import json
import re

import pytest

from terma.sessions.operations import OPERATIONS
from tests.e2e.mcp_client import Client, mcp
from tests.e2e.sessioned import children_with, wait_until

__all__ = ["mcp"]


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
    schemas = json.dumps([tool["inputSchema"] for tool in tools.values()])
    assert " --" not in schemas and "standard input" not in schemas  # that is the command line's


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


def test_a_full_screen_program_that_draws_on_within_a_row_is_shown(mcp):
    mcp.tool("session_create", session="work", command=["bash", "--norc"])
    draw = "printf '\\033[?1049h\\033[Hfirst '; read -r x; printf \"<$x>\"; read -r x"
    mcp.tool("session_exec", session="work", input=draw)
    told = mcp.told("session_send", session="work", text=["second"], enter=True, wait="<second>")
    assert told.startswith("session=work")
    assert "<second>" in told


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


@pytest.mark.parametrize(
    ("ttl", "said"),
    [(5400, "90 minutes after its end"), (90, "90 seconds after its end"), (0, "never forgotten")],
)
def test_times_are_told_in_words(mcp, ttl, said):
    mcp.tool("session_create", session="work", command=["cat"], ttl=ttl)
    told = mcp.told("session_info", session="work")
    assert f'ttl="{said}"' in told
    assert re.search(r'created="\d+ seconds? ago"', told)
    assert re.search(r'quiet="\d+ seconds?"', told)


def test_sessions_are_listed_a_line_each(mcp):
    assert mcp.told("session_list") == "there is no session; session_create makes one"
    mcp.tool("session_create", session="one")
    made = mcp.told("session_create", session="one", if_not_exists=True)
    assert made.startswith("there already: session=one state=idle kind=bash ")
    mcp.tool("session_create", session="two", command=["cat"])
    lines = mcp.told("session_list").split("\n")
    assert [line.split()[0] for line in lines] == ["session=one", "session=two"]
    assert lines[1].endswith("command=cat")


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
