"""Where the engine is not sure: the sentence stays, what is nearest stands below it, and the key again takes that."""

from __future__ import annotations

import time

import pytest

from tests.conftest import RunningAgent, wait_until
from tests.shells.driver import TmuxShell
from tests.shells.in_bash import bash_in_tmux
from tests.shells.in_xonsh import needs_xonsh, xonsh
from tests.shells.in_zsh import zsh_in_tmux
from tests.shells.test_list import QUICK, TWICE

SENTENCE = "delete the late build"
WHY = "not sure: does not answer 'late'"
shells = pytest.mark.parametrize(
    "open_shell", [zsh_in_tmux, bash_in_tmux, pytest.param(xonsh, marks=needs_xonsh)]
)


def unsure(
    agent: RunningAgent,
    open_shell: type[TmuxShell],
    columns: int = 80,
    nearest: str = "rm -rf build",
    **env: str,
) -> TmuxShell:
    """A shell that shows what is near below the sentence."""
    agent.will_do({"unsure": [nearest, ["late"]]}, match="late")
    shell = open_shell(agent, size=(20, columns), env=env)
    shell.type(SENTENCE).line()
    return shell.press("C-t").wait_for(f"Ctrl+T: {nearest}")


def taken(shell: TmuxShell) -> TmuxShell:
    shell.press("C-t").wait_for("ready> rm -rf build").wait_for("not sure, deletes")
    return shell


def entered(shell: TmuxShell) -> list[str]:
    """What ran, after one more Enter: just behind a change of terma's, or such an Enter, it does nothing."""
    time.sleep(0.3)
    shell.press("Enter").line()
    return shell.ran


@shells
@pytest.mark.parametrize("columns", [44, 80])
def test_the_sentence_stays_with_what_is_near_below_it(
    agent: RunningAgent, open_shell: type[TmuxShell], columns: int
) -> None:
    with unsure(agent, open_shell, columns) as shell:
        assert f"⚠ high · {WHY}" in shell.screen()
        assert "Ctrl+T: rm -rf build" in shell.screen()
        assert shell.line().text == SENTENCE
        assert shell.ran == []


@shells
@pytest.mark.parametrize("columns", [44, 80])
def test_the_key_again_puts_it_on_the_line_as_not_sure_with_its_danger(
    agent: RunningAgent, open_shell: type[TmuxShell], columns: int
) -> None:
    with unsure(agent, open_shell, columns) as shell:
        taken(shell)
        assert "⚠ high: not sure, deletes" in shell.screen()
        assert "Ctrl+T: rm" not in shell.screen()
        assert shell.line().text == "rm -rf build"
        assert shell.ran == []


@shells
def test_without_a_danger_it_says_which_words_it_does_not_answer(
    agent: RunningAgent, open_shell: type[TmuxShell]
) -> None:
    with unsure(agent, open_shell, nearest="ls build") as shell:
        assert "⚠" not in shell.screen()
        shell.press("C-t").wait_for("ready> ls build").wait_for(f"{WHY} · scripted")
        assert shell.line().text == "ls build"


@shells
def test_undo_gives_the_words_back(agent: RunningAgent, open_shell: type[TmuxShell]) -> None:
    with unsure(agent, open_shell) as shell:
        taken(shell).line()
        shell.press("C-_")
        wait_until(lambda: shell.line().text == SENTENCE, "the words")


@shells
def test_an_interrupt_gives_the_words_back(agent: RunningAgent, open_shell: type[TmuxShell]) -> None:
    with unsure(agent, open_shell) as shell:
        taken(shell).press("C-c")
        wait_until(lambda: shell.line().text == SENTENCE, "the words")


@shells
def test_an_interrupt_leaves_the_line_and_what_stood_below_it(
    agent: RunningAgent, open_shell: type[TmuxShell]
) -> None:
    with unsure(agent, open_shell) as shell:
        wait_until(lambda: shell.press("C-c").line().text == "", "the next prompt")  # bash may lose one
        assert "Ctrl+T: rm" not in shell.screen()


@shells
def test_a_changed_sentence_is_asked_about_anew(agent: RunningAgent, open_shell: type[TmuxShell]) -> None:
    with unsure(agent, open_shell) as shell:
        shell.type("s")
        wait_until(lambda: "Ctrl+T: rm" not in shell.screen(), "what was near to be gone")
        assert shell.line().text == SENTENCE + "s"
        shell.press("C-t").wait_for("Ctrl+T: rm -rf build")
        assert shell.line().text == SENTENCE + "s"


@shells
def test_two_quick_presses_take_nothing_that_was_not_read(
    agent: RunningAgent, open_shell: type[TmuxShell]
) -> None:
    agent.will_do({"unsure": ["rm -rf build", ["late"]]}, match="late")
    with open_shell(agent, env=TWICE, **QUICK[open_shell]) as shell:
        shell.type(SENTENCE).line()
        shell.press("C-t", "C-t").wait_for("Ctrl+T: rm -rf build")
        assert shell.line().text == SENTENCE


@shells
def test_without_colours_the_danger_is_spelled(agent: RunningAgent, open_shell: type[TmuxShell]) -> None:
    with unsure(agent, open_shell, NO_COLOR="1") as shell:
        assert f"!! high · {WHY}" in shell.screen()
        shell.press("C-t").wait_for("!! high: not sure, deletes")


@shells
def test_what_follows_on_the_next_prompt_is_asked_about_first(
    agent: RunningAgent, open_shell: type[TmuxShell]
) -> None:
    """The same words on another prompt: what is near is shown before it is taken."""
    with unsure(agent, open_shell) as shell:
        shell.line()
        shell.press("C-u").type("true").line()
        wait_until(lambda: entered(shell) == ["true"], "the command to run")
        shell.type(SENTENCE).line()
        shell.press("C-t").wait_for("Ctrl+T: rm -rf build")
        assert shell.line().text == SENTENCE
