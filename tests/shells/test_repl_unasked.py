"""What a command that the settings let run unasked does to the terminal, and what one does that was approved."""

from __future__ import annotations

import json
import shutil
import subprocess
from collections.abc import Iterator

import pytest

from tests.conftest import Home
from tests.model_server import ModelServer, says
from tests.shells.in_terma import KEYS, MODEL, Terma, prepared, proposes

HOSTILE = (
    "first \x1b]52;c;cm0gLXJmIH4=\x07\x1b]0;owned\x1b\\\x1bP+q544e\x1b\\ line\n"
    "\x1b[31mred\x1b[0m \u202eturned \u009b5A\x1b[9Aup\n"
    "last line\n"
)
OBEYED = (b"\x1b]52", b"\x1b]0;", b"\x1bP+q", "\u202e".encode(), "\u009b".encode(), b"\x1b[9A")
NAME = "x\x1b]0;owned\x07\x1b[9A\u202ey.txt"


@pytest.fixture
def server() -> Iterator[ModelServer]:
    with ModelServer() as made:
        yield made


@pytest.fixture
def asking(home: Home, server: ModelServer) -> Home:
    prepared(home, server)
    allow = json.dumps([f"{name} *" for name in ("head", "ls", "find", "git")])
    home.configure(MODEL | {"TERMA_MODELS__M__API_BASE": server.base, "TERMA_CONVERSATION__ALLOW": allow})
    (home.home / "notes.txt").write_text(HOSTILE)
    (home.home / "names").mkdir()
    (home.home / "names" / NAME).touch()
    return home


def test_what_nobody_was_asked_about_writes_text_in_colours_and_nothing_else(
    asking: Home, server: ModelServer
) -> None:
    server.will(proposes("head -5 notes.txt", "ls -N --color=always names", "find names"), says("All done."))
    with Terma(asking, "--yes", "look around") as terma:
        terma.wait_for("All done.")
        assert terma.status() == 0
        for kept in (b"first ", b" line", b"\x1b[31mred\x1b[0m", b"last line", b"y.txt"):
            assert kept in terma.raw
        assert [one for one in OBEYED if one in terma.raw] == []


@pytest.mark.skipif(not shutil.which("less"), reason="no less here")
def test_a_pager_that_runs_unasked_draws_its_screen(asking: Home, server: ModelServer) -> None:
    git = ["git", "-C", str(asking.home), "-c", "user.name=n", "-c", "user.email=e@example.org"]
    subprocess.run([*git, "init", "-q"], check=True)
    for number in range(30):
        said = ["commit", "-q", "--allow-empty", "-m", f"change {number}"]
        subprocess.run([*git, *said], check=True)
    server.will(proposes("git log"), says("All done."))
    with Terma(asking, "--yes", "look around", LESS="-R") as terma:
        terma.wait_for("change 29")
        terma.press("G").wait_for("change 0")
        assert b"\x1b[?1049h" in terma.raw
        terma.press("q").wait_for("All done.")
        assert terma.status() == 0
        assert b"\x1b[?1049l" in terma.raw


def test_what_was_approved_has_the_terminal_as_at_the_persons_own_prompt(
    asking: Home, server: ModelServer
) -> None:
    server.will(proposes("printf '\\033]0;mine\\007done so'"), says("All done."))
    with Terma(asking, "--yes", "set the title") as terma:
        terma.wait_for(KEYS).press("y").wait_for("All done.")
        assert terma.status() == 0
        assert b"\x1b]0;mine\x07" in terma.raw
