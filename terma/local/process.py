"""Start and stop the server of the local model from outside: what the agent and `terma local` share."""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import signal
import time
from pathlib import Path

from terma import paths, starting
from terma.local import places
from terma.local.places import INSTALL, LocalError, Running

IDLE = 600.0  # seconds after the last answer until the server leaves; TERMA_LOCAL_IDLE_SECONDS says otherwise
PATIENCE = 310.0  # seconds to load a model
SERVER = Path(__file__).with_name("server.py")
STOP_SECONDS = 5.0
# Nothing else of the environment is handed on: the runtime reads LLAMA_ARG_… and GGML_… variables.
PASSED = ("HOME", "PATH", "LANG", "LC_ALL", "TMPDIR")


async def ensure() -> Running:
    """The server, started first when there is none. Raises LocalError, UnsafePath.

    Cancelling gives up the wait alone: the model goes on loading, for the next question."""
    found = places.running()
    if found is not None:
        return found
    what = places.installed()
    if what is None:
        raise LocalError("no local model is installed", INSTALL)
    paths.make_runtime(paths.runtime_dir())
    places.log_path().parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    order = {
        "model": what.model,
        "name": what.name,
        "socket": _socket(),
        "lock": str(places.lock_path()),
        "state": str(places.state_path()),
        "log": str(places.log_path()),
        "idle": idle(),
        "context": places.CONTEXT,
        "slots": places.SLOTS,
    }
    said = await _run(json.dumps(order).encode())
    found = places.running()
    if found is None:
        why = said.strip() if said.strip() not in ("", "ready") else "it left at once"
        raise LocalError(f"the local model did not start: {why}"[:300], f"see {places.log_path()}")
    return found


def idle() -> float:
    """Seconds without a question until the server leaves."""
    try:
        return float(os.environ.get("TERMA_LOCAL_IDLE_SECONDS", ""))
    except ValueError:
        return IDLE


def stop() -> bool:
    """End the server; True when there was one. Raises LocalError when it lives on regardless."""
    if not places.held():
        return False
    pid = _pid()
    for number in (signal.SIGTERM, signal.SIGKILL):
        if pid:
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, number)  # it holds the lock: the pid is its own
        if _gone(STOP_SECONDS):
            _clean()
            return True
    raise LocalError("the local model's process does not end", f"kill -9 {pid}" if pid else "log out and in")


def _socket() -> str:
    path = os.fspath(places.socket_path())
    return path if len(os.fsencode(path)) <= paths.MAX_SOCKET_PATH else ""


async def _run(order: bytes) -> str:
    try:
        child = await starting.child(
            str(places.python()),
            "-I",
            str(SERVER),
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.DEVNULL,
            cwd="/",
            env={name: os.environ[name] for name in PASSED if name in os.environ},
            start_new_session=True,
        )
    except OSError as error:
        raise LocalError(f"its environment is broken: {error.strerror}", f"{INSTALL}, again") from None
    try:
        async with asyncio.timeout(PATIENCE):
            said, _ = await child.communicate(order)
    except TimeoutError:
        raise LocalError("the local model did not load in time", "a smaller model may") from None
    return said.decode("utf-8", "replace")


def _pid() -> int:
    try:
        return int(places.lock_path().read_text(encoding="ascii"))
    except (OSError, ValueError):
        return 0


def _gone(seconds: float) -> bool:
    deadline = time.monotonic() + seconds
    while places.held():
        if time.monotonic() > deadline:
            return False
        time.sleep(0.02)
    return True


def _clean() -> None:
    for path in (places.state_path(), places.socket_path()):
        with contextlib.suppress(OSError):
            path.unlink()
