"""The screens of full-screen programs, held against what tmux shows of the same."""

from __future__ import annotations

import importlib.util
import os
import signal
import subprocess
from collections.abc import Callable

import pytest

from tests.e2e.sessioned import EVERYTHING, SLOW, create, installed, needs, wait_until

INSTALLED = [name for name in ("pyghostty", "pyte") if importlib.util.find_spec(name)]
pytestmark = pytest.mark.skipif(
    not (INSTALLED or EVERYTHING), reason="no terminal emulator is installed (the extra [screen])"
)


def snapshot(session):
    return session.call("read", snapshot=True)


def tmux_screen(agent, *command: str, ready: str) -> list[str]:
    """What tmux shows of `command` in 80 by 24 cells, once it shows `ready`."""
    tmux = ["tmux", "-L", agent.root.name, "-f", "/dev/null"]
    start = [*tmux, "new-session", "-d", "-x", "80", "-y", "24", ";", "set", "status", "off", ";"]
    env = agent.env | {"TERM": "xterm-256color"}
    subprocess.run([*start, "respawn-pane", "-k", *command], env=env, cwd=agent.home, check=True)
    try:

        def rows() -> list[str]:
            said = subprocess.run(
                [*tmux, "capture-pane", "-p"], env=env, capture_output=True, text=True, check=True
            )
            return [row.rstrip() for row in said.stdout.split("\n")]

        wait_until(lambda: ready in "\n".join(rows()), f"{ready} in tmux")
        return rows()
    finally:
        subprocess.run([*tmux, "kill-server"], env=env, check=True)


@needs("tmux")
@pytest.mark.parametrize(
    ("command", "ready"),
    [(("vim", "-u", "NONE", "-N", "text"), "1,1"), (("less", "text"), "line 23")],
    ids=["vim", "less"],
)
def test_a_screen_equals_what_tmux_shows(agent, command, ready):
    if not installed(command[0]):
        pytest.skip(f"{command[0]} is not installed")
    (agent.home / "text").write_text("".join(f"line {number} \tä€漢\n" for number in range(1, 100)))
    vimrc = ("--cmd", "set ruler encoding=utf-8 noswapfile viminfo=") if command[0] == "vim" else ()
    words = (command[0], *vimrc, *command[1:])
    env = {"LC_ALL": "C.UTF-8"}
    agent.env |= env
    shown = tmux_screen(agent, *words, ready=ready)
    session = create(agent, *words, tui=True, cols=80, rows=24, env=env)
    wait_until(lambda: ready in snapshot(session)["screen"], f"{ready} in the session")
    picture = snapshot(session)
    assert picture["screen"].split("\n") == "\n".join(shown).rstrip("\n").split("\n")
    assert picture["alternate_screen"] is True
    assert (picture["columns"], picture["rows"]) == (80, 24)


def shown_by_tmux(agent, data: bytes, columns: int, rows: int) -> Callable[[], list[str]]:
    """What tmux makes of these bytes in a pane of this size."""
    (agent.root / "printed").write_bytes(data)
    tmux = ["tmux", "-L", agent.root.name, "-f", "/dev/null"]
    start = ["new-session", "-d", "-x", str(columns), "-y", str(rows), ";", "set", "status", "off", ";"]
    replay = ["respawn-pane", "-k", "sh", "-c", f"stty raw -echo; cat {agent.root}/printed; sleep 300"]
    env = agent.env | {"TERM": "xterm-256color"}
    subprocess.run([*tmux, *start, *replay], env=env, cwd=agent.home, check=True)

    def screen() -> list[str]:
        capture = [*tmux, "capture-pane", "-p"]
        said = subprocess.run(capture, env=env, capture_output=True, text=True, check=True).stdout
        return "\n".join(row.rstrip() for row in said.split("\n")).rstrip("\n").split("\n")

    return screen


@needs("tmux")
@pytest.mark.parametrize(
    ("command", "keys", "ready"),
    [
        (("htop", "-d", "5"), "", "F10"),
        (("htop",), "\x1bOQ", "F10"),
        (
            ("vim", "-u", "NONE", "-N", "-i", "NONE", "-n", "text"),
            r":set ruler number\r:vsplit\r5jdd20G",
            "20,1",
        ),
        (("less", "-N", "text"), r"/line 4[0-9]\r", "68"),
    ],
    ids=["htop", "htop-setup", "vim", "less"],
)
def test_what_it_drew_is_what_tmux_draws_of_the_same_bytes(agent, command, keys, ready):
    if not installed(command[0]):
        pytest.skip(f"{command[0]} is not installed")
    (agent.home / "text").write_text("".join(f"line {number} \tä€漢\n" for number in range(1, 100)))
    agent.env["LC_ALL"] = "C.UTF-8"
    session = create(agent, *command, tui=True, cols=90, rows=30)
    if keys:
        wait_until(lambda: len(snapshot(session)["screen"].split("\n")) > 20, "the first screen", SLOW)
        session.press(keys)
    wait_until(
        lambda: ready in snapshot(session)["screen"], f"{ready} in {snapshot(session)['screen']}", SLOW
    )
    os.kill(session.pid(), signal.SIGSTOP)  # htop draws for ever
    seen: list[int] = []
    wait_until(
        lambda: seen.append(session.call("info")["position"]) or seen[-2:-1] == seen[-1:], "quiet", SLOW
    )
    picture = snapshot(session)
    rows = shown_by_tmux(agent, session.call("read", all=True)["data"], 90, 30)
    try:
        wait_until(
            lambda: rows() == picture["screen"].split("\n"), f"tmux to show\n{picture['screen']}", SLOW
        )
        assert picture["alternate_screen"] is True
    finally:
        subprocess.run(["tmux", "-L", agent.root.name, "kill-server"], env=agent.env, check=True)


