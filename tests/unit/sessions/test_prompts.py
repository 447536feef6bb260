"""Whether a shell that nobody has typed to yet stands at its first prompt, also where that shows nothing."""

from __future__ import annotations

import pytest

from terma.sessions.probe import BUSY, READING, RELAYING, Look
from terma.sessions.prompts import shell_waits

EDITS, SHOWN, HIDDEN = (
    {"canonical": False, "echo": False},
    {"canonical": True, "echo": True},
    {"canonical": True, "echo": False},
)


@pytest.mark.parametrize(
    ("tail", "look", "paste"),
    [
        (b"Welcome\r\n\x1b[?2004h", Look(True, RELAYING, **EDITS), True),  # bash over ssh, PS1=
        (b"", Look(True, READING, **SHOWN), False),  # dash, PS1=
        (b"Welcome\r\n", Look(True, READING, **SHOWN), False),
    ],
)
def test_an_empty_prompt_is_one(tail, look, paste):
    assert shell_waits(tail, look, 5.0, paste)


@pytest.mark.parametrize(
    ("tail", "look", "paste"),
    [
        (b"", Look(True, RELAYING, **EDITS), False),  # a login that is not there yet
        (b"", Look(True, BUSY, **SHOWN), False),
        (b"", Look(False, READING, **SHOWN), False),  # what its start-up file runs asks something
        (b"", Look(True, READING, **HIDDEN), False),
        (b"sure (yes/no)? ", Look(True, READING, **SHOWN), False),
        (b"ada@box's password: ", Look(True, RELAYING, **EDITS), True),
    ],
)
def test_what_is_silent_for_another_reason_is_none(tail, look, paste):
    assert not shell_waits(tail, look, 60.0, paste)


def test_an_empty_prompt_is_waited_for():
    assert not shell_waits(b"", Look(True, READING, **SHOWN), 0.2)
