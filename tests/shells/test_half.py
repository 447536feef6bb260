"""A key in the middle of a dangerous answer: what stands is the line, and it says what that would do."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.conftest import RunningAgent
from tests.shells.driver import TmuxShell, wait_until
from tests.shells.in_bash import bash_in_tmux
from tests.shells.in_xonsh import xonsh
from tests.shells.in_zsh import streams_of, zsh_in_tmux

each_shell = pytest.mark.parametrize("shell", [zsh_in_tmux, bash_in_tmux, xonsh])
Opened = Callable[[RunningAgent], TmuxShell]
HALF = "rm -rf build"


def in_the_middle(agent: RunningAgent, shell: TmuxShell) -> None:
    """An answer of which HALF stands; the rest never comes."""
    agent.will_do({"delta": f"{HALF} /x"}, {"hang": True}, match="delete")
    shell.type("delete it").line()
    shell.press("C-t").wait_for(HALF).wait_for("thinking")


def says_so(screen: str) -> bool:
    """The line's danger stands below it, and that it is a half."""
    _, found, below = screen.partition(HALF[:-1])  # xonsh keeps the next word back, so its last letter is cut
    return bool(found) and "⚠ high: deletes files, recursively · not the whole answer" in below


@each_shell
@pytest.mark.parametrize("key", ["x", "BSpace", "Left"])
def test_a_key_in_the_middle_leaves_the_danger_of_what_stands_up_to_the_next(
    agent: RunningAgent, shell: Opened, key: str
) -> None:
    with shell(agent) as opened:
        in_the_middle(agent, opened)
        opened.press(key).wait_screen(says_so, "the danger of the half")
        opened.type("y").wait_screen(lambda screen: "⚠" not in screen, "it to leave with the next change")
        assert opened.line().text.startswith(HALF[:-1])
        assert opened.ran == []


ABOVE = f"⚠ high: deletes files, recursively · not the whole answer · {HALF} /x\nready> {HALF}"


def test_in_bash_a_key_that_may_read_more_keys_has_the_danger_above_the_prompt_and_says_of_which_line(
    agent: RunningAgent,
) -> None:
    """Behind Tab and the like nothing of terma's can be run: a question or a search would take that for keys."""
    with bash_in_tmux(agent) as opened:
        for key, then in (("Tab", "C-e"), ("M-b", "C-e"), ("C-r", "C-e")):
            in_the_middle(agent, opened)
            opened.press(key).wait_screen(
                lambda screen: ABOVE.partition("\n")[0] in screen, f"it above {key}"
            )
            opened.press(then).wait_screen(lambda screen: ABOVE in screen, f"the line behind {key}")
            opened.press("C-u", "C-l").wait_screen(lambda screen: screen == "ready>")
        assert opened.ran == []


def test_in_command_mode_of_vi_in_bash_the_danger_stays_where_one_key_is_all_and_is_above_where_not(
    agent: RunningAgent,
) -> None:
    vi = "set -o vi\nfor m in vi-insert vi-command; do bind -m $m -x '\"\\C-]\": _test_probe'; done\n"
    vi += 'bind -m vi-command \'"q": "0D\\C-l"\''
    with bash_in_tmux(agent, before=vi) as opened:
        for keys, where in ((["i"], says_so), (["d", "w"], lambda screen: ABOVE[:-1] in screen)):
            agent.will_do({"delta": f"{HALF} /x"}, {"hang": True}, match="delete")
            opened.type("delete it").line()
            opened.press("Escape").wait_screen(lambda _: opened.cursor()[1] == len("ready> delete i"))
            opened.press("C-t").wait_for(HALF).wait_for("thinking")
            opened.press(*keys).wait_screen(where, f"the danger behind {keys}").line()
            opened.press("Escape", "q").wait_screen(lambda screen: screen == "ready>")
            opened.press("i").line()
        assert opened.ran == []


@pytest.mark.parametrize("shell", [zsh_in_tmux, bash_in_tmux])
def test_the_danger_of_a_whole_answer_leaves_with_the_first_key_however_soon_that_comes(
    agent: RunningAgent, shell: Opened
) -> None:
    """In bash keys wait 200 ms behind an answer: one that came in that time left the mark below what it had changed."""
    agent.will_say(HALF, match="delete")
    with shell(agent) as opened:
        opened.type("delete it").line()
        opened.press("C-t").wait_screen(lambda screen: "⚠ high" in screen and "thinking" not in screen)
        if shell is zsh_in_tmux:  # its danger may be drawn a moment before the answer is whole
            wait_until(lambda: not streams_of(opened.pid), "the shell to close its socket")
        opened.type("x").wait_screen(lambda screen: f"{HALF}x" in screen and "⚠" not in screen)


@each_shell
def test_a_line_that_the_key_has_emptied_is_not_called_dangerous(agent: RunningAgent, shell: Opened) -> None:
    with shell(agent) as opened:
        in_the_middle(agent, opened)
        opened.press("C-u")
        assert opened.line().text == ""
        opened.type("echo an end").wait_for("echo an end")
        assert "⚠" not in opened.screen()


@each_shell
def test_half_of_what_does_no_harm_says_nothing(agent: RunningAgent, shell: Opened) -> None:
    agent.will_do({"delta": "find . -name '*.log "}, {"hang": True}, match="list")
    with shell(agent) as opened:
        opened.type("list it").line()
        opened.press("C-t").wait_for("find").wait_for("thinking")
        opened.press("Left")
        assert opened.line().text.startswith("find")
        assert "⚠" not in opened.screen()


def test_enter_in_the_middle_says_that_it_still_comes_in_bash(agent: RunningAgent) -> None:
    with bash_in_tmux(agent) as opened:
        in_the_middle(agent, opened)
        opened.press("Enter").wait_for("terma: still writing; Ctrl+G gives the sentence back")
        assert opened.ran == []
