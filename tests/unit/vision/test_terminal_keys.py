"""The bytes that a terminal sends for keys, as xterm has them."""

from __future__ import annotations

import pytest

from terma.vision.errors import UnmappableKey
from terma.vision.keyboards._terminal import encode
from terma.vision.types import Combination, Keystroke, Text


@pytest.mark.parametrize(
    ("key", "data"),
    [
        ("Enter", b"\r"),
        ("Tab", b"\t"),
        ("Escape", b"\x1b"),
        ("Backspace", b"\x7f"),
        ("Space", b" "),
        ("é", "é".encode()),
        ("Up", b"\x1b[A"),
        ("Home", b"\x1b[H"),
        ("Delete", b"\x1b[3~"),
        ("F1", b"\x1bOP"),
        ("F5", b"\x1b[15~"),
        ("F12", b"\x1b[24~"),
    ],
)
def test_a_key(key, data):
    assert encode(Keystroke(key=key)) == data


@pytest.mark.parametrize(
    ("modifiers", "key", "data"),
    [
        (("ctrl",), "c", b"\x03"),
        (("ctrl",), "C", b"\x03"),
        (("ctrl",), "Space", b"\x00"),
        (("ctrl",), "\\", b"\x1c"),
        (("alt",), "b", b"\x1bb"),
        (("ctrl", "alt"), "x", b"\x1b\x18"),
        (("shift",), "Tab", b"\x1b[Z"),
        (("shift",), "a", b"A"),
        (("ctrl",), "Right", b"\x1b[1;5C"),
        (("alt", "shift"), "Up", b"\x1b[1;4A"),
        (("ctrl",), "Delete", b"\x1b[3;5~"),
        (("shift",), "F1", b"\x1b[1;2P"),
    ],
)
def test_a_combination(modifiers, key, data):
    assert encode(Combination(modifiers=modifiers, key=key)) == data


@pytest.mark.parametrize(
    "action",
    [
        Keystroke(key="PrintScreen"),
        Keystroke(key="F20"),
        Combination(modifiers=("meta",), key="x"),
        Combination(modifiers=("ctrl",), key="é"),
        Combination(modifiers=("ctrl",), key="Enter"),
    ],
)
def test_what_no_terminal_knows_is_refused(action):
    with pytest.raises(UnmappableKey):
        encode(action)


def test_text_is_utf8_and_holds_no_control_characters():
    assert encode(Text(text="ls -l ä")) == "ls -l ä".encode()
    for hostile in ("ls\n", "\x1b[A", "a\x7f", "a\u202eb", "a\u200bb", "\t"):
        with pytest.raises(ValueError):
            Text(text=hostile)
