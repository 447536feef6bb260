"""What a program printed comes out as a person saw it, whatever the program did to the screen."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from terma.output import plain
from terma.output.drawing import Drawing
from terma.text import sanitize

RECORDED = (
    Path(__file__).parent.parent / "data" / "output"
)  # raw bytes of real programs in an 80 × 24 terminal

CASES = [
    ("a progress bar is its last state", "\r  5%\r 50%\r100%\nok\n", "100%\nok"),
    ("a shorter text leaves the rest of a longer one", "abcdef\rxy", "xycdef"),
    ("erased to the end", "abcdef\rxy\x1b[K", "xy"),
    ("erased to the cursor", "abcdef\x1b[4D\x1b[1K", "   def"),
    ("a line erased and written again", "50 %\x1b[2K\rdone", "done"),
    ("backspaces", "passwort\b\b\b\bwörd", "passwörd"),
    ("a spinner", "⠙\x1b[1G\x1b[0K⠹\x1b[1G\x1b[0Kadded 1 package", "added 1 package"),
    ("CR LF, and CR CR LF", "a\r\nb\r\r\nc", "a\nb\nc"),
    ("several lines redrawn", "a: 1\nb: 1\n\x1b[2Aa: 2\x1b[K\nb: 2\x1b[K\n", "a: 2\nb: 2"),
    (
        "docker's way",
        "a: wait\nb: wait\n\x1b[2A\x1b[2K\ra: done\x1b[2B\x1b[1A\x1b[2K\rb: done\x1b[1B",
        "a: done\nb: done",
    ),
    ("previous and next line", "one\ntwo\x1b[Fx\x1b[Ey", "xne\nywo"),
    ("column and place", "\x1b[2;3Hx\x1b[1Gy", "\ny x"),
    ("saved and restored", "ab\x1b7cd\x1b8X\x1b[sYZ\x1b[uW", "abXWZ"),
    ("erased below", "a\nb\nc\x1b[2A\r\x1b[J", ""),
    ("cleared", "old\n\x1b[H\x1b[2J\x1b[3Jnew", "new"),
    ("reset", "old\x1bcnew", "new"),
    ("characters inserted and deleted", "abef\x1b[2D\x1b[2@cd\x1b[1G\x1b[P", "bcdef"),
    ("characters erased", "abcdef\x1b[5D\x1b[3X", "a   ef"),
    ("lines inserted and deleted", "a\nb\nc\x1b[A\x1b[L\rx\x1b[A\x1b[M", "x\nb\nc"),
    ("reverse line feed at the top", "b\r\x1bMa", "a\nb"),
    ("a repeated character", "-\x1b[4b|", "-----|"),
    ("nothing to repeat", "-\r\x1b[4b|", "|"),
    ("a TAB stays", "a\tb\n\tc", "a\tb\n\tc"),
    ("a TAB that is written over", "a\tb\r123456789", "123456789"),
    ("a TAB moves over text and takes none away", "abcdefghij\r\tX", "abcdefghXj"),
    ("wide characters take two cells", "日本語\b\bx", "日本x"),
    ("half a wide character is a blank", "日本\rx", "x 本"),
    ("marks take none", "e\u0301a\bx", "e\u0301x"),
    ("colours and titles", "\x1b[1;38;5;9mred\x1b[0m\x1b]0;title\x07!", "red!"),
    ("a link keeps its text", "\x1b]8;;https://example.org\x1b\\here\x1b]8;;\x1b\\", "here"),
    ("an image leaves nothing", "a\x1bPq#0;2;0;0;0~~\x1b\\b\x1b_Gpayload\x1b\\c", "abc"),
    ("the alternate screen", "a\n\x1b[?1049h\x1b[Hvim\x1b[?1049lb", "a\nb"),
    ("the alternate screen among other modes", "a\x1b[?1;1049hvim\x1b[?1049;1lb", "ab"),
    ("an alternate screen that was never left", "a\x1b[?47hvim", "a"),
    ("private modes", "\x1b[?25la\x1b[?2004hb\x1b[>4;1mc\x1b[=1u", "abc"),
    ("a cursor style is no movement", "a\x1b[2 qb", "ab"),
    ("line drawing", "\x1b(0lqk\x1b(B q", "┌─┐ q"),
    ("an unfinished sequence", "a\x1b[3\nb\x1b", "a\nb"),
    ("hidden characters and bidi", "a\u202eb\u200bc\x00d", "abcd"),
    ("trailing blanks", "a  \n b \t\n\n", "a\n b"),
    ("nothing", "", ""),
]  # fmt: skip


@pytest.mark.parametrize(("raw", "seen"), [case[1:] for case in CASES], ids=[case[0] for case in CASES])
def test_a_person_saw(raw: str, seen: str) -> None:
    assert plain(raw) == seen


def test_a_wrapped_line_is_whole_and_the_cursor_counts_its_rows() -> None:
    assert plain("abcdefgh\nnext", columns=5) == "abcdefgh\nnext"
    assert plain("abcdefgh\r\x1b[AX", columns=5) == "Xbcdefgh"
    assert plain("abcdefgh\rX", columns=5) == "abcdeXgh"
    assert plain("12345\rx", columns=5) == "x2345"  # the line is full, and not yet wrapped
    assert plain("12345\r\nx", columns=5) == "12345\nx"
    assert plain("1234日\b\bx", columns=5) == "1234x"
    assert plain("12345\x1b[K\r\nx", columns=5) == "12345\nx"  # as grep colours a match at the edge


def test_a_line_that_was_shortened_is_not_joined_to_the_next() -> None:
    assert plain("abcdefgh\x1b[A\r\x1b[Kxy\n", columns=5) == "xy\nfgh"


def test_what_scrolled_off_the_screen_stays_and_is_out_of_reach() -> None:
    text = "".join(f"{number}\n" for number in range(1, 31))
    assert plain(f"{text}\x1b[99AX", lines=10).split("\n")[:22] == [*map(str, range(1, 22)), "X2"]
    assert plain(f"{text}\x1b[H\x1b[2Jnew", lines=10).split("\n") == [*map(str, range(1, 22)), "new"]


def test_a_status_line_below_scrolling_lines_is_none_of_the_text() -> None:
    raw = (
        "\x1b[1;3r\x1b[4;1Hstatus\x1b[1;1H"
        + "".join(f"{number}\r\n" for number in range(6))
        + "\x1b[4;1H\x1b[K"
    )
    assert plain(raw, lines=4) == "0\n1\n2\n3\n4\n5"


def test_an_absolute_move_reaches_no_higher_than_the_screen() -> None:
    lines = plain("".join(f"{number}\n" for number in range(100)) + "\x1b[Htop").split("\n")
    assert lines[:77] == [str(number) for number in range(77)]
    assert lines[77] == "top"


def test_recorded_programs_leave_what_they_left_on_the_screen() -> None:
    seen = {path.stem: plain(path.read_bytes().decode(), 80, 24) for path in RECORDED.glob("*.raw")}
    assert seen["curl"].split("\n")[2:] == [
        "100  390k  100  390k    0     0   136k      0  0:00:02  0:00:02 --:--:--  136k"
    ]
    assert seen["npm"] == "npm warn deprecated x@1.0.0\n\nadded 1 package in 1s"
    assert "Receiving objects: 100% (402/402), 16.12 KiB | 211.00 KiB/s, done." in seen["gitclone"].split(
        "\n"
    )
    assert seen["gitclone"].count("Receiving") == 1
    assert "Building" not in seen["cargo"]
    assert seen["cargo"].endswith('error: could not compile `c` (bin "c") due to 1 previous error')
    assert seen["wget"].count("%") == 1
    assert "(Reading database ... 116212 files and directories currently installed.)" in seen["apt"].split(
        "\n"
    )
    assert "Progress:" not in seen["apt"]
    assert "0%" not in seen["apt"]


pieces = st.sampled_from(
    "\x1b[A|\x1b[2B|\x1b[3C|\x1b[D|\x1b[9;9H|\x1b[J|\x1b[2J|\x1b[3J|\x1b[K|\x1b[1K|\x1b[L|\x1b[M|\x1b[2@|\x1b[P|\x1b[X|"
    "\x1b[S|\x1b[T|\x1b[2;4r|\x1b[r|\x1b7|\x1b8|\x1bM|\x1bD|\x1bc|\x1b[5b|\x1b[I|\x1b[Z|\x1b[999999999C|\x1b[999999999B|"
    "\x1b[999999999@|\x1b[999999999b|\x1b[99999L|\x1b[99999S|\x1b[?1049h|\x1b[?1049l|\x1b]0;t|\x07|\x1bP|\x1b(0|\x1b(B|"
    "\x1b|\x1b[|\x9b|\r|\n|\r\n|\b|\t|\x0b|日本|e\u0301|\u0301|👩\u200d💻|\u202e|\ud800|hello world".split(
        "|"
    )
)
hostile = st.lists(pieces | st.text(max_size=12), max_size=60).map("".join)
sizes = st.integers(min_value=-1, max_value=12) | st.sampled_from([0, 80, 10**9])


@settings(max_examples=300, deadline=None)
@given(hostile, sizes, sizes)
def test_anything_gives_clean_text_of_a_bounded_length(raw: str, columns: int, lines: int) -> None:
    seen = plain(raw, columns, lines)
    assert seen == sanitize(seen)
    assert len(seen) <= 4 * len(raw) + 70_000
    assert plain(raw, columns, lines) == seen


@given(st.lists(st.text(alphabet="ab 日é\t", max_size=30), max_size=12).map("\n".join), sizes)
def test_text_without_sequences_stays_whatever_the_width(text: str, columns: int) -> None:
    if "\t" in text:  # at the last column a TAB goes nowhere
        columns = 0
    drawn = plain("\x1b[1G" + text, columns)  # takes the way over the screen
    assert drawn == plain(text) == "\n".join(line.rstrip() for line in text.split("\n")).rstrip()


@pytest.mark.parametrize(
    "piece",
    "\r|\x1b|\x1b[|\x1b[1;|\x1b[?1;|\x1b]0;|\x1b[?1049h| |\t|\x00|\x1b[4096Gx\n|\x1b[99S".split("|"),
)
def test_much_of_the_same_is_no_trap(piece: str) -> None:
    # quadratic work on these would take hours, and the suite's own bound would tell
    assert len(plain(piece * (400_000 // len(piece)) + "x")) <= 2_000_000


PARTS = [
    *("a", "bc ", "  ", "\t", "\n", "\r\n", "\r", "\r\r\n", "é", "e\u0301", "\u0301", "日本", "x" * 1100),
    *("\x1b[31m", "\x1b[0m", "\x1b[", "[A", "2J", "\x9b", "\x90", "\x9c", "\x07", "\x08", "\x0b", "\x85"),
    *(
        "\x1b[A",
        "\x1b[2A",
        "\x1b[B",
        "\x1b[3C",
        "\x1b[2D",
        "\x1b[H",
        "\x1b[5;3H",
        "\x1b[K",
        "\x1b[1K",
        "\x1b[J",
    ),
    *(
        "\x1b[2J",
        "\x1b[3J",
        "\x1b[2b",
        "\x1b[s",
        "\x1b[u",
        "\x1b7",
        "\x1b8",
        "\x1bM",
        "\x1bD",
        "\x1bc",
        "\x1b[2;5r",
    ),
    *("\x1b(0", "\x1b(B", "lqk", "\x1b]0;t", "\x1b\\", "\x1bP1", "\x1b[?1049h", "\x1b[?1049l", "\x1b[?25l"),
    *("\x1b[?2004h", "1049", "h", "l", "\n" * 320),
    *("%" + " " * 30 + "\r \r", "⏎" + " " * 30, "\r⏎ \r"),
]


def test_drawn_while_it_comes_it_is_what_it_would_be_at_once() -> None:
    chance = random.Random(11)
    for _ in range(4000):
        raw = "".join(chance.choice(PARTS) for _ in range(chance.randrange(30)))
        drawing, at = Drawing(), 0
        while at < len(raw):
            step = chance.choice((1, 2, 3, 7, 400))
            drawing.feed(raw[at : at + step])
            at += step
        whole = Drawing()
        whole.feed(raw)
        assert drawing.text() == whole.text(), raw


ZSH = "\x1b[1m\x1b[7m%\x1b[27m\x1b[1m\x1b[0m" + " " * 79 + "\r \r\r\x1b[0m\x1b[27m\x1b[24m\x1b[J"
FISH = "\x1b[2m⏎\x1b(B\x1b[m" + " " * 79 + "\r⏎ \r\x1b[K\x1b[?2004h"


@pytest.mark.parametrize("drawn", [ZSH, FISH], ids=["zsh", "fish"])
@pytest.mark.parametrize(
    "output, left",
    [
        ("done", "done\n"),
        ("a\r\nlast ", "a\nlast\n"),
        ("漢字", "漢字\n"),
        ("x" * 90, "x" * 90 + "\n"),
        ("", ""),
    ],
)
def test_an_output_without_a_newline_is_not_written_over_by_the_prompt(
    drawn: str, output: str, left: str
) -> None:
    assert plain(f"{output}{drawn}there> ") == f"{left}there>"


@pytest.mark.parametrize(
    "raw, left",
    [
        ("loading" + " " * 60 + "\r   \rdone", "doneing"),
        ("50 %" + " " * 60 + "\r" + " " * 64 + "\rdone", "done"),
        ("two" + " " * 60 + "\rone\rx", "xne"),
    ],
)
def test_a_line_that_is_only_cleared_stays_one(raw: str, left: str) -> None:
    assert plain(raw) == left
