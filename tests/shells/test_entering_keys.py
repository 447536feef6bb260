"""No key enters an answer that was not seen yet, whatever the key: what is typed in one go with Ctrl+T."""

from __future__ import annotations

import pytest

from tests.conftest import RunningAgent
from tests.shells.driver import PROMPT
from tests.shells.in_bash import answered, bash
from tests.shells.in_zsh import zsh, zsh_in_tmux
from tests.shells.test_zsh_why import ask_why, run

FIXES = ("echo one", "rm -rf /tmp/none", "echo three")
# The guard is over at once until ^Xg: then it lasts, however late a busy machine presses the key.
ZSH_KEYS = """
mine() { BUFFER="true; $BUFFER"; zle accept-line }; zle -N mine; bindkey '^Xm' mine
bindkey -s '^Xs' '^M'
bindkey '^Xi' accept-and-infer-next-history '^Xh' accept-and-hold
longer() { _terma_guard=60 }; zle -N longer; bindkey '^Xg' longer
"""
ZSH_ENTERS = ["\r", "\n", "\x0f", "\x1ba", "\x18m", "\x18s", "\x18i", "\x18h", "\x1bxaccept-line\r"]
BASH_KEYS = r"""
bind '"\C-xm": "\C-atrue; \C-e\C-m"'
bind '"\C-xs": "\C-j"'
bind '"\C-g": "\C-e; true\C-m"'
bind '"\C-q": accept-line'
"""
KEYS = r"""bind -m emacs-standard -p | grep -c '"\\C-[jmo]": [ao]'"""
BASH_ENTERS = ["\r", "\n", "\x0f", "\x18m", "\x18s", "\x18\x05", "\x1b[C\r", "\x01\x18m\r", "\x0b\x10\x0e"]
# A guard of ten seconds, and as long for what a macro of the person's would enter.
BASH_GUARD = """
eval "$(declare -f _terma_guard | sed s/ticks=100/ticks=500/)"
eval "$(declare -f _terma_enter_late | sed s/200000/20000000/)"
"""


@pytest.mark.parametrize("key", ZSH_ENTERS)
def test_zsh_a_fix_that_the_key_steps_to(agent: RunningAgent, key: str) -> None:
    agent.will_explain("so it was\n", fixes=FIXES)
    with zsh(agent, ZSH_KEYS, "_terma_guard=0") as shell:
        run(shell, "false")
        ask_why(shell, until=f"{PROMPT}{FIXES[0]}")
        shell.press("C-u").line()
        shell.send("\x18g").line()
        shell.send(f"\x14\x14{key}").line()
        assert shell.ran == ["false", "?why"]


@pytest.mark.parametrize("key", ZSH_ENTERS)
def test_zsh_an_answer_that_still_comes(agent: RunningAgent, key: str) -> None:
    agent.will_say("rm -rf ", "/tmp/none", wait=0.3)
    with zsh(agent, ZSH_KEYS, "_terma_guard=60") as shell:
        shell.type("delete it").line()
        shell.send("\x14").wait_for("rm -rf ").send(key).line()
        assert shell.ran == []


def test_zsh_a_line_that_came_back_has_its_danger_below_it(agent: RunningAgent) -> None:
    agent.will_say("rm -rf /tmp/none")
    with zsh_in_tmux(agent, after="_terma_guard=60") as shell:
        shell.type("delete it").press("C-t").wait_for(f"{PROMPT}rm -rf /tmp/none\n⚠ high: ")
        shell.press("M-a")
        shell.wait_screen(
            lambda screen: screen.count(f"{PROMPT}rm -rf /tmp/none\n⚠ high: ") == 1, "the danger"
        )
        assert shell.line().text == "rm -rf /tmp/none"
        shell.press("C-u").line()
        assert shell.ran == []


def test_zsh_a_line_that_came_back_is_there_once(agent: RunningAgent) -> None:
    agent.will_say("echo back")
    over = "over() { _terma_guard=0 }; zle -N over; bindkey '^Xf' over\n"
    with zsh(agent, after=f"_terma_guard=60\n{over}") as shell:
        shell.type("say it").line()
        shell.mark().press("C-t").wait_for("· script")
        shell.send("\x1ba").line()
        shell.send("\x18f\x15").line()
        shell.run("true")
        assert shell.line().text == ""


@pytest.mark.parametrize("key", BASH_ENTERS)
def test_bash_a_fix_that_the_key_steps_to(agent: RunningAgent, key: str) -> None:
    agent.will_explain("so it was\n", fixes=FIXES)
    with bash(agent, BASH_KEYS, BASH_GUARD, env={"EDITOR": "true"}) as shell:
        shell.run("false")
        shell.run("?why")
        answered(shell).wait_for(f"{PROMPT}{FIXES[0]}")
        shell.press("C-u").line()
        shell.send(f"\x14\x14{key}").line()
        assert shell.ran[-1] == "?why"


@pytest.mark.parametrize("key", BASH_ENTERS)
def test_bash_an_answer_that_still_comes(agent: RunningAgent, key: str) -> None:
    agent.will_say("rm -rf ", "/tmp/none", wait=0.3)
    with bash(agent, BASH_KEYS, BASH_GUARD, env={"EDITOR": "true"}) as shell:
        shell.type("delete it").line()
        shell.send("\x14").wait_for("rm -rf ").send(key).line()
        assert shell.ran == []


def test_bash_the_keys_enter_again_once_the_time_is_over(agent: RunningAgent) -> None:
    agent.will_say("echo ", "one", wait=0.3)
    later = 'eval "$(declare -f _terma_enter_late | sed s/200000/0/)"\n'
    with bash(agent, BASH_KEYS, later) as shell:
        shell.type("say it").line()
        shell.send("\x14").wait_for("echo ").send("\x01\x06").line()
        shell.run("true")
        assert shell.run(KEYS) == "3"
        shell.type("say it").line()
        shell.send("\x14").wait_for("echo ").send("\x01\x06").line()
        shell.enter()
        assert shell.run(KEYS) == "3"
