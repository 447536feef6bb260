"""TERM=dumb in each shell: the key and `?why` say what works there, and the words stay on the line."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.conftest import RunningAgent
from tests.shells.driver import Shell
from tests.shells.in_bash import bash
from tests.shells.in_xonsh import needs_xonsh, xonsh
from tests.shells.in_zsh import zsh
from tests.shells.test_bash_fix import VI

SAID, WORKS = "terma: TERM=dumb cannot be drawn on", 'a question" work'
PRESSED = {"^T": "\x14", "^X^T": "\x18\x14", "^[h": "\x1bh"}
Open = Callable[..., Shell]


@pytest.mark.parametrize("key", PRESSED)
@pytest.mark.parametrize(
    ("open_shell", "before", "after"),
    [(zsh, "bindkey -e", ""), (zsh, "bindkey -v", ""), (bash, "", ""), (bash, VI, ""), (bash, "", VI)],
    ids=["zsh", "zsh, vi", "bash", "bash, vi", "bash, vi behind terma"],
)
def test_the_key_says_so_in_every_mode(
    agent: RunningAgent, open_shell: Open, before: str, after: str, key: str
) -> None:
    env = {"TERM": "dumb"} | ({} if key == "^T" else {"TERMA_KEY": key})
    with open_shell(agent, before, after, env=env) as shell:
        shell.type("list files").line()
        shell.mark().send(PRESSED[key]).wait_for(SAID).wait_for(WORKS)
        assert shell.line().text == "list files"


@pytest.mark.parametrize(("open_shell", "mode"), [(zsh, "bindkey -v"), (bash, VI)], ids=["zsh", "bash"])
def test_the_key_says_so_in_vi_command_mode(agent: RunningAgent, open_shell: Open, mode: str) -> None:
    with open_shell(agent, mode, env={"TERM": "dumb"}) as shell:
        shell.type("list files").line()
        shell.press("Escape").line()
        shell.mark().press("C-t").wait_for(SAID).wait_for(WORKS)
        assert shell.line().text == "list files"


def test_a_key_that_another_has_stays_theirs(agent: RunningAgent) -> None:
    own = "bind -x '\"\\C-t\": echo mine'"
    with bash(agent, own, env={"TERM": "dumb"}) as shell:
        shell.mark().press("C-t").wait_for("mine").line()
        assert SAID not in shell.since()


@needs_xonsh
@pytest.mark.parametrize("line", ["?why", "?why is it [so'"])
def test_xonsh_answers_a_question_with_it(agent: RunningAgent, line: str) -> None:
    with xonsh(agent, "$TERM = 'dumb'", "$TERM = 'tmux-256color'") as shell:
        shell.wait_for(SAID)  # at the first prompt: there is no key that could say it
        shell.type(line).press("Enter").wait_screen(lambda screen: screen.count(SAID) == 2, "the answer")
        assert "not found" not in shell.screen()
