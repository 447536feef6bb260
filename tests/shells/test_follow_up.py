"""A question at the same prompt goes on with the one before, for a while; a script's questions, and --new, do not."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest

from tests.conftest import Home
from tests.model_server import ModelServer, says
from tests.shells.driver import Shell
from tests.shells.in_bash import bash
from tests.shells.in_terma import TERMA, prepared, told
from tests.shells.in_zsh import zsh


@pytest.fixture
def server() -> Iterator[ModelServer]:
    with ModelServer() as made:
        yield made


@pytest.mark.parametrize("start", [bash, zsh])
def test_a_question_follows_up_the_one_before_and_says_so(
    home: Home, server: ModelServer, start: Callable[..., Shell]
) -> None:
    prepared(home, server, start.__name__)
    server.will(says("Forty-two."), says("Because."), says("Anew."))
    with start(home) as shell:
        assert "Forty-two." in shell.run(f"{TERMA} 'what is six times seven?'")
        shown = shell.run(f"{TERMA} 'and why?'")
        assert "follows up “what is six times seven?”" in shown
        assert "--new begins anew" in shown
        assert "Forty-two." in told(server, 2)
        shown = shell.run(f"{TERMA} --new 'something else?'")
        assert "follows up" not in shown
        assert "Forty-two." not in told(server, 3)


def test_what_a_script_asks_stands_alone(home: Home, server: ModelServer) -> None:
    prepared(home, server)
    server.will(says("First."), says("Second."))
    (home.home / "ask.sh").write_text(f"{TERMA} 'one thing?'; {TERMA} 'another thing?'\n")
    with bash(home) as shell:
        assert "follows up" not in shell.run("sh ask.sh")
    assert "First." not in told(server, 2)


def test_another_terminal_begins_its_own_and_continue_says_with_what(home: Home, server: ModelServer) -> None:
    prepared(home, server)
    server.will(says("Forty-two."), says("A fresh one."), says("Because."))
    with bash(home) as one, bash(home) as other:
        one.run(f"{TERMA} 'what is six times seven?'")
        assert "follows up" not in other.run(f"{TERMA} 'and why?'")
        shown = " ".join(one.run(f"{TERMA} --continue 'and why?'").split())
        assert "goes on with “what is six times seven?”, just now" in shown
        assert "you: what is six times seven?" in shown
        assert "it: Forty-two." in shown
    assert "Forty-two." in told(server, 3)


def test_the_bound_is_a_setting(home: Home, server: ModelServer) -> None:
    prepared(home, server)
    home.configure({"TERMA_CONVERSATION__FOLLOW": "0"})
    server.will(says("First."), says("Second."))
    with bash(home) as shell:
        shell.run(f"{TERMA} 'one thing?'")
        assert "follows up" not in shell.run(f"{TERMA} 'another thing?'")
