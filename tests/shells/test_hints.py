"""A hint without a key: the command that terma is sure of, dim below the empty prompt, until the first key."""

from __future__ import annotations

import json
import re
import socket
from typing import Any

import pytest

from tests.conftest import RunningAgent, wait_until
from tests.e2e.stacks import BASH, ZSH
from tests.shells.driver import Shell, TmuxShell
from tests.shells.in_bash import bash, bash_in_tmux
from tests.shells.in_xonsh import needs_xonsh, xonsh
from tests.shells.in_zsh import zsh_in_tmux

VI = (
    "bindkey -v\n",
    "set -o vi\nfor m in vi-insert vi-command; do bind -m $m -x '\"\\C-]\": _test_probe'; done\n",
)
COMMAND = "git push --set-upstream origin login"
shells = pytest.mark.parametrize(
    "open_shell", [zsh_in_tmux, bash_in_tmux, pytest.param(xonsh, marks=needs_xonsh)]
)
zsh_and_bash = pytest.mark.parametrize("open_shell", [zsh_in_tmux, bash_in_tmux])


def opened(agent: RunningAgent, open_shell: Any, columns: int = 80, **how: Any) -> TmuxShell:
    """A shell of somebody who said yes, with an agent that is sure."""
    agent.will_explain("no upstream", fixes=(COMMAND, "git push"))
    env = {"TERMA_HINTS": "true"} | how.pop("env", {})
    shell: TmuxShell = open_shell(agent, size=(14, columns), env=env, **how)
    return shell


def fail(shell: TmuxShell) -> TmuxShell:
    """A command that fails, and the hint behind it, with nothing more pressed."""
    shell.type("false").line()
    shell.press("Enter")
    return shell.wait_for("Ctrl+T: git push")


def facts(agent: RunningAgent) -> dict[str, int]:
    """What the agent is doing; this question is counted."""
    told: dict[str, int] = json.loads(agent.ask("status")[-1][2])
    return told


def is_gone(shell: TmuxShell) -> None:
    wait_until(lambda: "Ctrl+T: git" not in shell.screen(), "the hint to be gone")


@shells
@pytest.mark.parametrize("columns", [44, 80])
def test_it_stands_below_the_empty_prompt_in_full(agent: RunningAgent, open_shell: Any, columns: int) -> None:
    with opened(agent, open_shell, columns) as shell:
        fail(shell)
        wait_until(lambda: COMMAND in " ".join(shell.screen().split()), "the whole command")
        assert "…" not in shell.screen()
        assert shell.line().text == ""
        assert shell.ran == ["false"]


@shells
@pytest.mark.parametrize("left", [False, True])
def test_the_first_failure_starts_an_agent_and_has_its_hint(
    sleeping_agent: RunningAgent, open_shell: Any, left: bool
) -> None:
    """Whether none was ever here, or one was killed and left its socket."""
    if left:
        with socket.socket(socket.AF_UNIX) as stale:
            stale.bind(str(sleeping_agent.socket))
    with opened(sleeping_agent, open_shell) as shell:
        fail(shell)
        assert shell.line().text == ""
        shell.press("C-t").wait_for(f"ready> {COMMAND}")


@shells
def test_the_first_key_takes_it_away_and_is_typed(agent: RunningAgent, open_shell: Any) -> None:
    with opened(agent, open_shell) as shell:
        fail(shell).type("echo hi")
        is_gone(shell)
        wait_until(lambda: shell.line().text == "echo hi", "what was typed")


@shells
@pytest.mark.parametrize("key", ["C-c", "Enter", "C-l", "Up"])
def test_any_other_key_takes_it_away_too(agent: RunningAgent, open_shell: Any, key: str) -> None:
    with opened(agent, open_shell) as shell:
        fail(shell).press(key)
        is_gone(shell)
        wait_until(lambda: shell.line().text == ("false" if key == "Up" else ""), "the line")
        shell.press("C-u").type("echo on").line()
        shell.press("Enter")
        wait_until(lambda: shell.ran == ["false", "echo on"], "the next command")


