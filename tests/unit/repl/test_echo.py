"""What is typed while terma starts: off its first row, and still there to be read."""

from __future__ import annotations

import os
import select
import termios

import pytest

from terma.repl.tty import echo
from tests.conftest import WAIT


@pytest.mark.parametrize(("typed", "cleared"), [("echo typed ahead", True), ("ls\n", True), ("", False)])
def test_what_was_typed_ahead_leaves_the_row_and_is_read_later(
    typed: str, cleared: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    master, slave = os.openpty()
    screen: list[bytes] = []
    try:
        os.write(master, typed.encode())
        if typed:
            assert select.select([master], [], [], WAIT)[0], "the terminal echoes what it took"
        with monkeypatch.context() as patched:
            patched.setattr(echo.os, "isatty", lambda handle: handle == 1)
            patched.setattr(echo.os, "write", lambda _, data: screen.append(data))
            with echo.unechoed(slave, first=True):
                modes = termios.tcgetattr(slave)
                assert modes[3] & termios.ICANON
        assert screen == ([b"\r\x1b[K"] if cleared else [])
        modes[3] &= ~termios.ICANON
        termios.tcsetattr(slave, termios.TCSANOW, modes)
        ready, _, _ = select.select([slave], [], [], 0)
        assert (os.read(slave, 100) if ready else b"") == typed.encode()
    finally:
        os.close(master)
        os.close(slave)
