"""Agents for tests at a tenth of their price: one process a worker has loaded what every agent loads, and each agent
is a fork of it. So is the child that validates its settings, of a second process that has loaded pydantic.

An agent takes half a second of a core and more before it answers; nine tests of ten do not ask how it came to be.
Those that do start it as a shell does (`sleeping_agent`). Run as a program this file is that one process: lines of
JSON come in, `{"env": {...}}` for a new agent and `{"reap": PID}` for the exit status of one that has ended, and a
number goes out for each.
"""

from __future__ import annotations

import contextlib
import gc
import importlib
import io
import json
import os
import pkgutil
import runpy
import select
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
from collections.abc import Mapping
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from terma.config import Settings
    from terma.errors import ConfigError

_HERE = Path(__file__)
_AGENT = "terma.agent"  # what `ps` says of an agent, by which `terma agent stop` knows it
_ROOMS = [  # what the first question of each kind imports
    *("terma.agent", "terma.context", "terma.conversation", "terma.grounding", "terma.machine", "terma.mcp"),
    *("terma.offline", "terma.recorder", "terma.redact", "terma.risk", "terma.routing", "terma.sessions"),
    "terma.suggest",
]
_SETTINGS = "--settings"  # the second process: the path of its socket comes next


class Forked:
    """An agent's process, with the few calls of Popen that a test needs."""

    def __init__(self, nursery: Nursery, pid: int) -> None:
        self.pid = pid
        self._nursery = nursery
        self._handle = os.pidfd_open(pid)
        self._status: int | None = None

    def send_signal(self, number: int) -> None:
        if self._status is None:
            with contextlib.suppress(ProcessLookupError):
                signal.pidfd_send_signal(self._handle, number)

    def kill(self) -> None:
        self.send_signal(signal.SIGKILL)

    def wait(self, timeout: float) -> int:
        """Its exit status, a signal's number negative. Raises TimeoutExpired."""
        if self._status is None:
            if not select.select([self._handle], [], [], timeout)[0]:
                raise subprocess.TimeoutExpired("terma.agent", timeout)
            self._status = self._nursery.ask({"reap": self.pid})
            os.close(self._handle)
        return self._status


class Nursery:
    """The one process of this worker; it ends with it, since its standard input does."""

    def __init__(self, env: Mapping[str, str]) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-I", str(_HERE), _AGENT],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            env=dict(env),
        )
        self._one = threading.Lock()

    def fork(self, env: Mapping[str, str], started: bool = False) -> Forked:
        """A new agent with this environment and no other. `started`: where and as a shell would have started it."""
        return Forked(self, self.ask({"env": dict(env), "started": started}))

    def ask(self, request: Mapping[str, object]) -> int:
        """The number that answers one request."""
        assert self._process.stdin and self._process.stdout
        with self._one:
            self._process.stdin.write(json.dumps(request) + "\n")
            self._process.stdin.flush()
            line = self._process.stdout.readline()
        assert line, "the process that forks agents has ended"
        return int(line)

    def close(self) -> None:
        """End it; agents that still live are their tests' to end."""
        assert self._process.stdin and self._process.stdout
        self._process.stdin.close()
        self._process.wait()
        self._process.stdout.close()


def _load() -> None:
    """Import and read what an agent imports and reads before its first answer, ssl left out as it does."""
    gc.disable()  # as the agent does: server._settle turns it on
    sys.modules["ssl"] = None  # type: ignore[assignment]
    import asyncio  # noqa: F401

    del sys.modules["ssl"]
    from terma.agent.handlers import Handlers

    for room in _ROOMS:
        for module in pkgutil.walk_packages(importlib.import_module(room).__path__, f"{room}."):
            if not module.name.endswith("__main__"):
                importlib.import_module(module.name)

    runpy.run_path(str(_HERE.with_name("patience.py")))["lift"]()
    from terma.agent import telling

    handlers = Handlers(dict, lambda: None)
    handlers.preload()
    handlers.rehearse()
    telling.preload(os.environ["PATH"])  # and what it reads when it has answered
    with contextlib.suppress(ImportError):
        import pyghostty  # noqa: F401 a session's screen: a quarter of a second of a core
    Handlers.preload = lambda self: None  # type: ignore[method-assign] # the forks have it
    Handlers.rehearse = lambda self: None  # type: ignore[method-assign]
    gc.collect()
    gc.freeze()