@shells
def test_the_key_brings_what_it_names_and_runs_nothing(agent: RunningAgent, open_shell: Any) -> None:
    with opened(agent, open_shell) as shell:
        fail(shell).press("C-t").wait_for(f"ready> {COMMAND}")
        is_gone(shell)
        assert shell.line().text == COMMAND
        assert shell.ran == ["false"]


@shells
def test_it_is_shown_once_for_a_failure(agent: RunningAgent, open_shell: Any) -> None:
    with opened(agent, open_shell) as shell:
        fail(shell).press("Enter")
        is_gone(shell)
        agent.will_explain("another", fixes=("git fetch",))
        shell.type("true").line()
        shell.press("Enter").line()
        assert "Ctrl+T: git" not in shell.screen()


@shells
@pytest.mark.parametrize("env", [{"TERMA_HINTS": "false"}, {"TERMA_HINTS": ""}])
def test_without_a_yes_nothing_is_asked(agent: RunningAgent, open_shell: Any, env: dict[str, str]) -> None:
    agent.will_explain("no", fixes=("echo asked",))
    with opened(agent, open_shell, env=env) as shell:
        before = facts(agent)["requests"]
        shell.type("false").line()
        shell.press("Enter").line()
        shell.type("true").line()
        shell.press("Enter").line()
        assert "Ctrl+T:" not in shell.screen()
        assert facts(agent)["requests"] == before + 1


@shells
def test_the_file_says_yes_to_an_open_shell(agent: RunningAgent, open_shell: Any) -> None:
    with opened(agent, open_shell, env={"TERMA_HINTS": ""}) as shell:
        file = agent.home / ".config/terma/config.toml"
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text("# mine\nretries = 1\nhints = true  # yes\n\n[limits]\ndaily_tokens = 5\n", "utf-8")
        fail(shell)


@shells
def test_what_is_typed_ahead_comes_first(agent: RunningAgent, open_shell: Any) -> None:
    with opened(agent, open_shell) as shell:
        shell.type("sh -c 'read x; exit 3' < gate").line()
        (agent.home / "gate").unlink(missing_ok=True)
        shell.press("C-u").type("mkfifo gate").line()
        shell.press("Enter").line()
        shell.type("sh -c 'read x; exit 3' < gate").line()
        shell.press("Enter")
        shell.type("echo ahead")
        (agent.home / "gate").write_text("go\n")
        wait_until(lambda: shell.line().text == "echo ahead", "what was typed ahead")
        assert "Ctrl+T: git" not in shell.screen()


@shells
def test_a_key_before_the_answer_keeps_it_away(agent: RunningAgent, open_shell: Any) -> None:
    with opened(agent, open_shell) as shell:
        agent.will_do_why(agent.pause, {"delta": "late"}, fixes=(COMMAND,))
        shell.type("false").line()
        shell.press("Enter")
        wait_until(lambda: facts(agent)["answering"] > 1, "the question")
        shell.type("ec")
        wait_until(lambda: shell.line().text == "ec", "what was typed")
        agent.go_on()
        shell.type("ho").line()
        wait_until(lambda: shell.line().text == "echo", "what was typed")
        assert "Ctrl+T: git" not in shell.screen()


@shells
def test_an_agent_that_is_killed_meanwhile_leaves_a_prompt(agent: RunningAgent, open_shell: Any) -> None:
    with opened(agent, open_shell) as shell:
        agent.will_do_why({"crash": True})
        shell.type("false").line()
        shell.press("Enter")
        wait_until(lambda: not agent.accepts(), "the end of the agent")
        shell.type("echo on").line()
        shell.press("Enter")
        wait_until(lambda: shell.ran == ["false", "echo on"], "the next command")
        assert "agent" not in shell.screen()


