"""How the agent is started depends on where terma is installed, and on nothing in the working directory."""

from __future__ import annotations

import socket
import subprocess
import sys
from pathlib import Path

import pytest

import terma
from terma import autostart, client, paths
from terma.errors import AgentUnavailable, UnsafePath

ROOT = str(Path(terma.__file__).resolve().parent.parent)


def test_the_agent_runs_isolated(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.delenv("PYTHONPATH", raising=False)
    assert autostart.command() == [sys.executable, "-I", "-m", "terma.agent"]


def test_an_installation_of_the_user_is_found(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(autostart.site, "ENABLE_USER_SITE", True)
    monkeypatch.setattr(autostart.site, "getusersitepackages", lambda: ROOT)
    assert autostart.command()[1:3] == ["-E", "-P"]


def test_a_checkout_on_pythonpath_is_found(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(autostart.site, "ENABLE_USER_SITE", False)
    monkeypatch.setenv("PYTHONPATH", f"/nowhere:{ROOT}")
    assert autostart.command()[1] == "-P"


def test_one_memory_arena_unless_the_user_says_otherwise(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.delenv("MALLOC_ARENA_MAX", raising=False)
    assert autostart.environment()["MALLOC_ARENA_MAX"] == "1"
    monkeypatch.setenv("MALLOC_ARENA_MAX", "4")
    assert autostart.environment()["MALLOC_ARENA_MAX"] == "4"


def test_the_way_to_the_agent_imports_nothing_heavy():
    code = """
import sys
from terma import client
heavy = "asyncio ssl platformdirs subprocess tempfile terma.agent terma.offline".split()
print(sorted(set(heavy) & sys.modules.keys()))
"""
    said = subprocess.run([sys.executable, "-I", "-c", code], capture_output=True, text=True, check=True)
    assert said.stdout == "[]\n"


def test_the_agent_is_spared_ssl():
    code = """
import sys
sys.modules["ssl"] = None
import asyncio
del sys.modules["ssl"]
import terma.agent.server, terma.suggest.translate, terma.providers.offline, terma.context.history
print("ssl" in sys.modules)
import ssl
"""
    said = subprocess.run([sys.executable, "-I", "-c", code], capture_output=True, text=True, check=True)
    assert said.stdout == "False\n"


def test_a_relative_or_endless_socket_path_is_refused(monkeypatch: pytest.MonkeyPatch):
    for path, reason in (("run/agent.sock", "not absolute"), ("/" + "x" * 110, "longer than")):
        monkeypatch.setenv("TERMA_SOCKET", path)
        with pytest.raises(UnsafePath, match=reason):
            paths.socket_path()


def test_a_start_that_takes_too_long_is_given_up(place: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("TERMA_SOCKET", str(place / "run" / "agent.sock"))
    monkeypatch.setattr(
        autostart, "command", lambda: [sys.executable, "-I", "-c", "import time; time.sleep(1)"]
    )
    with pytest.raises(AgentUnavailable, match="did not start in time"):
        autostart.ensure(timeout=0.2)


def test_an_agent_that_dies_at_birth_is_reported(place: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("TERMA_SOCKET", str(place / "run" / "agent.sock"))
    monkeypatch.setattr(autostart, "command", lambda: [sys.executable, "-I", "-c", "raise SystemExit(3)"])
    with pytest.raises(AgentUnavailable, match="did not start") as caught:
        autostart.ensure(timeout=90)
    assert caught.value.hint


@pytest.mark.parametrize("runs", [True, False])
def test_an_agent_that_was_started_for_this_may_take_as_long_as_a_start(monkeypatch, runs: bool):
    """It listens before it has loaded everything: a busy machine needs a while for that."""
    ours, its = socket.socketpair()
    monkeypatch.setattr(autostart, "knock", lambda path: ours if runs else None)
    monkeypatch.setattr(autostart, "ensure", lambda: ours)
    asked: list[float] = []
    monkeypatch.setattr(client.Connection, "greet", lambda connection, seconds: asked.append(seconds))
    client.connect(patience=0.5).close()
    its.close()
    assert asked == [0.5 if runs else autostart.SECONDS]
