"""What the agent reads beside answering, and when."""

from __future__ import annotations

import asyncio
import fcntl
import shutil
import threading
from pathlib import Path
from types import SimpleNamespace
from unittest.mock import AsyncMock, Mock

import pytest

from terma.agent import server
from terma.agent.connection import Connection
from terma.agent.endpoint import Endpoint
from terma.agent.parts import Limits
from tests.conftest import WAIT


@pytest.fixture
def done(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The steps that were taken, in order."""
    steps: list[str] = []

    class Recorded:
        def __init__(self, *_: object) -> None: ...

        def preload(self) -> None:
            steps.append("preload")

        def rehearse(self) -> None:
            steps.append("rehearse")

        def rest(self) -> None:
            steps.append("rest")

        async def warm(self) -> None:
            steps.append("warm")

    monkeypatch.setattr(server, "Handlers", Recorded)
    monkeypatch.setattr(server, "_settle", lambda: steps.append("settle"))
    monkeypatch.setattr(server, "SETTLE", 0.01)
    monkeypatch.setattr(server, "REST", 0.0)
    return steps


class Peer:
    """A connection over which something is asked."""

    hurried = True


def agent() -> server.Agent:
    nothing = SimpleNamespace()
    return server.Agent(nothing, nothing, 0.0, nothing)  # type: ignore[arg-type]


async def turns() -> None:
    """Let what is due happen; a step that is put off is due again after SETTLE."""
    for _ in range(5):
        await asyncio.sleep(server.SETTLE)


async def warmed(done: list[str]) -> None:
    """Until the last step is taken, however long the thread that loads takes on a busy machine."""
    async with asyncio.timeout(WAIT):
        while "warm" not in done:  # noqa: ASYNC110 - no event tells it
            await asyncio.sleep(server.SETTLE)


def test_an_agent_that_nobody_asks_rehearses_a_question(done: list[str]) -> None:
    async def life() -> None:
        agent()._warm()
        await warmed(done)

    asyncio.run(life())
    assert done == ["preload", "rehearse", "settle", "warm"]


def test_what_comes_later_is_read_when_nothing_is_being_answered(done: list[str]) -> None:
    async def life() -> None:
        asked, connection = agent(), Peer()
        asked._connections[connection] = None  # type: ignore[index, assignment]
        asked._asked("translate")
        asked._warm()
        await turns()
        assert done == ["preload"]
        connection.hurried = False
        await warmed(done)

    asyncio.run(life())
    assert done == ["preload", "settle", "warm"]


def test_an_agent_that_is_left_alone_rests_once_for_each_time(
    done: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    left = agent()
    left._rest(busy=False)
    left._asked("translate")
    left._rest(busy=False)
    assert "rest" not in done  # nothing to give back, and asked just now
    monkeypatch.setattr(server, "TICK", 0.0)
    left._rest(busy=True)
    assert "rest" not in done
    left._rest(busy=False)
    left._rest(busy=False)
    assert done.count("rest") == 1
    left._asked("translate")
    left._rest(busy=False)
    assert done.count("rest") == 2


def test_sessions_are_answered_before_what_other_questions_need_is_loaded(done: list[str]) -> None:
    async def life() -> None:
        asked = agent()
        asked._asked("session_create")
        asked._begin()
        assert done == []
        await warmed(done)
        asked._asked("translate")

    asyncio.run(life())
    assert done == ["preload", "settle", "warm"]


def test_nothing_is_loaded_beside_sessions_that_are_asked_for_one_after_the_other(
    done: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(server, "REST", 60.0)

    async def life() -> list[str]:
        asked = agent()
        asked._asked("session_create")
        asked._begin()
        await turns()
        meanwhile = list(done)
        monkeypatch.setattr(server, "BUSIEST", 0.0)  # but not for ever
        await warmed(done)
        return meanwhile

    assert asyncio.run(life()) == []
    assert done == ["preload", "settle", "warm"]


def test_any_other_question_that_comes_first_has_it_before_it_is_answered(done: list[str]) -> None:
    asked = agent()
    asked._asked("translate")
    assert done == ["preload"]


def test_a_question_about_a_failure_waits_for_nothing_that_is_loaded(
    done: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    loaded = threading.Event()

    async def life() -> list[str]:
        asked = agent()
        monkeypatch.setattr(asked._handlers, "preload", lambda: loaded.wait() and done.append("preload"))
        asked._begin()
        asked._asked("why")
        before = list(done)
        loaded.set()
        asked._asked("translate")
        return before

    assert asyncio.run(life()) == []
    assert done == ["preload"]


def test_what_is_asked_of_the_agent_itself_waits_for_nothing_that_is_loaded(done: list[str]) -> None:
    compiled = threading.Event()

    async def life() -> list[str]:
        asked = agent()
        asked._handlers.preload = lambda: done.append(f"preload {compiled.wait(WAIT)}")
        asked._preload_beside()
        asked._asked("status")
        asked._asked("stop")
        before = list(done)
        compiled.set()
        asked._preload()
        return before

    assert asyncio.run(life()) == []
    assert done == ["preload True"]


def test_a_wait_in_a_session_holds_up_nothing() -> None:
    async def hurried(kind: str) -> bool:
        connection = Connection(None, SimpleNamespace(transport=Mock()), Mock(), Limits(), Mock())  # type: ignore[arg-type]
        task = asyncio.create_task(asyncio.sleep(60), name=kind)
        connection._asks["1"] = task  # type: ignore[assignment]
        task.cancel()
        return connection.hurried

    assert [asyncio.run(hurried(kind)) for kind in ("session_wait", "why")] == [False, True]


def test_what_sessions_of_an_earlier_agent_ask_is_not_held_up_by_what_is_loaded(done: list[str]) -> None:
    asked_for = threading.Event()

    async def life() -> None:
        asked = agent()
        asked._handlers.preload = lambda: done.append(f"preload {asked_for.wait(WAIT)}")
        asked._begin()
        asked._asked("session_exec")
        asked_for.set()
        asked._preload()

    asyncio.run(life())
    assert done == ["preload True"]


@pytest.mark.skipif(
    not hasattr(fcntl, "F_NOTIFY"), reason="this system does not tell what goes in a directory"
)
def test_an_agent_whose_directory_is_removed_leaves_before_it_looks_again(
    place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(server, "TICK", 3600.0)
    monkeypatch.setattr(server, "FIRST", 3600.0)
    handlers = Mock(live_sessions=0, close=AsyncMock())
    monkeypatch.setattr(server, "Handlers", lambda *_: handlers)
    log = Mock()

    async def life() -> None:
        living = asyncio.create_task(
            server.Agent(Endpoint(place / "run" / "agent.sock"), log, 3600.0, Limits()).run()
        )
        await asyncio.sleep(0)  # it waits to be told to leave
        (place / "run" / "another").touch()
        (place / "run" / "another").unlink()
        await asyncio.sleep(0)
        assert not living.done()
        shutil.rmtree(place / "run")
        async with asyncio.timeout(WAIT):
            await living

    asyncio.run(life())
    log.write.assert_any_call("leave", reason="socket gone")
