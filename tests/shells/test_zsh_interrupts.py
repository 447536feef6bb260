"""Ctrl+C while zsh runs a handler of terma's, and not while it waits for a key: an editor that is broken then sleeps
on, and the next key is lost.

A `zle` and a `zsocket` of the test's own press it at that very moment.
"""

from __future__ import annotations

import pytest

from tests.conftest import RunningAgent
from tests.shells.driver import wait_until
from tests.shells.in_zsh import zsh, zsh_in_tmux

HINTS = {"TERMA_HINTS": "true"}
# Once each, as the shell draws what is named, or connects.
DRAWING = """
zle() {{
  builtin zle "$@"
  local -i code=$?
  if [[ "$1" == -R && $POSTDISPLAY == *{text}* ]] && (( _test_once++ == 0 )); then builtin kill -INT $$; fi
  return code
}}
"""
CONNECTING = """
zsocket() {
  builtin zsocket "$@"
  local -i code=$?
  if (( _test_once++ == 0 )); then builtin kill -INT $$; fi
  return code
}
"""


def test_as_a_hint_is_drawn_it_takes_the_hint_away(agent: RunningAgent) -> None:
    agent.will_explain("no upstream", fixes=("git push --set-upstream origin main", "git push"))
    with zsh_in_tmux(agent, env=HINTS, after=DRAWING.format(text="upstream")) as shell:
        shell.type("false").line()
        shell.press("Enter")
        wait_until(
            lambda: shell.screen().split() == ["ready>", "false", "ready>", "ready>"], "the hint to be gone"
        )
        shell.type("echo on").press("Enter")
        wait_until(lambda: shell.ran == ["false", "echo on"], "the next command")


def test_as_what_is_near_is_drawn_it_gives_the_words_up(agent: RunningAgent) -> None:
    agent.will_do({"unsure": ["rm -rf build", ["late"]]})
    with zsh_in_tmux(agent, after=DRAWING.format(text="build")) as shell:
        shell.type("remove it").line()
        shell.press("C-t")
        wait_until(lambda: shell.screen().split() == ["ready>", "remove", "it", "ready>"], "the next prompt")
        shell.type("echo on").press("Enter")
        wait_until(lambda: shell.ran == ["echo on"], "the next command")


@pytest.mark.parametrize(("trap", "said"), [("", "ready> "), ("trap 'print -n mine' INT", "mine")])
def test_as_a_hint_is_asked_for_it_is_the_shell_s(agent: RunningAgent, trap: str, said: str) -> None:
    agent.will_do({"hang": True})
    with zsh(agent, env=HINTS, after=CONNECTING + trap) as shell:
        shell.type("false").line()
        shell.mark().press("Enter").wait_for("ready> ").wait_for(said)
        shell.type("echo on").line()
        shell.press("Enter")
        wait_until(lambda: shell.ran == ["false", "echo on"], "the next command")
        shell.mark().type("trap").press("Enter").wait_for("print -n mine" if trap else "ready> ")
        assert "TRAPINT" not in shell.text
