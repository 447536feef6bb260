"""Asks the agent, for programs: synchronous, standard library, a clear error instead of a wait without end.

with client.connect() as agent:
    for verb, *rest in agent.ask("translate", {"buffer": "list files", "cwd": "/"}):
        ...
    answer = agent.ask_json("suggest", {"words": "list files", "count": "3"})
"""

from __future__ import annotations

import json
import os
import socket
import time
from collections.abc import Iterator, Mapping
from types import TracebackType
from typing import Any, Self

from terma import autostart, levels, paths, wire
from terma.errors import AgentUnavailable, ProtocolError, TermaError

SECONDS = 130.0  # for one answer; the agent itself gives up a little earlier
HELLO_SECONDS = 10.0


class AgentLost(AgentUnavailable):
    """The agent was there and is not any more."""


class Connection:
    """A greeted connection. One ask at a time; close it, or use it as a context manager."""

    def __init__(self, connection: socket.socket, client: str = "cli") -> None:
        self._socket = connection
        self._buffer = b""
        self._id = 0
        self._send(wire.encode("hello", str(wire.VERSION), client, str(os.getpid())))

    def greet(self, timeout: float) -> None:
        """Wait for the agent's hello. Raises like `ask`."""
        verb, *rest = self._frame(time.monotonic() + timeout)
        if verb == "error":
            raise refusal(rest)
        if verb != "hello" or rest[:1] != [str(wire.VERSION)]:
            raise ProtocolError(
                "what listens on the socket is not an agent of this version", "terma agent restart"
            )

    def ask(
        self, kind: str, fields: Mapping[str, str], timeout: float = SECONDS
    ) -> Iterator[tuple[str, ...]]:
        """The frames that answer, without the id, `done` the last: ("delta", "ls "), …, ("done", "replace",
        "ls -l").

        Raises the agent's refusal as a TermaError with its `code`, AgentUnavailable when the agent is lost or
        silent for `timeout` seconds, ProtocolError when it talks nonsense or the request is over 64 KiB."""
        ask = self.begin(kind, fields)
        began = time.monotonic()
        deadline = began + timeout
        while True:
            verb, *rest = self._frame(deadline)
            if verb == "hello":
                continue
            if verb == "error" and rest[:1] in ([ask], ["-"]):
                raise refusal(rest)
            if rest[:1] == [ask]:
                levels.tell("answer", debug=True, frame=" ".join((verb, *rest[1:]))[:400])
                yield (verb, *rest[1:])
                if verb == "done":
                    levels.tell("answered", kind=kind, seconds=f"{time.monotonic() - began:.3f}")
                    return

    def begin(self, kind: str, fields: Mapping[str, str]) -> str:
        """Ask without waiting; the id that the answer carries. `waiting_frames` has the frames as they come."""
        self._id += 1
        levels.tell("ask", kind=kind, agent=paths.socket_path())
        self._send(wire.encode("ask", str(self._id), kind, *wire.unkeyed(fields)))
        return str(self._id)

    def waiting_frames(self) -> list[tuple[str, ...]]:
        """The frames of what was begun last that have arrived, without their id; call it when `fileno` is readable.

        Raises like `ask`."""
        self._socket.settimeout(HELLO_SECONDS)
        try:
            piece = self._socket.recv(wire.MAX_FRAME)
        except OSError as error:
            raise lost() from error
        if not piece:
            raise lost()
        *lines, self._buffer = (self._buffer + piece).split(b"\n")
        frames = []
        for verb, *rest in map(wire.decode, lines):
            if verb == "error" and rest[:1] in ([str(self._id)], ["-"]):
                raise refusal(rest)
            if rest[:1] == [str(self._id)]:
                frames.append((verb, *rest[1:]))
        return frames

    def cancel(self) -> None:
        """End what is being asked: its `ask` then raises a TermaError with the code "cancelled"."""
        self._send(wire.encode("cancel", str(self._id)))

    def fileno(self) -> int:
        """For select: readable when more of an answer is there."""
        return self._socket.fileno()

    def ask_json(self, kind: str, fields: Mapping[str, str], timeout: float = SECONDS) -> Any:
        """The value that a `done json` carries. Raises like `ask`."""
        for frame in self.ask(kind, fields, timeout):
            if frame[:2] == ("done", "json") and len(frame) > 2:
                try:
                    return json.loads(frame[2])
                except ValueError as error:
                    raise ProtocolError("the agent's answer is not JSON", "terma agent restart") from error
        raise ProtocolError("the agent's answer holds no JSON", "terma agent restart")

    def close(self) -> None:
        self._socket.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None
    ) -> None:
        self.close()

    def _send(self, frame: bytes) -> None:
        try:
            self._socket.sendall(frame)
        except OSError as error:
            raise lost() from error

    def _frame(self, deadline: float) -> tuple[str, ...]:
        while b"\n" not in self._buffer:
            if len(self._buffer) > wire.MAX_FRAME:
                raise ProtocolError("the agent sent an oversized frame", "terma agent restart")
            rest = deadline - time.monotonic()
            try:
                if rest <= 0:
                    raise TimeoutError
                self._socket.settimeout(rest)
                piece = self._socket.recv(wire.MAX_FRAME)
            except TimeoutError:
                raise AgentUnavailable("the agent does not answer", "terma agent restart") from None
            except OSError as error:
                raise lost() from error
            if not piece:
                raise lost()
            self._buffer += piece
        line, _, self._buffer = self._buffer.partition(b"\n")
        return wire.decode(line)


def connect(autostart_agent: bool = True, client: str = "cli", patience: float = HELLO_SECONDS) -> Connection:
    """A greeted connection to the agent, which is started when nobody answers and `autostart_agent` is true; it gets
    `patience` seconds to answer the greeting, and one that was started for this as long as a start may take.

    Raises AgentUnavailable when there is none, UnsafePath when its directory or socket is not ours alone,
    ProtocolError when it speaks another version."""
    if not autostart_agent:
        raw = autostart.knock(paths.socket_path())
        if raw is None:
            raise AgentUnavailable("no agent is running", "terma agent start")
        return _greeted(Connection(raw, client), patience)
    try:
        raw = autostart.knock(paths.socket_path())
        if raw is not None:
            return _greeted(Connection(raw, client), patience)
        return _greeted(Connection(autostart.ensure(), client), max(patience, autostart.SECONDS))
    except AgentLost:  # it was about to leave (idle, upgraded) and never saw us
        return _greeted(Connection(autostart.ensure(), client), patience)


def _greeted(connection: Connection, patience: float) -> Connection:
    try:
        connection.greet(patience)
    except BaseException:
        connection.close()
        raise
    return connection


def refusal(rest: list[str]) -> TermaError:
    """The error that the fields of an error frame, without its id, tell of."""
    _, code, message, hint, *_ = [*rest, "", "", "", ""]
    error = TermaError(message or "the agent refused", hint)
    error.code = code or "internal"
    return error


def lost() -> AgentLost:
    """What is said when the connection ends inside an answer."""
    return AgentLost(
        "the agent went away before it answered", "try again; if it happens again: terma agent logs"
    )
