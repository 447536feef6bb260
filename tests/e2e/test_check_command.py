"""`terma check`: what is not so on this machine, for people and for scripts."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pytest

from tests.conftest import Home


def call(home: Home, *arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [home.env["TERMA_BIN"], "check", *arguments],
        env=home.env,
        capture_output=True,
        text=True,
        check=False,
    )


def test_each_problem_is_a_line_and_the_status_is_one(home: Home, tmp_path: Path) -> None:
    done = call(home, "ls --newest | zzfrob; cat gone", "--cwd", str(tmp_path))
    assert done.stdout.splitlines() == [
        "ls has no option --newest",
        "no such program: zzfrob",
        "no such file: gone",
    ]
    assert (done.returncode, done.stderr) == (1, "")


def test_nothing_is_said_of_a_command_that_is_right(home: Home, tmp_path: Path) -> None:
    done = call(home, "ls --all > out && cat out", "--cwd", str(tmp_path))
    assert (done.stdout, done.stderr, done.returncode) == ("", "", 0)
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize(("command", "problems"), [("ls", []), ("zzfrob", ["no such program: zzfrob"])])
def test_programs_read_json(home: Home, command: str, problems: list[str]) -> None:
    assert json.loads(call(home, "--json", command).stdout) == {"problems": problems}


def test_control_characters_of_a_command_reach_no_terminal(home: Home) -> None:
    assert "\x1b" not in call(home, "\x1b[31mzzfrob\x1b]0;x\x07 --a\x1b[0m; ls --ne\x1b[1mw").stdout
