"""The agent explains: over the socket, as a shell asks."""

from __future__ import annotations

import json

import pytest

from terma.errors import TermaError

FAILED = {"command": "make tset", "status": "2", "cwd": "/", "shell": "bash"}


def said(frames):
    return "".join(frame[2] for frame in frames if frame[0] == "say")


def test_an_explanation_is_said_in_styles_and_ends_with_its_fixes(agent):
    agent.will_explain("There is **no** target `tset`.", fixes=("make test", "make -n"))
    frames = agent.ask("why", **FAILED)
    assert ("say", "bold", "no") in frames
    assert "make tset · exit status 2" in said(frames)
    assert [frame[1] for frame in frames if frame[0] == "fix"] == ["make test", "make -n"]
    assert frames[-1] == ("done", "why")


def test_the_question_reaches_the_engine(agent):
    agent.will_explain("wrong", match="")
    agent.will_explain("the port", match="which port")
    assert "the port" in said(agent.ask("why", question="which port is it?", **FAILED))


def test_the_fixes_alone_step_with_the_attempts_and_the_engine_is_asked_once(agent):
    agent.will_explain("no", fixes=("make test", "make -n"))
    with agent.connect() as shell:
        first = list(shell.ask("fix", FAILED))
        agent.will_explain("asked again", fixes=("echo again",))
        second = list(shell.ask("fix", FAILED | {"attempt": "1"}))
        third = list(shell.ask("fix", FAILED | {"attempt": "2"}))
        other = list(shell.ask("fix", FAILED | {"command": "another"}))
    assert first[-1][:5] == ("done", "replace", "make test", "index=0", "total=2")
    assert second[-1][:5] == ("done", "replace", "make -n", "index=1", "total=2")
    assert third[-1][2] == "make test"
    assert other[-1][2] == "echo again"


def test_no_fix_is_said_so(agent):
    agent.will_explain("nothing to do about it")
    with pytest.raises(TermaError, match="no fix is known"):
        agent.ask("fix", **FAILED)


def test_a_destructive_fix_is_marked(agent):
    agent.will_explain("full", fixes=("rm -rf build",))
    frames = agent.ask("why", **FAILED)
    assert next(frame for frame in frames if frame[0] == "fix")[2] in ("medium", "high")
    assert "⚠" in said(frames)
    assert "risk" in {frame[0] for frame in agent.ask("fix", **FAILED)}


def test_without_a_command_there_is_nothing_to_explain(agent):
    with pytest.raises(TermaError, match="nothing was run"):
        agent.ask("why", shell="zsh")


def test_what_was_told_can_be_shown_and_holds_no_secret(agent):
    agent.will_explain("no")
    secret = "ghp_" + "a1B2" * 9
    agent.ask("why", **FAILED | {"command": f"curl -H 'Authorization: Bearer {secret}' x"})
    shown = json.loads(agent.ask("last", sent="1")[-1][2])
    assert shown["engine"] == "scripted"
    assert shown["left"] is False
    assert "curl -H" in shown["text"]
    assert secret not in shown["text"]


def test_what_would_be_told_pretends_nothing(agent):
    shown = json.loads(agent.ask("last", **FAILED)[-1][2])
    assert "Command: make tset" in shown["text"]
    assert "Output: not captured" in shown["text"]


def test_an_output_that_was_handed_over_is_the_source(agent):
    agent.will_explain("seen", fixes=("ls",))
    answer = json.loads(agent.ask("why_json", output="No rule to make target", **FAILED)[-1][2])
    assert answer == {
        "explanation": "seen",
        "fixes": [{"command": "ls", "risk": "low", "confidence": 1.0}],
        "looks": [],
        "engine": "scripted",
        "source": "given",
    }


def test_an_engine_that_crashes_in_an_explanation_is_one_error(agent):
    agent.will_do_why({"delta": "well"}, {"error": ["quota", "the quota is used up", "wait"]})
    with pytest.raises(TermaError, match="quota") as caught:
        agent.ask("why", **FAILED)
    assert caught.value.code == "quota"
