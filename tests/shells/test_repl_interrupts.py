"""Ctrl+C, SIGTERM, SIGHUP and SIGKILL wherever a conversation can be: what is under way ends, nothing else is lost."""

from __future__ import annotations

import json
import os
import signal
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import Home
from tests.model_server import ModelServer, says
from tests.shells.driver import wait_until
from tests.shells.in_terma import (
    KEYS,
    PATIENCE,
    SHELLS,
    Terma,
    none_left,
    prepared,
    processes_with,
    proposes,
    told,
)

ENDLESS = says("The beginning ", "of an answer, ", then="hang", gap=0.01)


LIVES_ON = """
import time
while True:
    try:
        if (line := input("ask>")) == "end":
            break
        print("at " + line, flush=True)
        time.sleep(99)
    except KeyboardInterrupt:
        pass
"""


@pytest.fixture
def server() -> Iterator[ModelServer]:
    with ModelServer() as made:
        yield made


def chat(home: Home, *more: str) -> Terma:
    """terma chat at its prompt."""
    return Terma(home, "chat", *more).prompted()


def saved(home: Home) -> list[dict[str, Any]]:
    """The messages of the conversations on the disk, all in one list."""
    files = (home.home / ".local/state/terma/conversations").glob("*.json")
    return [message for file in sorted(files) for message in json.loads(file.read_text())["messages"]]


def asleep(terma: Terma, mark: str) -> Terma:
    """Return when what has `mark` in its command line waits, as it does for a key behind its prompt."""

    def waits() -> bool:
        terma.read(0.01)
        stats = [Path(f"/proc/{pid}/stat").read_text() for pid in processes_with(mark)]
        return bool(stats) and all(stat.rpartition(") ")[2].startswith("S") for stat in stats)

    wait_until(waits, f"{mark} to wait", PATIENCE)
    return terma


def unique(home: Home) -> str:
    """A command that runs for long, and can be told from those of other tests."""
    return f"sleep 1{int(time.time() * 1000) % 10**9:09d}"


def test_at_the_prompt_it_asks_before_leaving_and_twice_leaves(home: Home) -> None:
    prepared(home, None)
    with chat(home) as terma:
        terma.mark().press("C-c").prompted("Ctrl+C again leaves").press("C-c")
        assert terma.status() == 0
        assert terma.echoes


def test_on_typed_text_it_clears_the_line_and_asks_nothing(home: Home) -> None:
    prepared(home, None)
    with chat(home) as terma:
        terma.waits_for_input().mark().type("half a line").wait_for("half a line")
        terma.mark().press("C-c").prompted()
        assert "again leaves" not in terma.since()
        terma.mark().press("C-c").prompted("Ctrl+C again leaves")
        terma.mark().type("another").wait_for("another").mark().press("C-c").prompted()
        assert "again leaves" not in terma.since()
        terma.enter("!echo al''ive", "alive")
        terma.mark().press("C-c").prompted("Ctrl+C again leaves").press("C-d")
        assert terma.status() == 0
        assert "half a line" not in "".join(terma.raw.decode().split("alive")[1:])


@pytest.mark.parametrize("shell", SHELLS)
def test_while_a_command_runs_its_process_group_ends_and_the_prompt_is_back(home: Home, shell: str) -> None:
    prepared(home, None, shell)
    mark = unique(home)
    with chat(home) as terma:
        terma.mark().type(f"!{mark} | {mark}").press("Enter")
        wait_until(
            lambda: terma.read() is None or len(processes_with(mark)) >= 2, "both ends to run", PATIENCE
        )
        terma.mark().press("C-c")
        none_left(mark)
        terma.prompted("interrupted").enter("!echo al''ive", "alive")


def test_a_proposed_command_that_is_interrupted_ends_and_the_question_goes_on(
    home: Home, server: ModelServer
) -> None:
    prepared(home, server)
    mark = unique(home)
    server.will(proposes(f"echo so far; {mark}"), says("As far as that."))
    with Terma(home, "wait a little") as terma:
        terma.wait_for(KEYS).type("y").wait_until_runs(mark).press("C-c").wait_for("As far as that.")
        assert terma.status() == 0
    none_left(mark)
    heard = told(server, 2)
    assert "the person pressed Ctrl+C" in heard
    assert "so far" in heard


