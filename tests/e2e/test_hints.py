"""The agent's side of a hint: the one command it is sure of behind a failure, else nothing."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

FAILED = {"command": "make tset", "status": "2", "cwd": "/", "shell": "bash"}
WANTED = {"settings": "\nTERMA_HINTS=true\n"}


def hint(agent: Any, **more: str) -> tuple[str, ...]:
    """The last frame for a shell that wants hints."""
    frames = agent.ask("hint", **(FAILED | WANTED | more))
    assert len(frames) == 1
    return frames[0]


def test_what_the_engine_is_sure_of_is_told_and_is_what_the_key_brings(agent: Any) -> None:
    agent.will_explain("no such target", fixes=("make test", "make -n"))
    with agent.connect() as shell:
        assert list(shell.ask("hint", FAILED | WANTED)) == [("done", "hint", "make test")]
        agent.will_explain("asked again", fixes=("echo again",))
        brought = [list(shell.ask("fix", FAILED | {"attempt": str(number)}))[-1][2] for number in (0, 1)]
    assert brought == ["make test", "make -n"]


@pytest.mark.parametrize(
    "fix",
    [
        ("make test", 0.89),  # likely
        ("rm -rf build", 1.0),
        ("make clean\nmake", 1.0),
    ],
)
def test_what_is_not_sure_or_not_harmless_or_not_one_line_is_not_shown(
    agent: Any, fix: tuple[str, float]
) -> None:
    agent.will_explain("no such target", fixes=(fix, "make -n"))
    assert hint(agent) == ("done", "hint", "")


def test_what_was_not_shown_leaves_the_key_to_the_engine_of_the_person(agent: Any) -> None:
    with agent.connect() as shell:
        agent.will_explain("no", fixes=(("make test", 0.5),))
        assert list(shell.ask("hint", FAILED | WANTED)) == [("done", "hint", "")]
        agent.will_explain("yes", fixes=("make all",))
        assert list(shell.ask("fix", FAILED))[-1][2] == "make all"


@pytest.mark.parametrize(
    "other",
    [
        {"settings": ""},
        {"settings": "\nTERMA_HINTS=false\n"},
        {"status": "0"},
        {"command": ""},
    ],
)
def test_without_a_yes_or_a_failure_there_is_none(agent: Any, other: dict[str, str]) -> None:
    agent.will_explain("no such target", fixes=("make test",))
    assert hint(agent, **other) == ("done", "hint", "")


def test_words_that_were_entered_have_none(agent: Any) -> None:
    agent.will_say("ls -t")
    agent.will_explain("not found", fixes=("show-all",))
    words = {"command": "show the newest photos", "status": "127", "path": "/usr/bin:/bin"}
    assert hint(agent, **words) == ("done", "hint", "")


def test_a_model_is_never_asked_for_one(agent: Any) -> None:
    """Nor is it waited for: the embedded engine knows the command, whoever answers otherwise."""
    settings = "\nTERMA_HINTS=true\nTERMA_MODEL=some/model\n"
    slip = {
        "command": "ls --sise",
        "status": "2",
        "path": "/usr/bin:/bin",
        "output": "ls: unrecognized option '--sise'",
    }
    frames = agent.ask("hint", **(FAILED | slip | {"settings": settings, "engine": "auto"}))
    assert frames == [("done", "hint", "ls --size")]


def test_the_page_s_example_is_what_is_shown(agent: Any) -> None:
    page = (Path(__file__).parents[2] / "docs/hints.md").read_text(encoding="utf-8")
    (block,) = re.findall(r"```text\n(.*?)```", page, re.S)
    prompt, said, _, shown = block.strip().splitlines()
    command = prompt.partition("❯ ")[2]
    (agent.home / shown.split()[-1]).touch()
    there = {
        "command": command,
        "status": "1",
        "cwd": str(agent.home),
        "output": said,
        "path": "/usr/bin:/bin",
    }
    assert hint(agent, **there, engine="offline") == ("done", "hint", shown.removeprefix("Ctrl+T: "))


def test_the_file_says_it_as_well(agent: Any) -> None:
    file = agent.home / ".config/terma/config.toml"
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text("hints = true\n", encoding="utf-8")
    agent.will_explain("no such target", fixes=("make test",))
    assert hint(agent, settings="") == ("done", "hint", "make test")
