"""`tools/run-tests`: an unsteady test is run again and named, a broken one fails."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

SCRIPT = Path(__file__).parents[2] / "tools" / "run-tests"
UNSTEADY = """
from pathlib import Path
def test_unsteady():
    seen = Path(__file__).with_suffix(".seen")
    before = seen.exists()
    seen.touch()
    assert before
"""
BROKEN = "def test_broken():\n    assert False\n"
MANY = "import pytest\n@pytest.mark.parametrize('one', range(6))\ndef test_broken(one):\n    assert not __file__\n"
FINE = "def test_fine():\n    pass\n"


def run(folder: Path, code: str) -> subprocess.CompletedProcess[str]:
    (folder / "test_it.py").write_text(code)
    (folder / "pytest.ini").write_text("[pytest]\naddopts = -q --strict-markers\n")  # as in pyproject.toml
    return subprocess.run(
        ["sh", SCRIPT, sys.executable, "--rootdir", folder, "test_it.py"],
        cwd=folder,
        capture_output=True,
        text=True,
        timeout=100,
        check=False,
    )


def test_an_unsteady_test_passes_the_second_time_and_is_named(tmp_path: Path) -> None:
    done = run(tmp_path, FINE + UNSTEADY)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "test_unsteady PASSED" in done.stdout and "test_fine PASSED" not in done.stdout
    assert "1 of the tests failed beside others" in done.stderr and "unsteady" in done.stderr


@pytest.mark.parametrize(("code", "runs"), [(BROKEN, 2), (UNSTEADY + BROKEN, 2), (MANY, 1), ("1 +\n", 1)])
def test_what_is_broken_fails(tmp_path: Path, code: str, runs: int) -> None:
    done = run(tmp_path, code)
    assert done.returncode != 0
    assert done.stdout.count("short test summary") == runs, done.stdout


def test_what_passes_is_run_once(tmp_path: Path) -> None:
    done = run(tmp_path, FINE)
    assert done.returncode == 0 and done.stdout.count("1 passed") == 1 and not done.stderr
