"""What every room's tests share: a home of their own, and a real agent in it that says what the test wrote
down."""

from __future__ import annotations

import atexit
import contextlib
import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
import tracemalloc  # noqa: F401 pytest imports it when something is collected, which may be in the middle of that import
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from terma import client, wire
from tests import patience
from tests.nursery import Forked, Nursery
from tests.settings import configure
from tests.surroundings import BASIC, CACHE, clear

clear()  # before any test or fixture looks at the environment
patience.lift()
WAIT = float(
    os.environ.get("TERMA_TEST_WAIT", "90")
)  # seconds: the bound of every wait; the machine may be busy

# A background job of a shell without job control ignores these, and so would every shell that a test starts.
for _number in (signal.SIGINT, signal.SIGQUIT, signal.SIGHUP):
    if signal.getsignal(_number) is signal.SIG_IGN:
        signal.signal(_number, signal.default_int_handler if _number == signal.SIGINT else signal.SIG_DFL)

# Part of a test's name, and the group of those that one worker runs: what they start costs more than they do.
_GROUPS = {
    "test_model_worker.py": "litellm",
    "test_real_model.py": "litellm",
    "[litellm": "litellm",
    "test_local_model.py": "local model",
    "test_packaging.py": "packaging",
}


def _group(nodeid: str) -> str:
    """What of the tests runs on one worker: those that share a costly start, and a file of unit tests, whose fixtures
    are then made once. A test in a terminal is a group of its own."""
    named = next((group for part, group in _GROUPS.items() if part in nodeid), "")
    return named or (nodeid.partition("::")[0] if "unit/" in nodeid else nodeid)


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--apart", action="store_true", help="each row of a table is a test of its own")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """File by file, each folder spread over the whole run: while one test waits for a terminal another computes. What
    takes longest, a named group, comes first."""
    files: dict[str, dict[str, None]] = {}
    for item in items:
        file = item.nodeid.partition("::")[0]
        files.setdefault("unit" if "unit/" in file else "terminal", {})[file] = None
    place = {file: (number + 0.5) / len(room) for room in files.values() for number, file in enumerate(room)}
    named = set(_GROUPS.values())

    def order(item: pytest.Item) -> tuple[bool, float]:
        return (_group(item.nodeid) not in named, place[item.nodeid.partition("::")[0]])

    items.sort(key=order)  # stable: a file's tests keep their order


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> Any:
    """Groups by name: with pytest 9.2 the xdist of today spreads its own groups over all workers (its issue 1386)."""
    if config.getoption("dist") != "loadgroup":
        return None
    from xdist.scheduler import LoadScopeScheduling

    class ByGroup(LoadScopeScheduling):
        def _split_scope(self, nodeid: str) -> str:
            return _group(nodeid)

    return ByGroup(config, log)


class Home:
    """A home, state and runtime directory of one test; `env` is the whole environment of what it starts.

    It lies in /tmp under a short name: a socket's path has at most 103 bytes."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.home = root / "home"
        self.runtime = root / "run"
        self.socket = self.runtime / "agent.sock"
        self.script = root / "script.json"
        self.log = self.home / ".local/state/terma/agent.log"
        self._started: Forked | None = None
        self.home.mkdir()
        self.runtime.mkdir(mode=0o700)
        kept = {name: os.environ[name] for name in BASIC if name in os.environ}
        self.env: dict[str, str] = kept | {
            "HOME": str(self.home),
            "TERMA_SOCKET": str(self.socket),
            "TERMA_SCRIPT": str(self.script),
            "TERMA_BIN": str(Path(sys.executable).parent / "terma"),
            "XDG_CACHE_HOME": CACHE,
            "TERMA_TEST_CAPTURE_SECONDS": str(WAIT),
            "TERMA_IDLE_SECONDS": "300",  # should the test be killed, its agent does not outlive it for long
        }

    def with_agent(self) -> None:
        """Have an agent here as if a terma before had started it: for tests whose subject is not its start."""
        if hasattr(os, "pidfd_open"):
            self._started = _nursery().fork(self.env, started=True)
            wait_until(self.accepts, "the agent to accept")

    def accepts(self) -> bool:
        """Whether the socket takes a connection now."""
        with socket.socket(socket.AF_UNIX) as probe, contextlib.suppress(OSError):
            probe.connect(str(self.socket))
            return True
        return False

    def end(self) -> None:
        """End every agent that lives here."""
        if self._started is not None:
            self._started.kill()
            self._started.wait(WAIT)
            self._started = None
        end_agent_in(self.runtime)

    def configure(self, variables: Mapping[str, str]) -> None:
        """Write these TERMA_ variables as this person's settings."""
        configure(self.home, variables)