def _become_agent(env: Mapping[str, str], started: bool, settings: str) -> None:
    """The child's whole life. `settings`: the socket of the second process."""
    from terma.agent.__main__ import main
    from terma.config import reader

    async def validate(file: Path, variables: Mapping[str, str]) -> Settings | ConfigError:
        return await _validated(settings, file, variables)

    reader._validate = validate
    null = os.open(os.devnull, os.O_RDWR)
    for number in range(3):
        os.dup2(null, number)
    os.closerange(3, max(null, 64) + 1)  # the second process ends when its last writer has
    os.environ.clear()
    os.environ.update(env)
    if started:  # as terma.autostart does
        os.setsid()
        os.chdir("/")
        os.umask(0o077)
    sys.argv[:] = ["-m"]
    status = 1
    try:
        status = main([])
    finally:
        os._exit(status)


async def _validated(path: str, file: Path, variables: Mapping[str, str]) -> Settings | ConfigError:
    """What `python -m terma.config` says, from a fork of one that has loaded it."""
    import asyncio

    from terma.config.reader import build
    from terma.errors import ConfigError

    answer, question = await asyncio.open_unix_connection(path)
    asked = {"file": str(file), "variables": dict(variables), "environment": dict(os.environ)}
    question.write(json.dumps(asked).encode())
    question.write_eof()
    said = json.loads(await answer.read())
    question.close()
    return ConfigError(said["error"], said["hint"]) if "error" in said else build(said["settings"])


def _serve_settings(path: str) -> None:
    """The second process: each connection is a child of it, up to the end of its standard input."""
    from terma.config import __main__ as validating
    from terma.config import layers

    layers.load(Path(path), {"TERMA_SUGGESTIONS__LIST": "never"})  # pydantic comes with the first
    gc.freeze()  # what is forked off leaves these pages alone
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # nobody waits for them
    listener = socket.socket(socket.AF_UNIX)
    listener.bind(path)
    listener.listen(64)
    print("ready", flush=True)
    while sys.stdin not in select.select([listener, sys.stdin], [], [])[0]:
        connection = listener.accept()[0]
        if os.fork() == 0:
            listener.close()
            _validate_for(connection, validating)
        connection.close()


def _validate_for(connection: socket.socket, validating: ModuleType) -> None:
    """A child's whole life: it is `python -m terma.config` for whoever is at the other end."""
    status = 1
    try:
        with connection.makefile("r") as asked:
            text = asked.read()
        os.environ.clear()
        os.environ.update(json.loads(text)["environment"])
        os.chdir("/")
        sys.stdin = io.StringIO(text)
        with connection.makefile("w") as sys.stdout:
            status = validating.main()
    finally:
        os._exit(status)


def _serve() -> None:
    folder = tempfile.mkdtemp(prefix="terma-n", dir="/tmp")
    path = str(Path(folder) / "settings")
    beside = subprocess.Popen(
        [sys.executable, "-I", str(_HERE), _SETTINGS, path],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert beside.stdin and beside.stdout
    _load()
    beside.stdout.readline()
    try:
        for line in iter(sys.stdin.readline, ""):
            sys.stdout.write(f"{_answer(json.loads(line), path)}\n")
            sys.stdout.flush()
    finally:
        beside.stdin.close()
        beside.wait()
        shutil.rmtree(folder)


def _answer(request: dict[str, Any], settings: str) -> int:
    if "env" not in request:
        return os.waitstatus_to_exitcode(os.waitpid(request["reap"], 0)[1])
    child = os.fork()
    if child == 0:
        _become_agent(request["env"], request["started"], settings)
    return child


if __name__ == "__main__":
    if sys.argv[1:2] == [_SETTINGS]:
        _serve_settings(sys.argv[2])
    else:
        _serve()
