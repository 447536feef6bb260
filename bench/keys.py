"""From Ctrl+T to the first character of the embedded engine's command, in each shell: bare, and where somebody lives.

Lived in is what bench/lived_in has, at a prompt: a history of 50,000 lines that each command line is appended to, 4,000
more programs on PATH, a directory of 5,000 files in a repository of 40,000, forty aliases, the shell's completion
loaded, ten more shells on the agent. Both take turns, so that a busy machine slows them alike.
"""

from __future__ import annotations

import os
import shutil
import sqlite3
import statistics
import tempfile
import time
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path
from unittest import mock

from bench.lived_in import ALIASES, HISTORY, SHELLS, history, programs, repository
from terma import client
from tests.conftest import RunningAgent
from tests.shells.driver import Shell
from tests.shells.in_bash import bash
from tests.shells.in_xonsh import XONSH, XonshPty, xonsh_in_pty
from tests.shells.in_zsh import zsh

Figure = tuple[str, float, str, str]  # name, value, unit, note
PRESSES = 40
SETTLED = 3  # presses that do not count: the agent reads what it reads once
SENTENCE, COMMAND = "show free disk space", "df"
ENGINE = {"TERMA_ENGINE": "offline"}
COMPLETION = Path("/usr/share/bash-completion/bash_completion")


class Lived:
    """The place, made once, and what each shell's startup file says to be in it."""

    def __init__(self, folder: Path) -> None:
        folder.mkdir()
        self.folder, self.path, self.here = folder, programs(folder), repository(folder)

    def zsh(self) -> str:
        file = history(self.folder, HISTORY)
        aliases = "\n".join(f"alias a{n}='git log --oneline -{n}'" for n in range(ALIASES))
        return (
            f"HISTFILE={file} HISTSIZE=60000 SAVEHIST=60000\nsetopt share_history\nPATH={self.path}\n{aliases}\n"
            f"autoload -Uz compinit && compinit -u -d {self.folder}/dump\ncd {self.here}\n"
        )

    def bash(self) -> str:
        file = self.folder / "bash_history"
        file.write_text("".join(f"git commit -m 'change {n}' src/file{n}.py\n" for n in range(HISTORY)))
        aliases = "\n".join(f"alias a{n}='git log --oneline -{n}'" for n in range(ALIASES))
        return (
            f"HISTFILE={file} HISTSIZE=60000 HISTFILESIZE=60000\nshopt -s histappend\nPROMPT_COMMAND='history -a'\n"
            f"PATH={self.path}\n{aliases}\n. {COMPLETION} 2>/dev/null\ncd {self.here}\n"
        )

    def xonsh(self) -> str:
        file = self.folder / "xonsh.sqlite"
        with sqlite3.connect(file) as base:
            base.execute(
                "CREATE TABLE xonsh_history (inp TEXT, rtn INTEGER, tsb REAL, tse REAL, sessionid TEXT, out TEXT, "
                "info TEXT, frequency INTEGER default 1, cwd TEXT)"
            )
            rows = (
                (f"git commit -m 'change {n}' src/file{n}.py", 0, n, n + 1, "bench") for n in range(HISTORY)
            )
            base.executemany(
                "INSERT INTO xonsh_history (inp, rtn, tsb, tse, sessionid) VALUES (?,?,?,?,?)", rows
            )
        aliases = "\n".join(f"aliases['a{n}'] = 'git log --oneline -{n}'" for n in range(ALIASES))
        return f"$PATH = {self.path.split(':')!r}\n{aliases}\nimport os; os.chdir({str(self.here)!r})\n"


def ms(seconds: list[float]) -> float:
    return statistics.median(seconds) * 1e3


def pressed(shell: Shell, number: int) -> tuple[float, float]:
    """Seconds of a plain key's echo, and from Ctrl+T to the command's first characters; a command line ran before."""
    if not isinstance(shell, XonshPty):  # whose history is written when it leaves
        shell.run(f"echo {number}")
    shell.mark().type(SENTENCE[:-1]).wait_for(SENTENCE[-3:-1])
    echo = _timed(shell, SENTENCE[-1], SENTENCE[-1])
    first = _timed(shell, "C-t", COMMAND)
    while shell.read(0.15):
        pass
    shell.press("C-u")
    while shell.read(0.15):
        pass
    return echo, first


def _timed(shell: Shell, key: str, shown: str) -> float:
    while shell.read(0.1):
        pass
    shell.mark()
    begun = time.perf_counter()
    shell.press(key).wait_for(shown)
    return time.perf_counter() - begun


def by_turns(name: str, bare: Shell, lived: Shell) -> list[Figure]:
    figures: list[Figure] = []
    taken: dict[str, list[tuple[float, float]]] = {"bare": [], "lived in": []}
    for number in range(PRESSES + SETTLED):
        for place, shell in (("bare", bare), ("lived in", lived)):
            once = pressed(shell, number)
            if number >= SETTLED:
                taken[place].append(once)
    for place, both in taken.items():
        echo, first = (list(column) for column in zip(*both, strict=True))
        note = f"p95 {sorted(first)[int(len(first) * 0.95)] * 1e3:.1f}; a plain key's echo {ms(echo):.1f}"
        figures.append((f"{name}, Ctrl+T to the first character, {place}", ms(first), "ms", note))
    return figures


def measure() -> list[Figure]:
    """Every shell that this machine has; takes about three minutes."""
    root = Path(tempfile.mkdtemp(prefix="terma-b", dir="/tmp"))
    agent = RunningAgent(root)
    for shell in ("zsh", "bash"):
        mark = agent.home / f".local/state/terma/{shell}-key-taken"
        mark.parent.mkdir(parents=True, exist_ok=True)
        mark.touch()
    figures: list[Figure] = []
    try:
        agent.start()
        lived = Lived(root / "place")
        with ExitStack() as shells:
            shells.enter_context(mock.patch.dict(os.environ, agent.env))
            for _ in range(SHELLS):
                shells.enter_context(client.connect(autostart_agent=False))
            ways: list[tuple[str, str | None, Callable[[str], Shell], Callable[[], str]]] = [
                ("zsh", shutil.which("zsh"), lambda rc: zsh(agent, before=rc, env=ENGINE), lived.zsh),
                ("bash", shutil.which("bash"), lambda rc: bash(agent, before=rc, env=ENGINE), lived.bash),
                (
                    "xonsh",
                    XONSH,
                    lambda rc: xonsh_in_pty(agent, before=rc, env=_xonsh_env(rc, root)),
                    lived.xonsh,
                ),
            ]
            for name, program, open_, startup in ways:
                if program:
                    with open_("") as bare, open_(startup()) as there:
                        figures += by_turns(name, bare, there)
        return figures
    finally:
        agent.stop()
        shutil.rmtree(root, ignore_errors=True)


def _xonsh_env(rc: str, root: Path) -> dict[str, str]:
    """The history is chosen before the startup file is read."""
    lived = {
        "XONSH_HISTORY_BACKEND": "sqlite",
        "XONSH_HISTORY_FILE": str(root / "place" / "xonsh.sqlite"),
    }
    return ENGINE | (lived if rc else {})


if __name__ == "__main__":
    for figure, value, unit, note in measure():
        print(f"{figure:55} {value:9.2f} {unit:3} {note}")
