"""Progress is a bar where somebody looks, and a few plain lines where nobody does."""

from __future__ import annotations

import fcntl
import io
import os
import pty
import struct
import termios

import pytest

from terma.local.bar import Bar


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_a_pipe_gets_a_line_for_each_tenth_and_no_control_character() -> None:
    pipe = io.StringIO()
    bar = Bar("model", pipe)
    for done in range(0, 1001, 7):
        bar(done, 1000)
    bar(1000, 1000)
    bar.close()
    lines = pipe.getvalue().splitlines()
    assert lines[0] == "model: 0 %"
    assert lines[-1] == "model: 100 %"
    assert len(lines) == 11
    assert not any(ord(char) < 32 for line in lines for char in line)


def test_a_pipe_hears_of_a_size_that_nobody_told() -> None:
    pipe = io.StringIO()
    bar = Bar("model", pipe)
    bar(250_000_000, 0)
    assert pipe.getvalue() == "model: 250 MB\n"


def test_a_terminal_gets_one_line_that_is_drawn_over() -> None:
    terminal = Terminal()
    bar = Bar("model", terminal)
    for done in range(0, 1001, 100):
        bar(done * 10**6, 10**9)
    bar.close()
    text = terminal.getvalue()
    assert text.count("\n") == 1
    assert text.endswith("[############################] 100 % of 1000 MB\n")
    assert text.startswith("\r\x1b[K")


def test_an_interrupted_bar_leaves_the_cursor_on_a_new_line() -> None:
    terminal = Terminal()
    bar = Bar("model", terminal)
    bar(10, 100)
    bar.close()
    bar.close()
    assert terminal.getvalue().count("\n") == 1


@pytest.mark.parametrize(
    ("columns", "shown"),
    [
        (80, "model [##############..............]  50 % of 1000 MB"),
        (44, "model [#########.........]  50 % of 1000 MB"),
        (26, "model  50 % of 1000 MB"),
    ],
)
def test_a_bar_is_narrower_than_its_window_so_that_it_is_drawn_over(columns: int, shown: str) -> None:
    near, far = pty.openpty()
    fcntl.ioctl(far, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
    with os.fdopen(far, "w", encoding="utf-8") as terminal:
        Bar("model", terminal)(5 * 10**8, 10**9)
        wanted = f"\r\x1b[K{shown}"
        drawn = ""
        while len(drawn) < len(wanted):  # a terminal hands on what there is, in as many pieces as it likes
            drawn += os.read(near, 4096).decode()
    os.close(near)
    assert drawn == wanted
    assert len(shown) < columns
