"""A process that is gone while it is looked at reads nothing: what was typed meanwhile was typed ahead."""

from __future__ import annotations

import subprocess
import sys

import pytest

from terma.sessions.probe import BUSY, Proc

pytestmark = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="/proc")


def test_who_is_gone_is_busy_and_not_unknown() -> None:
    ended = subprocess.Popen(["true"])
    ended.wait()
    assert Proc()._call(ended.pid) == BUSY
