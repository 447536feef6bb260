"""How the person's own shell is started so that it prints marks, with its start-up files as they are.

A shell whose start-up file loads terma finds the marks by itself (TERMA_RECORDING_HOOKS). For one that does not,
zsh is led past a directory of ours (its .zshenv puts ZDOTDIR back before it reads anything else), and bash gets a
--rcfile that reads ~/.bashrc first. Where that cannot work unseen (zsh -f, a login bash, -c), nothing is done.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from terma.machine.zshenv import moves_zdotdir

# bash arguments beside which a --rcfile means the same as without them
_BASH_HARMLESS = frozenset({"-i", "--verbose", "--debugger", "--noediting", "-x", "-v", "-u", "+x"})


class Start(NamedTuple):  # the shell waits for this module, and dataclasses takes 8 ms to import
    """A program, its arguments (with the name it goes by first), its environment."""

    program: str
    arguments: tuple[str, ...]
    environment: dict[str, str]
    plain_marks: bool = False  # its marks carry no nonce (fish has its own)
    mixed_marks: bool = (
        False  # others' marks count until ours come, if they do (xonsh, where the xontrib prints ours)
    )


class Recording(NamedTuple):
    """What the shell must know: the socket, its own terminal, where the hooks lie, and where bash may scribble."""

    socket: str
    tty: str
    hooks: Path
    pad: str = ""

    def environment(self) -> dict[str, str]:
        named = {"": self.socket, "_TTY": self.tty, "_HOOKS": str(self.hooks), "_PAD": self.pad}
        return {f"TERMA_RECORDING{name}": value for name, value in named.items() if value}


def start(shell: str, words: Sequence[str], environment: Mapping[str, str], recording: Recording) -> Start:
    """How to start `shell` (a path) with the person's own arguments `words`."""
    name = os.path.basename(shell)  # noqa: PTH119 a path may hold what is no text
    env = {key: value for key, value in environment.items() if not key.startswith("TERMA_RECORDING")}
    env |= recording.environment()
    if environment.get("TERM") == "dumb":
        return Start(shell, (name, *words), env)  # it would show the marks
    if name == "zsh":
        if _zsh_can_be_led(words, environment):
            if "ZDOTDIR" in env:
                env["TERMA_RECORDING_ZDOTDIR"] = env["ZDOTDIR"]
            env["ZDOTDIR"] = str(recording.hooks / "record")
        return Start(shell, (name, *words), env)
    if name == "bash":
        rcfile = ("--rcfile", str(recording.hooks / "record" / "bashrc"))
        return Start(shell, (name, *(rcfile if set(words) <= _BASH_HARMLESS else ()), *words), env)
    if name == "xonsh":
        return Start(shell, (name, *words), env, mixed_marks=True)
    return Start(shell, (name, *words), env, plain_marks=True)


def _zsh_can_be_led(words: Sequence[str], environment: Mapping[str, str]) -> bool:
    """Whether this zsh reads $ZDOTDIR/.zshenv, is interactive, and the system's zshenv does not use ZDOTDIR."""
    for word in words:
        if word.startswith("--") or not word.startswith(("-", "+")):
            return False
        if set(word[1:]) - set("ildkhgmxvu"):
            return False
    return not moves_zdotdir(environment)
