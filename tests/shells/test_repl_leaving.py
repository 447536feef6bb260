"""What was started in a conversation stays, or is asked about: jobs, what was detached, and what runs too long."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterator

import pytest

from tests.conftest import Home
from tests.model_server import ModelServer, says
from tests.shells.in_terma import (
    KEYS,
    MODEL,
    PATIENCE,
    SHELLS,
    TERMA,
    Terma,
    none_left,
    prepared,
    processes_with,
    proposes,
    told,
)
from tests.shells.test_repl_interrupts import chat, unique

ASKED = "keep  end"


@pytest.fixture
def server() -> Iterator[ModelServer]:
    with ModelServer() as made:
        yield made


@pytest.fixture
def home(home: Home) -> Iterator[Home]:
    """Sessions that are left end with the test."""
    yield home
    terma(home, "agent", "stop")


def terma(home: Home, *words: str) -> str:
    """What a command of terma prints."""
    env = home.env | {"TERM": "dumb"}
    done = subprocess.run(
        [TERMA, *words], env=env, capture_output=True, text=True, timeout=PATIENCE, check=False
    )
    return done.stdout + done.stderr


@pytest.mark.parametrize("shell", SHELLS)
def test_a_job_of_one_question_goes_on_as_a_session_and_the_model_knew(
    home: Home, server: ModelServer, shell: str
) -> None:
    prepared(home, server, shell)
    mark = unique(home)
    server.will(proposes(f"{mark} &"), says("It runs."))
    with Terma(home, "begin to wait") as here:
        here.wait_for("after this conversation too").wait_for(KEYS).type("y")
        here.wait_for(f"still running: {mark}").wait_for(ASKED).mark().type("k")
        here.wait_for("it goes on: terma session attach sleep")
        assert here.status() == 0
    assert f"In the background runs: {mark}" in told(server, 2)
    assert processes_with(mark)
    found = terma(home, "session", "exec", "sleep", "jobs; echo st''ill here")
    assert "still here" in found
    assert mark.partition(" ")[2] in found
    terma(home, "session", "kill", "sleep")
    none_left(mark)


def test_a_job_that_is_not_wanted_ends(home: Home, server: ModelServer) -> None:
    prepared(home, server)
    mark = unique(home)
    of_its_own = f"setsid {mark}7 & disown"  # the end of the terminal does not reach it, and it prints there
    server.will(proposes(f"{mark} & {of_its_own}"), says("It runs."))
    with Terma(home, "begin to wait") as here:
        here.wait_for(KEYS).type("y").wait_for(ASKED).type("e")
        assert here.status() == 0
    none_left(mark)


def test_a_prompt_is_left_as_shells_are_left(home: Home) -> None:
    """Stopped jobs are asked about as well, and one may go back."""
    prepared(home, None)
    mark = unique(home)
    with chat(home) as here:
        here.mark().type(f"!{mark}").press("Enter")
        here.wait_until_runs(mark).press("C-z").prompted("stopped: fg goes on")
        here.mark().press("C-d").wait_for(f"stopped: {mark}").wait_for("back").mark().type("b").prompted()
        here.enter("!echo al''ive", "alive").mark().press("C-d").wait_for("back").type("k")
        here.wait_for("terma session attach sleep")
        assert here.status() == 0
    assert processes_with(mark)


def test_what_was_detached_lives_on_and_is_named(home: Home, server: ModelServer) -> None:
    prepared(home, server)
    mark = unique(home)
    server.will(
        proposes(f"nohup {mark} >/dev/null 2>&1 &", f"setsid {mark}7 >/dev/null 2>&1 </dev/null &"),
        says("Both."),
    )
    with Terma(home, "begin to wait") as here:
        here.wait_for(KEYS).mark().type("y").wait_for("2 of 2").wait_for(KEYS).type("y")
        here.wait_for(f"running: nohup {mark}").wait_for(f"running: setsid {mark}7").wait_for("(process")
        assert here.status() == 0
        assert ASKED not in here.text
    left = processes_with(mark)
    assert len(left) == 2
    for pid in left:
        os.kill(pid, 9)


def test_a_server_in_the_background_answers_after_leaving(home: Home, server: ModelServer) -> None:
    prepared(home, server)
    (home.home / "page.txt").write_text("served\n")
    code = (
        "import http.server as h; s = h.ThreadingHTTPServer(('127.0.0.1', 0), h.SimpleHTTPRequestHandler); "
        "open('port', 'w').write(str(s.server_port)); s.serve_forever()"
    )
    (home.home / "serve.py").write_text(code)
    server.will(proposes("python3 serve.py &"), says("It serves."))
    with Terma(home, "serve this directory") as here:
        here.wait_for(KEYS).type("y").wait_for(ASKED).type("k").wait_for("terma session attach serve")
        assert here.status() == 0
    import urllib.request

    port = (home.home / "port").read_text()
    with urllib.request.urlopen(f"http://127.0.0.1:{port}/page.txt", timeout=PATIENCE) as answer:
        assert answer.read() == b"served\n"
    assert "page.txt" in terma(home, "session", "read", "serve", "--all")


def test_at_a_terminal_nothing_runs_out_of_time(home: Home, server: ModelServer) -> None:
    prepared(home, server)
    home.env["TERMA_CONVERSATION__TIMEOUT"] = "0.1"
    server.will(proposes("until [ -e go ]; do :; done; echo built"), says("It is built."))
    with Terma(home, "build it") as here:
        here.wait_for(KEYS).mark().type("y").wait_for("approved")
        here.waits_for_input()
        (home.home / "go").touch()
        here.wait_for("It is built.")
        assert here.status() == 0
    assert "built" in told(server, 2).partition("exit status 0")[2]


def test_what_takes_too_long_where_nobody_is_goes_on_as_a_session(home: Home, server: ModelServer) -> None:
    prepared(home, server)
    more = {"TERMA_CONVERSATION__TIMEOUT": "0.5", "TERMA_CONVERSATION__ALLOW": '["sleep *"]'}
    home.configure(MODEL | {"TERMA_MODELS__M__API_BASE": server.base} | more)
    mark = unique(home)
    server.will(proposes(mark), says("It goes on."))
    done = subprocess.run(
        [TERMA, "--yes", "wait"],
        env=home.env | {"TERM": "dumb"},
        cwd=home.home,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        start_new_session=True,
        check=False,
    )
    assert "still running: " in done.stderr
    assert "terma session attach sleep" in done.stderr
    assert "goes on when this conversation has ended" in told(server, 2)
    assert processes_with(mark)


def test_a_command_is_moved_to_a_session_by_a_key(home: Home, server: ModelServer) -> None:
    prepared(home, server)
    mark = unique(home)
    server.will(proposes(f"echo begun; {mark}"), says("It goes on there."))
    with Terma(home, "wait") as here:
        here.wait_for(KEYS).mark().type("y").wait_until_runs(mark).press("C-z")
        here.wait_for("where does it go on?").wait_for("end it").type("s")
        here.wait_for("terma session attach sleep").wait_for("It goes on there.")
        assert here.status() == 0
    heard = told(server, 2)
    assert "moved it to a terma session" in heard
    assert "begun" in heard
    assert processes_with(mark)
    assert "sleep" in terma(home, "session", "list")


def test_a_stopped_command_goes_on_here_as_one(home: Home, server: ModelServer) -> None:
    prepared(home, server)
    mark = unique(home)
    server.will(proposes(f"{mark}"), says("Enough."))
    with Terma(home, "wait") as here:
        here.wait_for(KEYS).mark().type("y").wait_until_runs(mark).press("C-z")
        here.wait_for("where does it go on?").wait_for("end it").mark().type("h").wait_for(mark)
        here.waits_for_input().press("C-c").wait_for("Enough.")
        assert here.status() == 0
    none_left(mark)
    assert "the person pressed Ctrl+C" in told(server, 2)


def test_who_ends_what_they_stopped_ends_that_and_nothing_else(home: Home, server: ModelServer) -> None:
    """A stopped job of their own lives on, all of the model's command ends, and nobody is said to have pressed
    Ctrl+C."""
    prepared(home, server)
    own = unique(home)
    mark = own.replace("sleep 1", "sleep 2")
    server.will(proposes(f"( {mark}; : ) | cat"), says("As you like."))
    with chat(home) as here:
        here.mark().type(f"!{own}").press("Enter")
        here.wait_until_runs(own).press("C-z").prompted("stopped: fg goes on")
        here.mark().type("> wait").press("Enter").wait_for(KEYS).mark().type("y").wait_until_runs(mark).press(
            "C-z"
        )
        here.wait_for("where does it go on?").wait_for("end it").mark().type("e").prompted("As you like.")
        assert "stopped and ended" in here.since()
        none_left(mark)
        assert processes_with(own)
        here.mark().press("C-d").wait_for(f"stopped: {own}").wait_for("back").type("e")
        assert here.status() == 0
    heard = told(server, 2)
    assert "stopped it (Ctrl+Z)" in heard
    assert "then ended it" in heard
    assert "pressed Ctrl+C" not in heard


def test_what_does_not_listen_ends_all_the_same(home: Home, server: ModelServer) -> None:
    prepared(home, server)
    mark = unique(home)
    server.will(proposes(f"sh -c 'trap \"\" TERM; {mark}; {mark}'"), says("As you like."))
    with Terma(home, "wait") as here:
        here.wait_for(KEYS).mark().type("y").wait_until_runs(mark).press("C-z")
        here.wait_for("where does it go on?").wait_for("end it").type("e").wait_for("As you like.")
        assert here.status() == 0
    none_left(mark)
    assert "then ended it" in told(server, 2)
