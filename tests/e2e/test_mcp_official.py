"""`terma mcp` with the official SDK's client, and what subscribers are told."""

from __future__ import annotations

import asyncio
import os
import re
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import WAIT
from tests.e2e.mcp_client import COMMAND, mcp

__all__ = ["mcp"]


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
