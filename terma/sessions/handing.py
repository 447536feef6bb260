"""Hands a program on its terminal from the process that started it to the agent, so that it lives on as a session.

The terminal itself, its master side, goes over a socket of the giver's, with what is known of the program and the end
of what it printed. Nobody but this person can reach that socket, and the taker looks who holds it.
"""

from __future__ import annotations

import json
import os
import socket
import tempfile
from collections.abc import Awaitable, Callable, Mapping
from contextlib import suppress
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from terma.errors import TermaError
from terma.paths import make_runtime, socket_path

SECONDS = 10.0  # for the other side
MAX_BYTES = 1024 * 1024  # bytes of output that go along
_HEAD = 64 * 1024  # bytes of what is told of the program


@dataclass(frozen=True, slots=True)
class Program:
    """A program on its terminal: `pid` leads its terminal session, `tag` finds what it started. `kind` and `nonce` tell
    its marks, `idle` whether it is a shell at its prompt, `status` how its last command ended."""

    pid: int
    tag: str
    command: tuple[str, ...]
    kind: str
    nonce: str
    cwd: str
    columns: int
    rows: int
    idle: bool
    status: int | None = None


Take = Callable[[int, Program, bytes], Awaitable[str]]  # who takes over: the name that it gives


class Given:
    """A process that another one started: it can be watched, its exit status is known to its parent alone."""

    def __init__(self, pid: int) -> None:
        self.pid = pid

    def wait(self) -> None:
        """It is dead when this is called; with which status nobody says."""
        return None


def give(
    master: int, program: Program, printed: bytes, ask: Callable[[str], Mapping[str, Any]]
) -> Mapping[str, Any]:
    """Hand over `master`. `ask` is given the path of a socket and asks the agent to take the program from there; its
    answer is returned. Blocks; raises what `ask` raises, and TermaError where no socket can be made."""
    place = Path(tempfile.mkdtemp(prefix="hand-", dir=_short()))
    path = place / "s"
    try:
        with socket.socket(socket.AF_UNIX) as listener:
            listener.bind(str(path))
            listener.listen(1)
            listener.settimeout(SECONDS)
            return _given(listener, master, program, printed[-MAX_BYTES:], lambda: ask(str(path)))
    except OSError as error:
        raise TermaError(f"the terminal cannot be handed over: {error}", "terma agent status") from error
    finally:
        with suppress(OSError):
            path.unlink(missing_ok=True)
            place.rmdir()


def _short() -> Path:
    """Where a socket can be: its whole path has about a hundred bytes."""
    make_runtime(socket_path().parent)
    return min((socket_path().parent, Path(tempfile.gettempdir())), key=lambda place: len(str(place)))


def _given(
    listener: socket.socket,
    master: int,
    program: Program,
    printed: bytes,
    ask: Callable[[], Mapping[str, Any]],
) -> Mapping[str, Any]:
    """The agent asks for the terminal while it answers, so that is done beside."""
    import threading

    def hand() -> None:
        with suppress(OSError):
            taker, _ = listener.accept()
            with taker:
                taker.settimeout(SECONDS)
                head = json.dumps(asdict(program)).encode() + b"\n"
                sent = socket.send_fds(taker, [head], [master])
                taker.sendall(head[sent:] + printed)

    beside = threading.Thread(target=hand, daemon=True)
    beside.start()
    try:
        return ask()
    finally:
        listener.close()
        beside.join(SECONDS)


def take(path: str, is_ours: Callable[[socket.socket], bool]) -> tuple[Program, int, bytes]:
    """What is given at `path`: the program, the master side of its terminal, and what it printed last. Blocks; raises
    TermaError."""
    master = -1
    try:
        with socket.socket(socket.AF_UNIX) as giver:
            giver.settimeout(SECONDS)
            giver.connect(path)
            if not is_ours(giver):
                raise TermaError("the terminal that is handed over is another person's")
            data, handles, _, _ = socket.recv_fds(giver, _HEAD, 1)
            master = handles[0] if handles else -1
            pieces = [data]
            while piece := giver.recv(_HEAD):
                pieces.append(piece)
        head, _, printed = b"".join(pieces).partition(b"\n")
        program = _read(head)
        if master < 0 or not os.isatty(master):
            raise ValueError
        os.set_blocking(master, False)
        os.set_inheritable(master, False)
        return program, master, printed
    except (OSError, ValueError, TypeError, KeyError) as error:
        if master >= 0:
            os.close(master)
        raise TermaError(f"the terminal was not handed over: {error}", "try again") from error


def _read(head: bytes) -> Program:
    """Raises ValueError, TypeError."""
    value = json.loads(head)
    return Program(**value | {"command": tuple(map(str, value["command"]))})
