"""`terma eyes try`, as a person runs it: all of it works on a machine without camera, key or display."""

from __future__ import annotations

import subprocess

import pytest

from tests.conftest import Home


@pytest.mark.timeout(400)
def test_all_of_it_works_without_hardware(home: Home) -> None:
    done = subprocess.run(
        [home.env["TERMA_BIN"], "eyes", "try"],
        env=home.env | {"TMPDIR": str(home.root)},
        capture_output=True,
        text=True,
        timeout=380,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert "completed: the screen shows" in done.stdout
    assert "\x1b" not in done.stdout


@pytest.mark.parametrize("action", ["watch", "calibrate"])
def test_without_a_camera_it_is_one_line(home: Home, action: str) -> None:
    arguments = ["--yes"] if action == "calibrate" else []
    done = subprocess.run(
        [home.env["TERMA_BIN"], "eyes", action, *arguments],
        env=home.env,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert done.returncode != 0
    assert "Traceback" not in done.stderr
    assert len(done.stderr.strip().splitlines()) <= 2
