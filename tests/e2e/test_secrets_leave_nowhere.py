"""A private key in the dress of what printed it and a password reach the model by no way in: asserted on what a real
server was sent, and on what a client of `terma mcp` was told."""

from __future__ import annotations

import base64
import json
import random
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from tests.conftest import Home
from tests.e2e.test_ask import call
from tests.e2e.test_conversation import calls
from tests.e2e.test_mcp import Client
from tests.model_server import ModelServer, Reply, says
from tests.shells.in_bash import bash
from tests.shells.in_terma import MODEL, Terma, prepared

BODY = base64.b64encode(random.Random(11).randbytes(576)).decode()
ROWS = [BODY[at : at + 64] for at in range(0, len(BODY), 64)]
KEY = ["-----BEGIN RSA PRIVATE KEY-----", *ROWS, "-----END RSA PRIVATE KEY-----"]
PASSWORD = "Vogel-nest7Q!kade"  # noqa: S105  of this test alone
SEEN = "lighthouse"  # stands beside the secrets, and must reach the model: else nothing was tried
DRESSES: dict[str, Callable[[int, str], str]] = {
    "bare": lambda number, row: row,
    "compose": lambda number, row: f"web-1  | {row}",
    "coloured": lambda number, row: f"\x1b[36mweb-1  |\x1b[0m {row}\x1b[0m",
    "numbered": lambda number, row: f"{number:6}\t{row}",
}


def dressed(dress: str) -> str:
    """A log with the key in it, and the password before and behind it."""
    rows = [SEEN, f"DB_PASSWORD={PASSWORD}", *KEY, f"{SEEN} connected to postgres://app:{PASSWORD}@db/shop"]
    return "".join(f"{DRESSES[dress](number, row)}\n" for number, row in enumerate(rows, 1))


def assert_none_of_it(told: str) -> None:
    """No twenty characters of the key, and not the password; but what stood beside them."""
    assert SEEN in told
    assert PASSWORD not in told
    assert [row for row in ROWS for at in range(0, 44, 4) if row[at : at + 20] in told] == []


def sent(server: ModelServer, count: int) -> str:
    """All that the first `count` requests held."""
    server.wait_for(count)
    return "\n".join(json.dumps(seen.body, ensure_ascii=False) for seen in server.seen)


@pytest.fixture
def server() -> Iterator[ModelServer]:
    with ModelServer() as made:
        yield made


@pytest.fixture(params=DRESSES)
def asking(home: Home, server: ModelServer, request: pytest.FixtureRequest) -> Home:
    """A person whose model is the server's, with the log in the directory and in their history."""
    prepared(home, server)
    home.configure(
        MODEL
        | {
            "TERMA_MODELS__M__API_BASE": server.base,
            "TERMA_SUGGESTIONS__OFFLINE_AFTER": "0",
            "TERMA_SUGGESTIONS__CHECK": "false",
            "TERMA_CONVERSATION__READ_FREELY": "true",
            "TERMA_CONVERSATION__ALLOW": json.dumps(["cat *", "tail *", "head *"]),
        }
    )
    (home.home / "app.log").write_text(dressed(request.param), encoding="utf-8")
    return home


def tools(*made: tuple[str, dict[str, Any]]) -> tuple[Reply, ...]:
    """A turn for each call, and an end."""
    return (*(calls(one, finish="tool_calls") for one in made), says("Done."))


def runs(command: str) -> tuple[str, dict[str, Any]]:
    return "run_command", {"command": command, "description": "shows the log"}


LOOKS = (
    ("read_file", {"path": "app.log"}),
    ("read_file", {"path": "app.log", "start": 5, "lines": 4}),
    ("search_files", {"pattern": "[A-Za-z0-9+/]{40}|lighthouse"}),
    ("search_files", {"pattern": "DB_PASSWORD|Vogel"}),
    runs("cat app.log"),
    runs("tail -n 6 app.log"),
    runs("head -n 7 app.log"),
)


def test_a_question_whose_tools_read_search_and_run(asking: Home, server: ModelServer) -> None:
    server.will(*tools(*LOOKS))
    done = call(asking, "--yes", f"why is {SEEN} down? its DB_PASSWORD={PASSWORD}")
    assert done.returncode == 0, done.stderr
    assert_none_of_it(sent(server, len(LOOKS) + 1))
    results = [str(turn["content"]) for turn in server.seen[-1].body["messages"] if turn["role"] == "tool"]
    assert len(results) == len(LOOKS)
    assert sum(SEEN in result for result in results) >= 5  # all but the parts that do not reach its lines


def test_text_that_is_handed_over(asking: Home, server: ModelServer) -> None:
    server.will(says("Done."))
    log = (asking.home / "app.log").read_text(encoding="utf-8")
    done = call(asking, "ask", "--file", "app.log", "what is this?", said=log)
    assert done.returncode == 0, done.stderr
    assert_none_of_it(sent(server, 1))


def test_a_failure_that_is_explained(asking: Home, server: ModelServer) -> None:
    server.will(says("It is broken."))
    command = f"mysql -u {SEEN} -p{PASSWORD} shop"
    words = ("why", "--command", command, "--status", "1", "--output-file", "app.log", "what is wrong?")
    done = call(asking, *words)
    assert done.returncode == 0, done.stderr
    assert_none_of_it(sent(server, 1))


def test_a_conversation(asking: Home, server: ModelServer) -> None:
    server.will(*tools(("read_file", {"path": "app.log", "start": 4, "lines": 6})))
    with Terma(asking, "chat") as terma:
        terma.prompted().enter(f"{SEEN}: the password is {PASSWORD}, what is in app.log?", "Done.")
    assert_none_of_it(sent(server, 2))


def test_the_key_with_what_ran_before(asking: Home, server: ModelServer) -> None:
    server.will(says("ls -l"))
    (asking.home / ".bash_history").write_text(f"{SEEN} --password={PASSWORD} --list\n", encoding="utf-8")
    with bash(asking, env={"TERMA_ENGINE": "auto"}) as shell:
        shell.run(f"false {SEEN} --password={PASSWORD}")
        shell.type(f"list files of {SEEN} with --password={PASSWORD}").line()
        shell.press("C-t").wait_for("ls -l")
    assert_none_of_it(sent(server, 1))


@pytest.mark.parametrize("dress", DRESSES)
def test_a_client_of_mcp_that_reads_and_searches(agent, dress: str) -> None:
    (agent.home / "app.log").write_text(dressed(dress), encoding="utf-8")
    client = Client(agent)
    try:
        client.ask("initialize", protocolVersion="2025-06-18", capabilities={})
        client.tool("session_create", session="work")
        told = [
            client.tool("session_exec", session="work", input="cat app.log"),
            client.tool("session_exec", session="work", input="tail -n 6 app.log"),
            client.tool("session_read", session="work"),
            client.tool("session_search", session="work", pattern="[A-Za-z0-9+/]{40}|lighthouse"),
            client.tool("session_search", session="work", pattern="Vogel"),
            client.ask("resources/read", uri="terma://session/work/output"),
        ]
    finally:
        client.close()
    assert_none_of_it(json.dumps(told, ensure_ascii=False))
