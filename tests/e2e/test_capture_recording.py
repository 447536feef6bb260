"""In a real `terma shell`, after real commands, the recorder gives the last command's own output."""

from __future__ import annotations

import contextlib
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pexpect
import pytest

from terma.types import Output
from tests.conftest import WAIT, Home, wait_until
from tests.e2e.captured import BASH_ASK, ZSH_ASK, ask
from tests.shells.driver import ended


@pytest.fixture
def recorded(home: Home, request: pytest.FixtureRequest) -> Iterator[tuple[str, Any, dict[str, str]]]:
    """A shell in the recorder: its name, its terminal, and what its hooks would send of it."""
    shell: str = request.param
    where = home.home / "where"
    rc = f"PS1='ready> '\nprintf %s \"$TERMA_RECORDING\" > {where}\n"
    (home.home / ".zshrc").write_text(ZSH_ASK + rc, encoding="utf-8")
    (home.home / ".bashrc").write_text(BASH_ASK + rc, encoding="utf-8")
    env = home.env | {"SHELL": shutil.which(shell) or shell, "TERM": "xterm-256color"}
    terminal = pexpect.spawn(home.env["TERMA_BIN"], ["shell"], env=env, dimensions=(24, 80), timeout=WAIT)
    terminal.delaybeforesend = None
    terminal.expect_exact("ready> ")
    yield shell, terminal, {"TERMA_RECORDING": where.read_text(encoding="utf-8")}
    ended(terminal)


def run(terminal: Any, command: str, drawn: Path) -> None:
    """Type a command and wait for the next prompt."""
    before = drawn.stat().st_size
    terminal.send(command + "\r")

    def ended() -> bool:
        with contextlib.suppress(pexpect.TIMEOUT, pexpect.EOF):
            terminal.read_nonblocking(65536, 0)
        return drawn.stat().st_size > before

    wait_until(ended, "a prompt")


@pytest.mark.parametrize("recorded", ["zsh", "bash"], indirect=True)
def test_the_recorder_gives_the_command_that_is_meant(
    recorded: tuple[str, Any, dict[str, str]], home: Home
) -> None:
    shell, terminal, env = recorded
    for command in ("cat nowhere", "", "?why is it gone"):
        run(terminal, command, home.home / "prompts")
    failure = Output(
        "cat: nowhere: No such file or directory", "recording", True, command="cat nowhere", status=1
    )
    assert ask(env, "cat nowhere", shell=shell) == failure
    assert ask(env, "", asked="", shell=shell) == failure  # a shell that did not say what it ran
    run(terminal, "printf foo", home.home / "prompts")
    assert ask(env, "printf foo", shell=shell).text == "foo"
    assert ask(env, "make", shell=shell).trouble == "recording: the recording does not hold that command"