@needs("htop")
def test_htop_is_seen_and_answers_keys(agent):
    session = create(agent, "htop", tui=True, cols=100, rows=30)
    wait_until(lambda: "F10" in snapshot(session)["screen"], "htop's keys", SLOW)
    session.press("q")
    session.wait_for_state("exited")


def test_a_silent_program_is_seen_at_once(agent):
    session = create(agent, "sh", "-c", "printf 'a\\033[5;10Hb'; sleep 300", tui=True)
    wait_until(lambda: "b" in snapshot(session)["screen"], "the letters")
    assert snapshot(session)["screen"] == "a\n\n\n\n         b"
    assert (snapshot(session)["cursor_row"], snapshot(session)["cursor_column"]) == (4, 10)


def test_a_picture_is_taken_when_the_screen_shows_what_was_waited_for(agent):
    session = create(
        agent, "sh", "-c", "printf first; sleep 1; printf '\\033[3;1Hsecond'; sleep 300", tui=True
    )
    seen = session.call("read", snapshot=True, wait="^sec", timeout=SLOW)
    assert (seen["ended_by"], seen["screen"]) == ("pattern", "first\n\nsecond")
    assert session.call("read", snapshot=True, wait="third", timeout=0.2)["ended_by"] == "timeout"
    assert session.call("read", snapshot=True, settle=200, timeout=SLOW)["ended_by"] == "settle"
    session.call("stop")
    assert session.call("read", snapshot=True, wait="third", timeout=SLOW)["ended_by"] == "exit"


def test_the_alternate_screen_is_left_as_it_was_entered(agent):
    session = create(agent, "bash", tui=True, cols=80, rows=24)
    session.exec("echo before; printf '\\033[?1049hother'")
    assert snapshot(session)["alternate_screen"] is True
    session.exec("printf '\\033[?1049l'")
    picture = snapshot(session)
    assert picture["alternate_screen"] is False
    assert "before" in picture["screen"]


def test_resizing_reaches_the_screen(agent):
    session = create(agent, "bash", tui=True, cols=80, rows=24)
    session.call("resize", cols=40, rows=10)
    session.exec("clear; printf '%040d\\n' 7")
    picture = snapshot(session)
    assert (picture["columns"], picture["rows"]) == (40, 10)
    assert "0" * 39 + "7" in picture["screen"].split("\n")


@pytest.mark.parametrize(
    ("question", "answer"),
    [("[c", "?62"), ("[6n", "R"), ("[5n", "0n"), ("]11;?\\a", "rgb:0000"), ("[?2026$p", "2026;2$y")],
)
def test_questions_to_the_terminal_are_answered_once(agent, question, answer):
    script = f"stty raw -echo; printf '\\033{question}'; exec cat -v"
    session = create(agent, "sh", "-c", script, tui=True)
    wait_until(lambda: answer in session.read(all=True), "the answer")
    before = session.read(all=True)
    snapshot(session)
    assert session.read(all=True) == before


def test_a_session_that_was_made_without_a_screen_gets_one_when_it_is_asked_for(agent):
    session = create(agent, "sh", "-c", "printf 'first\\033[3;1Hsecond'; exec cat")
    wait_until(lambda: "second" in session.read(all=True), "both lines")
    assert snapshot(session)["screen"].splitlines()[:3] == ["first", "", "second"]


@pytest.mark.parametrize(
    "prompt", ["here> ", "top of it\nhere> ", "\n\\[\033[1m\\]~/shop\\[\033[0m\\] main\nhere> "]
)
def test_a_shell_that_was_set_up_at_its_first_prompt_shows_one_prompt(agent, prompt):
    session = create(agent, "bash", "--norc", tui=True, cols=80, rows=24, env={"PS1": prompt})
    session.wait_for_state("idle")
    rows = [row.rstrip() for row in snapshot(session)["screen"].strip().splitlines()]
    assert rows[-1] == "here>"
    assert len(rows) == len(prompt.strip().split("\n"))
