"""A real zsh with terma loaded from the tree, talking to the test's own agent: what the zsh tests share."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from tests.conftest import Home
from tests.shells.driver import NO_LIST, ZSH_RC, Shell, TmuxShell, addressed, wait_until

TREE = Path(__file__).parents[2]
LOAD = f"source {TREE}/zsh/terma.plugin.zsh\n"
TAKEN_BEFORE = ".local/state/terma/zsh-key-taken"  # the mark of "said once": most tests want a silent start


def zsh_env(home: Home, **env: str) -> dict[str, str]:
    """The agent's address for the shell, and `env` on top."""
    return addressed(home) | NO_LIST | env


def zsh_rc(before: str = "", after: str = "") -> str:
    """A sterile rc that loads terma, with lines of the test's own before and after that."""
    return f"{ZSH_RC}\n{before}\n{LOAD}{after}\n"


def _ready(home: Home, said: bool) -> None:
    if said:
        mark = home.home / TAKEN_BEFORE
        mark.parent.mkdir(parents=True, exist_ok=True)
        mark.touch()


def zsh(home: Home, before: str = "", after: str = "", said: bool = True, **how: Any) -> Shell:
    """zsh in a PTY; `env`, `size`, `cwd`, `ready` go to the driver."""
    _ready(home, said)
    how["env"] = zsh_env(home, **how.get("env", {}))
    return Shell("zsh", home.home, zsh_rc(before, after), **how)


def zsh_in_tmux(home: Home, before: str = "", after: str = "", said: bool = True, **how: Any) -> TmuxShell:
    """zsh in tmux; `env`, `size`, `cwd`, `ready` go to the driver."""
    _ready(home, said)
    how["env"] = zsh_env(home, **how.get("env", {}))
    return TmuxShell("zsh", home.home, zsh_rc(before, after), **how)


def streams_of(pid: int) -> list[str]:
    """The open sockets and pipes of a process: the shell has one while an answer comes or an agent starts."""
    found = []
    for entry in Path(f"/proc/{pid}/fd").iterdir():
        try:
            target = str(entry.readlink())
        except FileNotFoundError:
            continue
        if target.startswith(("socket:", "pipe:")):
            found.append(target)
    return found


def wait_for_the_end(shell: Shell) -> Shell:
    """Waits until the stream is over: the shell has closed its socket."""

    def over() -> bool:
        shell.read()
        return not streams_of(shell.child.pid)

    wait_until(over, "the shell to close its socket")
    return shell


def ask(shell: Shell, sentence: str, note: str = "· script") -> Shell:
    """Types the sentence, presses Ctrl+T and waits for the whole answer; `note` is part of its state line."""
    shell.type(sentence).line()  # the editor has answered: what it still drew is behind us
    shell.mark().press("C-t").wait_for(note)
    return wait_for_the_end(shell)
