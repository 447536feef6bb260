"""`terma session attach` in a real terminal: a person takes over, looks on, leaves."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from typing import Any

import pexpect
import pytest

from tests.e2e.sessioned import create, wait_until

TERMA = [sys.executable, "-I", "-m", "terma.cli", "session"]
LEAVE = "\x1d"
SLOW = 60  # seconds


@pytest.fixture
def person(agent) -> Iterator[Callable[..., Any]]:
    """A terminal in which a person types `terma session ARGUMENTS`."""
    terminals: list[Any] = []

    def start(*arguments: str, rows: int = 20, columns: int = 70) -> Any:
        terminals.append(
            pexpect.spawn(
                TERMA[0],
                [*TERMA[1:], *arguments],
                env=agent.env | {"TERM": "xterm-256color"},
                dimensions=(rows, columns),
                timeout=SLOW,
                encoding="utf-8",
            )
        )
        return terminals[-1]

    yield start
    for terminal in terminals:
        terminal.close(force=True)


def test_a_person_types_in_the_session_and_leaves_it_running(agent, person):
    session = create(agent, "bash")
    session.exec("kept=yes")
    terminal = person("attach", "work")
    terminal.expect_exact("Ctrl+] leaves")
    terminal.send("echo $kept-$((6*7)); stty size\r")
    terminal.expect_exact("yes-42")
    terminal.expect_exact("20 70")
    terminal.send(LEAVE)
    terminal.expect_exact("left work")
    terminal.expect(pexpect.EOF)
    terminal.close()
    assert terminal.exitstatus == 0
    session.wait_for_state("idle")
    assert session.exec("echo still $kept")["output"] == "still yes"


def test_several_look_on_and_who_only_watches_types_nothing(agent, person):
    session = create(agent, "bash")
    first, second, watcher = (
        person("attach", "work"),
        person("attach", "work"),
        person("attach", "work", "--watch"),
    )
    for terminal in (first, second, watcher):
        terminal.expect_exact("Ctrl+] leaves")
    wait_until(lambda: session.call("info")["watchers"] == 3, "three watchers", SLOW)
    watcher.send("echo not this\r")
    first.send("echo one-$((1+1))\r")
    for terminal in (first, second, watcher):
        terminal.expect_exact("one-2")
    second.send("echo two-$((1+1))\r")
    for terminal in (first, second, watcher):
        terminal.expect_exact("two-2")
    assert "not this" not in session.read(all=True)
    watcher.send(LEAVE)
    watcher.expect_exact("left work")
    wait_until(lambda: session.call("info")["watchers"] == 2, "the watcher to be gone", SLOW)


def test_the_end_of_the_program_is_the_end_of_attach(agent, person):
    create(agent, "bash")
    terminal = person("attach", "work")
    terminal.expect_exact("Ctrl+] leaves")
    terminal.send("exit 7\r")
    terminal.expect(pexpect.EOF)
    terminal.close()
    assert terminal.exitstatus == 7


def test_a_full_screen_program_is_drawn_at_once_and_the_terminal_is_given_back(agent, person):
    script = "printf '\\033[?1049h\\033[?1000h\\033[2J\\033[3;5Hdrawn before'; sleep 300"
    create(agent, "sh", "-c", script, tui=True)
    terminal = person("attach", "work")
    terminal.expect_exact("\x1b[?1049h")
    terminal.expect_exact("drawn before")
    terminal.expect_exact("\x1b[?1000h")
    terminal.send(LEAVE)
    terminal.expect_exact("\x1b[?1049l")
    terminal.expect_exact("left work")


def test_the_persons_terminal_is_asked_nothing_of_now_or_before(agent, person):
    session = create(agent, "bash")
    ask = "printf 'q1\\033[6nq2\\033[cq3\\033]52;c;?\\007q4\\n'"
    session.exec(ask)
    terminal = person("attach", "work")
    terminal.expect_exact("Ctrl+] leaves")
    terminal.expect_exact("q1q2q3q4")
    terminal.send(f"{ask}; echo do''ne\r")
    terminal.expect_exact("q1q2q3q4")
    terminal.expect_exact("done")


def test_a_session_that_is_not_there_is_said_before_the_terminal_is_touched(agent, person):
    terminal = person("attach", "nowhere")
    terminal.expect_exact("there is no session 'nowhere'")
    terminal.expect(pexpect.EOF)
    terminal.close()
    assert terminal.exitstatus == 1


HOSTILE = (
    "\\033]0;title\\007\\033[2J\\033[?1049h\\033[?1049l\\033]52;c;aGk=\\007\\033[31mred\\033[0m"
    "\\302\\233 31mc1 \\342\\200\\256bidi\\n"
)


@pytest.mark.parametrize(
    "arguments",
    [("read", "work", "--all"), ("read", "work", "--all", "--json"), ("search", "work", "red|bidi"), ("list",),
     ("list", "--json"), ("info", "work"), ("read", "screen", "--snapshot"), ("read", "screen", "--snapshot", "--json"),
     ("read", "work", "--all", "--follow", "--timeout", "1"), ("exec", "shell", f"printf '{HOSTILE}'")],
    ids=lambda words: "-".join(word for word in words if word.isalpha()),
)  # fmt: skip
def test_nothing_that_a_terminal_obeys_reaches_it(agent, person, arguments):
    hostile = f"printf '{HOSTILE}'; : \x1b[31mname\u202e"
    create(agent, "sh", "-c", hostile).wait_for_state("exited")
    create(agent, "sh", "-c", f"{hostile}; sleep 300", name="screen", tui=True)
    create(agent, "bash", name="shell")
    terminal = person(*arguments, columns=200)
    terminal.expect(pexpect.EOF)
    said = terminal.before
    assert said.strip()
    assert [char for char in said if not (char.isprintable() or char in "\r\n")] == []


def test_colours_are_shown_where_they_are_asked_for_and_nothing_else(agent, person):
    create(
        agent, "sh", "-c", f"printf '{HOSTILE}\\033[1;31mbright\\033[0m'; sleep 300", name="screen", tui=True
    )
    terminal = person("read", "screen", "--snapshot", "--form", "ansi")
    terminal.expect(pexpect.EOF)
    said = terminal.before
    assert "\x1b[0;1;38;5;1mbright" in said
    assert "]0;" not in said
    assert "\x1b[2J" not in said
    assert "\u202e" not in said


def test_a_picture_is_not_for_a_terminal(agent, person):
    create(agent, "sh", "-c", "echo seen; sleep 300", name="screen", tui=True)
    terminal = person("read", "screen", "--snapshot", "--form", "png")
    terminal.expect_exact("> screen.png")
    terminal.expect(pexpect.EOF)
