"""`terma eyes watch` and `calibrate` on a machine without a camera: one line, and what to do."""

from __future__ import annotations

import subprocess

import pytest

from tests.conftest import WAIT, Home


@pytest.mark.parametrize("action", ["watch", "calibrate"])
def test_without_a_camera_it_is_one_line(home: Home, action: str) -> None:
    arguments = ["--yes"] if action == "calibrate" else []
    done = subprocess.run(
        [home.env["TERMA_BIN"], "eyes", action, *arguments],
        env=home.env,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=WAIT,
        check=False,
    )
    assert done.returncode != 0
    assert "Traceback" not in done.stderr
    assert len(done.stderr.strip().splitlines()) <= 2
