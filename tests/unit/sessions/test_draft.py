"""The line that keys leave behind, as a shell's own line editor has it."""

from __future__ import annotations

import pytest

from terma.sessions.draft import Draft, Entered, named


@pytest.mark.parametrize(
    ("keys", "entered", "left", "sure"),
    [
        ("ls", [], "ls", True),
        ("ls\r", [Entered("ls")], "", True),
        ("touch a; ", [], "touch a; ", True),
        ("a\rb\nc", [Entered("a"), Entered("b")], "c", True),
        ("lsx\x7f -l", [], "ls -l", True),
        ("gone\x15ls", [], "ls", True),
        ("gone\x03ls", [], "ls", True),
        ("\x1b[A", [], "", False),
        ("\x1b[A\r", [Entered("", False)], "", True),
        ("ma\t\rls\r", [Entered("ma", False), Entered("ls")], "", True),
        ("\x1b[Dx\x15", [], "x", False),
        ("\x1b[200~one\ntwo\x1b[201~", [], "one\ntwo", True),
        ("\x1b[200~one\ntwo\x1b[201~\r", [Entered("one\ntwo")], "", True),
        ("ä慢\x7f", [], "ä", True),
    ],
)
def test_what_was_entered_and_what_still_stands_there(keys, entered, left, sure):
    draft = Draft()
    assert draft.take(keys.encode()) == entered
    assert (draft.text, draft.sure) == (left, sure)
    if "\x1b" not in keys:
        slow = Draft()
        assert [line for byte in keys.encode() for line in slow.take(bytes([byte]))] == entered
        assert (slow.text, slow.sure) == (left, sure)


def test_a_line_that_never_ends_is_kept_in_part_and_said_to_be():
    draft = Draft()
    draft.take(b"x" * 10_000)
    assert len(draft.text) < 10_000 and not draft.sure


def test_keys_have_names():
    assert named("a\t\x1b[A\x03\r") == "a<Tab><Esc>[A<Ctrl+C><Enter>"
