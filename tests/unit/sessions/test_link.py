"""What is said of a holder that does not answer: nobody is told to end all sessions before anything else."""

from __future__ import annotations

import asyncio
import os
import socket
import time

import pytest

from terma.errors import TermaError
from terma.sessions.held import link, starting
from terma.sessions.held.frames import VERSION, encode


@pytest.mark.parametrize("greets", [True, False])
def test_a_silent_holder_is_tried_again_before_it_is_ended(monkeypatch, tmp_path, greets):
    ours, theirs = socket.socketpair()
    monkeypatch.setattr(starting, "knock", lambda place: ours)
    monkeypatch.setattr(link, "_SECONDS", 0.2)
    if greets:
        theirs.sendall(encode({"type": "hello", "versions": [VERSION], "pid": 4321}))
    with theirs, pytest.raises(TermaError, match="does not answer") as error:
        asyncio.run(link.Link.open(tmp_path, lambda superseded: None, start=False))
    assert error.value.hint.startswith("try again")
    assert ("kill -9 4321 ends it, and every session" in error.value.hint) is greets


def test_an_answer_that_came_while_the_machine_slept_counts(monkeypatch, tmp_path):
    ours, theirs = socket.socketpair()
    monkeypatch.setattr(starting, "knock", lambda place: ours)
    monkeypatch.setattr(link, "_SECONDS", 0.05)

    async def work():
        loop = asyncio.get_running_loop()
        opening = asyncio.ensure_future(link.Link.open(tmp_path, lambda superseded: None, start=False))
        while ours.fileno() >= 0 and not loop._selector.get_map().get(ours.fileno()):  # noqa: ASYNC110
            await asyncio.sleep(0)
        theirs.sendall(encode({"type": "hello", "versions": [VERSION], "pid": os.getpid()}))
        theirs.sendall(encode({"type": "ready"}))
        time.sleep(0.2)  # noqa: ASYNC251 the loop sleeps with the machine
        return await opening

    with theirs:
        opened = asyncio.run(work())
    assert opened is not None and opened[1] == []
    opened[0]._connection.close()


def test_a_holder_that_has_much_to_say_is_heard_to_the_end(monkeypatch, tmp_path):
    """Only silence is no answer: what is held may take long to tell, on a busy machine."""
    ours, theirs = socket.socketpair()
    monkeypatch.setattr(starting, "knock", lambda place: ours)
    monkeypatch.setattr(link, "_SECONDS", 0.2)

    async def work():
        opening = asyncio.ensure_future(link.Link.open(tmp_path, lambda superseded: None, start=False))
        theirs.sendall(encode({"type": "hello", "versions": [VERSION], "pid": os.getpid()}))
        for _ in range(12):
            await asyncio.sleep(0.05)
            theirs.sendall(encode({"type": "novelty"}))
        theirs.sendall(encode({"type": "ready"}))
        return await opening

    with theirs:
        opened = asyncio.run(work())
    assert opened is not None
    opened[0]._connection.close()
