"""Start, stop and look at the agent from outside: what `terma agent …` does."""

from __future__ import annotations

import contextlib
import signal
import time
from pathlib import Path
from typing import Any

from terma import autostart, client, paths
from terma.agent.endpoint import holder
from terma.agent.log import NAME
from terma.errors import AgentUnavailable, TermaError

STATUS_SECONDS = 5.0
STOP_SECONDS = 5.0


def start() -> None:
    """Return when an agent accepts. Raises AgentUnavailable, UnsafePath."""
    autostart.ensure().close()


def stop() -> bool:
    """End the agent; True when there was one. One that does not listen to reason within STOP_SECONDS is
    killed.

    Raises AgentUnavailable when it lives on regardless, UnsafePath when the directory is not ours alone."""
    path = paths.socket_path()
    pid = _pid(path.parent)
    if pid is None:
        return False
    with contextlib.suppress(TermaError), client.connect(autostart_agent=False) as agent:
        agent.ask_json("stop", {}, timeout=STATUS_SECONDS)
        if _gone(pid, path.parent, STOP_SECONDS):
            return True
    for number in (signal.SIGTERM, signal.SIGKILL) if pid else ():
        with contextlib.suppress(OSError):
            autostart.signal_agent(pid, number)
        if _gone(pid, path.parent, STOP_SECONDS / 2):
            return True
    raise AgentUnavailable("the agent does not end", f"kill -9 {pid}" if pid else "pkill -9 -f terma.agent")


def restart() -> None:
    """Stop the agent if there is one, and start it."""
    stop()
    start()


def status() -> dict[str, Any] | None:
    """What the agent says of itself (Agent.status), or None when none is running. Raises TermaError when one
    is but does not answer."""
    if _pid(paths.socket_path().parent) is None:
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


def _pid(directory: Path) -> int | None:
    """Like endpoint.holder, after a look at whose directory it is."""
    if not directory.exists():
        return None
    paths.check_private(directory)
    return holder(directory)


def _gone(pid: int, directory: Path, seconds: float) -> bool:
    """Whether the agent gave up the lock within `seconds`: its socket is gone by then."""
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        if holder(directory) != pid:
            return True
        time.sleep(0.02)
    return False
