"""What a command that nobody was asked about may write to a terminal."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from terma.repl.shell.plain_output import PlainOutput
from terma.text import sanitize

SIZES = pytest.mark.parametrize("size", (1, 2, 3, 4096))
ORDERS = (
    "\x1b]52;c;cm0gLXJmIH4=\x07",
    "\x1b]0;title\x1b\\",
    "\x1bP+q544e\x1b\\",
    "\x1b_Gf=24;AAAA\x1b\\",
    "\x1b^private\x1b\\",
    "\x1bXstart\x1b\\",
    "\x9d0;c1 title\x9c",
    "\x9b31m",
    "\x1b[2J",
    "\x1b[H",
    "\x1b[5A",
    "\x1b[6n",
    "\x1b[c",
    "\x1b[21t",
    "\x1b[>4;2m",
    "\x1b[?1049h",
    "\x1b[!p",
    "\x1b[4 q",
    "\x1bc",
    "\x1b(0",
    "\u202e",
    "\u2066",
    "\u200b",
    "\x07",
    "\x0e",
)


def shown(data: bytes, size: int, draws: bool = False) -> str:
    plain = PlainOutput(lambda: draws)
    pieces = [plain.feed(data[at : at + size]) for at in range(0, len(data), size)]
    return b"".join(pieces).decode()


@SIZES
@pytest.mark.parametrize("order", ORDERS, ids=repr)
def test_no_order_to_the_terminal_is_left_of_a_file(order: str, size: int) -> None:
    assert shown(f"one{order}two\r\n".encode(), size) == "onetwo\r\n"


@SIZES
@pytest.mark.parametrize(
    "kept", ("\x1b[1;31mred\x1b[0m", "\x1b[38:2::1:2:3mx", "50 %\r\x1b[K100 %\b", "é思👩‍👩‍👧\t", "\x1b[3C")
)
def test_text_colours_and_a_line_of_progress_stay(kept: str, size: int) -> None:
    assert shown(f"one{kept}two\n".encode(), size) == f"one{kept}two\n"


@SIZES
def test_a_program_that_draws_the_screen_may_move_about_and_send_no_strings(size: int) -> None:
    drawn = "\x1b[?1049h\x1b[H\x1b[2J\x1b7\x1b[3;4Hhere\x1b8\x1b(B\x1b[?25l\x1b[1;20r"
    asks = "\x1b]52;c;AAAA\x07\x1bPq\x1b\\\x9d2;t\x9c\x1b[6n\x1b[c\x1b[21t\x1bc\u202e"
    assert shown((drawn + asks).encode(), size, draws=True) == drawn


def test_what_is_no_utf_8_is_no_c1() -> None:
    assert shown(b"a\x9b2Jb\x9d0;t\x9cc", 1) == "a\ufffd2Jb\ufffd0;t\ufffdc"


def test_a_string_without_an_end_ends_with_the_next_sequence() -> None:
    assert shown(b"\x1b]0;" + b"x" * 9000 + b"\x1b[31mred", 500) == "\x1b[31mred"


def test_a_sequence_that_never_ends_is_none() -> None:
    rest = shown(b"a\x1b[" + b"1;" * 400 + b"mend", 7)
    assert rest.startswith("a") and rest.endswith("mend") and "\x1b" not in rest


@given(
    st.lists(
        st.sampled_from([*ORDERS, "text ", "\x1b", "\x1b[", "\x1b]", "1;2", "m", "\\", "\x9b", "\r\n"]),
        max_size=12,
    ),
    st.integers(1, 9),
    st.booleans(),
)
def test_the_same_however_it_is_cut(pieces: list[str], size: int, draws: bool) -> None:
    data = "".join(pieces).encode()
    whole = shown(data, len(data) + 1, draws)
    assert shown(data, size, draws) == whole
    if not draws:
        bare = re.sub("\x1b\\[[0-9;:]*[mKCDG]", "", whole)
        assert sanitize(bare).strip() == bare.replace("\r", "").replace("\b", "").strip()
