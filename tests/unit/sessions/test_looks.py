"""Screens: colours from and to ANSI, stars over secrets, questions to the terminal."""

from __future__ import annotations

import importlib.util
import struct

import pytest
from hypothesis import given
from hypothesis import strategies as st

from terma.errors import UsageError
from terma.picture.cells import PLAIN, Style
from terma.sessions import pictures
from terma.sessions.questions import Answers, Unasking
from terma.sessions.screen import Live, emulator
from terma.sessions.styled import Run, ansi, parse

COLOURS = st.one_of(st.none(), st.integers(0, 255), st.tuples(*[st.integers(0, 255)] * 3))
STYLES = st.builds(Style, COLOURS, COLOURS, *[st.booleans()] * 8)
RUNS = st.builds(Run, st.text(alphabet="ab 漢é", min_size=1, max_size=5), STYLES)


@given(st.lists(st.lists(RUNS, max_size=4), min_size=1, max_size=4))
def test_a_look_survives_its_ansi_form(lines):
    again = parse(ansi(lines))
    flat = [[(char, run.style) for run in line for char in run.text] for line in lines]
    assert [[(char, run.style) for run in line for char in run.text] for line in again] == flat


@pytest.mark.parametrize(
    ("sequence", "style"),
    [
        ("1;3;4;7", Style(bold=True, italic=True, underline=True, reverse=True)),
        ("31;42", Style(1, 2)),
        ("91;102", Style(9, 10)),
        ("38;5;200;48;2;1;2;3", Style(200, (1, 2, 3))),
        ("38:2::1:2:3", Style((1, 2, 3))),
        ("38:2:1:2:3", Style((1, 2, 3))),
        ("58;5;3;1", Style(bold=True)),
        ("4:0", PLAIN),
        ("1;31;0", PLAIN),
        ("1;22;31;39", PLAIN),
        ("38;5", PLAIN),
        ("", PLAIN),
    ],
)
def test_sequences_mean_what_terminals_take_them_for(sequence, style):
    assert parse(f"\x1b[{sequence}mx")[0][-1] == Run("x", style)


@given(st.text(max_size=80))
def test_nothing_but_text_and_colours_comes_out(text):
    shown = ansi(parse(text))
    left = [
        char
        for char in pictures.text_of(parse(shown))
        if not (char.isprintable() or char in "\n\u200c\u200d")
    ]
    assert left == []
    assert "\x1b" not in "".join(piece.partition("m")[2] for piece in shown.split("\x1b[")[1:])


def test_a_secret_is_starred_across_colours_and_rows():
    lines = [[Run("ab se", PLAIN)], [Run("cr", Style(1)), Run("et", PLAIN)], [Run("end", PLAIN)]]
    hidden = pictures.hidden(lines, 5, lambda text: ["secret"] if "secret" in text else [])
    assert pictures.text_of(hidden) == "ab **\n****\nend"
    assert hidden[1][0].style == Style(1)


class Asked:
    """A screen that knows where its cursor is."""

    def __init__(self) -> None:
        self.fed = b""

    def feed(self, data: bytes) -> None:
        self.fed += data

    def cursor(self) -> tuple[int, int]:
        return 0, len(self.fed)

    def mode(self, number: int) -> int:
        return 1 if number == 2004 else 0


@pytest.mark.parametrize("size", [1, 2, 3, 50])
def test_questions_are_answered_where_they_stand_and_once(size):
    screen, said = Asked(), []
    answers = Answers(screen)
    answers.answer_with(said.append)
    data = b"ab\x1b[6ncd\x1b[c\x1b[?2004$p\x1b]11;?\x07\x1b[31mred\x1b[0m\x1b[5n"
    for at in range(0, len(data), size):
        answers.feed(data[at : at + size])
    assert screen.fed == data
    assert said[0].startswith(b"\x1b[1;")
    assert said[1:] == [b"\x1b[?62;22c", b"\x1b[?2004;1$y", b"\x1b]11;rgb:0000/0000/0000\x1b\\", b"\x1b[0n"]


