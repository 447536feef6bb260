"""A private key leaves in no part either: page by page, line by line, as what matched, and as what a command printed
that `?why` is asked about at a real prompt."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

import pytest

from tests.conftest import Home
from tests.e2e.recorded import LOAD, Recorded
from tests.e2e.test_ask import call
from tests.e2e.test_mcp import Client
from tests.e2e.test_secrets_leave_nowhere import (
    ROWS,
    SEEN,
    assert_none_of_it,
    dressed,
    runs,
    sent,
    tools,
)
from tests.model_server import ModelServer, says
from tests.shells.driver import ended
from tests.shells.in_terma import MODEL, prepared

DRESSES = ("bare", "compose", "coloured", "numbered")
PAGE = 200  # characters: some three lines of the key


@pytest.fixture
def server() -> Iterator[ModelServer]:
    with ModelServer() as made:
        yield made


@pytest.fixture(params=DRESSES)
def asking(home: Home, server: ModelServer, request: pytest.FixtureRequest) -> Home:
    """A person whose model is the server's, with the log in the directory."""
    prepared(home, server)
    home.configure(
        MODEL
        | {
            "TERMA_MODELS__M__API_BASE": server.base,
            "TERMA_CONVERSATION__READ_FREELY": "true",
            "TERMA_CONVERSATION__ALLOW": json.dumps(["cut *", "head *", "tail *", "grep *"]),
        }
    )
    (home.home / "app.log").write_text(dressed(request.param), encoding="utf-8")
    return home


def one_line(number: int) -> tuple[str, dict[str, Any]]:
    return "read_file", {"path": "app.log", "start": number, "lines": 1}


def test_a_question_whose_tools_go_line_by_line(asking: Home, server: ModelServer) -> None:
    middle = re.escape(ROWS[4][8:30])
    looks = (
        *(one_line(number) for number in (1, 3, 4, 9, 10, len(ROWS) + 3)),
        ("search_files", {"pattern": middle}),
        ("search_files", {"pattern": "BEGIN|END"}),
        runs("cut -c 1-50 app.log"),
        runs("head -n 3 app.log"),
        runs("tail -n 5 app.log"),
        runs("grep -n -E '[A-Z]{3}' app.log"),
    )
    server.will(*tools(*looks))
    done = call(asking, "--yes", f"why is {SEEN} down?")
    assert done.returncode == 0, done.stderr
    assert_none_of_it(sent(server, len(looks) + 1))


@pytest.mark.parametrize("dress", DRESSES)
def test_a_client_of_mcp_that_reads_page_by_page(agent, dress: str) -> None:
    (agent.home / "app.log").write_text(dressed(dress), encoding="utf-8")
    client = Client(agent)
    told: list[Any] = []
    try:
        client.ask("initialize", protocolVersion="2025-06-18", capabilities={})
        client.tool("session_create", session="work")
        client.tool("session_exec", session="work", input="cat app.log")
        for since in range(0, 2400, PAGE // 2):
            told.append(client.tool("session_read", session="work", since=since, limit=PAGE))
        for count in range(1, 9):
            told.append(client.tool("session_read", session="work", head=count * 2))
            told.append(client.tool("session_read", session="work", tail=count * 2))
        for row in ROWS:
            told.append(
                client.tool("session_search", session="work", pattern=re.escape(row[8:30]), context=1)
            )
        for number in range(3, 3 + len(ROWS)):
            told.append(client.tool("session_exec", session="work", input=f"sed -n {number}p app.log"))
    finally:
        client.close()
    assert_none_of_it(json.dumps(told, ensure_ascii=False))


@pytest.mark.parametrize("shell", ["bash", "zsh"])
def test_why_at_a_prompt_whose_screen_shows_it(asking: Home, server: ModelServer, shell: str) -> None:
    fails = asking.home / "fails"
    fails.write_text(f"#!/bin/sh\ncat app.log\necho '{SEEN}: no such service' >&2\nexit 3\n")
    fails.chmod(0o755)
    server.will(says("It is broken."))
    terminal = Recorded(shell, asking, LOAD[shell], env=asking.env | {"TERMA_ENGINE": "auto"})
    try:
        assert SEEN in terminal.run("./fails")
        terminal.run("?why")
        told = sent(server, 1)
    finally:
        ended(terminal.child)
    assert "no such service" in told
    assert_none_of_it(told)