@shells
def test_nothing_but_a_failure_has_one(agent: RunningAgent, open_shell: Any) -> None:
    with opened(agent, open_shell) as shell:
        before = facts(agent)["requests"]
        shell.type("true").line()
        shell.press("Enter").line()
        shell.type("sh -c 'kill -INT $$'").line()
        shell.press("Enter").line()
        assert facts(agent)["requests"] == before + 1


@shells
def test_without_colours_it_is_plain(agent: RunningAgent, open_shell: Any) -> None:
    with opened(agent, open_shell, env={"NO_COLOR": "1"}) as shell:
        fail(shell)


@zsh_and_bash
def test_in_vi_mode_the_first_key_is_a_key_of_that_mode(agent: RunningAgent, open_shell: Any) -> None:
    with opened(agent, open_shell, before=VI[open_shell is bash_in_tmux]) as shell:
        fail(shell).press("Escape")
        if open_shell is zsh_in_tmux:
            is_gone(shell)  # in bash, Esc may be the beginning of any other key
        shell.press("i")
        is_gone(shell)
        shell.type("echo vi").line()
        shell.press("Enter")
        wait_until(lambda: shell.ran == ["false", "echo vi"], "the command")


def asks_the_terminal(shell: Shell) -> None:
    """A command that fails, and the prompt's question to the terminal, which the test is."""
    shell.type("false").line()
    start = len(shell.raw)
    shell.press("Enter")
    wait_until(lambda: (shell.read(), b"\x1b[5n" in shell.raw[start:])[1], "the question")


@pytest.mark.parametrize("before", ["", VI[1]])
def test_bash_takes_the_terminal_s_answer_late_too(agent: RunningAgent, before: str) -> None:
    """As from a machine far away: it is no letter on a line that was begun meanwhile, and moves nothing there."""
    agent.will_explain("no upstream", fixes=(COMMAND,))
    with bash(agent, before=before, env={"TERMA_HINTS": "true"}) as shell:
        asks_the_terminal(shell)
        shell.type("ec").line()
        shell.send("\x1b[0n")
        assert shell.type("ho").line() == ("echo", 4)
        shell.press("C-u")
        asks_the_terminal(shell)
        shell.mark().send("\x1b[0n").wait_for(f"Ctrl+T: {COMMAND}")
        shell.type("echo")
        wait_until(lambda: shell.line() == ("echo", 4), "what was typed")


@shells
def test_a_narrower_window_leaves_a_whole_prompt(agent: RunningAgent, open_shell: Any) -> None:
    with opened(agent, open_shell) as shell:
        fail(shell)._tmux("resize-window", "-x", "40", "-y", "14")
        shell.type("echo narrow").line()
        is_gone(shell)
        assert shell.line().text == "echo narrow"


NEIGHBOURS = [
    name for name in ZSH if re.match("powerlevel|autosuggestions|zsh-vi-mode|zsh-autocomplete", name)
]


@pytest.mark.parametrize("neighbour", NEIGHBOURS)
def test_zsh_shows_it_beside_what_others_draw(agent: RunningAgent, neighbour: str) -> None:
    """Plug-ins that draw behind the line, colour it, or set traps and keymaps of their own."""
    before, after = ZSH[neighbour]
    with opened(agent, zsh_in_tmux, before=before, after=after) as shell:
        fail(shell).type("echo hi")
        is_gone(shell)
        wait_until(lambda: shell.line().text == "echo hi", "what was typed")
        shell.press("Enter").line()
        fail(shell).press("C-c")
        is_gone(shell)
        assert shell.ran == ["false", "echo hi", "false"]


@pytest.mark.parametrize("neighbour", [name for name in BASH if "ble.sh" not in name and "nvm" not in name])
def test_bash_shows_it_beside_those_who_have_the_prompt_s_hooks(agent: RunningAgent, neighbour: str) -> None:
    before, after = BASH[neighbour]
    with opened(agent, bash_in_tmux, before=before, after=after) as shell:
        fail(shell).type("echo hi")
        is_gone(shell)
        wait_until(lambda: shell.line().text == "echo hi", "what was typed")
