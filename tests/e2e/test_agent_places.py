"""Where nothing of a home can be written, and where no runtime directory is, a question is answered all the same."""

from __future__ import annotations

import json
import os
import subprocess

import pytest

from tests.conftest import WAIT, Home, end_agent_in

PROC = "/proc"  # a directory in which nobody, root neither, can make a file


def _suggested(env: dict[str, str]) -> subprocess.CompletedProcess[str]:
    """The first question of a person without an agent."""
    return subprocess.run(
        [env["TERMA_BIN"], "suggest", "--engine", "offline", "show free disk space"],
        env=env,
        capture_output=True,
        text=True,
        timeout=WAIT,
        check=False,
    )


def test_a_home_in_which_nothing_can_be_written(home: Home) -> None:
    env = {name: value for name, value in home.env.items() if not name.startswith("XDG_")}
    told = _suggested(env | {"HOME": PROC})
    assert (told.returncode, told.stdout.splitlines()[0]) == (0, "df -h")
    assert "Traceback" not in told.stderr
    status = subprocess.run(
        [env["TERMA_BIN"], "agent", "status", "--json"],
        env=env | {"HOME": PROC},
        capture_output=True,
        text=True,
        timeout=WAIT,
        check=True,
    )
    assert json.loads(status.stdout)["log_problem"]


@pytest.mark.parametrize("runtime", ["", "/nowhere", "not/absolute"])
def test_no_runtime_directory_of_ones_own(home: Home, runtime: str) -> None:
    env = {name: value for name, value in home.env.items() if name != "TERMA_SOCKET"}
    ours = home.root / f"terma-{os.geteuid()}"
    try:
        told = _suggested(env | {"XDG_RUNTIME_DIR": runtime, "TMPDIR": str(home.root)})
        assert (told.returncode, told.stdout.splitlines()[0]) == (0, "df -h")
        assert (ours / "agent.sock").is_socket()
        assert ours.stat().st_mode & 0o777 == 0o700
    finally:
        end_agent_in(ours)
