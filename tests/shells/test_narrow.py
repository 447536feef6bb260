"""What went wrong is told with what to do about it, at any width: the hint is never what is cut."""

from __future__ import annotations

import pytest

from tests.conftest import RunningAgent
from tests.shells.driver import TmuxShell
from tests.shells.in_bash import bash_in_tmux
from tests.shells.in_xonsh import xonsh
from tests.shells.in_zsh import zsh_in_tmux


@pytest.mark.parametrize("columns", [30, 44, 80])
@pytest.mark.parametrize("open_shell", [zsh_in_tmux, bash_in_tmux, xonsh])
def test_the_hint_stands_whole_below_the_line(
    agent: RunningAgent, open_shell: type[TmuxShell], columns: int
) -> None:
    agent.will_say("no", match="something else")
    with open_shell(agent, size=(20, columns)) as shell:
        shell.type("what nobody knows").press("C-t").wait_screen(
            lambda screen: "TERMA_SCRIPT names" in " ".join(screen.split())
        )
        hint = "add a rule to the file that TERMA_SCRIPT names"
        screen = " ".join(shell.screen().split())
        assert f"terma: scripted does not know that {hint}" in screen
        assert shell.line().text == "what nobody knows"
