"""What a request says about the shell reaches the engine, and nothing in it can be out of shape."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from terma import registry
from terma.agent import inprocess
from terma.agent.choosing import variables
from terma.agent.explaining import environment
from terma.agent.handlers import Handlers, assess, machine
from terma.errors import ProviderError, TermaError, UsageError
from terma.types import Candidate, Event, Final, Query, Raw


class Listener:
    """An engine that remembers what it was asked."""

    name = "listener"

    def __init__(self) -> None:
        self.heard: list[Query] = []

    async def translate(self, query: Query) -> AsyncIterator[Event]:
        self.heard.append(query)
        yield Final((Candidate("ls", 1.0, "ear"),))


@pytest.fixture
def listener(monkeypatch: pytest.MonkeyPatch) -> Listener:
    made = Listener()
    monkeypatch.setattr(registry, "load", lambda package, name: made)
    return made


def ask(kind: str, **fields: str) -> list[tuple[str, ...] | Raw]:
    async def collect() -> list[tuple[str, ...] | Raw]:
        handlers = Handlers(status=dict, stop=lambda: None)
        return [frame async for frame in handlers.answer(kind, fields)]

    return asyncio.run(collect())


def test_everything_known_of_the_shell_reaches_the_engine(listener: Listener, tmp_path: Path):
    (tmp_path / "history").write_text("make all\nkubectl rollout restart deploy/web\n")
    ask(
        "translate",
        buffer="  list files ",
        attempt="2",
        cwd="/srv",
        path="/bin:/usr/bin",
        **{"shell": "zsh"},
        histfile=str(tmp_path / "history"),
        status="127",
        command="gti status",
        duration="2500",
        colour="ignored",
    )
    assert listener.heard == [
        Query(
            words="list files",
            **{"shell": "zsh"},
            cwd="/srv",
            path="/bin:/usr/bin",
            os=machine(),
            attempt=2,
            history=("make all", "kubectl rollout restart deploy/web"),
            status=127,
            command="gti status",
            duration=2500,
        )
    ]


def test_what_is_not_said_is_unknown(listener: Listener):
    ask("translate", buffer="list files")
    assert listener.heard == [Query(words="list files", os=machine())]


def test_a_directory_that_is_no_path_is_not_believed(listener: Listener):
    ask("translate", buffer="list files", cwd="../../etc", attempt="-3")
    assert (listener.heard[0].cwd, listener.heard[0].attempt) == ("", 0)


@pytest.mark.parametrize("field", ["attempt", "status", "duration"])
def test_a_number_that_is_none_is_named(listener: Listener, field: str):
    with pytest.raises(UsageError, match=field):
        ask("translate", buffer="list", **{field: "1e9"})


def test_the_engine_is_the_one_of_the_request_and_never_the_agent_s(monkeypatch: pytest.MonkeyPatch):
    asked: list[str] = []

    def load(package: str, name: str) -> Listener:
        asked.append(name)
        return Listener()

    monkeypatch.setattr(registry, "load", load)
    monkeypatch.setenv("TERMA_ENGINE", "scripted")
    ask("suggest", words="list", engine="other")
    ask("suggest", words="list")
    ask("suggest", words="list", engine="auto")
    assert asked == ["other", "offline", "offline"]


def test_an_embedded_engine_that_cannot_be_read_says_so(monkeypatch: pytest.MonkeyPatch):
    from terma.offline import Engine
    from terma.providers.offline import OfflineProvider

    def broken() -> Engine:
        raise ValueError("line 1: no JSON")

    monkeypatch.setattr(Engine, "load", broken)
    with pytest.raises(ProviderError, match="cannot be read: line 1") as caught:
        OfflineProvider().preload()
    assert caught.value.hint == "install terma again"


def test_a_command_is_judged_as_the_shell_that_asks_reads_it():
    assert assess("ls # list", "/", "bash").level == "low"
    assert assess("ls # list", "/", "zsh").level == "medium"
    assert assess("ls 'a b'", "/", "xonsh").level == "low"  # bash's words, which terma writes down for xonsh
    assert assess("ls 'a b'", "/", "fish").level == "medium"


def test_the_embedded_engine_answers_and_admits():
    frames = ask("translate", buffer="extract the archive backup.tar.gz", cwd="/srv")
    assert frames[0] == ("note", "offline · thinking")
    assert str(frames[-1][2]).startswith("tar ")  # type: ignore[index]
    with pytest.raises(TermaError, match="offline does not know that yet") as caught:
        ask("translate", buffer="fold the laundry and water the plants")
    assert caught.value.code == "unknown"


def test_variables_that_are_no_settings_cost_no_validation():
    sent = (
        "\nTERMA_BIN=/usr/bin/terma\nTERMA_SOCKET=/run/x\nTERMA_KEY=^T\nTERMA_ENGINE=offline\nTERMA_RETRIES=3"
    )
    assert variables({"settings": sent}) == {"TERMA_ENGINE": "offline", "TERMA_RETRIES": "3"}


def test_what_looks_at_terminals_gets_no_key():
    sent = {"env.TMUX_PANE": "%3", "env.OPENAI_API_KEY": "sk-x", "cwd": "/"}
    assert environment(sent) == {"TMUX_PANE": "%3"}


def test_a_program_is_told_what_is_near_and_that_nothing_is_sure() -> None:
    asked = {"words": "frobnicate the gizmo", "engine": "offline", "second": "1"}
    found = inprocess.ask_json("suggest", asked)
    assert (found["command"], found["candidates"], found["confidence"]) == ("", [], 0.0)
    assert found["second"]["command"] == ""
    assert {"frobnicate", "gizmo"} <= set(found["second"]["unknown"])
    german = inprocess.ask_json("suggest", asked | {"words": "zeig mir die schönsten Sonnenuntergänge"})
    assert "does not know that in German: “schönsten”, “Sonnenuntergänge”" in german["message"]
