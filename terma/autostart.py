"""Starts the agent when nobody answers: once, however many ask at the same time, and without importing
asyncio."""

from __future__ import annotations

import contextlib
import fcntl
import os
import select
import signal
import site
import socket
import stat
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import terma
from terma import inherited, paths
from terma.errors import AgentUnavailable, UnsafePath

START_LOCK = "start.lock"
AGENT_LOCK = "agent.lock"  # held by the agent while the socket is its own; its text is the agent's pid
SECONDS = 30.0  # that a start may take before it is called a failure


def knock(path: Path, timeout: float = 2.0) -> socket.socket | None:
    """A connection to the agent at `path`, or None when nobody listens there.

    Raises UnsafePath when the directory or the socket is not ours alone."""
    try:
        info = path.lstat()
    except OSError:
        return None
    paths.check_private(path.parent)
    if not stat.S_ISSOCK(info.st_mode) or info.st_uid != os.geteuid():
        raise UnsafePath(f"{path} is not a socket of yours", "remove it, or set TERMA_SOCKET to another path")
    connection = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    connection.settimeout(timeout)
    try:
        connection.connect(os.fspath(path))
    except (ConnectionError, FileNotFoundError, TimeoutError, BlockingIOError):
        connection.close()
        return None
    except BaseException:
        connection.close()
        raise
    return connection


def ensure(timeout: float = SECONDS) -> socket.socket:
    """A connection to the agent, started first when need be. Raises AgentUnavailable, UnsafePath."""
    path = paths.socket_path()
    connection = knock(path)
    if connection is not None:
        return connection
    paths.make_runtime(path.parent)
    deadline = time.monotonic() + timeout
    with _start_lock(paths.beside(path, START_LOCK), deadline):
        while True:
            connection = knock(path)  # someone else may have started it while we waited for the lock
            if connection is not None:
                return connection
            if time.monotonic() > deadline:
                raise AgentUnavailable("the agent does not answer", "terma agent restart")
            if not _spawn(deadline):
                _end_unreachable(path)


def _end_unreachable(path: Path) -> None:
    """An agent holds the lock but nobody answers: its socket was removed under it (an agent that leaves gives
    up both at once). Give it a moment, in case it is just arriving, then ask it to end."""
    time.sleep(0.1)
    connection = knock(path)
    if connection is not None:
        connection.close()
        return
    with contextlib.suppress(OSError, ValueError):
        signal_agent(int(paths.beside(path, AGENT_LOCK).read_text(encoding="ascii")), signal.SIGTERM)


def signal_agent(pid: int, number: int) -> None:
    """Send a signal to process `pid` if it is an agent: a pid that was read from a file may be someone else's
    by now. Raises OSError when `ps` is missing."""
    import subprocess

    said = subprocess.run(["ps", "-o", "args=", "-p", str(pid)], capture_output=True, text=True, check=False)
    if any(name in said.stdout for name in ("terma.agent", "terma agent run", "terma.sessions.held")):
        with contextlib.suppress(ProcessLookupError):
            os.kill(pid, number)


@contextlib.contextmanager
def _start_lock(lock: Path, deadline: float) -> Iterator[None]:
    flags = os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC
    try:
        handle = os.open(lock, flags, 0o600)
    except OSError as error:
        raise AgentUnavailable(
            f"cannot lock {lock}: {error.strerror}", "set TERMA_SOCKET to another path"
        ) from error
    try:
        while True:
            try:
                fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
                break
            except BlockingIOError:
                if time.monotonic() > deadline:
                    raise AgentUnavailable(
                        "another start of the agent hangs", "terma agent restart"
                    ) from None
                time.sleep(0.01)
        yield
    finally:
        os.close(handle)


def _spawn(deadline: float) -> bool:
    """Start one agent and wait until its socket accepts. False when another one holds the lock.

    Raises AgentUnavailable with the agent's own words when it could not start."""
    read_end, inner = os.pipe()
    write_end = fcntl.fcntl(inner, fcntl.F_DUPFD_CLOEXEC, 3)  # 0 to 2 become /dev/null, and may be closed now
    os.close(inner)
    child = os.fork()
    if child == 0:
        _become_agent(write_end)
    os.close(write_end)
    with contextlib.suppress(ChildProcessError):  # whoever started us may ignore SIGCHLD
        os.waitpid(child, 0)  # the middle process, which leaves at once
    try:
        said = _read_until_closed(read_end, deadline)
    finally:
        os.close(read_end)
    code, _, rest = said.partition("\t")
    if code in ("ok", "running"):
        return code == "ok"
    message, _, hint = rest.partition("\t")
    raise AgentUnavailable(message or "the agent did not start", hint or "see why: terma agent run")


def _read_until_closed(handle: int, deadline: float) -> str:
    said = b""
    while True:
        ready, _, _ = select.select([handle], [], [], max(0.0, deadline - time.monotonic()))
        if not ready:
            raise AgentUnavailable("the agent did not start in time", "see why: terma agent run")
        piece = os.read(handle, 4096)
        if not piece:
            return said.decode("utf-8", "replace")
        said += piece


def _become_agent(ready: int) -> None:
    """In the child of a fork: leave the terminal and the session behind, and become the agent. Never
    returns."""
    try:
        os.setsid()
        if os.fork():
            os._exit(0)
        os.chdir("/")
        os.umask(0o077)
        null = os.open(os.devnull, os.O_RDWR)
        for standard in (0, 1, 2):
            os.dup2(null, standard)
            os.set_inheritable(standard, True)  # dup2 onto itself leaves it as it was
        os.set_inheritable(ready, True)
        _close_others(keep=ready)
        arguments = [*command(), f"--ready-fd={ready}"]
        os.execve(sys.executable, arguments, environment())  # noqa: S606
    finally:
        os._exit(70)


def _close_others(keep: int) -> None:
    """A shell's descriptors (a pipe someone waits on, a terminal) must not live on in the agent."""
    highest = min(os.sysconf("SC_OPEN_MAX"), 4096)
    os.closerange(3, keep)
    os.closerange(keep + 1, highest)


def command() -> list[str]:
    """The agent's command line: this interpreter, isolated from PYTHON* variables and the working directory,
    unless terma itself is found only through one of them."""
    root = Path(terma.__file__).resolve().parent.parent
    flags = ["-I"]
    if site.ENABLE_USER_SITE and root.is_relative_to(site.getusersitepackages()):
        flags = ["-E", "-P"]
    elif any(
        part and Path(part).resolve() == root for part in os.environ.get("PYTHONPATH", "").split(os.pathsep)
    ):
        flags = ["-P"]
    return [sys.executable, *flags, "-m", "terma.agent"]


def environment() -> dict[str, str]:
    """The agent's environment: what it needs of the starter's, with one memory arena (it has one busy thread).
    Started from within a session, it is none of that session's programs, which end with it."""
    return {"MALLOC_ARENA_MAX": "1"} | inherited.kept(os.environ)
