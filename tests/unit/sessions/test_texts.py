"""Output that is turned into text while it comes is what it would be at once."""

from __future__ import annotations

import random

import pytest

from terma.output import plain
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
    "pieces", [PIECES, PIECES * 3 + MOVING, PIECES + PROMPTING], ids=["lines", "moving", "prompting"]
)
def test_it_is_what_it_would_be_at_once(pieces):
    chance = random.Random(7)
    for _ in range(3000):
        raw = "".join(chance.choice(pieces) for _ in range(chance.randrange(40))).encode()
        texts, at = Texts(), 0
        while at < len(raw):
            step = chance.randrange(1, 9)
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
    texts = Texts()
    texts(data)
    assert texts.text(row) == text
