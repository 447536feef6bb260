"""What is held reaches an agent as fast as it reads, and no answer waits behind a flood."""

from __future__ import annotations

import contextlib
import os
import selectors
import signal
import socket
import threading
from typing import Any

import pytest

from terma.sessions.held import holder, peer
from terma.sessions.held.frames import MAX_BODY, VERSION, Reader, encode
from terma.sessions.held.program import WINDOW, Held, Limits

SIZE = 1_000_000  # bytes that the program prints


class Agent:
    """One connection to the holder at `path`."""

    def __init__(self, path) -> None:
        self._socket = socket.socket(socket.AF_UNIX)
        self._socket.settimeout(15)
        self._socket.connect(str(path))
        self._reader = Reader()
        self._heads: list[tuple[dict[str, Any], bytes]] = []
        self.say(type="hello", version=VERSION)

    def say(self, **head: Any) -> None:
        self._socket.sendall(encode(head))

    def until(self, kind: str) -> tuple[int, dict[str, Any]]:
        """How many bytes came before the frame `kind`, and its head."""
        count = 0
        while True:
            while self._heads:
                head, body = self._heads.pop(0)
                if head["type"] == kind:
                    return count, head
                count += len(body)
                if head["type"] == "out":
                    self.say(type="took", id=head["id"], count=len(body), same=True)
            assert self._reader.receive(self._socket), "the holder has hung up"
            for head, body, file in self._reader.frames():
                if file >= 0:
                    os.close(file)
                self._heads.append((head, body))

    def close(self) -> None:
        self._socket.close()


def talk(first: Agent, path, told: list[Any]) -> None:
    program = {
        "environment": dict(os.environ),
        "cwd": "/",
        "columns": 80,
        "rows": 24,
        "capacity": 0,
        "ttl": 0,
    }
    command = ["sh", "-c", f"head -c {SIZE} /dev/zero | tr '\\0' x"]
    try:
        with contextlib.closing(first):
            first.say(type="make", request=1, command=command, **program)
            number = first.until("made")[1]["id"]
            told.append(first.until("gone")[0])
        with contextlib.closing(Agent(path)) as second:
            told.append(second.until("ready")[0])
            second.say(type="forget", id=number)
    except (OSError, AssertionError) as error:
        told.append(error)
        path.unlink()  # the holder sees that nobody can come any more


@pytest.fixture
def as_before():
    handler = signal.getsignal(signal.SIGCHLD)
    yield
    signal.set_wakeup_fd(-1)
    signal.signal(signal.SIGCHLD, handler)


@pytest.mark.usefixtures("as_before")
def test_a_reader_that_empties_all_that_waits_is_told_the_rest_at_once(monkeypatch, tmp_path):
    """The agent may read as fast as it is written to: then nothing wakes the holder but itself."""
    monkeypatch.setattr(peer, "_HIGH", MAX_BODY)  # less than the socket takes at once
    monkeypatch.setattr(holder, "_PATIENT", 0.0)
    path = tmp_path / "holder.sock"
    told: list[Any] = []
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(str(path))
        listener.listen()
        held = holder.Holder(listener, path)
        agent = threading.Thread(target=talk, args=(Agent(path), path, told))
        agent.start()
        held.serve()
        agent.join()
    for end in (held._children, held._bell, held._select):
        end.close()
    assert told == [SIZE, SIZE]


class Running:
    pid = 1

    def poll(self) -> int | None:
        return None


@pytest.mark.usefixtures("as_before")
def test_what_an_agent_said_before_it_hung_up_counts_though_more_was_to_be_told_to_it(tmp_path):
    """Its last word was lost, and the program was held for ever, where the holder met the end as it wrote."""
    path = tmp_path / "holder.sock"
    mine, its = os.pipe()
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(str(path))
        listener.listen()
        held = holder.Holder(listener, path)
        agent = Agent(path)
        held._accept()
        (peer_,) = held._peers.values()
        held._peer(peer_, selectors.EVENT_READ)
        held._programs[1] = Held(1, Running(), mine, Limits(0, 0), lambda handle: None)
        peer_.outbox.put(b"x" * 8 * MAX_BODY)
        agent.say(type="forget", id=1)
        agent.close()
        held._tell()
    for end in (held._children, held._bell, held._select):
        end.close()
    os.close(its)
    assert not held._programs and not held._peers


def test_an_agent_gets_no_more_than_it_may_leave_untaken():
    mine, its = os.pipe()
    os.set_blocking(mine, False)
    program = Held(1, Running(), mine, Limits(0, 0), lambda handle: None)
    written = 0
    while written < 4 * WINDOW:  # while no agent is there
        written += os.write(its, b"x" * 4096)
        program.read(attended=False)
    program.attend()
    first = [data for data in iter(lambda: program.untold(MAX_BODY), b"") if data]
    assert WINDOW <= sum(map(len, first)) < WINDOW + MAX_BODY
    assert max(map(len, first)) == MAX_BODY
    assert not program.has_news
    program.took(MAX_BODY, None)
    assert program.has_news
    assert len(program.untold(MAX_BODY)) == MAX_BODY
    for end in (mine, its):
        os.close(end)


class Dead:
    pid = 0

    def poll(self):
        return 0


@pytest.fixture
def parting():
    """A program that has exited, and the other side of its terminal, which one that it started still has."""
    master, slave = os.openpty()
    os.set_blocking(master, False)
    program = Held(1, Dead(), master, Limits(0, 0), lambda _: None)
    yield program, slave
    program.hang_up()


def test_what_ends_right_behind_its_shell_has_its_last_word_heard(parting):
    program, slave = parting
    assert not program.reaped(True)
    assert program.parting
    os.write(slave, b"late")
    os.close(slave)
    assert program.reaped(True)
    assert program.untold(99) == b"late"


def test_what_stays_behind_its_shell_is_not_waited_for(parting, monkeypatch):
    program, slave = parting
    monkeypatch.setattr("terma.sessions.held.program._MOMENT", 0.0)
    assert program.reaped(True)
    assert not program.parting
    os.close(slave)
