"""What the agent reads beside answering, and when."""

from __future__ import annotations

import asyncio
from types import SimpleNamespace

import pytest

from terma.agent import server


@pytest.fixture
def done(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The steps that were taken, in order."""
    steps: list[str] = []

    class Recorded:
        def __init__(self, *_: object) -> None: ...

        def rehearse(self) -> None:
            steps.append("rehearse")

        async def warm(self) -> None:
            steps.append("warm")

    monkeypatch.setattr(server, "Handlers", Recorded)
    monkeypatch.setattr(server, "_settle", lambda: steps.append("settle"))
    monkeypatch.setattr(server, "SETTLE", 0.01)
    return steps


class Peer:
    """A connection over which something is asked."""

    busy = True


def agent() -> server.Agent:
    nothing = SimpleNamespace()
    return server.Agent(nothing, nothing, 0.0, nothing)  # type: ignore[arg-type]


async def turns() -> None:
    """Let what is due happen; a step that is put off is due again after SETTLE."""
    for _ in range(5):
        await asyncio.sleep(server.SETTLE)


def test_an_agent_that_nobody_asks_rehearses_a_question(done: list[str]) -> None:
    async def life() -> None:
        agent()._warm()
        await turns()

    asyncio.run(life())
    assert done == ["rehearse", "settle", "warm"]


def test_what_comes_later_is_read_when_nothing_is_being_answered(done: list[str]) -> None:
    async def life() -> None:
        asked, connection = agent(), Peer()
        asked._connections[connection] = None  # type: ignore[index, assignment]
        asked._asked()
        asked._warm()
        await turns()
        assert done == []
        connection.busy = False
        await turns()

    asyncio.run(life())
    assert done == ["settle", "warm"]
