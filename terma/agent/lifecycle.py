"""Start, stop and look at the agent from outside: what `terma agent …` does."""

from __future__ import annotations

import contextlib
import signal
import time
from pathlib import Path
from socket import AF_UNIX
from socket import socket as Socket
from typing import Any

from terma import autostart, client, paths
from terma.agent.endpoint import holder
from terma.agent.log import NAME
from terma.autostart import AGENT_LOCK
from terma.errors import AgentUnavailable, TermaError
from terma.sessions.held.frames import LOCK as HOLDER_LOCK
from terma.sessions.held.peers import is_ours, peer_pid

STATUS_SECONDS = 5.0
START_SECONDS = 30.0  # it loads before it answers, and a busy machine takes its time
STOP_SECONDS = 5.0


def start() -> None:
    """Return when an agent answers. Raises AgentUnavailable, ProtocolError, UnsafePath."""
    client.connect(patience=START_SECONDS).close()


def stop(keep: bool = False) -> bool:
    """End the agent; True when there was one. One that does not listen to reason within STOP_SECONDS is
    killed. The sessions end as well, unless they are to be kept for the agent that follows.

    Raises AgentUnavailable when it lives on regardless, UnsafePath when the directory is not ours alone."""
    socket = paths.socket_path()
    ended = _stop_agent(socket, keep)
    return (not keep and _end_sessions(socket)) or ended


def _stop_agent(socket: Path, keep: bool) -> bool:
    pid = _pid(socket)
    if pid is None:
        return False
    with contextlib.suppress(TermaError), client.connect(autostart_agent=False) as agent:
        agent.ask_json("stop", {"keep": "1"} if keep else {}, timeout=STATUS_SECONDS)
        if _gone(pid, socket, STOP_SECONDS):
            return True
    for number in (signal.SIGTERM, signal.SIGKILL) if pid else ():
        with contextlib.suppress(OSError):
            autostart.signal_agent(pid, number)
        if _gone(pid, socket, STOP_SECONDS / 2):
            return True
    raise AgentUnavailable("the agent does not end", f"kill -9 {pid}" if pid else "pkill -9 -f terma.agent")


def _end_sessions(socket: Path) -> bool:
    """End what still holds sessions: the agent that was told to end them may have had no time, or there was none."""
    if not socket.parent.exists():
        return False
    lock = paths.beside(socket, HOLDER_LOCK)
    deadline = time.monotonic() + STOP_SECONDS
    signalled = False
    while (pid := holder(lock.parent, lock.name)) is not None and time.monotonic() < deadline:
        if pid and not signalled and time.monotonic() > deadline - STOP_SECONDS / 2:
            signalled = True
            with contextlib.suppress(OSError):
                autostart.signal_agent(pid, signal.SIGTERM)
        time.sleep(0.02)
    return signalled


def restart() -> None:
    """Stop the agent if there is one, and start it. Its sessions go on."""
    stop(keep=True)
    start()


def status() -> dict[str, Any] | None:
    """What the agent says of itself (Agent.status), or None when none is running. Raises TermaError when one
    is but does not answer."""
    if _pid(paths.socket_path()) is None:
        return None
    with client.connect(autostart_agent=False) as agent:
        facts: dict[str, Any] = agent.ask_json("status", {}, timeout=STATUS_SECONDS)
        return facts


def log_path() -> Path:
    """Where the agent writes its log; the file need not exist."""
    return paths.state_dir() / NAME


def logs(lines: int = 50) -> list[str]:
    """The last `lines` lines of the log, the oldest first; [] when nothing was written yet."""
    text = ""
    for path in (log_path().with_suffix(".log.1"), log_path()):
        with contextlib.suppress(OSError):
            text += path.read_text(encoding="utf-8", errors="replace")
    return text.splitlines()[-lines:] if lines > 0 else []


def _pid(socket: Path) -> int | None:
    """Like `_holder`, after a look at whose directory it is."""
    if not socket.parent.exists():
        return None
    paths.check_private(socket.parent)
    return _holder(socket)


def _holder(socket: Path) -> int | None:
    """The agent that listens at `socket`, as endpoint.holder tells, or, where it holds no lock there (a version that
    named its lock in another way), as the system tells."""
    lock = paths.beside(socket, AGENT_LOCK)
    pid = holder(lock.parent, lock.name)
    return _listener(socket) if pid is None else pid


def _listener(path: Path) -> int | None:
    with contextlib.suppress(OSError), Socket(AF_UNIX) as connection:
        connection.connect(str(path))
        if is_ours(connection):
            return peer_pid(connection)
    return None


def _gone(pid: int, socket: Path, seconds: float) -> bool:
    """Whether the agent gave up the lock within `seconds`: its socket is gone by then."""
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        if _holder(socket) != pid:
            return True
        time.sleep(0.02)
    return False
