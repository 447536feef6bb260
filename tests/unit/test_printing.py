"""What the command line prints passes one edge, and nothing of others passes it that a terminal obeys."""

from __future__ import annotations

import io
import json

import pytest

from terma.printing import Shown, own, shown, spelled, styled


@pytest.mark.parametrize(
    ("text", "out"),
    [
        ("plain\ttext\n", "plain\ttext\n"),
        ("\x1b[2J", "\\u001b[2J"),
        ("\x1b]52;c;eA==\x07", "\\u001b]52;c;eA==\\u0007"),
        ("a\rb\x7f\x9b2J", "a\\u000db\\u007f\\u009b2J"),
        ("\u202etxt.exe\u2066", "\\u202etxt.exe\\u2066"),
        ("\U000e0041", "\\udb40\\udc41"),
        ("é 文 👨\u200d👩", "é 文 👨\u200d👩"),
    ],
)
def test_what_a_terminal_obeys_is_spelled_out(text, out):
    stream = io.StringIO()
    print(text, end="", file=Shown(stream))
    assert stream.getvalue() == out == spelled(text)


def test_json_says_the_same_as_before():
    value = {"cwd": "/\x1b[2J\x9b\u202e\U000e0041\x7f"}
    stream = io.StringIO()
    print(json.dumps(value, ensure_ascii=False), file=Shown(stream))
    assert json.loads(stream.getvalue()) == value
    assert "\x9b" not in stream.getvalue()


def test_what_is_our_own_passes_and_what_stands_in_it_does_not(capsys):
    with shown():
        own("\x1b[1m")
        styled("a\x1b[2Jb", "\x1b[31m")
    assert capsys.readouterr().out == "\x1b[1m\x1b[31ma\\u001b[2Jb\x1b[0m"
