"""TERMA_WHY_KEY asks ?why by a key: for shells in which `?` on an empty prompt is somebody else's (atuin's, say)."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests.conftest import Home, RunningAgent
from tests.shells.driver import Shell, sterile_env
from tests.shells.in_bash import bash
from tests.shells.in_zsh import zsh

TAKEN = "_mark() { [[ -n $BUFFER ]] && zle .self-insert }; zle -N _mark; bindkey '?' _mark"


@pytest.mark.parametrize("open_shell", [zsh, bash])
@pytest.mark.parametrize(("words", "asked"), [("", "?why"), ("is it so", "?why is it so")])
def test_the_key_asks_with_what_stands_there_as_the_question(
    agent: RunningAgent, open_shell: type[Shell], words: str, asked: str
) -> None:
    agent.will_explain("heard it")
    before = TAKEN if open_shell is zsh else ""
    with open_shell(agent, before, env={"TERMA_WHY_KEY": "^X^W"}) as shell:
        shell.run("(exit 3)")
        shell.type(words).line()
        shell.mark().send("\x18\x17").wait_for("heard it")
        assert asked in shell.text
        assert shell.line().text == ""


@pytest.mark.parametrize(("key", "told"), [("", True), ("TERMA_WHY_KEY='^X^W'", False)])
@pytest.mark.parametrize(
    ("shell", "taken", "whose"),
    [
        ("zsh", TAKEN, "_mark"),
        ("bash", """bind -x '"?": true'""", "something"),
        ("bash", """bind '"?": "abc"'""", "something"),  # as atuin binds it there
    ],
)
def test_doctor_says_that_the_mark_is_taken_and_what_to_do(
    home: Home, shell: str, taken: str, whose: str, key: str, told: bool
) -> None:
    (home.home / f".{shell}rc").write_text(f"{taken}\n{key}\n", encoding="utf-8")
    terma = str(Path(sys.executable).parent / "terma")
    env = sterile_env(home.home, {"TERMA_SOCKET": str(home.socket)})
    done = subprocess.run([terma, "doctor"], env=env, capture_output=True, text=True, check=False)
    assert (f"{whose} has the key ? in {shell}" in done.stdout) is told
    assert (f"TERMA_WHY_KEY='^X^W' in .{shell}rc" in done.stdout) is told
    assert done.stdout.count("has the key ?") == told
