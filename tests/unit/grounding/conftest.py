"""What the checks are held against: a directory with files, and an installation of programs that exist nowhere else."""

from __future__ import annotations

import gzip
import os
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from terma.grounding import check

ENOUGH = 60.0  # seconds: these tests ask for the truth, not for speed
FILES = (
    "notes.txt data.csv app.log archive.tar.gz backup.zip run.sh main.py main.c main.cpp main.js hello.c data.json"
    " data.db SHA256SUMS requirements.txt link app.jar key compose.yml deploy.yml Dockerfile in.png in.mp4 a.txt b.txt"
    " notes.xz env.sh src/a.txt build/x"
)
Check = Callable[..., list[str]]


@pytest.fixture(autouse=True, scope="package")
def own_cache(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """What is looked up is kept in a directory of these tests' own."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_CACHE_HOME", str(tmp_path_factory.mktemp("cache")))
        yield


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    place = tmp_path / "here"
    for name in FILES.split():
        file = place / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text("x\n")
    (place / "run.sh").chmod(0o755)
    return place


@pytest.fixture
def here(folder: Path) -> Check:
    """`here("ls --newest")`: what is wrong with a command in `folder`, with this machine's own programs."""

    def look(command: str, shell: str = "bash", cwd: str | None = None, **more: object) -> list[str]:
        more.setdefault("seconds", ENOUGH)
        place = str(folder) if cwd is None else cwd
        return check(command, os.environ["PATH"], place, shell, **more)  # type: ignore[arg-type]

    return look


class Installation:
    """A prefix with bin/ and share/, as `make install` leaves it."""

    def __init__(self, root: Path) -> None:
        self.root = root
        (root / "bin").mkdir(parents=True)
        self.path = f"{root}/bin{os.pathsep}{os.environ['PATH']}"

    def program(self, name: str, script: str = "exit 0") -> Path:
        file = self.root / "bin" / name
        file.write_text(f"#!/bin/sh\n{script}\n")
        file.chmod(0o755)
        return file

    def page(self, name: str, text: str) -> Path:
        """A manual page; `name` is "frob.1" or "frob.1.gz"."""
        section = name.removesuffix(".gz").rpartition(".")[2][0]
        return self._write(f"share/man/man{section}/{name}", text)

    def zsh(self, name: str, text: str) -> Path:
        return self._write(f"share/zsh/site-functions/_{name}", text)

    def fish(self, name: str, text: str) -> Path:
        return self._write(f"share/fish/vendor_completions.d/{name}.fish", text)

    def _write(self, name: str, text: str) -> Path:
        file = self.root / name
        file.parent.mkdir(parents=True, exist_ok=True)
        data = text.encode()
        file.write_bytes(gzip.compress(data) if name.endswith(".gz") else data)
        return file

    def check(self, command: str, shell: str = "bash", cwd: str = "/", **more: object) -> list[str]:
        more.setdefault("seconds", ENOUGH)
        return check(command, self.path, cwd, shell, **more)  # type: ignore[arg-type]


@pytest.fixture
def prefix(tmp_path: Path) -> Installation:
    return Installation(tmp_path / "opt")
