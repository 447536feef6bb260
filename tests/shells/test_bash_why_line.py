"""`?why` and whatever follows it on the line: nothing of it is run, and history has it as typed."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.conftest import RunningAgent
from tests.shells.driver import PROMPT, Shell, wait_until
from tests.shells.in_bash import BASHES, bash

every_bash = pytest.mark.parametrize("which", BASHES)
HOSTILE = [
    "?why is $(touch X) there",
    "?why `touch X`",
    "?why; touch X",
    "?why && touch X || touch X",
    "?why | tee X",
    "?why & touch X",
    "?why > X 2>X >&X <X",
    "?why >(touch X) <(touch X)",
    "?why isn't it there",
    '?why is "this unclosed',
    "?why (x; y > z",
    "?why { touch X",
    "?why ) } ]] fi done ;;",
    "?why does it end in \\",
    "?why <<EOF",
    "?why * [a-z]* ?why @(x) ~root",
    "?why ${x:=$(touch X)} ${x:?$(touch X)} $((1/0))",
    "?why # $(touch X)",
    "   ?why do blanks lead; touch X",
    "?why $'\\n'touch X",
    "?why 为什么 $(touch X) è ⚠",
    "?why",
]
FZF = Path("/usr/share/doc/fzf/examples")
NEIGHBOURS = rf"""
for file in {FZF}/key-bindings.bash {FZF}/completion.bash /usr/share/bash-completion/bash_completion; do
  [ -r $file ] && . $file
done
preexec() {{ :; }}
trap '[[ -n ${{READLINE_LINE+x}} || $BASH_COMMAND == _terma* ]] || preexec "$BASH_COMMAND"' DEBUG
PROMPT_COMMAND="${{PROMPT_COMMAND-}}"$'\n'':'
"""
OPTIONS = {
    "as they are": "",
    "globs": "shopt -s failglob nocaseglob dotglob extglob globstar nocasematch; set -u -o noclobber",
    "posix": "shopt -s nullglob; set -f; set -o posix; set -E; set -T",
    "no comments": "shopt -u interactive_comments; shopt -s lithist; set +o histexpand",
}


def ask_why(shell: Shell, line: str = "?why") -> str:
    """Types the line and waits for the end of the explanation; returns what was written since."""
    said = shell.run(line)
    assert "scripted · " in said
    return said


def told(shell: Shell) -> tuple[str, list[str]]:
    """The options, traps and $! of the shell, and its history: told by a key, so that asking is no command."""
    file = shell.home / "told.txt"
    shell.line()
    file.unlink(missing_ok=True)
    shell.press("C-o")

    def is_told() -> bool:
        shell.read()
        return file.exists() and file.read_text().endswith("end\n")

    wait_until(is_told, "the history")
    state, *lines, _ = file.read_text().splitlines()
    return state, lines


TELL = r"""
tell() (
  set +u
  { echo "$-,$SHELLOPTS,$!,"$(shopt -p; trap -p); HISTTIMEFORMAT= history | sed 's/^ *[0-9]*[* ] //'; echo end; } \
    >| "$HOME/told.txt"
)
bind -x '"\C-o": tell'
"""


@every_bash
@pytest.mark.parametrize("order", ["before", "after"])
@pytest.mark.parametrize("options", OPTIONS.values(), ids=OPTIONS)
def test_nothing_behind_it_is_run(agent: RunningAgent, options: str, order: str, which: str) -> None:
    agent.will_explain("heard.")
    for name in ["awhy", "?why", "bwhy"]:
        (agent.home / name).write_text("#!/bin/sh\ntouch X\n")
        (agent.home / name).chmod(0o755)
    around = {"before": TELL, "after": TELL}
    around[order] += NEIGHBOURS
    around["after"] += "\nPATH=.:$PATH\n" + options
    with bash(agent, which=which, **around) as shell:
        shell.run("ls nowhere")
        there = {path.name for path in agent.home.iterdir()}
        before, _ = told(shell)
        for line in HOSTILE:
            said = ask_why(shell, line)
            assert "ls nowhere" in said and "exit status 2" in said and "heard." in said
        after, kept = told(shell)
        assert after == before
        assert kept[-len(HOSTILE) :] == HOSTILE
        ours = {"told.txt", ".local"}  # .local: that the notice about the key was given
        assert {path.name for path in agent.home.iterdir()} - ours == there - ours


@every_bash
@pytest.mark.parametrize("trap", ["", "trap 'echo trapped' INT"])
def test_lines_pasted_with_it_are_not_run(agent: RunningAgent, trap: str, which: str) -> None:
    agent.will_explain("heard.")
    with bash(agent, after=trap, which=which) as shell:
        shell.run("ls nowhere")
        pasted = "?why is it\ntouch X\nif true; then\ntouch X\nfi"
        shell.send(f"\x1b[200~{pasted}\x1b[201~").line()
        shell.mark().press("Enter").wait_for("scripted · ").wait_for("\n" + PROMPT).line()
        assert shell.run("echo $((6 * 7))").endswith("42")
        assert shell.run("trap -p INT").replace("trap -- 'echo trapped' SIGINT", trap) == trap
        assert not (agent.home / "X").exists()


@every_bash
def test_a_file_of_that_name_is_not_run_and_a_line_led_by_another_command_is(
    agent: RunningAgent, which: str
) -> None:
    agent.will_explain("heard.")
    with bash(agent, which=which) as shell:
        shell.run("ls nowhere")
        assert "first" in ask_why(shell, "echo first; ?why second; touch X")
        assert not (agent.home / "X").exists()


@every_bash
def test_history_expansion_runs_nothing_either(agent: RunningAgent, which: str) -> None:
    agent.will_explain("heard.")
    with bash(agent, which=which) as shell:
        shell.run("ls nowhere")
        said = ask_why(shell, "?why isn't !x here, nor this! $(touch X)")  # a quote, and ! before a blank
        assert "heard." in said
        shell.mark().type("?why !nosuchevent $(touch X)").press("Enter").wait_for("event not found").line()
        assert "heard." in ask_why(shell, "?why !! $(touch X)")
        assert not (agent.home / "X").exists()


@pytest.mark.parametrize(
    ("setting", "kept"),
    [
        ("HISTCONTROL=ignoreboth", ["ls nowhere", "?why one", "?why two"]),
        ("HISTCONTROL=erasedups", ["ls nowhere", "?why one", "?why two"]),
        ("shopt -u cmdhist", ["ls nowhere", "?why one", "?why two", "?why two"]),
        ("HISTIGNORE='[?]why*'", ["ls nowhere"]),
        ("set +o history", []),
        ("HISTSIZE=0", []),
    ],
)
def test_it_works_with_every_kind_of_history(agent: RunningAgent, setting: str, kept: list[str]) -> None:
    agent.will_explain("heard the question.", match="one")
    agent.will_explain("heard.", match="ls nowhere")
    agent.will_explain("heard.", match="two")
    with bash(agent, before=TELL + setting) as shell:
        shell.run("ls nowhere")
        for line in ["?why one", "?why two", "?why two"]:
            assert ("heard" if kept else "terma: nothing was run") in shell.run(line)
        assert told(shell)[1][-len(kept) or None :] == kept
