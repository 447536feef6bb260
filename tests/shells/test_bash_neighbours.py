"""bash's key beside those who had it before: fzf, macros, readline's functions, in either order."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.conftest import RunningAgent
from tests.shells.driver import Shell
from tests.shells.in_bash import BASHES, LOAD, TAKEN_BEFORE, ask, bash, bash_in_tmux

every_bash = pytest.mark.parametrize("which", BASHES)
FZF = Path("/usr/share/doc/fzf/examples/key-bindings.bash")
WIDGET = r"""
picker() { READLINE_LINE+="picked \"file\""; READLINE_POINT=${#READLINE_LINE}; }
bind -x '"\C-t": picker'
"""
MACRO = r"""bind '"\C-t": "macro \"text\" \\ é"'"""
FUNCTION = r"bind '\C-t: yank'"
VI = "set -o vi\nfor m in vi-insert vi-command; do bind -m $m -x '\"\\C-]\": _test_probe'; done\n"


def on_an_empty_prompt(shell: Shell) -> str:
    shell.press("C-t")
    return shell.line().text


@every_bash
@pytest.mark.parametrize(
    ("order", "binding", "expected"),
    [
        ("before", WIDGET, 'picked "file"'),
        ("after", WIDGET, 'picked "file"'),
        ("before", MACRO, 'macro "text" \\ é'),
        ("after", MACRO, 'macro "text" \\ é'),
        ("before", FUNCTION, "cut "),
    ],
)
def test_a_displaced_binding_is_reached_on_an_empty_prompt(
    agent: RunningAgent, which: str, order: str, binding: str, expected: str
) -> None:
    agent.will_say("uptime")
    with bash(agent, which=which, **{order: binding}) as shell:
        shell.type("cut ").press("C-u").line()
        assert on_an_empty_prompt(shell) == expected
        shell.press("C-u").line()
        assert ask(shell, "how long").line().text == "uptime"
        assert shell.ran == []


def test_each_keymap_keeps_its_own(agent: RunningAgent) -> None:
    agent.will_say("uptime")
    binding = VI + 'bind -m vi-insert \'"\\C-t": "from vi"\''
    with bash(agent, before=binding) as shell:
        assert on_an_empty_prompt(shell) == "from vi"
        shell.press("C-u").line()
        assert ask(shell, "how long").line().text == "uptime"


def test_it_is_said_once_ever_and_at_the_keys_first_use(agent: RunningAgent) -> None:
    with bash(agent, before=WIDGET) as shell:
        shell.run("true")
        assert "It was" not in shell.text
        assert not (agent.home / TAKEN_BEFORE).exists()
        shell.mark().press("C-t").wait_for("It was picker, and still is")
        assert shell.line().text == 'picked "file"'
        assert (agent.home / TAKEN_BEFORE).exists()
    with bash(agent, before=WIDGET) as shell:
        assert shell.press("C-t").line().text == 'picked "file"'
        assert "It was" not in shell.text


def test_nothing_is_said_where_nothing_was_displaced(agent: RunningAgent) -> None:
    with bash(agent) as shell:
        shell.mark().press("C-t").wait_for("type what you want, then press Ctrl+T")
        assert shell.line().text == ""
        assert "It was" not in shell.text


def test_loading_twice_keeps_what_was_displaced(agent: RunningAgent) -> None:
    with bash(agent, before=WIDGET, after=LOAD) as shell:
        assert on_an_empty_prompt(shell) == 'picked "file"'


@pytest.mark.skipif(not FZF.exists(), reason="fzf is not installed")
@pytest.mark.parametrize("order", ["before", "after"])
def test_fzf_and_terma_share_the_key_in_either_order(agent: RunningAgent, order: str) -> None:
    agent.will_say("uptime")
    (agent.home / "needle.txt").touch()
    with bash_in_tmux(agent, **{order: f". {FZF}"}, env={"FZF_CTRL_T_COMMAND": "echo needle.txt"}) as shell:
        shell.press("C-t").wait_for("1/1")
        shell.press("Enter").wait_screen(lambda screen: "ready> needle.txt" in screen, "the picked file")
        shell.press("C-u").type("how long is it up").line()
        shell.press("C-t").wait_for("ready> uptime")
        assert shell.line().text == "uptime"


def test_another_ones_preexec_still_runs(agent: RunningAgent) -> None:
    after = r"""
preexec() { echo "pre<$1>"; }
trap '[[ -n ${READLINE_LINE+x} || $BASH_COMMAND == _terma* ]] || preexec "$BASH_COMMAND"' DEBUG
PROMPT_COMMAND="${PROMPT_COMMAND};:"
"""
    agent.will_say("echo two")
    with bash(agent, after=after) as shell:
        assert "pre<echo one>" in shell.run("echo one")
        assert ask(shell, "say two").enter().count("pre<echo two>") == 1
