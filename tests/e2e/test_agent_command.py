"""`terma agent …` as a person and a program meet it."""

from __future__ import annotations

import argparse
import json
import signal
import subprocess
import sys

import pytest

from terma.commands import agent as command

from ..conftest import WAIT, Home, wait_until


@pytest.fixture
def terma_agent(home: Home, monkeypatch: pytest.MonkeyPatch):
    """Runs `terma agent WORDS` in this process; its exit status."""
    for name, value in home.env.items():
        monkeypatch.setenv(name, value)
    monkeypatch.setenv("TERMA_ENGINE", "scripted")
    parser = argparse.ArgumentParser()
    command.add_arguments(parser)
    return lambda *words: command.run(parser.parse_args(words))


def test_start_is_silent_and_status_speaks(terma_agent, capsys):
    assert terma_agent("start") == 0
    assert capsys.readouterr() == ("", "")
    assert terma_agent("status") == 0
    said = capsys.readouterr().out
    assert "running: process" in said
    assert "requests" in said


def test_status_without_an_agent_says_what_to_do(terma_agent, capsys):
    assert terma_agent("status") == 1
    assert "terma agent start" in capsys.readouterr().out
    assert terma_agent("status", "--json") == 1
    assert json.loads(capsys.readouterr().out) == {"running": False}


def test_status_for_a_program_is_one_json_object(terma_agent, capsys):
    terma_agent("start")
    assert terma_agent("status", "--json") == 0
    facts = json.loads(capsys.readouterr().out)
    assert facts["running"] is True
    wanted = {"version", "pid", "uptime", "rss", "sessions", "socket", "requests"}
    assert wanted <= facts.keys()


def test_stop_says_whether_there_was_one(terma_agent, capsys):
    terma_agent("start")
    assert terma_agent("stop") == 0
    assert terma_agent("stop") == 0
    assert capsys.readouterr().out == "stopped\nno agent was running\n"


def test_restart_starts_one_that_did_not_run(terma_agent, capsys):
    assert terma_agent("restart") == 0
    assert terma_agent("status") == 0


def test_logs_shows_the_last_lines(terma_agent, capsys):
    assert terma_agent("logs") == 0
    assert capsys.readouterr().out == ""
    terma_agent("restart")
    terma_agent("restart")
    terma_agent("status")
    capsys.readouterr()
    terma_agent("logs", "-n", "1")
    last = capsys.readouterr().out
    assert last.count("\n") == 1
    terma_agent("logs")
    assert capsys.readouterr().out.endswith(last)


def test_an_unwritable_log_is_said_by_status(home, terma_agent, capsys):
    (home.home / ".local").write_text("in the way")
    terma_agent("start")
    terma_agent("status")
    assert "the log cannot be written" in capsys.readouterr().out


def test_run_serves_in_the_foreground_and_logs_to_standard_error(home):
    process = subprocess.Popen(
        [sys.executable, "-I", "-m", "terma.agent", "--foreground"],
        env=home.env,
        stderr=subprocess.PIPE,
        text=True,
    )
    wait_until(home.socket.exists, "the socket")
    assert process.stderr is not None
    assert " start " in process.stderr.readline()
    process.send_signal(signal.SIGINT)
    assert "leave reason=SIGINT" in process.communicate(timeout=WAIT)[1]
    assert process.returncode == 0
    assert not home.log.exists()


def test_a_second_run_says_that_one_already_serves(agent):
    second = subprocess.run(
        [sys.executable, "-I", "-m", "terma.agent", "--foreground"],
        env=agent.env,
        capture_output=True,
        text=True,
        timeout=WAIT,
        check=False,
    )
    assert second.returncode == 1
    assert second.stderr == f"terma: an agent already serves {agent.socket}\n"