class RunningAgent(Home):
    """A real agent. It answers with the scripted engine unless a request names another (`TERMA_ENGINE`).

    `alone`: a process of its own from the first byte, for tests of how an agent starts, lives and leaves. The others
    are forks of one that has loaded everything (tests/nursery.py)."""

    def __init__(self, root: Path, alone: bool = False) -> None:
        super().__init__(root)
        self.env["TERMA_ENGINE"] = "scripted"
        self._alone = alone or not hasattr(os, "pidfd_open")
        self._process: subprocess.Popen[bytes] | Forked | None = None
        self._rules: list[dict[str, Any]] = []
        self._write()

    @property
    def pause(self) -> dict[str, str]:
        """A step of an answer that lasts until `go_on()`: what a test does meanwhile is done in mid-answer."""
        return {"until": str(self.root / "go-on")}

    def go_on(self) -> None:
        """End every `pause`, those to come as well."""
        (self.root / "go-on").touch()

    def will_say(
        self, *deltas: str, match: str = "", candidates: tuple[str, ...] = (), wait: float = 0.0
    ) -> None:
        """Answer sentences that hold `match` in these pieces, `wait` seconds before each but the first; the
        next attempts give `candidates`. The newest matching rule wins."""
        steps: list[dict[str, Any]] = []
        for number, delta in enumerate(deltas):
            steps += [{"wait": wait}] if number and wait else []
            steps.append({"delta": delta})
        self.will_do(*steps, match=match, candidates=candidates)

    def will_do(self, *steps: Mapping[str, Any], match: str = "", candidates: tuple[str, ...] = ()) -> None:
        """Play `steps` (terma/providers/scripted.py has the list) for sentences that hold `match`."""
        self._rules.insert(0, {"match": match, "steps": list(steps), "candidates": list(candidates)})
        self._write()

    def will_explain(
        self, *deltas: str, fixes: tuple[Any, ...] = (), match: str = "", wait: float = 0.0
    ) -> None:
        """Explain failures whose command or question holds `match` in these pieces of markdown, then offer
        `fixes`, commands or pairs of a command and its confidence."""
        steps: list[dict[str, Any]] = []
        for number, delta in enumerate(deltas):
            steps += [{"wait": wait}] if number and wait else []
            steps.append({"delta": delta})
        self.will_do_why(*steps, fixes=fixes, match=match)

    def will_do_why(self, *steps: Mapping[str, Any], fixes: tuple[Any, ...] = (), match: str = "") -> None:
        """Play `steps` for failures that hold `match`, then offer `fixes`."""
        self._rules.insert(0, {"why": match, "steps": list(steps), "fixes": list(fixes)})
        self._write()

    def forget(self) -> None:
        """Drop every rule: the engine knows nothing."""
        self._rules.clear()
        self._write()

    def _write(self) -> None:
        fresh = self.script.with_suffix(".new")
        fresh.write_text(json.dumps(self._rules), encoding="utf-8")
        fresh.replace(self.script)

    def start(self, **env: str) -> RunningAgent:
        """Start the agent in the foreground of this test, with `env` on top; return when it accepts."""
        self.launch(**env)
        wait_until(self.accepts, "the agent to accept")
        return self

    def launch(self, **env: str) -> None:
        """Start the agent and do not wait for it."""
        if not self._alone:
            self._process = _nursery().fork(self.env | env)
            return
        self._process = subprocess.Popen(
            [sys.executable, "-I", "-m", "terma.agent"],
            env=self.env | env,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )

    @property
    def pid(self) -> int:
        """The process that this fixture started."""
        assert self._process is not None
        return self._process.pid

    def kill(self, number: int = signal.SIGKILL) -> None:
        """Send a signal to the agent and, for SIGKILL, wait for its end. The socket file stays."""
        assert self._process is not None
        self._process.send_signal(number)
        if number == signal.SIGKILL:
            self._process.wait(WAIT)

    def wait(self) -> int:
        """Wait for the agent to end by itself; its exit status."""
        assert self._process is not None
        return self._process.wait(WAIT)

    def stop(self) -> None:
        """End the agent started here, and any other one that holds this test's socket."""
        if self._process is not None:
            self._process.send_signal(signal.SIGCONT)
            self._process.kill()
            self._process.wait(WAIT)
            self._process = None
        self.end()

    def connect(self) -> client.Connection:
        """A client's connection, without autostart."""
        raw = socket.socket(socket.AF_UNIX)
        raw.settimeout(WAIT)
        raw.connect(str(self.socket))
        return Asking(raw, self.env.get("TERMA_ENGINE", ""))

    def ask(self, kind: str, **fields: object) -> list[tuple[str, ...]]:
        """All frames of the answer to one request. Raises TermaError like client.Connection.ask."""
        with self.connect() as connection:
            return list(connection.ask(kind, {key: str(value) for key, value in fields.items()}, WAIT))

    def raw(self) -> RawPeer:
        """A bare socket, for what no proper client would send."""
        return RawPeer(self.socket, self.env.get("TERMA_ENGINE", ""))