def test_a_second_one_ends_the_question(home: Home, server: ModelServer) -> None:
    """Also where the command hears none."""
    prepared(home, server)
    mark = unique(home)
    server.will(proposes(f"(trap '' INT; echo deaf; {mark}; true)"), says("never asked"))
    with Terma(home, "wait a little") as terma:
        terma.wait_for(KEYS).mark().type("y").wait_for("deaf").wait_until_runs(mark)
        terma.press("C-c").press("C-c")
        assert terma.status() == 130
        assert terma.echoes
    none_left(mark)
    assert len(server.seen) == 1
    assert saved(home)[-1]["role"] == "tool"


def test_while_the_model_answers_the_server_sees_it_and_what_came_is_kept(
    home: Home, server: ModelServer
) -> None:
    prepared(home, server)
    server.will(ENDLESS, says("A second answer."))
    with chat(home) as terma:
        terma.mark().type("> tell me a story").press("Enter").wait_for("of an answer,")
        assert not server.left.is_set()
        terma.mark().press("C-c").prompted("interrupted")
        assert server.left.wait(PATIENCE)
        assert "The beginning of an answer," in terma.text
        terma.enter("> and now?", "A second answer.")
        assert "The beginning of an answer," in told(server, 2)


def test_a_single_question_that_is_interrupted_is_status_130(home: Home, server: ModelServer) -> None:
    prepared(home, server)
    server.will(ENDLESS)
    with Terma(home, "tell me a story") as terma:
        terma.wait_for("of an answer,").press("C-c")
        assert terma.status() == 130
        assert terma.echoes
    assert server.left.wait(PATIENCE)
    assert "The beginning of an answer," in saved(home)[-1]["content"]


def test_before_the_first_word_the_request_is_cancelled_as_well(home: Home, server: ModelServer) -> None:
    prepared(home, server)
    server.will(says("too late", first=600))
    with Terma(home, "tell me a story") as terma:
        server.wait_for(1)
        terma.press("C-c")
        assert terma.status() == 130
        assert "too late" not in terma.text
        assert "⠋" not in terma.screen_end()
    assert server.left.wait(PATIENCE)


def test_at_a_proposal_it_is_a_rejection_and_the_conversation_goes_on(
    home: Home, server: ModelServer
) -> None:
    prepared(home, server)
    server.will(proposes("touch made"), says("Then not."))
    with Terma(home, "make it") as terma:
        terma.wait_for(KEYS).press("C-c").wait_for("Then not.")
        assert terma.status() == 0
    assert not (home.home / "made").exists()
    assert "rejected" in told(server, 2)


def test_while_rendering_it_stops(home: Home, server: ModelServer) -> None:
    prepared(home, server)
    paragraphs = [f"Paragraph {number} of **many**.\n\n" for number in range(5_000)]
    server.will(says("".join(paragraphs), "The very last one."))
    with chat(home) as terma:
        terma.mark().type("> tell me everything").press("Enter").wait_for("Paragraph 3 of many.")
        terma.press("C-c").prompted("interrupted")
        assert "The very last one." not in terma.since()
        terma.enter("!echo al''ive", "alive")


def test_between_the_parts_nothing_is_lost(home: Home, server: ModelServer) -> None:
    """Ctrl+C at many moments of a question: the prompt is back each time, and the shell is the one of before."""
    prepared(home, server)
    server.will(says("An ", "answer ", "in ", "pieces.", gap=0.05, wait=0.05))
    with chat(home) as terma:
        terma.enter("!mine=kept; echo se''t", "set")
        for number in range(8):
            terma.mark().type(f"> question {number}").press("Enter")
            deadline = time.monotonic() + number * 0.06
            while time.monotonic() < deadline:
                terma.read(0.01)
            terma.press("C-c")  # wherever it hits, the keys after it are the next line's
            terma.type(f"!echo th''ere-{number}").press("Enter").prompted(f"there-{number}")
        terma.enter("!echo $mine-$mine", "kept-kept")
        assert "Traceback" not in terma.text


