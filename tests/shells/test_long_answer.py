"""An answer of more rows than the screen has: its danger is seen all the same."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.conftest import RunningAgent
from tests.shells.driver import TmuxShell
from tests.shells.in_bash import bash_in_tmux
from tests.shells.in_xonsh import needs_xonsh, xonsh
from tests.shells.in_zsh import zsh_in_tmux

shells = pytest.mark.parametrize(
    "open_shell", [zsh_in_tmux, bash_in_tmux, pytest.param(xonsh, marks=needs_xonsh)]
)
ROWS = [f"one/{number}" for number in range(60)]
MANY = "rm -rf \\\n" + " \\\n".join(f"  {row}" for row in ROWS)
WIDE = "rm -rf " + " ".join(f"folder-number/{number}" for number in range(150))
DANGER = "⚠ high: deletes files"


@shells
@pytest.mark.parametrize("size", [(12, 44), (24, 80)])
@pytest.mark.parametrize("text", [MANY, WIDE], ids=["many", "wide"])
def test_the_danger_is_on_the_screen(
    agent: RunningAgent, open_shell: Callable[..., TmuxShell], size: tuple[int, int], text: str
) -> None:
    agent.will_say(text)
    with open_shell(agent, size=size) as shell:
        shell.type("delete them").press("C-t").wait_for(DANGER)
        assert "rm" in shell.line().text
        assert shell.ran == []


def test_bash_shows_all_of_it_before_the_line_and_an_enter_is_no_more_than_a_key(agent: RunningAgent) -> None:
    agent.will_say(MANY)
    with bash_in_tmux(agent, size=(12, 44)) as shell:
        shell.type("delete them").press("C-t").wait_for("· any")
        assert DANGER in shell.screen()
        before = shell.screen(history=True)
        assert all(f"  {row}" in before for row in ROWS)
        shell.press("Enter").wait_screen(lambda screen: "· any" not in screen, "the line")
        assert shell.line().text == MANY
        assert shell.ran == []


def test_bash_an_answer_that_fits_is_not_held(agent: RunningAgent) -> None:
    agent.will_say("\n".join(f"echo {number}" for number in range(5)))
    with bash_in_tmux(agent, size=(12, 44)) as shell:
        shell.type("count").press("C-t").wait_for("· script").line()
        assert "· any" not in shell.screen(history=True)


def test_bash_the_key_is_the_persons_own(agent: RunningAgent) -> None:
    agent.will_say(MANY, candidates=("ls",))
    with bash_in_tmux(agent, size=(12, 44)) as shell:
        shell.type("delete them").press("C-t").wait_for("· any")
        shell.press("C-t").wait_for("ready> ls")
        assert shell.line().text == "ls"
        shell.press("C-u").type("delete them").press("C-t").wait_for("· any").press("C-c")
        shell.wait_for("ready> delete them")
        assert shell.line().text == "delete them"
