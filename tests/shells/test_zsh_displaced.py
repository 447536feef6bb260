"""zsh's key on a line that is a command already: it does there what it did before terma."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.conftest import RunningAgent
from tests.shells.in_zsh import ask, zsh, zsh_in_tmux

FZF = Path("/usr/share/doc/fzf/examples/key-bindings.zsh")
PICKER = (
    "pick() { LBUFFER+=PICKED }; zle -N pick\nfor m in emacs viins vicmd; do bindkey -M $m '^T' pick; done\n"
)


@pytest.mark.skipif(not FZF.exists(), reason="fzf is not installed")
@pytest.mark.parametrize("order", ["before", "after"])
def test_fzf_picks_a_file_for_a_command_and_terma_answers_a_sentence(agent: RunningAgent, order: str) -> None:
    agent.will_say("uptime")
    (agent.home / "needle.txt").touch()
    rc = {"before": "", "after": ""} | {order: f"source {FZF}\n"}
    with zsh_in_tmux(
        agent, rc["before"], rc["after"], env={"FZF_CTRL_T_COMMAND": "echo needle.txt"}
    ) as shell:
        shell.type("ls -la ").press("C-t").wait_for("1/1")
        shell.press("Enter").wait_screen(lambda screen: "ls -la needle.txt" in screen, "the picked file")
        shell.press("C-u").type("how long is it up").line()
        shell.press("C-t").wait_for("· script")
        assert shell.line().text == "uptime"


@pytest.mark.parametrize("line", ["ls -la src/", "git status", "cat ", "sudo apt update", "ls | wc -l"])
def test_the_displaced_widget_runs_on_the_untouched_line(agent: RunningAgent, line: str) -> None:
    agent.will_say("wrong")
    with zsh(agent, PICKER) as shell:
        shell.type(line).line()
        shell.mark().press("C-t").wait_for("PICKED")
        assert shell.line() == (f"{line}PICKED", len(line) + 6)
        shell.press("C-u").line()
        assert ask(shell, "list it").line().text == "wrong"  # the key is terma's again


# The agent's answer is there before the editor looks for it, as on a busy machine.
LATE = "functions[_grab]=$functions[_terma_grab]\n_terma_grab() { _grab; sleep 0.3 }\n"


def test_what_the_displaced_widget_did_shows_where_the_answer_was_quicker_than_the_editor(
    agent: RunningAgent,
) -> None:
    with zsh(agent, PICKER, LATE) as shell:
        shell.type("git status").line()
        shell.mark().press("C-t").wait_for("PICKED")
        assert shell.line().text == "git statusPICKED"


def test_the_cursor_and_undo_are_as_they_were(agent: RunningAgent) -> None:
    with zsh(agent, PICKER) as shell:
        shell.type("ls -l src").press("C-b", "C-b", "C-b").line()
        shell.mark().press("C-t").wait_for("PICKED")
        assert shell.line() == ("ls -l PICKEDsrc", 12)
        assert shell.press("C-_").line().text == "ls -l src"


@pytest.mark.parametrize("sentence", ["make me a sandwich", "find large files", "git why", "list it"])
def test_a_sentence_is_never_diverted(agent: RunningAgent, sentence: str) -> None:
    agent.will_say("uptime")
    with zsh(agent, PICKER) as shell:
        assert ask(shell, sentence).line().text == "uptime"


def test_a_command_of_ours_steps_on_to_the_next_one(agent: RunningAgent) -> None:
    agent.will_say("ls -la", candidates=("ls -lh",))
    with zsh(agent, PICKER) as shell:
        assert ask(shell, "list all").line().text == "ls -la"
        shell.mark().press("C-t").wait_for("2/2")
        assert shell.line().text == "ls -lh"


@pytest.mark.parametrize("rc", ["", "bindkey -r '^T'\n", "bindkey -s '^T' 'a macro'\n"])
def test_where_nothing_was_displaced_it_is_explained_and_the_line_stays(agent: RunningAgent, rc: str) -> None:
    agent.will_say("wrong")
    with zsh_in_tmux(agent, rc) as shell:
        shell.type("ls -la src/").press("C-t").wait_for("list what is in a folder")
        assert shell.line().text == "ls -la src/"


def test_the_displaced_widget_runs_under_the_users_options(agent: RunningAgent) -> None:
    rc = "setopt ksh_arrays\npick() { local -a a=(x y); BUFFER+=${a[0]}PICKED }; zle -N pick; bindkey '^T' pick\n"
    with zsh(agent, rc) as shell:
        shell.type("ls -la ").mark().press("C-t").wait_for("PICKED")
        assert shell.line().text == "ls -la xPICKED"


def test_it_can_be_turned_off(agent: RunningAgent) -> None:
    agent.will_say("uptime")
    with zsh(agent, PICKER, env={"TERMA_SUGGESTIONS__ROUTE": "false"}) as shell:
        assert ask(shell, "ls -la src/").line().text == "uptime"


def test_in_vi_mode_too(agent: RunningAgent) -> None:
    with zsh(agent, PICKER, "bindkey -v\n") as shell:
        shell.type("ls -la ").mark().press("C-t").wait_for("PICKED")
        assert "ls -la PICKED" in shell.line().text


@pytest.mark.parametrize("late", ["", LATE], ids=["", "late"])
def test_a_widget_that_edits_itself_reads_keys_in_its_own_keymap(agent: RunningAgent, late: str) -> None:
    rc = "pick() { LBUFFER+=PICKED; zle recursive-edit; BUFFER+=' end' }; zle -N pick; bindkey '^T' pick\n"
    with zsh(agent, rc, late) as shell:
        shell.type("ls -la ").mark().press("C-t").wait_for("PICKED")
        shell.type("more").press("Enter").wait_for(" end")
        assert shell.line().text == "ls -la PICKEDmore end"
        assert shell.ran == []
