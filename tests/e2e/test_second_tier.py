"""What is near and not sure, on the wire: shown to a shell that knows of it, an answer only to one that asks again."""

from __future__ import annotations

from typing import Any

import pytest

from terma.errors import TermaError

ASKED = {"buffer": "delete the late build", "cwd": "/", "shell": "bash"}


@pytest.fixture
def unsure(agent: Any) -> Any:
    agent.will_do({"unsure": ["rm -rf build", ["late"]]})
    return agent


@pytest.mark.parametrize("fields", [{}, {"second": ""}, {"second": "yes"}])
def test_a_shell_that_knows_of_no_second_tier_hears_an_error(unsure: Any, fields: dict[str, str]) -> None:
    with pytest.raises(TermaError) as error:
        unsure.ask("translate", **ASKED, **fields)
    assert error.value.code == "unknown"
    assert error.value.hint == "nearest: rm -rf build"


@pytest.mark.parametrize("more", [{}, {"list": "1"}])
def test_the_first_press_is_shown_what_is_near_and_gets_no_answer(unsure: Any, more: dict[str, str]) -> None:
    frames = unsure.ask("translate", **ASKED, second="0", **more)
    assert frames[-1] == ("done", "unsure", "rm -rf build", "not sure: does not answer 'late'")
    assert ("risk", "high") in [frame[:2] for frame in frames]
    assert not any(frame[0] in ("delta", "item") for frame in frames)


@pytest.mark.parametrize("attempt", ["0", "1"])
def test_the_second_press_has_it_as_an_answer_that_says_it_is_not_sure(unsure: Any, attempt: str) -> None:
    frames = unsure.ask("translate", **ASKED, second="1", attempt=attempt)
    assert frames[-1][:3] == ("done", "replace", "rm -rf build")
    risk = next(frame for frame in frames if frame[0] == "risk")
    assert risk[2].startswith("not sure, deletes")
    notes = [frame[1] for frame in frames if frame[0] == "note"]
    assert notes[-1].startswith("not sure: does not answer 'late'")
    assert ("the only answer" in notes[-1]) == (attempt == "1")


def test_what_is_sure_is_no_different_for_who_asks_twice(agent: Any) -> None:
    agent.will_say("ls")
    assert agent.ask("translate", **ASKED, second="1") == agent.ask("translate", **ASKED)


def test_a_program_gets_no_command_of_what_is_near(unsure: Any) -> None:
    with pytest.raises(TermaError):
        unsure.ask("suggest", words=ASKED["buffer"])