@pytest.mark.parametrize("size", [1, 2, 3, 50])
@pytest.mark.parametrize(
    "question",
    [b"\x1b[c", b"\x1b[>c", b"\x1b[6n", b"\x1b[?6n", b"\x1b[?2026$p", b"\x1b]10;?\x1b\\", b"\x1b]52;c;?\x07",
     b"\x1b[>q", b"\x1b[?u", b"\x1bP+q544e\x1b\\", b"\x1bP$qm\x1b\\", b"\x1b[14t", b"\x1b]4;1;?\x07"],
)  # fmt: skip
def test_a_persons_terminal_is_asked_nothing(question, size):
    data = b"\x1b[1mbold\x1b[0m " + question + b"after \x1b]0;title\x07 end"
    unasking = Unasking()
    passed = (
        b"".join(unasking.filter(data[at : at + size]) for at in range(0, len(data), size)) + unasking.rest()
    )
    assert passed == data.replace(question, b"")


def test_a_screen_is_drawn_with_its_looks():
    live = Live(20, 4)
    live.feed(
        b"\x1b[1;31mred\x1b[0m \x1b[7mrev\x1b[0m\r\n\x1b[44m bg \x1b[K\x1b[0m\r\n\x1b[38;2;1;2;3m\xe6\xbc\xa2"
    )
    lines = parse(live.picture(cells=True)["ansi"])
    assert lines[0][0] == Run("red", Style(1, bold=True))
    assert lines[0][2] == Run("rev", Style(reverse=True))
    assert "".join(run.text for run in lines[1] if run.style.background == 4) == " bg" + " " * 17
    assert lines[2] == [Run("漢", Style((1, 2, 3)))]
    assert live.picture()["screen"] == "red rev\n bg\n漢"


def test_lines_are_wrapped_anew_when_the_size_changes():
    drawn = emulator(20, 5)
    drawn.feed(b"0123456789abcdefghij")
    drawn.resize(10, 5)
    assert drawn.rows()[:2] == ["0123456789", "abcdefghij"]
    drawn.resize(20, 5)
    assert drawn.rows()[0] == "0123456789abcdefghij"


def test_who_attaches_gets_the_screen_and_the_keys_that_the_program_wants():
    live = Live(10, 3)
    live.feed(b"\x1b[?1049h\x1b[?1h\x1b[?2004h\x1b[?25l\x1b[2;3Hhere")
    drawn = live.redraw()
    other = Live(10, 3)
    other.feed(drawn)
    assert other.picture() == live.picture()
    assert other.picture()["cursor_shown"] is False
    assert b"\x1b[?1h" in drawn


@given(st.binary(max_size=200))
def test_no_bytes_make_an_emulator_fail(data):
    live = Live(20, 5)
    live.feed(data)
    picture = live.picture(cells=True)
    assert len(picture["screen"].split("\n")) <= 5
    live.redraw()


def test_a_picture_is_a_png_of_the_screens_size_or_says_what_is_missing():
    live = Live(40, 5)
    live.feed("\x1b[1;31mred\x1b[0m 漢字 e\u0301".encode())
    shown = live.picture(cells=True)
    shown["data"] = shown.pop("ansi").encode()
    lines = pictures.lines_of(shown)
    if any(importlib.util.find_spec(name) is None for name in ("PIL", "numpy", "terma.picture")):
        with pytest.raises(UsageError) as told:
            pictures.drawn(lines, shown)
        assert "--form ansi" in told.value.hint
        return
    drawn = pictures.drawn(lines, shown).png
    assert drawn.startswith(b"\x89PNG\r\n")
    width, height = struct.unpack(">II", drawn[16:24])
    assert width > 8 * 40
    assert height > 10 * 5
