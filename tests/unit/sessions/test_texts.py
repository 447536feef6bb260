"""Output that is turned into text while it comes is what it would be at once."""

from __future__ import annotations

import random

import pytest

from terma.output import plain
from terma.output.drawing import Drawing
from terma.sessions.modes import ENTERED, Modes
from terma.sessions.texts import Texts, behind

PIECES = [
    "a",
    "b  c",
    " ",
    "\t",
    "\n",
    "\r\n",
    "\r\n",
    "\r\n\r\n",
    "\x1b[31m",
    "\x1b[0m",
    "é",
    "日",
    "\u3000",
    "\u200b",
]
PROMPTING = [
    "\x1b[?2004h",
    "\x1b[?2004l\r",
    "\n\r",
    "\x1b]0;title\x07",
    "\x1b]133;A\x1b\\",
    "\x1b[?1;1049h",
    "\x1b[?25;7l",
]
IN_ROW = [
    "\r",
    "\x08",
    "\x07",
    "\x1b[K",
    "\x1b[2K",
    "\x1b[1G",
    "\x1b[2C",
    "\x1b[D",
    "\x1b[3P",
    "\x1b[X",
]
MOVING = [
    "\r",
    "\x08",
    "\x1b[A",
    "\x1b[K",
    "\x1b]0;t\x07",
    "\x1b[?1049h",
    "\x1b[?1049l",
    "\x07",
    "\x1b",
    "\x9b",
]


@pytest.mark.parametrize(
    "pieces",
    [PIECES, PIECES + IN_ROW, PIECES * 3 + MOVING, PIECES + PROMPTING],
    ids=["lines", "in_row", "moving", "prompting"],
)
def test_it_is_what_it_would_be_at_once(pieces):
    chance = random.Random(7)
    for _ in range(3000):
        raw = "".join(chance.choice(pieces) for _ in range(chance.randrange(40))).encode()
        texts, at = Texts(), 0
        while at < len(raw):
            step = chance.choice((1, 2, 5, 8, 100))
            texts(raw[at : at + step])
            at += step
        assert texts.text() == plain(raw.decode()), raw
        assert texts.raw == raw


def test_lines_are_ready_before_the_end():
    texts = Texts()
    texts(b"one\r\ntwo\r\nthr")
    assert texts._made == ["one\ntwo"]
    texts(b"ee")
    assert texts.text() == "one\ntwo\nthree"


def test_what_a_prompt_is_full_of_is_ready_before_the_end():
    texts = Texts()
    texts(b"\x1b[?2004h$ seq 2\r\n\x1b[?2004l\r1\r\n2\r\n")
    assert texts._made == ["$ seq 2\n1\n2"]


@pytest.mark.parametrize(
    ("data", "made"),
    [
        (b"10%\r20%\r\ndone\r\n", "20%\ndone"),
        (b"one\r\ntwo\b\b\x1b[K\r\n", "one\nt"),
        (b"\x1b[1G\x1b[0K- npm\x1b[1G\x1b[0Kready\r\n", "ready"),
        (b"\x07bell\r\n", "bell"),
    ],
)
def test_a_row_drawn_anew_is_ready_before_the_end(data, made):
    texts = Texts()
    texts(b"0\r\n" + data)
    assert texts._made == [f"0\n{made}"]
    assert texts.text() == plain("0\n" + data.decode()) == f"0\n{made}"


@pytest.mark.parametrize(
    "cut", [b"y\r", b"\x1b", b"\x1b[3", b"\x1b[?20", b"\x1b]0;a tit", b"y\x1b[0m\r", b"\xc3"]
)
def test_what_a_time_out_cuts_in_two_costs_no_more_than_its_row(cut, monkeypatch):
    texts = Texts()
    texts(b"y\r\n" * 5 + cut)
    expected = plain((b"y\r\n" * 5 + cut).decode("utf-8", "replace"))
    drawn: list[str] = []
    feed = Drawing.feed
    monkeypatch.setattr(Drawing, "feed", lambda self, text: drawn.append(text) or feed(self, text))
    assert texts.text() == expected
    assert all(len(text) <= len(cut) for text in drawn)


@pytest.mark.parametrize("row", [b"", b"$ ", b"12345678"])
@pytest.mark.parametrize(
    "flood",
    [b"\x1b[1A\x1b[2Kup\r\n", b"\x1b[H\x1b[2Jtop\r\n", b"\r1234", b"\xff\xc3\x1b\x01\n", b"\x1b[32m\x0b"],
)
def test_a_flood_that_draws_is_drawn_while_it_comes(flood, row, monkeypatch):
    texts, data = Texts(row), flood * 20_000
    for at in range(0, len(data), 32_000):
        texts(data[at : at + 32_000])
    expected = behind(row, data)
    left: list[str] = []
    feed = Drawing.feed
    monkeypatch.setattr(Drawing, "feed", lambda self, text: left.append(text) or feed(self, text))
    assert texts.text() == expected
    assert sum(map(len, left)) < 70_000


# bash with colours draws what was pasted once highlighted and once plain, from column 2 on
PASTED = b"\x1b[7mls -l\x1b[27m\r\x1b[C\x1b[Cls -l\r\nfile\r\n$ "


@pytest.mark.parametrize(
    ("row", "data", "text"),
    [
        (b"$ ", PASTED, "ls -l\nfile\n$"),
        (b"\x1b[1m$\x1b[0m ", PASTED, "ls -l\nfile\n$"),
        ("漢 ".encode(), b"ab\r\x1b[3Cxy\r\n", "xy"),
        (b"$ ", b"", ""),
        (b"progress 10", b"\rprogress 100", "progress 100"),
        (b"progress 10", b"0\r\ndone", "0\ndone"),
        (b"10%", b"\r\x1b[K20%\r\n", "20%"),
        (b"$ ls", b"\b\b\x1b[Kpwd", "$ pwd"),
        (b"one two", b"\rONE", "ONE two"),
        (b"\xff\xfe", b"x", "x"),
        (b"", b"\rabc", "abc"),
    ],
)
def test_what_begins_in_the_middle_of_a_row_is_shown_from_there(row, data, text):
    assert behind(row, data) == text
    texts = Texts(row)
    texts(data)
    assert texts.text() == text


@pytest.mark.parametrize("pieces", [1, 3, 50])
def test_what_begins_on_an_alternate_screen_leaves_what_was_printed_behind_it(pieces):
    printed = b"\x1b[5;1H  1\x1b[K\r\n\r\n  9\x1b[?1049l\x1b[?25h2\r\n$ "
    size = len(printed) // pieces + 1
    texts = Texts()
    texts.stands(ENTERED)
    for at in range(0, len(printed), size):
        texts(printed[at : at + size])
    assert texts.text() == behind(ENTERED, printed) == "2\n$"


def test_a_reader_is_known_to_begin_on_an_alternate_screen():
    modes = Modes()
    pieces = [b"$ fzf\r\n\x1b[?1049h", b"drawn", b"more\x1b[?1049l2\r\n", b"$ "]
    at = 0
    ends = [0]
    for piece in pieces:
        modes.take(piece, at)
        at += len(piece)
        ends.append(at)
    again = Modes()
    again.go_on(modes.kept())
    assert [again.drawn_at(end) for end in ends] == [False, True, True, False, False]
