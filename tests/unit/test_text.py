"""Nothing that a terminal obeys, or that hides from the eye, gets past terma.text."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from terma.text import StreamSanitizer, ago, one_line, sanitize, strip_ansi

HOSTILE = [
    ("plain", "ls -l", "ls -l"),
    ("colour", "\x1b[31mls\x1b[0m", "ls"),
    ("title by BEL", "\x1b]0;owned\x07ls", "ls"),
    ("title by ST", "\x1b]0;owned\x1b\\ls", "ls"),
    ("clipboard", "a\x1b]52;c;cm0gLXJmIC8=\x07b", "ab"),
    ("hyperlink", "\x1b]8;;http://x\x1b\\text\x1b]8;;\x1b\\", "text"),
    ("device control", "a\x1bP1$r0m\x1b\\b", "ab"),
    ("application command", "a\x1b_Gpayload\x1b\\b", "ab"),
    ("privacy message", "a\x1b^secret\x9cb", "ab"),
    ("start of string", "a\x1bXsecret\x1b\\b", "ab"),
    ("C1 introducers", "a\x9b31mb\x9d0;t\x9cc\x90q\x9cd", "abcd"),
    ("bracketed paste end", "ls\x1b[201~\nrm -rf ~", "ls\nrm -rf ~"),
    ("status report", "\x1b[5nls\x1b[0n", "ls"),
    ("reset", "a\x1bcb", "ab"),
    ("charset", "a\x1b(0b", "ab"),
    ("unfinished escape", "ls\x1b", "ls"),
    ("unfinished CSI", "ls\x1b[31", "ls"),
    ("unclosed string takes the rest", "ls \x1b]0;rm -rf ~", "ls"),
    ("cancelled string", "a\x1b]0;t\x18b", "ab"),
    ("a CSI broken by a newline", "a\x1b[3\nb", "a\nb"),
    ("escape inside a CSI", "a\x1b[3\x1b[31mb", "ab"),
    ("nested string", "a\x1b]0;x\x1b]0;y\x07b", "ab"),
    ("CR LF", "a\r\nb\r\n", "a\nb"),
    ("lone CR hides what precedes it", "rm -rf ~\rls", "rm -rf ~ls"),
    ("backspaces", "rm\x08\x08ls", "rmls"),
    ("NUL and DEL", "l\x00s\x7f", "ls"),
    ("tab stays", "a\tb", "a\tb"),
    ("next line", "a\x85b", "ab"),
    ("bidi override", "ls \u202e/ fr- mr\u202c", "ls / fr- mr"),
    ("bidi isolate", "a\u2066b\u2069\u061cc\u200e\u200fd", "abcd"),
    ("line separators", "a\u2028b\u2029c", "abc"),
    ("zero width", "r\u200bm\u2060 \ufeffx\u180e\u2063", "rm x"),
    ("tags", "ls\U000e0001\U000e0072\U000e007f", "ls"),
    ("lone surrogate", "a\ud800b\udcffc", "abc"),
    ("joined emoji stays", "echo 👩\u200d💻 ❤\ufe0f", "echo 👩\u200d💻 ❤\ufe0f"),
    ("non-joiner stays", "echo نمی\u200cخواهم", "echo نمی\u200cخواهم"),
    ("wide text stays", "echo 日本語", "echo 日本語"),
    ("trailing newlines and blanks", "ls \n\t\n", "ls"),
    ("inner newlines stay", "for f in *\ndo\n  echo $f\ndone\n", "for f in *\ndo\n  echo $f\ndone"),
    ("printf verbs stay", "printf '%s\\n' $(x) `y` \"$z\"", "printf '%s\\n' $(x) `y` \"$z\""),
    ("empty", "", ""),
]
FORBIDDEN_BIDI = set("\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069\u2028\u2029")
FORBIDDEN_HIDDEN = set("\u200b\u2060\ufeff") | {chr(code) for code in range(0xE0000, 0xE0080)}

escapes = st.sampled_from(
    rb"\x1b|\x1b[|\x1b]|\x1b]52;c;|\x1bP|\x9b|\x9d|\x9c|\x07|\x18|\x1b\\|31m|[201~|\r\n|\r|\n| |\t|\x00|"
    rb"\u202e|\u200b|\ufeff|x\u200d|\U000e0041|\ud800|ls -l".decode("unicode_escape").split("|")
)
any_text = st.text(alphabet=st.characters(codec=None, exclude_categories=[]), max_size=40)
hostile = st.lists(escapes | any_text, max_size=25).map("".join)


def is_forbidden(char: str) -> bool:
    control = unicodedata.category(char) in ("Cc", "Cs") and char not in "\n\t"
    return control or char in FORBIDDEN_BIDI or char in FORBIDDEN_HIDDEN


@pytest.mark.parametrize(
    ("given_text", "wanted"), [case[1:] for case in HOSTILE], ids=[case[0] for case in HOSTILE]
)
def test_a_hostile_text_loses_exactly_its_controls(given_text: str, wanted: str) -> None:
    assert sanitize(given_text) == wanted


@given(hostile)
def test_no_forbidden_character_is_ever_left(text: str) -> None:
    assert not [char for char in sanitize(text) if is_forbidden(char)]


@given(hostile)
def test_what_is_clean_stays_as_it_is(text: str) -> None:
    once = sanitize(text)
    assert sanitize(once) == once
    assert once == once.rstrip(" \t\n")


@given(hostile, st.lists(st.integers(min_value=1, max_value=7), max_size=60))
def test_any_chunking_gives_the_text_of_the_whole(text: str, sizes: list[int]) -> None:
    stream, pieces, at = StreamSanitizer(), [], 0
    for size in [*sizes, len(text)]:
        pieces.append(stream.feed(text[at : at + size]))
        at += size
    pieces.append(stream.close())
    assert "".join(pieces) == sanitize(text)


def test_a_trailing_newline_waits_for_what_follows_it() -> None:
    stream = StreamSanitizer()
    assert [stream.feed("a\n"), stream.feed("\nb"), stream.feed("\n"), stream.close()] == [
        "a",
        "\n\nb",
        "",
        "",
    ]


def test_a_closed_stream_starts_anew() -> None:
    stream = StreamSanitizer()
    stream.feed("a\x1b]0;t")
    stream.close()
    assert stream.feed("b") == "b"


def test_one_line_joins_and_shortens() -> None:
    assert one_line("a\n\n  b\tc\x1b[0m \n") == "a b c"
    assert one_line("x" * 300) == "x" * 199 + "…"
    assert one_line("x" * 200) == "x" * 200


@given(hostile, st.integers(min_value=1, max_value=50))
def test_one_line_is_one_line_within_its_limit(text: str, limit: int) -> None:
    line = one_line(text, limit)
    assert len(line) <= limit
    assert len(line.splitlines()) <= 1


def test_strip_ansi_takes_sequences_and_nothing_else() -> None:
    assert strip_ansi("\x1b[1;31mred\x1b[0m\r\n\x1b]0;t\x07x\x1b(By\x08") == "red\r\nxy\x08"


@given(st.text(alphabet=st.characters(exclude_categories=["Cc", "Cs"]), max_size=80))
def test_strip_ansi_leaves_plain_text_alone(text: str) -> None:
    assert strip_ansi(text) == text


@pytest.mark.parametrize(
    ("seconds", "said"),
    [
        (-5, "just now"),
        (59, "just now"),
        (60, "1 min ago"),
        (119 * 60, "119 min ago"),
        (120 * 60, "2 h ago"),
        (48 * 3600 - 1, "47 h ago"),
        (48 * 3600, "2 days ago"),
    ],
)
def test_how_long_ago_is_said_in_the_unit_that_fits(seconds: float, said: str) -> None:
    assert ago(seconds) == said
