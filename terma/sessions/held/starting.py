"""Finds the process that holds the sessions, or starts it: detached, so that it goes on whatever happens to us."""

from __future__ import annotations

import contextlib
import os
import select
import socket
import subprocess
import sys
import time
from pathlib import Path

from terma import paths
from terma.errors import AgentUnavailable, UnsafePath
from terma.sessions.held.frames import SOCKET
from terma.sessions.held.peers import is_ours

_SECONDS = 30.0  # that a start may take
_RETRY = 0.02


def knock(agent: Path) -> socket.socket | None:
    """A connection to the holder of the agent that listens at `agent`; None when there is none. Raises UnsafePath."""
    path = paths.beside(agent, SOCKET)
    if not path.exists():
        return None
    paths.check_private(path.parent)
    connection = socket.socket(socket.AF_UNIX)
    try:
        connection.connect(str(path))
        if is_ours(connection):
            return connection
    except OSError:
        pass
    connection.close()
    return None


def ensure(agent: Path) -> socket.socket:
    """The same, started when need be. Blocks for as long as that takes. Raises AgentUnavailable, UnsafePath."""
    path = paths.beside(agent, SOCKET)
    if len(os.fsencode(path)) > paths.MAX_SOCKET_PATH:
        raise UnsafePath(
            f"the path of a socket is longer than {paths.MAX_SOCKET_PATH} bytes: {path}",
            "set TERMA_SOCKET to a shorter path",
        )
    paths.make_runtime(path.parent)
    deadline = time.monotonic() + _SECONDS
    while True:
        connection = knock(agent)
        if connection is not None:
            return connection
        said = _spawn(path, deadline)
        connection = knock(agent)
        if connection is not None:
            return connection
        if time.monotonic() > deadline:
            raise AgentUnavailable(
                f"the process that holds sessions did not start: {said or 'it says nothing'}",
                "terma agent restart",
            )
        time.sleep(_RETRY)  # one that is on its way out holds the lock for a moment


def _spawn(path: Path, deadline: float) -> str:
    """Start it; what it says: `ok` when it listens."""
    mine, its = os.pipe()
    try:
        with (
            contextlib.suppress(OSError),
            subprocess.Popen(
                [*_command(), str(path), str(its)],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                cwd="/",
                start_new_session=True,
                pass_fds=(its,),
            ),
        ):
            os.close(its)
            its = -1
            ready, _, _ = select.select([mine], [], [], max(deadline - time.monotonic(), 0.0))
            return os.read(mine, 200).decode("utf-8", "replace") if ready else ""
        return ""
    finally:
        for end in (mine, its):
            if end >= 0:
                os.close(end)


def _command() -> list[str]:
    """This interpreter, with its own ways to find terma."""
    flags = ["-I"] if sys.flags.isolated else ["-P", *(["-E"] if sys.flags.ignore_environment else [])]
    return [sys.executable, *flags, "-m", "terma.sessions.held"]
