"""Where the local model lies and where its server is found, and what is written down of both."""

from __future__ import annotations

import contextlib
import fcntl
import json
import os
import subprocess
import sys
from dataclasses import asdict
from pathlib import Path
from typing import Any

from terma import paths
from terma.errors import TermaError
from terma.records import dataclass

NAME = "local"  # as a model and as an engine in the settings
INSTALL = "terma local install"
CONTEXT = 8192  # tokens that a server is asked for, for all slots together: what it gives, it tells
SLOTS = 2  # Ctrl+T and ?why keep their beginnings each


class LocalError(TermaError):
    """The local model could not be installed, started or removed."""

    code = "local"


@dataclass(frozen=True, slots=True)
class Installed:
    """What `terma local install` made. `model` is a file's path, `size` its bytes. `auto`: it may answer when nothing
    is set and neither a key nor another server is found."""

    runtime: str
    model: str
    name: str
    size: int
    sha256: str
    source: str
    auto: bool = False


@dataclass(frozen=True, slots=True)
class Running:
    """A server that answers. `base` is unix:/PATH or http://127.0.0.1:PORT/v1, then with a `key`. `context` is what a
    question and its answer may fill, in tokens, `parameters` the model's size; 0 where the server does not tell."""

    pid: int
    base: str
    key: str = ""
    model: str = ""
    context: int = 0
    parameters: int = 0


def folder() -> Path:
    """All that is installed lies in it: env/, models/, installed.json."""
    return paths.data_dir() / "local"


def python() -> Path:
    """The private environment's interpreter."""
    return folder() / "env/bin/python"


def installed() -> Installed | None:
    """What is installed and whole; None otherwise."""
    told = _read(folder() / "installed.json")
    try:
        found = Installed(**told) if told else None
    except TypeError:  # another version's
        return None
    return found if found and python().exists() and Path(found.model).is_file() else None


def write_installed(what: Installed) -> None:
    """The last act of an installation: from here on it is there."""
    data = json.dumps(asdict(what), indent=1).encode()
    paths.write_atomic(folder() / "installed.json", data + b"\n")


def socket_path() -> Path:
    """Beside the agent's socket, in a directory that is ours alone."""
    return paths.runtime_dir() / "model.sock"


def lock_path() -> Path:
    """Held by a server from before its start to its end; the text is its pid."""
    return paths.runtime_dir() / "model.lock"


def state_path() -> Path:
    """Written by a server that is ready, removed by one that leaves."""
    return paths.runtime_dir() / "model.json"


def log_path() -> Path:
    """What the server of the last start said."""
    return paths.state_dir() / "local.log"


def held() -> bool:
    """Whether a server lives: ready, starting or leaving. A file's text may lie, its lock does not."""
    try:
        handle = os.open(lock_path(), os.O_RDONLY | os.O_CLOEXEC | os.O_NOFOLLOW)
    except OSError:
        return False
    try:
        fcntl.flock(handle, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except BlockingIOError:
        return True
    finally:
        os.close(handle)
    return False


def running() -> Running | None:
    """The server that is ready to answer, None when there is none."""
    told = _read(state_path())
    if not told or not held():
        return None
    with contextlib.suppress(TypeError):
        return Running(**told)
    return None


def memory(pid: int) -> int:
    """Resident bytes of a process; 0 when unknown."""
    try:
        if sys.platform == "linux":
            pages = Path(f"/proc/{pid}/statm").read_text(encoding="ascii").split()[1]
            return int(pages) * os.sysconf("SC_PAGE_SIZE")
        said = subprocess.run(
            ["ps", "-o", "rss=", "-p", str(pid)], capture_output=True, text=True, check=False
        )
        return int(said.stdout) * 1024
    except (OSError, ValueError, IndexError):
        return 0


def _read(path: Path) -> dict[str, Any] | None:
    try:
        told = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return None
    return told if isinstance(told, dict) else None
