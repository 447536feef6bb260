"""Words that were entered as a command: the key and ?why still bring what was meant."""

from __future__ import annotations

from typing import Any

import pytest

from terma.errors import TermaError

ENTERED = {
    "command": "show the newest photos",
    "status": "127",
    "cwd": "/",
    "shell": "bash",
    "path": "/usr/bin:/bin",
}
ADVICE = "you meant words: Ctrl+T before Enter next time"


def notes(frames: list[tuple[str, ...]]) -> list[str]:
    return [frame[1] for frame in frames if frame[0] == "note"]


def test_the_key_brings_the_command_and_advises_once_a_shell(agent: Any) -> None:
    agent.will_say("ls -t | ", "head")
    with agent.connect() as shell:
        first = list(shell.ask("fix", ENTERED))
        second = list(shell.ask("fix", ENTERED))
    assert first[-1][:3] == second[-1][:3] == ("done", "replace", "ls -t | head")
    assert notes(first)[-1].startswith(ADVICE)
    assert not any(ADVICE in note for note in notes(second))


def test_a_danger_is_not_pushed_off_the_line_by_advice(agent: Any) -> None:
    agent.will_say("rm -rf photos")
    with agent.connect() as shell:
        first = list(shell.ask("fix", ENTERED))
        agent.will_say("ls -t")
        second = list(shell.ask("fix", ENTERED))
    assert ("risk", "high") in [frame[:2] for frame in first]
    assert not any(ADVICE in note for note in notes(first))
    assert notes(second)[-1].startswith(ADVICE)


def test_why_says_the_same_and_offers_the_command(agent: Any) -> None:
    agent.will_say("ls -t")
    frames = agent.ask("why", **ENTERED)
    assert "you meant words" in "".join(frame[2] for frame in frames if frame[0] == "say")
    assert [frame[1] for frame in frames if frame[0] == "fix"] == ["ls -t"]
    assert frames[-1] == ("done", "why")


def test_why_says_the_same_to_programs(agent: Any) -> None:
    agent.will_say("ls -t")
    with agent.connect() as shell:
        answer = shell.ask_json("why_json", ENTERED)
    assert "you meant words" in answer["explanation"]
    assert [fix["command"] for fix in answer["fixes"]] == ["ls -t"]


@pytest.mark.parametrize(
    "other",
    [
        {"command": "gti status"},
        {"command": "kubeclt get pods"},
        {"command": "frobnicate"},
        {"command": "ls the newest photos"},  # ls ran: something else was not found
        {"status": "1"},
        {"status": "2"},
    ],
)
def test_what_was_a_command_keeps_its_fix(agent: Any, other: dict[str, str]) -> None:
    agent.will_say("wrong")
    agent.will_explain("it failed", fixes=("git status",))
    for kind in ("fix", "why"):
        frames = agent.ask(kind, **(ENTERED | other))
        found = [frame[2] for frame in frames if frame[0] == "done" and len(frame) > 2]
        assert [*found, *(frame[1] for frame in frames if frame[0] == "fix")] == ["git status"]


def test_words_that_no_engine_answers_are_explained_as_before(agent: Any) -> None:
    agent.forget()
    agent.will_explain("it failed", fixes=("true",))
    assert agent.ask("fix", **ENTERED)[-1][2] == "true"
    said = "".join(frame[2] for frame in agent.ask("why", **ENTERED) if frame[0] == "say")
    assert "it failed" in said
    assert "you meant words" not in said


def test_words_that_nobody_answers_are_told_to_be_words(agent: Any) -> None:
    agent.forget()
    agent.will_explain("it failed")
    with pytest.raises(TermaError, match="you meant words: scripted does not know that"):
        agent.ask("fix", **ENTERED)
    frames = agent.ask("why", **ENTERED)
    said = "".join(frame[2] for frame in frames if frame[0] == "say")
    assert "you meant words, but scripted does not know that" in said
    assert frames[-1] == ("done", "why")
    assert not [frame for frame in frames if frame[0] == "fix"]


def test_what_is_only_near_is_no_answer_here(agent: Any) -> None:
    agent.will_do({"unsure": ["rm -rf photos", ["newest"]]}, match="photos")
    agent.will_explain("it failed", fixes=("true",))
    assert agent.ask("fix", **ENTERED, second="1")[-1][2] == "true"


def test_of_what_may_have_run_in_part_nothing_is_more_than_words(agent: Any) -> None:
    agent.will_say("ls")
    frames = agent.ask("fix", **(ENTERED | {"command": "show files && rm x"}))
    assert frames[-1][:3] == ("done", "replace", "ls")