class Asking(client.Connection):
    """A connection whose questions name the engine of their shell, unless they name one themselves."""

    def __init__(self, raw: socket.socket, engine: str) -> None:
        super().__init__(raw, "test")
        self._engine = engine

    def begin(self, kind: str, fields: Mapping[str, str]) -> str:
        own = {} if "TERMA_ENGINE=" in fields.get("settings", "") else {"engine": self._engine}
        return super().begin(kind, own | dict(fields))


class RawPeer:
    """A socket that sends bytes as they are and reads frames; every wait is bounded."""

    def __init__(self, path: Path, engine: str) -> None:
        self._engine = engine
        self.socket = socket.socket(socket.AF_UNIX)
        self.socket.settimeout(WAIT)
        self.socket.connect(str(path))
        self._stream = self.socket.makefile("rb")

    def send(self, *frames: bytes | tuple[str, ...]) -> RawPeer:
        """Bytes as they are; a tuple as a frame, a question with the engine of its shell."""
        self.socket.sendall(
            b"".join(item if isinstance(item, bytes) else self._frame(*item) for item in frames)
        )
        return self

    def _frame(self, *fields: str) -> bytes:
        named = any(field.startswith(("engine=", "settings=")) for field in fields)
        own = [f"engine={self._engine}"] if fields[0] == "ask" and self._engine and not named else []
        return wire.encode(*fields, *own)

    def hello(self) -> RawPeer:
        return self.send(("hello", "1", "test", str(os.getpid())))

    def read(self) -> tuple[str, ...] | None:
        """The next frame, None at the end of the stream."""
        try:
            line = self._stream.readline()
        except ConnectionResetError:
            return None
        return wire.decode(line) if line else None

    def read_until(self, verb: str) -> tuple[str, ...]:
        """The next frame of this verb; fails at the end of the stream."""
        while (frame := self.read()) is not None:
            if frame[0] == verb:
                return frame
        raise AssertionError(f"the connection ended before a {verb} frame")

    def read_all(self) -> list[tuple[str, ...]]:
        """Every frame until the agent closes."""
        return list(iter(self.read, None))  # type: ignore[arg-type]

    def close(self) -> None:
        self._stream.close()
        self.socket.close()

    def __enter__(self) -> RawPeer:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def wait_until(check: Callable[[], object], what: str, timeout: float = WAIT) -> None:
    """Poll `check` until it is true; fails after `timeout` seconds, naming `what` it waited for."""
    deadline = time.monotonic() + timeout
    pause = 0.01
    while not check():
        assert time.monotonic() < deadline, f"waited {timeout} s for {what}"
        time.sleep(pause)
        pause = min(1.2 * pause, 0.05)  # a look may be dear, and others wait for the core


def end_agent_in(runtime: Path) -> None:
    """Kill the agent that holds the lock in `runtime`, whoever started it (autostart, a shell under test), and then
    what holds its sessions."""
    from terma.agent.endpoint import AGENT_LOCK, holder
    from terma.sessions.held.frames import LOCK

    deadline = time.monotonic() + WAIT
    for name in (AGENT_LOCK, LOCK):
        while runtime.exists() and (pid := holder(runtime, name)) is not None and time.monotonic() < deadline:
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
            time.sleep(0.01)


@cache
def _nursery() -> Nursery:
    """This worker's. It reads the knowledge that is compiled for all tests, and nobody's home."""
    kept = {name: os.environ[name] for name in BASIC if name in os.environ}
    made = Nursery(kept | {"HOME": os.devnull, "XDG_CACHE_HOME": CACHE})
    atexit.register(made.close)
    return made


@pytest.fixture
def place() -> Iterator[Path]:
    """An empty directory with a short path, removed afterwards."""
    root = Path(tempfile.mkdtemp(prefix="terma-t", dir="/tmp"))
    yield root
    shutil.rmtree(root, ignore_errors=True)


@pytest.fixture
def home(place: Path) -> Iterator[Home]:
    """A home without an agent; one that the test starts in it is ended afterwards."""
    made = Home(place)
    yield made
    made.end()


@pytest.fixture
def agent(place: Path) -> Iterator[RunningAgent]:
    """A running agent with the scripted engine: `agent.will_say("rm ", "-r build")`, `agent.env`,
    `agent.ask(…)`."""
    running = RunningAgent(place).start()
    yield running
    running.stop()


@pytest.fixture
def sleeping_agent(place: Path) -> Iterator[RunningAgent]:
    """The same, not started: the test starts it, or a shell under test does."""
    made = RunningAgent(place, alone=True)
    yield made
    made.stop()
