"""The scripts behind `make` say what to type where they may not help themselves."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

TOOLS = Path(__file__).parents[2] / "tools"


@pytest.fixture
def bare_path(tmp_path: Path) -> Path:
    """A directory to stand for PATH: the programs that every machine has, and an `id` of no importance."""
    for name in ("sh", "grep", "uname", "rm", "mkdir"):
        (tmp_path / name).symlink_to(shutil.which(name) or name)
    (tmp_path / "id").write_text("#!/bin/sh\necho 1000\n", encoding="utf-8")
    (tmp_path / "id").chmod(0o755)
    return tmp_path


def run(tool: str, path: Path, *arguments: str, **env: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [shutil.which("sh") or "sh", str(TOOLS / tool), *arguments],
        env={"PATH": str(path)} | env,
        cwd=path,
        capture_output=True,
        text=True,
        check=False,
    )


def test_missing_programs_are_named_in_one_line_to_type(bare_path: Path) -> None:
    done = run("system-packages", bare_path)
    assert done.returncode == 1
    assert done.stdout == ""
    line = done.stderr.strip()
    assert "\n" not in line
    for package in ("zsh", "tmux", "fzf", "socat", "netcat-openbsd", "shellcheck"):
        assert package in line
    assert "Type: " in line


def test_a_machine_without_a_new_python_is_told_so(bare_path: Path) -> None:
    done = run("bootstrap", bare_path, "venv", "requirements.lock")
    assert done.returncode == 1
    assert "Python 3.11 or newer" in done.stderr
    assert "apt install" in done.stderr
    assert not (bare_path / "venv").exists()


def test_an_interpreter_that_is_too_old_is_refused_by_name(bare_path: Path) -> None:
    old = bare_path / "python-of-old"
    old.write_text("#!/bin/sh\nexit 1\n", encoding="utf-8")
    old.chmod(0o755)
    done = run("bootstrap", bare_path, "venv", "requirements.lock", PYTHON=str(old))
    assert done.returncode == 1
    assert str(old) in done.stderr
