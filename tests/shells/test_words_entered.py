"""Words that were entered by mistake: the key on the empty prompt brings their command, and ?why says what happened."""

from __future__ import annotations

import contextlib

import pytest

from tests.conftest import RunningAgent, wait_until
from tests.shells.driver import Timeout, TmuxShell
from tests.shells.in_bash import bash_in_tmux
from tests.shells.in_xonsh import needs_xonsh, xonsh
from tests.shells.in_zsh import zsh_in_tmux

WORDS = "show the newest photos"
shells = pytest.mark.parametrize(
    "open_shell", [zsh_in_tmux, bash_in_tmux, pytest.param(xonsh, marks=needs_xonsh)]
)


def enter(shell: TmuxShell, line: str = WORDS) -> TmuxShell:
    """Runs a line that is no command, up to the next prompt."""
    shell.type(line).line()
    wait_until(lambda: "not found" in entered(shell), "the failure")
    wait_until(lambda: shell.screen().endswith("ready>"), "the next prompt")
    assert shell.line().text == ""
    return shell


def entered(shell: TmuxShell) -> str:
    """The screen after one more Enter: just behind a change of terma's an Enter does nothing. No probe is pressed:
    while the line runs, the terminal itself would echo that in front of the next prompt."""
    shell.press("Enter")
    with contextlib.suppress(Timeout):
        shell.wait_for("not found", timeout=1)
    return shell.at_rest().screen()


@shells
def test_the_key_brings_their_command_and_says_once_which_key_comes_first(
    agent: RunningAgent, open_shell: type[TmuxShell]
) -> None:
    agent.will_say("ls -t", match="photos")
    with open_shell(agent) as shell:
        enter(shell).press("C-t").wait_for("you meant words: Ctrl+T before Enter next time")
        assert shell.line().text == "ls -t"
        shell.press("C-u", "C-l")
        wait_until(lambda: "photos" not in shell.screen() and shell.line().text == "", "a cleared screen")
        enter(shell).press("C-t").wait_for("ready> ls -t").wait_for("scripted")
        assert "you meant words" not in shell.screen()
        assert shell.line().text == "ls -t"
        assert [line for line in shell.ran if line.startswith("ls")] == []


@shells
def test_why_says_the_same(agent: RunningAgent, open_shell: type[TmuxShell]) -> None:
    agent.will_say("ls -t", match="photos")
    with open_shell(agent) as shell:
        enter(shell).type("?why").line()
        shell.press("Enter").wait_for("you meant words. Press Ctrl+T before Enter next time.")
        shell.wait_for("ready> ls -t")


@shells
def test_a_misspelt_command_keeps_its_fix(agent: RunningAgent, open_shell: type[TmuxShell]) -> None:
    agent.will_say("wrong")
    agent.will_explain("no such command", fixes=("git status",))
    with open_shell(agent) as shell:
        enter(shell, "gti status").press("C-t").wait_for("ready> git status")
        assert "you meant words" not in shell.screen()


@shells
def test_the_advice_is_whole_in_a_narrow_window(agent: RunningAgent, open_shell: type[TmuxShell]) -> None:
    agent.will_say("ls -t", match="photos")
    with open_shell(agent, size=(20, 44)) as shell:
        enter(shell).press("C-t").wait_for("ready> ls -t")
        wait_until(
            lambda: "you meant words: Ctrl+T before Enter next time" in " ".join(shell.screen().split()),
            "all of the advice",
        )
        assert shell.line().text == "ls -t"


@pytest.mark.parametrize("open_shell", [zsh_in_tmux, bash_in_tmux])
def test_a_function_that_calls_what_is_not_there_was_no_words(
    agent: RunningAgent, open_shell: type[TmuxShell]
) -> None:
    with open_shell(agent, env={"TERMA_ENGINE": "offline"}) as shell:
        shell.type("show() { nosuchtool_x; }").press("Enter").at_rest()
        enter(shell)
        shell.type("?why").press("Enter")
        shell.wait_for("exit status 127").wait_for("offline ·")
        assert "you meant words" not in shell.screen()
