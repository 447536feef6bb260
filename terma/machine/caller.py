"""Which shell has called: $SHELL names the one of the account, which need not be the one that a person is in."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

SHELLS = frozenset({"zsh", "bash", "fish", "xonsh", "ksh", "mksh", "tcsh", "nu", "elvish"})


def calling_shell() -> str:
    """The absolute path of the shell at whose prompt we were called, "" where that is not known.

    A shell at a prompt gives each of its jobs a process group of its own; a script does not."""
    number = os.getppid()
    try:
        if os.getpgid(number) == os.getpgrp():
            return ""
    except OSError:
        return ""
    return _shell_of(number, _words(number))


def _shell_of(number: int, words: list[str]) -> str:
    """The program of a process when that is a shell; a shell in Python is the script that it runs."""
    if not words:
        return ""
    script = words[1] if len(words) > 1 and Path(words[0]).name.startswith("python") else ""
    if Path(script).name in SHELLS:
        return script if os.access(script, os.X_OK) and script.startswith("/") else ""
    if Path(words[0]).name.lstrip("-") not in SHELLS:
        return ""
    try:
        program = str(Path(f"/proc/{number}/exe").readlink())
    except OSError:
        program = words[0].lstrip("-")
    return program if program.startswith("/") and os.access(program, os.X_OK) else ""


def _words(number: int) -> list[str]:
    """The words of a process; [] when it cannot be looked at."""
    try:
        return Path(f"/proc/{number}/cmdline").read_bytes().decode("utf-8", "replace").split("\0")[:-1]
    except OSError:
        return _told_by_ps(number)


def _told_by_ps(number: int) -> list[str]:
    """The same where there is no /proc."""
    try:
        done = subprocess.run(
            ["ps", "-o", "args=", "-p", str(number)],
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=5,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired):
        return []
    return done.stdout.split()
