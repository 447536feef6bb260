"""The embedded partner says how what was run has ended: from its exit status, and of the command that was last."""

from __future__ import annotations

import pytest

from terma.chat import PastCommand
from tests.unit.test_partner import answered, ran

RAN = (
    PastCommand("cat nosuch.txt", 1, "cat: nosuch.txt: No such file or directory\n"),
    PastCommand("ls", 0, "a\n"),
)


@pytest.mark.parametrize(
    "question",
    [
        "what was the exit status?",
        "what's the exit code of the last command",
        "did it work?",
        "did that succeed",
        "so, did my last command fail?",
        "was it successful?",
        "how did that go?",
        "what did it return",
        "has it finished successfully",
    ],
)
def test_how_the_last_command_ended_is_read_off_its_status(question: str) -> None:
    assert answered(question, ran=RAN) == "`ls` worked: exit status 0."
    assert answered(question, ran=RAN[:1]) == "`cat nosuch.txt` ended with exit status 1."


@pytest.mark.parametrize(
    "question",
    [
        "which command failed?",
        "what failed?",
        "which of my commands failed",
        "did anything fail so far?",
        "what has not worked",
    ],
)
def test_what_failed_is_named(question: str) -> None:
    assert answered(question, ran=RAN) == "- `cat nosuch.txt` ended with exit status 1."
    assert "None" in answered(question, ran=RAN[1:])


def test_an_end_that_is_not_known_is_no_success() -> None:
    assert answered("did it work?", context="Command: make all") == "How `make all` ended is not known."


def test_the_last_command_is_the_one_that_the_terminal_shows_since() -> None:
    """A question from the outer prompt follows up a conversation: what was run there in between came later."""
    context = "Command: make check\nExit status: 2"
    assert (
        answered("did it work?", *ran("ls", "a"), context=context) == "`make check` ended with exit status 2."
    )
    listed = answered("what did I run?", *ran("ls", "a"), context=context)
    assert listed.splitlines() == ["- `ls` worked", "- `make check` ended with exit status 2"]
    assert "`ls`" in answered("did it work?", context=context, ran=RAN)


@pytest.mark.parametrize(
    "question", ["did my backup work", "which services failed", "what failed logins are there"]
)
def test_what_else_may_have_worked_is_not_read_off_a_command(question: str) -> None:
    assert answered(question, ran=RAN).startswith('{"command"')


def test_nothing_is_told_where_nothing_ran() -> None:
    assert answered("did it work?").startswith('{"command"')


@pytest.mark.parametrize(
    "question", ["what can terma do?", "what model are you?", "what does this tool do", "which llm is this"]
)
def test_it_says_what_it_is_by_its_name_too(question: str) -> None:
    assert "no model" in answered(question)
