"""The oldest xonsh that is supported, in one session: what differs between the two ends shows here."""

from __future__ import annotations

import fcntl
import subprocess
import sys
from pathlib import Path

import pytest

from tests.conftest import RunningAgent
from tests.shells.in_xonsh import TREE, fill, needs_xonsh, run, xonsh

pytestmark = [needs_xonsh, pytest.mark.under_way]
LOCK = TREE / "requirements-xonsh-oldest.lock"
PLACE = TREE / ".cache/xonsh-oldest"


@pytest.fixture(scope="module")
def oldest() -> str:
    """The program; fetched once, by hash, beside the virtual environment that has the newest."""
    program = PLACE / "run/xonsh"
    PLACE.mkdir(parents=True, exist_ok=True)
    with (PLACE / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not program.exists():
            packages = PLACE / "packages"
            pip = [sys.executable, "-m", "pip", "install", "-q", "--no-deps", "--require-hashes"]
            subprocess.run([*pip, "--target", str(packages), "-r", str(LOCK)], check=True)
            program.parent.mkdir(exist_ok=True)
            start = f'exec env PYTHONPATH={packages} {sys.executable} -m xonsh "$@"'
            program.write_text(f"#!/bin/sh\n{start}\n", encoding="utf-8")
            program.chmod(0o755)
    return str(program)


def test_from_load_to_unload(agent: RunningAgent, oldest: str) -> None:
    agent.will_say("find . -exec ", "ls {} \\;", candidates=("rm -r build",))
    agent.will_explain("So it is.\n", fixes=("echo fixed",))
    with xonsh(agent, shell=oldest) as shell:
        run(shell, "import xonsh; print('xonsh', xonsh.__version__)").wait_for("xonsh 0.19.")
        run(shell, "xontrib load terma")
        fill(shell, "list all", "· script")
        assert shell.line().text == "find . -exec ls '{}' ';'"
        shell.press("C-t").wait_for("⚠ high").press("C-_")
        assert shell.line().text == "list all"
        shell.press("C-c")
        run(shell, "nosuchcommand")
        shell.type("?why isn't it $(touch PWNED):").press("Enter").wait_for("ready> echo fixed")
        assert "nosuchcommand · exit status 1" in shell.screen()
        shell.press("C-c")
        run(shell, "1/0")
        shell.type("terma last").press("Enter").wait_for("ZeroDivisionError: division by zero")
        assert not list(Path(agent.root).rglob("PWNED"))
        run(shell, "xontrib unload terma")
        run(shell, "print('te' + 'rma' in aliases)").wait_for("\nFalse")
