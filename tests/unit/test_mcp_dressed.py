"""A secret that a program prints in another form is hidden, and what is no secret is not."""

from __future__ import annotations

import base64
import html
import json
import os
import shlex
from urllib.parse import quote

import pytest

from terma.mcp.secrets import Secrets

SECRET = 'x9Qz77Lm"$HOME;äß/+?'  # noqa: S105 of nothing
PLAIN = SECRET.encode()
DRESSED = {
    "base64": base64.b64encode(PLAIN).decode(),
    "url base64": base64.urlsafe_b64encode(PLAIN).decode(),
    "header": base64.b64encode(b"user:" + PLAIN).decode(),
    "middle": base64.b64encode(b"ab" + PLAIN + b"\nmore").decode(),
    "hex": PLAIN.hex(),
    "HEX": PLAIN.hex().upper(),
    "xxd": PLAIN.hex(" "),
    "url": quote(SECRET, safe=""),
    "json": json.dumps({"a": SECRET}),
    "html": f"<b>{html.escape(SECRET)}</b>",
    "shell": shlex.quote(SECRET),
    "backwards": SECRET[::-1],
}


@pytest.fixture
def secrets():
    made = Secrets()
    made.give("box", SECRET)
    return made


@pytest.mark.parametrize("form", DRESSED)
def test_it_is_hidden_in_other_dress(secrets, form):
    told = secrets.hide(f"out: {DRESSED[form]} end")
    assert "{{secret:box}}" in told and told.startswith("out: ") and told.endswith(" end")
    left = told.replace("{{secret:box}}", "")
    assert not any(DRESSED[form][at : at + 8] in left for at in range(6, len(DRESSED[form]) - 16)), told


def test_every_alignment_of_base64_is_found():
    for length in range(6, 40):
        value = base64.b85encode(os.urandom(length))[:length].decode()
        for before in range(4):
            made = Secrets()
            made.give("box", value)
            line = base64.b64encode(os.urandom(before) + value.encode() + os.urandom(before)).decode()
            told = made.hide(f"| {line} |")
            if "SECRET" not in told:
                assert "{{secret:box}}" in told, (value, before)


def test_what_is_short_or_another_is_left(secrets):
    secrets.give("pin", "1234")
    text = f"{base64.b64encode(b'1234').decode()} {b'something else'.hex()} plain words"
    assert secrets.hide(text) == text
