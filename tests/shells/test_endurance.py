"""What goes wrong for a while costs the while and nothing else: rows of docs/performance.md that are seen at a prompt.

What a shell cannot see is in tests/e2e/test_agent_faults.py, test_agent_lifecycle.py and test_agent_places.py."""

from __future__ import annotations

import signal

import pytest

from tests.conftest import RunningAgent
from tests.shells.driver import TmuxShell
from tests.shells.in_bash import bash_in_tmux
from tests.shells.in_xonsh import xonsh
from tests.shells.in_zsh import zsh_in_tmux

PIECES = ("echo ", "one ", "two ", "three")
WHOLE = "".join(PIECES)
SHELLS = pytest.mark.parametrize("open_shell", [zsh_in_tmux, bash_in_tmux])


def _asked(shell: TmuxShell, sentence: str) -> TmuxShell:
    shell.type(sentence).line()
    return shell.press("C-t")


@SHELLS
def test_an_agent_killed_behind_any_frame_costs_that_question_alone(
    agent: RunningAgent, open_shell: type[TmuxShell]
) -> None:
    with open_shell(agent) as shell:
        for number in range(len(PIECES) + 1):
            agent.will_do(*({"delta": piece} for piece in PIECES[:number]), {"hang": True})
            _asked(shell, f"count to {number}")
            # its own word: killed before it had the question, another one is started, which is asked
            shell.wait_for("".join(PIECES[:number]).strip() or "thinking")
            agent.kill()
            shell.wait_for("went away")
            assert shell.line().text == f"count to {number}"
            shell.press("C-e", "C-u").line()
            agent.start()
        agent.will_say(*PIECES)
        _asked(shell, "count").wait_for("three")
        shell.wait_for("script")
        assert shell.line().text == WHOLE
        assert shell.ran == []


@SHELLS
def test_an_agent_that_was_stopped_goes_on_where_it_was(
    agent: RunningAgent, open_shell: type[TmuxShell]
) -> None:
    agent.will_do({"delta": "echo one "}, agent.pause, {"delta": "two three"})
    with open_shell(agent) as shell:
        _asked(shell, "count").wait_for("echo one")
        agent.kill(signal.SIGSTOP)
        agent.go_on()
        agent.kill(signal.SIGCONT)
        shell.wait_for("three")
        shell.wait_for("script")
        assert shell.line().text == WHOLE


def test_a_window_made_narrow_in_mid_stream_keeps_the_line(agent: RunningAgent) -> None:
    agent.will_do({"delta": "echo one "}, agent.pause, {"delta": "two three"})
    with zsh_in_tmux(agent, size=(24, 80)) as shell:
        _asked(shell, "count").wait_for("echo one")
        shell._tmux("resize-window", "-x", "30", "-y", "24")
        agent.go_on()
        shell.wait_for("three")
        shell.wait_for("script")
        assert shell.line().text == WHOLE


@pytest.mark.parametrize("open_shell", [zsh_in_tmux, bash_in_tmux, xonsh])
def test_twenty_columns_are_enough(agent: RunningAgent, open_shell: type[TmuxShell]) -> None:
    agent.will_say(*PIECES, " four five six seven eight nine")
    with open_shell(agent, size=(20, 20)) as shell:
        _asked(shell, "count up to nine").wait_screen(lambda screen: "eightnine" in "".join(screen.split()))
        assert shell.line().text == f"{WHOLE} four five six seven eight nine"
        assert shell.ran == []
