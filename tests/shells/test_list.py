"""The list of candidates: the key twice quickly shows it, a number or an arrow chooses, Esc gives the words back."""

from __future__ import annotations

import pytest

from tests.conftest import RunningAgent, wait_until
from tests.shells.driver import TmuxShell
from tests.shells.in_bash import bash_in_tmux
from tests.shells.in_xonsh import needs_xonsh, xonsh
from tests.shells.in_zsh import zsh_in_tmux

TWICE = {"TERMA_SUGGESTIONS__LIST": "twice"}
HELP = "number or arrows, Enter"
VI_PROBE = 'for _m in vi-command vi-insert; do bind -m $_m -x \'"\\C-]": _test_probe "$_"\'; done\n'
# However busy the machine: two presses of one test are one gesture.
QUICK = {
    zsh_in_tmux: {"after": "_terma_quick=60\n"},
    bash_in_tmux: {"after": "_terma_quick=60000000\n"},
    xonsh: {"before": "import xontrib_terma.candidates as _test_list\n_test_list.QUICK = 60\n"},
}
shells = pytest.mark.parametrize(
    "open_shell", [zsh_in_tmux, bash_in_tmux, pytest.param(xonsh, marks=needs_xonsh)]
)


def opened(agent: RunningAgent, open_shell: type[TmuxShell], columns: int = 80, **env: str) -> TmuxShell:
    """A shell with the list open: three candidates, the second one deletes."""
    agent.will_say("ls -l", match="show", candidates=("rm -rf build", "du -sh build/cache"))
    shell = open_shell(agent, size=(20, columns), env=TWICE | env, **QUICK[open_shell])
    shell.type("show the build").line()
    return shell.press("C-t", "C-t").wait_for(HELP)


def rows(shell: TmuxShell) -> list[str]:
    """The rows of the list, as a person sees them."""
    return [row.strip() for row in shell.screen().splitlines() if row[:4].strip(" >")[:1] in tuple("12345")]


@shells
@pytest.mark.parametrize("columns", [44, 80])
def test_each_candidate_has_one_row_that_fits(
    agent: RunningAgent, open_shell: type[TmuxShell], columns: int
) -> None:
    with opened(agent, open_shell, columns) as shell:
        first, second, third = rows(shell)
        assert first.startswith("> 1 ls -l ")
        assert second.startswith("2 ⚠  rm -rf build ") and " high: del" in second
        assert third.startswith("3 du -sh build/cache ")
        assert "ready> ls -l" in shell.screen()


@shells
def test_a_number_takes_its_candidate_and_one_undo_gives_the_words(
    agent: RunningAgent, open_shell: type[TmuxShell]
) -> None:
    with opened(agent, open_shell) as shell:
        shell.type("2").wait_for("⚠ high: ")
        wait_until(lambda: HELP not in shell.screen(), "the list to be gone")
        assert shell.line().text == "rm -rf build"
        shell.press("C-_")
        wait_until(lambda: shell.line().text == "show the build", "the words")
        assert shell.ran == []


@shells
def test_arrows_move_and_enter_takes_without_running(
    agent: RunningAgent, open_shell: type[TmuxShell]
) -> None:
    with opened(agent, open_shell) as shell:
        shell.press("Down").wait_for("> 2").press("C-t").wait_for("> 3").press("Down").wait_for("> 1")
        shell.press("Up").wait_for("> 3").press("Enter")
        wait_until(lambda: HELP not in shell.screen(), "the list to be gone")
        assert shell.line().text == "du -sh build/cache"
        assert shell.ran == []


@shells
@pytest.mark.parametrize("key", ["Escape", "C-g", "C-c"])
def test_the_words_come_back(agent: RunningAgent, open_shell: type[TmuxShell], key: str) -> None:
    with opened(agent, open_shell) as shell:
        shell.press("Down").wait_for("> 2").press(key)
        wait_until(lambda: HELP not in shell.screen(), "the list to be gone")
        assert shell.line().text == "show the build"


@shells
def test_any_other_key_leaves_the_list_and_types(agent: RunningAgent, open_shell: type[TmuxShell]) -> None:
    with opened(agent, open_shell) as shell:
        shell.press("Down").wait_for("> 2").type("s")
        wait_until(lambda: HELP not in shell.screen(), "the list to be gone")
        assert shell.line().text == "rm -rf builds"


@shells
def test_without_colours_the_danger_is_spelled(agent: RunningAgent, open_shell: type[TmuxShell]) -> None:
    with opened(agent, open_shell, NO_COLOR="1") as shell:
        assert rows(shell)[1].startswith("2 !! rm -rf build ")


@shells
def test_one_answer_alone_is_said_to_be_that(agent: RunningAgent, open_shell: type[TmuxShell]) -> None:
    agent.will_say("ls -l", match="show")
    with open_shell(agent, env=TWICE, **QUICK[open_shell]) as shell:
        shell.type("show it").line()
        shell.press("C-t", "C-t").wait_for("the only answer")
        assert shell.line().text == "ls -l"


@shells
def test_the_first_answer_is_awaited_and_not_asked_for_twice(
    agent: RunningAgent, open_shell: type[TmuxShell]
) -> None:
    agent.will_do({"delta": "ls a "}, agent.pause, {"delta": "b"}, match="show", candidates=("ls -a",))
    with open_shell(agent, env=TWICE, **QUICK[open_shell]) as shell:
        shell.type("show it").line()
        shell.press("C-t", "C-t").wait_for("ready> ls")
        agent.go_on()
        shell.wait_for(HELP)
        assert rows(shell)[0].startswith("> 1 ls a b ")


@shells
def test_a_setting_lists_at_the_first_press(agent: RunningAgent, open_shell: type[TmuxShell]) -> None:
    agent.will_say("ls -l", match="show", candidates=("ls -a",))
    with open_shell(agent, env={"TERMA_SUGGESTIONS__LIST": "always"}) as shell:
        shell.type("show it").press("C-t").wait_for(HELP)
        shell.press("C-g")
        wait_until(lambda: HELP not in shell.screen(), "the list to be gone")
        assert shell.line().text == "show it"


@pytest.mark.parametrize(
    ("open_shell", "vi"),
    [(zsh_in_tmux, "bindkey -v\n"), (bash_in_tmux, "set -o vi\n" + VI_PROBE)],
    ids=["zsh", "bash"],
)
def test_in_vi_command_mode_j_and_k_move(agent: RunningAgent, open_shell: type[TmuxShell], vi: str) -> None:
    agent.will_say("ls -l", match="show", candidates=("rm -rf build", "du -sh build/cache"))
    with open_shell(agent, before=vi, env=TWICE, **QUICK[open_shell]) as shell:
        shell.type("show the build").press("Escape").line()
        shell.press("C-t", "C-t").wait_for(HELP)
        shell.type("j").wait_for("> 2").type("k").wait_for("> 1").type("k").wait_for("> 3").press("Enter")
        wait_until(lambda: HELP not in shell.screen(), "the list to be gone")
        assert shell.line().text == "du -sh build/cache"


@shells
def test_where_there_is_no_answer_before_an_interrupt_still_gives_the_words_back(
    agent: RunningAgent, open_shell: type[TmuxShell]
) -> None:
    agent.will_say("ls one")
    with open_shell(agent, env=TWICE) as shell:
        shell.type("list it").line()
        shell.press("C-t").wait_for("· script").press("M-t").wait_for("this is the first answer").press("C-c")
        wait_until(lambda: shell.line().text == "list it", "the words")
