"""A secret of which a screen shows the end: what left the screen says what it is."""

from __future__ import annotations

import base64
import random

import pytest

from terma.redact import redact
from terma.sessions import pictures, styled
from terma.sessions.screen import Live
from terma.sessions.styled import Run

BODY = base64.b64encode(random.Random(3).randbytes(600)).decode()


def said(text: str) -> list[str]:
    return list(redact(text).secrets.values())


def test_a_key_that_begins_above_the_screen_is_hidden_to_its_end():
    lines = [BODY[at : at + 64] for at in range(0, len(BODY), 64)]
    whole = "\\n".join(["-----BEGIN PRIVATE KEY-----", *lines, "-----END PRIVATE KEY-----"])
    rows = [whole[at : at + 40] for at in range(0, len(whole), 40)]
    cut = next(at for at, row in enumerate(rows) if at > 4 and "\\n" in row[25:])
    shown = [[Run(row, styled.parse("x")[0][0].style)] for row in rows[cut:]]
    alone = pictures.text_of(pictures.hidden(shown, 40, said))
    assert rows[cut][:20] in alone  # nothing on the screen itself says what its first row is
    read = pictures.text_of(pictures.hidden(shown, 40, said, "\n".join(rows[:cut])))
    assert not set(read) - set("*\n")
    assert len(read.split("\n")) == len(shown)


@pytest.mark.parametrize(("printed", "above"), [(3, 0), (9, 5), (40, 36), (400, 100)])
def test_the_rows_right_above_are_those_before_the_first(printed: int, above: int):
    probe, live = Live(20, 4), Live(20, 4)
    probe.feed(b"x\r\n" * 20)
    if not probe.above(1)[1]:
        pytest.skip("this emulator keeps nothing that left the screen")
    live.feed("\r\n".join(f"row {number}" for number in range(printed)).encode())
    rows = live.just_above().split("\n") if live.just_above() else []
    first = max(printed - 4, 0)
    assert rows == [f"row {number}" for number in range(first - len(rows), first)]
    assert len(rows) == above


def test_a_conversation_is_told_no_end_of_a_key():
    from terma.repl.setup.session_calls import _without_keys

    lines = [BODY[at : at + 64] for at in range(0, len(BODY), 64)]
    rows = ["-----BEGIN PRIVATE KEY-----", *lines, "-----END PRIVATE KEY-----", "DB_PASSWORD=Tilleul4kub"]
    shown = {"columns": 80, "rows": 3, "data": "\n".join(rows[-3:]).encode(), "above": "\n".join(rows[:-3])}
    first, *rest = _without_keys(shown).split("\n")
    assert set(first) == {"*"}
    assert rest[-1] == "DB_PASSWORD=Tilleul4kub"  # it gets its placeholder with the rest
