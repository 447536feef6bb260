"""The key while a model is silent: the embedded answer, or fix, stands below the prompt, and the key takes it."""

from __future__ import annotations

import time
from collections.abc import Iterator

import pytest

from tests.conftest import Home, RunningAgent, wait_until
from tests.model_server import ModelServer, Reply
from tests.shells.driver import TmuxShell
from tests.shells.in_bash import bash_in_tmux
from tests.shells.in_xonsh import needs_xonsh, xonsh
from tests.shells.in_zsh import zsh_in_tmux
from tests.shells.test_words_entered import enter

shells = pytest.mark.parametrize(
    "open_shell", [zsh_in_tmux, bash_in_tmux, pytest.param(xonsh, marks=needs_xonsh)]
)


@pytest.fixture
def agent(home: Home) -> Iterator[RunningAgent]:
    """An agent whose model takes every question and never says a word."""
    (root := home.root / "agent").mkdir()
    agent = RunningAgent(root)
    del agent.env["TERMA_ENGINE"]
    with ModelServer() as server:
        server.will(Reply(pieces=(), then="hang"))
        agent.configure(
            {
                "TERMA_MODEL": "m",
                "TERMA_MODELS__M__MODEL": "tiny",
                "TERMA_MODELS__M__API_BASE": server.base,
                "TERMA_LOCAL_PORTS": "[]",
            }
        )
        try:
            yield agent.start()
        finally:
            agent.stop()


@shells
@pytest.mark.parametrize("columns", [44, 80])
def test_the_embedded_fix_stands_below_and_the_key_takes_it(
    agent: RunningAgent, open_shell: type[TmuxShell], columns: int
) -> None:
    with open_shell(agent, size=(20, columns)) as shell:
        enter(shell, "gti status").press("C-t").wait_for("git status (offline)")
        wait_until(lambda: "the same key takes it" in " ".join(shell.screen().split()), "what to do")
        shell.press("C-t").wait_for("ready> git status")
        assert shell.line().text == "git status"
        assert "git status" not in shell.ran


@shells
def test_ctrl_c_leaves_the_prompt_empty(agent: RunningAgent, open_shell: type[TmuxShell]) -> None:
    with open_shell(agent) as shell:
        enter(shell, "gti status").press("C-t").wait_for("git status (offline)")
        shell.press("C-c").wait_screen(lambda screen: "(offline)" not in screen, "the note to leave")
        assert shell.line().text == ""


@shells
def test_the_key_again_takes_the_embedded_command(agent: RunningAgent, open_shell: type[TmuxShell]) -> None:
    """Pressed later than twice quickly: where the list is the quick gesture, as it is by default, it is not that."""
    with open_shell(agent, env={"TERMA_SUGGESTIONS__LIST": "twice"}) as shell:
        shell.type("extract backup.tar.gz").line()
        shell.press("C-t").wait_for("the same key takes it")
        time.sleep(0.5)  # a gesture is 0.3 s at most
        shell.press("C-t").wait_for("ready> tar -xf backup.tar.gz").wait_for("offline")
        assert shell.line().text == "tar -xf backup.tar.gz"
