"""Where terma keeps things: the socket and the checks that make it ours alone, and config, state, cache, data.

The runtime half needs the standard library alone, because the client and the shell's first Ctrl+T pass through it.
The shells compute the same socket path without a fork: keep zsh/, bash/ and this file in step (tests hold them).
"""

from __future__ import annotations

import os
import stat
import sys
from collections.abc import Mapping
from pathlib import Path

from terma.errors import UnsafePath

APP = "terma"
SOCKET_NAME = "agent.sock"
MAX_SOCKET_PATH = 103  # bytes: sun_path holds 108 on Linux and 104 on macOS, with a closing NUL


def _is_own_directory(path: str) -> bool:
    try:
        info = os.stat(path)  # noqa: PTH116 a path may hold what is no text
    except OSError:
        return False
    return stat.S_ISDIR(info.st_mode) and info.st_uid == os.geteuid()


def runtime_dir(environ: Mapping[str, str] = os.environ) -> Path:
    """The directory of the socket, lock and pid file. Not created here.

    `$XDG_RUNTIME_DIR/terma` when that directory exists and is ours (under `sudo -s` it is not), otherwise
    `$TMPDIR/terma-UID`. `$TERMA_SOCKET` names another socket and so another directory."""
    explicit = environ.get("TERMA_SOCKET")
    if explicit:
        return Path(explicit).parent
    base = environ.get("XDG_RUNTIME_DIR", "")
    if base.startswith("/") and _is_own_directory(base):
        return Path(base) / APP
    return Path(environ.get("TMPDIR") or "/tmp") / f"{APP}-{os.geteuid()}"  # noqa: S108 checked by check_private


def socket_path(environ: Mapping[str, str] = os.environ) -> Path:
    """The agent's socket. Raises UnsafePath when the path is too long for a socket address."""
    path = Path(environ.get("TERMA_SOCKET") or runtime_dir(environ) / SOCKET_NAME)
    if not path.is_absolute():  # the agent lives in / and would listen elsewhere
        raise UnsafePath(f"the socket path is not absolute: {path}", "set TERMA_SOCKET to an absolute path")
    if len(os.fsencode(path)) > MAX_SOCKET_PATH:
        raise UnsafePath(
            f"the socket path is longer than {MAX_SOCKET_PATH} bytes: {path}",
            "set TERMA_SOCKET to a shorter path",
        )
    return path


def beside(socket: Path, name: str) -> Path:
    """The file `name` of the agent that listens at `socket`, in the same directory. Agents whose sockets have other
    names there share none of theirs."""
    return socket.with_name(name if socket.name == SOCKET_NAME else f"{socket.name}.{name}")


def check_private(directory: Path) -> None:
    """Raise UnsafePath unless `directory` is a real directory, ours, and closed to everyone else."""
    try:
        info = directory.lstat()
    except OSError as error:
        raise UnsafePath(
            f"cannot look at {directory}: {error.strerror}", "check its parent directory"
        ) from error
    if not stat.S_ISDIR(info.st_mode):
        raise UnsafePath(
            f"{directory} is not a directory (symbolic links are not followed)", "remove it, then try again"
        )
    if info.st_uid != os.geteuid():
        raise UnsafePath(f"{directory} belongs to another user", "set TERMA_SOCKET to a path of your own")
    if stat.S_IMODE(info.st_mode) & 0o077:
        raise UnsafePath(f"{directory} is open to other users", f"chmod 700 {directory}")


def make_private(directory: Path) -> None:
    """Create `directory` with mode 0700 when missing, then check it. Raises UnsafePath."""
    try:
        directory.mkdir(mode=0o700, parents=True, exist_ok=True)
    except FileExistsError:
        pass  # something that is no directory stands there: check_private says what
    except OSError as error:
        raise UnsafePath(
            f"cannot create {directory}: {error.strerror}", "set TERMA_SOCKET to a writable path"
        ) from error
    check_private(directory)


def make_runtime(directory: Path) -> None:
    """Create the directory of the socket as `make_private` does, within one that is there: whoever comes late to a
    place that was taken away (a trial that ended) does not make it anew. Raises UnsafePath."""
    try:
        directory.mkdir(mode=0o700, exist_ok=True)
    except FileExistsError:
        pass
    except OSError as error:
        raise UnsafePath(
            f"cannot create {directory}: {error.strerror}", "set TERMA_SOCKET to a writable path"
        ) from error
    check_private(directory)


_XDG = {"config": ".config", "state": ".local/state", "cache": ".cache", "data": ".local/share"}


def _user_dir(kind: str) -> Path:
    if sys.platform == "linux":  # as platformdirs says, which takes 8 ms and a megabyte to load
        base = os.environ.get(f"XDG_{kind.upper()}_HOME", "")
        return Path(base if base.strip() else Path("~", _XDG[kind]).expanduser()) / APP
    import platformdirs

    name = {"config": platformdirs.user_config_path, "state": platformdirs.user_state_path}
    more = {"cache": platformdirs.user_cache_path, "data": platformdirs.user_data_path}
    return (name | more)[kind](APP, appauthor=False)


def config_dir() -> Path:
    """Settings and roles of the user. Not created here."""
    return _user_dir("config")


def state_dir() -> Path:
    """The log and what must outlive a reboot but is no setting. Not created here."""
    return _user_dir("state")


def cache_dir() -> Path:
    """What can be made again: the compiled knowledge. Not created here."""
    return _user_dir("cache")


def data_dir() -> Path:
    """Files that the user's shell start-up reads: the written-out shell code. Not created here."""
    return _user_dir("data")


def shown(path: Path | str) -> str:
    """A path as a prompt shows it: `~/.zshrc`."""
    home, text = str(Path.home()), str(path)
    return "~" + text[len(home) :] if text == home or text.startswith(home + "/") else text


def write_atomic(path: Path, data: bytes, mode: int = 0o600) -> None:
    """Write `data` to `path` whole or not at all: a temporary file beside it, then a rename."""
    import tempfile  # half of this module's import time, and no first prompt needs it

    path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
        Path(name).chmod(mode)
        Path(name).replace(path)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise
