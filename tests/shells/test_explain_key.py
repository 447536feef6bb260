"""The explanation at the prompt: what each piece of the line does, below it, until the next key."""

from __future__ import annotations

import re
from typing import Any

import pytest

from tests.conftest import RunningAgent, wait_until
from tests.shells.driver import TmuxShell
from tests.shells.in_bash import bash_in_tmux
from tests.shells.in_xonsh import needs_xonsh, xonsh
from tests.shells.in_zsh import zsh_in_tmux

shells = pytest.mark.parametrize(
    "open_shell", [zsh_in_tmux, bash_in_tmux, pytest.param(xonsh, marks=needs_xonsh)]
)
LINE = "tar -xzf a.tgz | wc -l"
ROWS = ("  -x ", "  -z ", "  -f a.tgz", "|  ", "lines alone")


def is_gone(shell: TmuxShell, text: str = "lines alone") -> None:
    wait_until(lambda: text not in shell.screen(), "the explanation to be gone")


@shells
@pytest.mark.parametrize("columns", [44, 80])
def test_each_piece_stands_below_the_untouched_line_until_the_next_key(
    agent: RunningAgent, open_shell: Any, columns: int
) -> None:
    with open_shell(agent, size=(24, columns)) as shell:
        shell.type(LINE).line()
        shell.press("Left", "Left").line()
        shell.press("M-e").wait_for("lines alone")
        assert all(row in shell.screen() for row in ROWS)
        assert not re.search(r"\x1b\[(?:\d+;)*7m", shell.screen(colours=True))  # dim, and no bar
        shell.type("c")
        is_gone(shell)
        assert shell.line() == ("tar -xzf a.tgz | wc c-l", 21)
        assert shell.ran == []


@shells
def test_the_danger_is_marked_without_colours_and_the_window_is_not_outgrown(
    agent: RunningAgent, open_shell: Any
) -> None:
    with open_shell(agent, size=(10, 80), env={"NO_COLOR": "1"}) as shell:
        shell.type("rm -rf build; tar -xzf a.tgz; ls -la; wc -l x").line()
        shell.press("M-e").wait_for("more: terma explain")
        assert "!!   -r" in shell.screen()
        assert "high risk" in shell.screen()
        shell.wait_for("ready> rm -rf")  # bash draws the line again behind the rows


@pytest.mark.parametrize("open_shell", [zsh_in_tmux, bash_in_tmux])
def test_enter_behind_it_runs_the_line(agent: RunningAgent, open_shell: Any) -> None:
    with open_shell(agent) as shell:
        shell.type("ls -la /").line()
        shell.press("C-t").wait_for("list what is in")
        shell.press("Enter")
        wait_until(lambda: shell.ran == ["ls -la /"], "the line to run")
        is_gone(shell, "list what is in")
        shell.type("ls -l /").line()
        shell.press("M-e").wait_for("list what is in")
        shell.press("Enter")
        wait_until(lambda: shell.ran == ["ls -la /", "ls -l /"], "the line to run")


@pytest.mark.parametrize(
    ("open_shell", "bound", "functions"),
    [
        (
            zsh_in_tmux,
            "had() { BUFFER+=HAD }; zle -N had; bindkey '^[e' had\n",
            "mkcd() { true }; alias ll='ls -l'\n",
        ),
        (
            bash_in_tmux,
            "had() { READLINE_LINE+=HAD; }; bind -x '\"\\ee\": had'\n",
            "mkcd() { true; }; alias ll='ls -l'\n",
        ),
    ],
)
def test_what_had_the_key_has_it_on_the_empty_line_and_own_names_are_told(
    agent: RunningAgent, open_shell: Any, bound: str, functions: str
) -> None:
    with open_shell(agent, before=bound + functions) as shell:
        shell.line()
        shell.press("M-e").wait_for("HAD")
        shell.press("C-u").type("ll src && mkcd x").line()
        shell.press("M-e").wait_for("alias for ls -l").wait_for("function of your shell")


@pytest.mark.parametrize("open_shell", [zsh_in_tmux, bash_in_tmux])
def test_an_empty_setting_binds_nothing(agent: RunningAgent, open_shell: Any) -> None:
    rc = {zsh_in_tmux: "bindkey -s '^[e' MINE\n", bash_in_tmux: 'bind \'"\\ee": "MINE"\'\n'}[open_shell]
    with open_shell(agent, before=rc, env={"TERMA_EXPLAIN_KEY": ""}) as shell:
        shell.type("ls ").line()
        shell.press("M-e").wait_for("ls MINE")
