"""A real bash with terma loaded from the tree, talking to the test's own agent: what the bash tests share.

TERMA_TEST_BASH names more shells to test with, as absolute paths between colons (a bash 5.1 or 5.3, say)."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

from tests.conftest import Home
from tests.shells.driver import BASH_RC, NO_LIST, Shell, TmuxShell, addressed, wait_until

TREE = Path(__file__).parents[2]
LOAD = f". {TREE}/bash/terma.bash\n"
BASHES = ["bash", *filter(None, os.environ.get("TERMA_TEST_BASH", "").split(":"))]
TAKEN_BEFORE = ".local/state/terma/bash-key-taken"


def bash_env(home: Home, **env: str) -> dict[str, str]:
    """The agent's address for the shell, and `env` on top."""
    return addressed(home) | NO_LIST | env


def bash_rc(before: str = "", after: str = "") -> str:
    """A sterile rc that loads terma, with lines of the test's own before and after that."""
    return f"{BASH_RC}\n{before}\n{LOAD}{after}\n"


def bash(home: Home, before: str = "", after: str = "", which: str = "bash", **how: Any) -> Shell:
    """bash in a PTY; `env`, `size`, `cwd`, `ready` go to the driver."""
    how["env"] = bash_env(home, **how.get("env", {}))
    return Shell(which, home.home, bash_rc(before, after), **how)


def bash_in_tmux(home: Home, before: str = "", after: str = "", which: str = "bash", **how: Any) -> TmuxShell:
    """bash in tmux; `env`, `size`, `cwd`, `ready` go to the driver."""
    how["env"] = bash_env(home, **how.get("env", {}))
    return TmuxShell(which, home.home, bash_rc(before, after), **how)


def pipes_of(pid: int) -> list[str]:
    """The open pipes of a process: the shell has some while an answer comes."""
    found = []
    for entry in Path(f"/proc/{pid}/fd").iterdir():
        try:
            target = str(entry.readlink())
        except FileNotFoundError:
            continue
        if target.startswith("pipe:"):
            found.append(target)
    return found


def wait_for_the_end(shell: Shell) -> Shell:
    """Waits until readline has the line again: the widget has closed what it opened."""

    def over() -> bool:
        shell.read()
        return not pipes_of(shell.child.pid)

    wait_until(over, "the widget to end")
    return shell


def answered(shell: Shell) -> Shell:
    """The test is the terminal that answers when bash asks for its state: a fix is offered by that."""

    def asked() -> bool:
        shell.read()
        return b"\x1b[5n" in shell.raw

    wait_until(asked, "the question to the terminal")
    return shell.send("\x1b[0n")


def ask(shell: Shell, sentence: str, note: str = "· script") -> Shell:
    """Types the sentence, presses Ctrl+T and waits for the whole answer; `note` is part of its state line."""
    shell.type(sentence).line()  # the editor has answered: what it still drew is behind us
    shell.mark().press("C-t").wait_for(note)
    return wait_for_the_end(shell)
