"""The process that holds sessions' programs: it starts them, reads their terminals and keeps what they print, whichever
agent comes and goes. One loop, no threads, and nothing imported once it runs: an upgrade beneath it changes nothing.
"""

from __future__ import annotations

import contextlib
import os
import selectors
import signal
import socket
import time
from pathlib import Path
from typing import Any

from terma.errors import TermaError
from terma.sessions import pty
from terma.sessions.held.frames import VERSION, Broken, Head, encode
from terma.sessions.held.peer import Peer, news, news_of, opening
from terma.sessions.held.peers import is_ours
from terma.sessions.held.program import Held, Limits, Stranger

_PATIENT = 5.0  # seconds for the first agent to come
_SOON = 0.05  # seconds between two looks at a program that has just exited
_TICK, _LOOK = 30.0, 1.0  # seconds between two looks at the socket; at programs that are no children of ours


class Holder:
    """Serves `listener`, which lies at `path`, until it holds nothing and no agent is there."""

    def __init__(self, listener: socket.socket, path: Path) -> None:
        self._listener, self._path = listener, path
        self._programs: dict[int, Held] = {}
        self._leaving: list[Any] = []  # processes that are not dead yet, of programs that were forgotten
        self._peers: dict[int, Peer] = {}
        self._agent: Peer | None = None
        self._last = 0  # the number of the newest program
        self._select = selectors.DefaultSelector()
        self._read: dict[int, int] = {}  # the terminals that are read, and whose
        self._began = self._looked = time.monotonic()
        self._over = False
        self._children, self._bell = socket.socketpair()

    def serve(self) -> None:
        for end in (self._children, self._bell, self._listener):
            end.setblocking(False)
        signal.signal(signal.SIGCHLD, lambda *_: None)
        signal.set_wakeup_fd(self._bell.fileno(), warn_on_full_buffer=False)
        self._select.register(self._listener, selectors.EVENT_READ, self._accept)
        self._select.register(self._children, selectors.EVENT_READ, self._bells)
        while not self._over:
            for key, events in self._select.select(self._patience()):
                if callable(key.data):
                    key.data()
                elif isinstance(key.data, Peer):
                    self._peer(key.data, events)
                elif (program := self._programs.get(key.data)) is not None:
                    program.read(self._agent is not None)
            self._look()
            self._tell()
            self._watch_terminals()
            self._leave_if_done()

    def _patience(self) -> float:
        if not self._programs and not self._peers:
            return _LOOK
        if any(one.parting for one in self._programs.values()):
            return _SOON
        strangers = any(isinstance(one.process, Stranger) and not one.over for one in self._programs.values())
        return _LOOK if strangers else _TICK

    def _look(self) -> None:
        """Whose program has exited, and what nobody has come for in time."""
        now = time.monotonic()
        for number, program in list(self._programs.items()):
            program.reaped(self._agent is not None)
            waited = program.over and self._agent is None and program.ttl > 0
            if waited and now - program.ended > program.ttl:
                del self._programs[number]
        self._leaving = [process for process in self._leaving if process.poll() is None]

    def _leave_if_done(self) -> None:
        """With nothing to hold and nobody there; and when the socket was taken away: nobody can come any more."""
        now = time.monotonic()
        self._over = not self._programs and not self._peers and now - self._began > _PATIENT
        if now - self._looked > _TICK:
            self._looked = now
            self._over = self._over or not self._path.exists()

    def _bells(self) -> None:
        with contextlib.suppress(BlockingIOError):
            self._children.recv(4096)

    # connections

    def _accept(self) -> None:
        with contextlib.suppress(BlockingIOError, ConnectionError):
            connection, _ = self._listener.accept()
            connection.setblocking(False)
            if not is_ours(connection):
                connection.close()
                return
            peer = self._peers[connection.fileno()] = Peer(connection)
            self._select.register(connection, selectors.EVENT_READ, peer)
            peer.say({"type": "hello", "versions": [VERSION], "pid": os.getpid()})

    def _peer(self, peer: Peer, events: int) -> None:
        try:
            if events & selectors.EVENT_READ:
                there = peer.reader.receive(peer.connection)
                for head, body, file in peer.reader.frames():
                    self._asked(peer, head, body, file)
                if not there:
                    self._drop(peer)
                    return
            if events & selectors.EVENT_WRITE:
                peer.outbox.send()
        except BlockingIOError:
            pass
        except (OSError, Broken, KeyError, TypeError, ValueError):
            self._drop(peer)

    def _hear_out(self, peer: Peer) -> None:
        with contextlib.suppress(OSError, Broken, KeyError, TypeError, ValueError):
            there = True
            while there:
                there = peer.reader.receive(peer.connection)
                for head, body, file in peer.reader.frames():
                    self._asked(peer, head, body, file)
        self._drop(peer)

    def _drop(self, peer: Peer) -> None:
        if self._peers.pop(peer.connection.fileno(), None) is None:
            return
        self._select.unregister(peer.connection)
        peer.close()
        if self._agent is peer:
            self._agent = None

    def _tell(self) -> None:
        """What is new, to the agent, as much as it reads."""
        more = self._agent is not None and news(self._agent, self._programs)
        for peer in list(self._peers.values()):
            try:
                sent = peer.outbox.send()
            except OSError:  # it has hung up; what it said before still counts
                self._hear_out(peer)
                continue
            # With all sent and more to tell, nothing else need happen here for long: the selector has to call again.
            writes = not sent or (more and peer is self._agent)
            wanted = selectors.EVENT_READ | (selectors.EVENT_WRITE if writes else 0)
            if self._select.get_key(peer.connection).events != wanted:
                self._select.modify(peer.connection, wanted, peer)

    def _watch_terminals(self) -> None:
        """Read the terminals of those that may print now."""
        wanted = {
            program.master: number
            for number, program in self._programs.items()
            if program.wants(self._agent is not None)
        }
        for handle in set(self._read) - set(wanted):
            self._unwatch(handle)
        for handle in set(wanted) - set(self._read):
            self._select.register(handle, selectors.EVENT_READ, wanted[handle])
        self._read = wanted

    def _unwatch(self, handle: int) -> None:
        if self._read.pop(handle, None) is not None:
            self._select.unregister(handle)

    # what the agent asks

    def _asked(self, peer: Peer, head: Head, body: bytes, file: int) -> None:
        kind = head.get("type")
        if kind == "hello" and head.get("version") == VERSION:
            self._greet(peer)
        elif peer is not self._agent:
            pass
        elif kind == "make":
            self._make(peer, head)
        elif kind == "give" and file >= 0:
            self._made(peer, head, self._hold(Stranger(int(head["process"])), file, head))
            return
        elif (program_ := self._programs.get(head.get("id", 0))) is not None:
            self._about(peer, program_, head, body)
        if file >= 0:
            os.close(file)

    def _greet(self, peer: Peer) -> None:
        if self._agent is not None and self._agent is not peer:
            with contextlib.suppress(OSError):
                self._agent.outbox.put(encode({"type": "superseded"}))
                self._agent.outbox.send()
            self._drop(self._agent)
        self._agent, peer.opening = peer, opening(peer, self._programs)
        for program in self._programs.values():
            program.attend()

    def _make(self, peer: Peer, head: Head) -> None:
        try:
            process, master = pty.spawn(
                head["command"], head["environment"], head["cwd"], head["columns"], head["rows"]
            )
        except TermaError as error:
            told = {"message": error.message, "hint": error.hint}
            peer.say({"type": "failed", "request": head["request"]} | told)
            return
        self._made(peer, head, self._hold(process, master, head))

    def _hold(self, process: Any, master: int, head: Head) -> Held:
        self._last += 1
        limits = Limits(int(head["capacity"]), float(head["ttl"]))
        program = Held(self._last, process, master, limits, self._unwatch)
        self._programs[self._last] = program
        return program

    def _made(self, peer: Peer, head: Head, program: Held) -> None:
        told = {"type": "made", "request": head["request"], "id": program.number}
        peer.say(told | {"process": program.process.pid}, file=program.master)

    def _about(self, peer: Peer, program: Held, head: Head, body: bytes) -> None:
        match head.get("type"):
            case "took":
                program.note(head)
                program.took(int(head.get("count", 0)), None if head.get("same") else body)
            case "sync":
                if program.wants(attended=True):
                    program.read(attended=True)
                news_of(peer, program)
                peer.say({"type": "synced", "request": head["request"]})
            case "forget":
                del self._programs[program.number]
                program.hang_up()
                if not program.over:
                    self._leaving.append(program.process)
