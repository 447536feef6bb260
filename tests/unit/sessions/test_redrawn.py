"""A prompt behind a setup takes the place of the one at which the setup was typed, and of nothing else."""

from __future__ import annotations

import pytest

from terma.sessions.muffled import Muffled, Redrawn

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


SETUP = b" TERMA_SESSION_MARK=0123456789abcdef; . '/hooks/session.bash'"


@pytest.mark.parametrize(
    ("earlier", "echo"),
    [
        (b"", SETUP),
        (b"from the profile\r\nhere> ", SETUP),
        (b"here> ", SETUP[:9] + b" \r" + SETUP[9:]),  # a line editor wraps it
        (b"here> ", b"\x1b[1m".join(SETUP[at : at + 1] for at in range(len(SETUP)))),  # and colours it
        (b"here> ", SETUP + b"\r\nhere> " + SETUP),  # the terminal repeats it before the shell reads
    ],
)
def test_what_was_on_its_way_when_a_shell_was_set_up_is_output(earlier: bytes, echo: bytes) -> None:
    muffled = Muffled()
    muffled.begin(SETUP + b"\r")
    assert muffled.take(earlier + echo + b"\r\n")
    assert muffled.end() == earlier
    assert not muffled


def test_who_goes_on_holds_back_the_same_prompt() -> None:
    prompt = Redrawn(b"top\r\nhere> ")
    prompt.take(b"top\r\n")
    other = Redrawn(*(part.encode("latin-1") for part in prompt.kept()))
    other.take(b"here> ")
    assert other.whole() == ONE_ROW + ROW + b"top\r\nhere> "
