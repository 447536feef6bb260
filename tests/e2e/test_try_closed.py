"""A `terma try` whose terminal is closed leaves nothing behind, and `terma shell` opens the shell that one is in."""

from __future__ import annotations

import contextlib
import signal
import sys
from pathlib import Path

import pexpect
import pytest

from tests.conftest import WAIT, Home, wait_until
from tests.shells.driver import ended, sterile_env

TERMA = str(Path(sys.executable).parent / "terma")


def told(place: str) -> list[int]:
    """The processes that know of a directory by their environment: the trial's shell and its agent."""
    found = []
    for entry in Path("/proc").iterdir():
        try:
            if entry.name.isdecimal() and place.encode() in (entry / "environ").read_bytes():
                found.append(int(entry.name))
        except OSError:
            continue
    return found


@pytest.mark.parametrize("end", [signal.SIGHUP, signal.SIGTERM])
def test_a_trial_whose_terminal_is_closed_leaves_neither_agent_nor_directory(
    home: Home, end: signal.Signals
) -> None:
    (home.root / "t").mkdir()
    (home.home / ".local/state/terma").mkdir(parents=True, exist_ok=True)
    (home.home / ".local/state/terma/tour-seen").touch()
    env = sterile_env(home.home, {"TMPDIR": str(home.root / "t"), "TERMA_IDLE_SECONDS": "300"})
    trial = pexpect.spawn(TERMA, ["try", "--shell", "bash", "--clean"], env=env, timeout=WAIT)
    try:
        trial.expect("your Enter runs anything")
        (place,) = (home.root / "t").glob("terma-try-*")
        trial.send("show the date\x14")
        wait_until((place / "run" / "agent.sock").exists, "the trial's agent")
        trial.kill(end)
        if end == signal.SIGHUP:
            with contextlib.suppress(pexpect.ExceptionPexpect):  # it takes a moment
                trial.close(force=False)
        wait_until(lambda: not place.exists(), "the directory to be gone")
        wait_until(lambda: not told(str(place)), "its processes to be gone")
    finally:
        ended(trial)


@pytest.mark.parametrize(("inside", "account"), [("bash", "zsh"), ("zsh", "bash")])
def test_terma_shell_opens_the_shell_that_one_is_in(home: Home, inside: str, account: str) -> None:
    env = sterile_env(home.home, {"SHELL": f"/bin/{account}", "TERMA_SOCKET": str(home.socket), "PS1": "$ "})
    words = {"bash": ["--norc", "-i"], "zsh": ["-f", "-i"]}[inside]
    shell = pexpect.spawn(inside, words, env=env, timeout=WAIT)
    try:
        shell.sendline(f"{TERMA} shell")
        shell.expect("133;A;terma=")  # the recorder's first prompt
        shell.sendline("echo ver''sion ${BASH_VERSION:+bash}${ZSH_VERSION:+zsh}")
        shell.expect(r"version (\w+)")
        assert shell.match[1].decode() == inside
    finally:
        ended(shell)


@pytest.mark.parametrize(("inside", "account"), [("bash", "zsh"), ("zsh", "bash")])
def test_terma_try_opens_the_shell_that_one_is_in(home: Home, inside: str, account: str) -> None:
    (home.home / ".local/state/terma").mkdir(parents=True, exist_ok=True)
    (home.home / ".local/state/terma/tour-seen").touch()
    env = sterile_env(home.home, {"SHELL": f"/bin/{account}", "TERMA_SOCKET": str(home.socket), "PS1": "$ "})
    words = {"bash": ["--norc", "-i"], "zsh": ["-f", "-i"]}[inside]
    shell = pexpect.spawn(inside, words, env=env, timeout=WAIT)
    try:
        shell.sendline(f"{TERMA} try --clean")
        shell.expect("your Enter runs anything")
        shell.sendline("echo ver''sion ${BASH_VERSION:+bash}${ZSH_VERSION:+zsh}")
        shell.expect(r"version (\w+)")
        assert shell.match[1].decode() == inside
    finally:
        ended(shell)