@pytest.mark.parametrize("where", ["prompt", "command", "model", "proposal"])
def test_told_to_end_it_saves_and_leaves_no_child(home: Home, server: ModelServer, where: str) -> None:
    prepared(home, server)
    mark = unique(home)
    server.will(says("First answer."), proposes("echo x") if where == "proposal" else ENDLESS)
    with chat(home) as terma:
        terma.enter(f"!{mark} & echo un''der way", "under way")
        terma.enter("> first", "First answer.").mark()
        if where == "command":
            terma.type(f"!{mark}").press("Enter")
            wait_until(
                lambda: terma.read() is None or len(processes_with(mark)) > 1, "the command to run", PATIENCE
            )
        elif where != "prompt":
            terma.type("> second").press("Enter").wait_for("of an answer," if where == "model" else KEYS)
        os.kill(terma.pid, signal.SIGTERM)
        assert terma.status() == 128 + signal.SIGTERM
        assert "Traceback" not in terma.text
        assert terma.echoes
    none_left(mark)
    texts = [message["content"] for message in saved(home)]
    assert any("first" in text for text in texts)
    assert "First answer." in texts
    if where == "model":
        assert "The beginning of an answer," in texts[-1]


@pytest.mark.parametrize("where", ["prompt", "command", "model", "proposal"])
def test_a_terminal_that_closes_ends_it_saved_and_without_children(
    home: Home, server: ModelServer, where: str
) -> None:
    prepared(home, server)
    mark = unique(home)
    server.will(says("First answer."), proposes("echo x") if where == "proposal" else ENDLESS)
    terma = chat(home)
    try:
        terma.enter(f"!{mark} & echo un''der way", "under way")
        terma.enter("> first", "First answer.").mark()
        if where == "command":
            terma.type(f"!{mark}").press("Enter")
            wait_until(
                lambda: terma.read() is None or len(processes_with(mark)) > 1, "the command to run", PATIENCE
            )
        elif where != "prompt":
            terma.type("> second").press("Enter").wait_for("of an answer," if where == "model" else KEYS)
        pid = terma.pid
        terma.child.ptyproc.fileobj.close()  # as a window that is closed
        wait_until(lambda: not _alive(pid), "terma to end", PATIENCE)
    finally:
        terma.child.closed = terma.child.ptyproc.closed = True
        if _alive(terma.pid):
            os.kill(terma.pid, signal.SIGKILL)
    none_left(mark)
    assert "First answer." in [message["content"] for message in saved(home)]


def _alive(pid: int) -> bool:
    try:
        if os.waitpid(pid, os.WNOHANG)[0] == pid:
            return False
    except ChildProcessError:
        pass
    return Path(f"/proc/{pid}").exists()


@pytest.mark.parametrize("shell", SHELLS)
def test_killed_it_leaves_no_orphan(home: Home, server: ModelServer, shell: str) -> None:
    prepared(home, server, shell)
    mark = unique(home)
    with chat(home) as terma:
        terma.enter(f"!{mark} & echo un''der way", "under way").type(f"!{mark}").press("Enter")
        wait_until(
            lambda: terma.read() is None or len(processes_with(mark)) > 1, "both commands to run", PATIENCE
        )
        os.kill(terma.pid, signal.SIGKILL)
        assert terma.status() == 128 + signal.SIGKILL
    none_left(mark)


def test_one_that_answers_a_password_prompt_is_told_as_one(home: Home, server: ModelServer) -> None:
    prepared(home, server)
    server.will(proposes("""sh -c 'stty -echo; printf Word:; read w; echo never'"""), says("As you like."))
    with Terma(home, "ask me") as terma:
        terma.wait_for(KEYS).mark().type("y").wait_for("Word:")
        asleep(terma, "stty -echo;").press("C-c").wait_for("As you like.")
        assert terma.status() == 0
    assert "the person pressed Ctrl+C" in told(server, 2)


def test_a_program_that_lives_on_at_a_prompt_of_its_own_was_not_ended_by_it(
    home: Home, server: ModelServer
) -> None:
    """python and psql do: neither is the model told so, nor is a second one within another line a wish to end all."""
    prepared(home, server)
    (home.home / "lives.py").write_text(LIVES_ON)
    server.will(proposes("python3 lives.py"), says("As you like."))
    with Terma(home, "ask me") as terma:
        terma.wait_for(KEYS).mark().type("y")
        for line in ("one", "two"):
            asleep(terma.wait_for("ask>"), "lives.py").mark().type(f"{line}\r").wait_for(f"at {line}")
            terma.mark().press("C-c")
        asleep(terma.wait_for("ask>"), "lives.py").type("end\r").wait_for("As you like.")
        assert terma.status() == 0
    heard = told(server, 2).rpartition("exit status 0")[2]
    assert heard
    assert "pressed" not in heard
