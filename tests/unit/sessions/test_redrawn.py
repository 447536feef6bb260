"""A prompt behind a setup takes the place of the one at which the setup was typed, and of nothing else."""

from __future__ import annotations

import pytest

from terma.sessions.muffled import Redrawn

ONE_ROW = b"\r\x1b[K"
ROW = b"\x1b[A\x1b[2K"


@pytest.mark.parametrize(
    ("stood", "drawn", "rows"),
    [
        (b"welcome\r\nhere> ", b"here> ", 0),
        (b"welcome\r\n~/shop main\r\nhere> ", b"\x1b[1m~/shop\x1b[0m main\r\nhere> ", 1),
        (b"welcome\r\n\r\n~/shop\r\nhere> ", b"\r\n~/shop\r\nhere> ", 2),
        (b"welcome\r\n~/shop 12:01\r\nhere> ", b"~/shop 12:02\r\nhere> ", 0),  # what differs may be anything
        (b"welcome\r\nhere> ", b"welcome to it\r\nhere> ", 0),
        (b"", b"a\r\nb\r\nhere> ", 0),
    ],
)
def test_the_rows_that_are_drawn_again_go(stood: bytes, drawn: bytes, rows: int) -> None:
    prompt = Redrawn(stood)
    assert prompt.take(drawn[:4])
    assert prompt.take(drawn[4:])
    assert prompt.whole() == ONE_ROW + ROW * rows + drawn


def test_what_never_ends_is_no_prompt() -> None:
    assert not Redrawn(b"here> ").take(b"x" * 20_000)
