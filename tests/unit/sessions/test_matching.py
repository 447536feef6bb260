"""Expressions: what is found, what is wrong, and what would go on for ever."""

from __future__ import annotations

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from terma.errors import TermaError, UsageError
from terma.sessions.matching import Matcher, Pattern
from terma.sessions.sending import send

LINES = ["one two", "TWO three", "", "漢字 ready in 5 ms", "a.b", "ab"]


@pytest.mark.parametrize(
    "expression", ["two", "^a.b$", r"a\.b", "", "t(w|h)", "[0-9]+ ms", "x*", r"\bready\b", "(?i)two", "漢字"]
)
def test_it_finds_what_python_finds(expression):
    with Matcher(expression) as matcher:
        assert matcher.lines(LINES) == [n for n, line in enumerate(LINES) if re.search(expression, line)]


def test_case_is_ignored_where_that_is_asked_for():
    for expression in ("two", "tw[o]+"):
        with Matcher(expression, ignore_case=True) as matcher:
            assert matcher.lines(LINES) == [0, 1]


@pytest.mark.parametrize("expression", ["(", "[", "*a", "a{2", "(?P<n>a)(?P<n>b)", "\\", "(?<=a+)b"])
def test_what_is_wrong_is_said(expression):
    if expression == "a{2":  # a text, for Python
        with Matcher(expression) as matcher:
            assert matcher.search("a{2")
        return
    with pytest.raises(UsageError, match="regular expression"):
        Matcher(expression)


@pytest.mark.parametrize("expression", ["(a+)+$b", "(a|aa)+$b", "(.*)*x", "(a?){40}a{40}b"])
def test_what_never_ends_is_ended_and_its_child_is_gone(expression):
    with Matcher(expression, seconds=0.5) as matcher, pytest.raises(TermaError, match="takes longer") as told:
        matcher.search("a" * 60)
        matcher.search("a" * 3000 + "c")
    assert told.value.hint
    child = matcher._child
    assert child is not None
    assert child.returncode is not None


@settings(max_examples=30, deadline=None)
@given(st.text(alphabet="ab\x1b[31m\r\n", max_size=60), st.integers(1, 5))
def test_a_stream_in_pieces_is_searched_as_a_whole(text, size):
    data = (text + "\nnee\x1b[1mdle\x1b[0m\n").encode()
    pattern = Pattern("^needle$")
    found = [pattern.feed(data[at : at + size]) for at in range(0, len(data), size)]
    assert found[-1]


def sent(**args):
    """What would be typed for `args`, a piece a request."""
    pieces = []

    def request(fields):
        pieces.append((fields["data"], fields["paste"]))
        return {}

    import base64

    result = send(request, {"session": "x", **args})
    return [(base64.b64decode(data), paste) for data, paste in pieces], result["sent"]


def test_text_keys_and_base64_become_what_is_typed():
    assert sent(text=["a\nb"]) == ([(b"a\nb", True)], 3)
    assert sent(text=[r"\e[A\x03\u00e9\\n"], keys=True) == ([(b"\x1b[A\x03\xc3\xa9\\n", False)], 8)
    assert sent(text=["aGk="], base64=True, enter=True) == ([(b"hi", False), (b"\r", False)], 3)
    assert sent(text=["x" * 40_000])[1] == 40_000
    assert [len(data) for data, _ in sent(text=["x" * 40_000])[0]] == [16384, 16384, 7232]
    with pytest.raises(UsageError, match="base64"):
        sent(text=["?"], base64=True)


def test_a_row_that_is_written_anew_begins_a_line():
    for printed in ("\x1b[?2004l\rhi\r\n", "10%\rhi\r\r\n", "hi\r"):
        pattern = Pattern("^hi$")
        assert pattern.feed(printed.encode()), printed
