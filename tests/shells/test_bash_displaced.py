"""bash's key on a line that is a command already: it does there what it did before terma."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.conftest import RunningAgent
from tests.shells.in_bash import BASHES, ask, bash, bash_in_tmux, wait_for_the_end

every_bash = pytest.mark.parametrize("which", BASHES)
FZF = Path("/usr/share/doc/fzf/examples/key-bindings.bash")
PICKER = r"""
picker() { READLINE_LINE+=PICKED; READLINE_POINT=${#READLINE_LINE}; }
bind -x '"\C-t": picker'
"""


@pytest.mark.skipif(not FZF.exists(), reason="fzf is not installed")
@pytest.mark.parametrize("order", ["before", "after"])
def test_fzf_picks_a_file_for_a_command_and_terma_answers_a_sentence(agent: RunningAgent, order: str) -> None:
    agent.will_say("uptime")
    (agent.home / "needle.txt").touch()
    with bash_in_tmux(agent, **{order: f". {FZF}"}, env={"FZF_CTRL_T_COMMAND": "echo needle.txt"}) as shell:
        shell.type("ls -la ").press("C-t").wait_for("1/1")
        shell.press("Enter").wait_screen(lambda screen: "ls -la needle.txt" in screen, "the picked file")
        shell.press("C-u").type("how long is it up").line()
        shell.press("C-t").wait_for("ready> uptime")
        assert shell.line().text == "uptime"


@every_bash
@pytest.mark.parametrize("line", ["ls -la src/", "git status", "cat ", "ls | wc -l"])
def test_the_displaced_command_runs_on_the_untouched_line(agent: RunningAgent, which: str, line: str) -> None:
    agent.will_say("wrong")
    with bash(agent, before=PICKER, which=which) as shell:
        shell.type(line).line()
        shell.mark().press("C-t").wait_for("PICKED")
        assert shell.line() == (f"{line}PICKED", len(line) + 6)
        shell.press("C-u").line()
        assert ask(shell, "list it").line().text == "wrong"
        assert shell.ran == []


@every_bash
@pytest.mark.parametrize(
    ("binding", "expected"),
    [(r"""bind '"\C-t": "a \"b\""'""", 'ls -l a "b"'), (r"bind '\C-t: yank'", "ls -l cut ")],
)
def test_a_macro_and_a_function_of_readline_work_there_too(
    agent: RunningAgent, which: str, binding: str, expected: str
) -> None:
    with bash(agent, before=binding, which=which) as shell:
        shell.type("cut ").press("C-u").line()
        shell.type("ls -l ").mark().press("C-t")
        shell.wait_for(expected.removeprefix("ls -l "))
        assert shell.line().text == expected


@pytest.mark.parametrize("sentence", ["make me a sandwich", "find large files", "git why", "list it"])
def test_a_sentence_is_never_diverted(agent: RunningAgent, sentence: str) -> None:
    agent.will_say("uptime")
    with bash(agent, before=PICKER) as shell:
        assert ask(shell, sentence).line().text == "uptime"


def test_a_command_of_ours_steps_on_to_the_next_one(agent: RunningAgent) -> None:
    agent.will_say("ls -la", candidates=("ls -lh",))
    with bash(agent, before=PICKER) as shell:
        assert ask(shell, "list all").line().text == "ls -la"
        shell.mark().press("C-t").wait_for("2/2")
        assert wait_for_the_end(shell).line().text == "ls -lh"


def test_where_nothing_was_displaced_it_is_said_and_the_line_stays(agent: RunningAgent) -> None:
    agent.will_say("wrong")
    with bash(agent) as shell:
        shell.type("ls -la src/").mark().press("C-t").wait_for("list what is in a folder")
        assert wait_for_the_end(shell).line() == ("ls -la src/", 11)


def test_it_can_be_turned_off(agent: RunningAgent) -> None:
    agent.will_say("uptime")
    with bash(agent, before=PICKER, env={"TERMA_SUGGESTIONS__ROUTE": "false"}) as shell:
        assert ask(shell, "ls -la src/").line().text == "uptime"
