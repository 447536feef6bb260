"""Where the oldest supported xonsh is: fetched once, by hash, beside the virtual environment that has the newest."""

from __future__ import annotations

import fcntl
import subprocess
import sys
from functools import cache
from pathlib import Path

TREE = Path(__file__).parents[2]
LOCK = TREE / "requirements-xonsh-oldest.lock"
PLACE = TREE / ".cache/xonsh-oldest"


@cache
def oldest_xonsh() -> str:
    """The program. The interpreter is the tests' own, and so is prompt_toolkit."""
    program = PLACE / "run/xonsh"
    PLACE.mkdir(parents=True, exist_ok=True)
    with (PLACE / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)  # the workers of pytest-xdist come here at the same time
        packages = PLACE / "packages"
        start = f'#!/bin/sh\nexec env PYTHONPATH={packages} {sys.executable} -m xonsh "$@"\n'
        if not program.exists() or program.read_text(encoding="utf-8") != start:
            pip = [sys.executable, "-m", "pip", "install", "-q", "--no-deps", "--require-hashes", "--upgrade"]
            subprocess.run([*pip, "--target", str(packages), "-r", str(LOCK)], check=True, timeout=100)
            program.parent.mkdir(exist_ok=True)
            program.write_text(start, encoding="utf-8")
            program.chmod(0o755)
    return str(program)
