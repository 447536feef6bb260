"""What a process is said to do: one that is gone reads nothing (what was typed meanwhile was typed ahead), and one that
waits for its standard input alone reads it."""

from __future__ import annotations

import os
import pty
import select
import subprocess
import sys

import pytest

from terma.sessions.probe import BUSY, POLLING, READING, RELAYING, Proc
from tests.conftest import wait_until

pytestmark = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="/proc")


def test_who_is_gone_is_busy_and_not_unknown() -> None:
    ended = subprocess.Popen(["true"])
    ended.wait()
    assert Proc()._call(ended.pid) == BUSY


BESIDE = "import socket, threading; threading.Thread(target=os.read, args=(0, 1), daemon=True).start(); "


@pytest.mark.parametrize(
    ("call", "said"),
    [
        (BESIDE + "threading.Event().wait()", READING),
        (
            BESIDE.replace("os.read, args=(0, 1)", "select.select, args=([0], [], [], 300)")
            + "threading.Event().wait()",
            POLLING,
        ),
        (BESIDE + "peer = socket.socketpair(); threading.Event().wait()", RELAYING),
        ("select.select([0], [], [])", READING),
        ("select.select([0], [], [], 300)", POLLING),
        ("select.select([0, os.pipe()[0]], [], [])", POLLING),
        ("select.select([os.pipe()[0]], [], [])", POLLING),
    ],
)
def test_who_waits_for_its_terminal_alone_reads_it_in_whatever_thread(call: str, said: str) -> None:
    master, slave = pty.openpty()
    waits = subprocess.Popen(
        [sys.executable, "-c", f"import os, select; os.write(1, b'x'); {call}"], stdin=slave, stdout=slave
    )
    os.close(slave)
    try:
        select.select([master], [], [], 60)
        wait_until(lambda: Proc()._call(waits.pid) != BUSY, "it to wait")
        assert Proc()._call(waits.pid) == said
    finally:
        waits.kill()
        waits.wait()
        os.close(master)
