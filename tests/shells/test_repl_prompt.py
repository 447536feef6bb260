"""The prompt of a conversation: what a line will do is seen before it does it, and every key does what it should."""

from __future__ import annotations

import json
import os
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from terma.quiet import QUIET
from terma.repl.prompt.shell_names import MARK
from terma.routing import Known, route
from tests.conftest import Home
from tests.model_server import ModelServer, says
from tests.shells.driver import BASH_RC, Shell, TmuxShell, wait_until
from tests.shells.in_bash import bash
from tests.shells.in_terma import KEYS, PATIENCE, PROMPT, RC, SHELLS, TERMA, Terma, prepared, proposes, told
from tests.shells.in_zsh import zsh

CHOICES = "dit  "  # the end of the row that asks what a line is

MAYBE = (
    "look here",
    "make clean now",
    "install foo",
    "sort files",
    "test it",
    "open it",
    "run everything",
    "date it",
)


@pytest.fixture
def server() -> Iterator[ModelServer]:
    with ModelServer() as made:
        yield made


def chat(home: Home, *more: str, **env: str) -> Terma:
    return Terma(home, "chat", *more, **env).prompted()


def in_tmux(home: Home, size: tuple[int, int] = (24, 80), **env: str) -> TmuxShell:
    """terma chat on a screen that can be looked at."""
    full = {
        key: value for key, value in home.env.items() if key.startswith(("TERMA_", "SHELL", "XDG_"))
    } | env
    shell = TmuxShell("bash", home.home, BASH_RC, env=full, size=size)
    shell.type(f"{TERMA} chat").press("Enter").wait_for("❯", PATIENCE)
    return shell


def test_what_a_line_will_do_stands_beside_it_and_a_key_changes_it(home: Home) -> None:
    prepared(home, None)
    with in_tmux(home) as shell:
        shell.wait_for("/help")
        shell.type("git log").wait_for("$ git log").wait_for("runs in the shell")
        shell.press("C-g").wait_for("❯ git log").wait_for("goes to the model")
        shell.press("C-g").wait_for("$ git log").wait_for("runs in the shell")
        shell.press("C-u").type("why is the disk so full").wait_for("❯ why is").wait_for("goes to the model")
        shell.press("C-u").type("> git log").wait_for("goes to the model")
        shell.press("C-u").type("!why is it").wait_for("runs in the shell")
        shell.press("C-u").type("/hel").wait_for("/ /hel")
        shell.press("C-u").type("rm -rf build").wait_for("⚠ high risk: deletes files, recursively")
        # what terma asks the shell is kept from its history, and so has no text there
        assert [line for line in shell.ran[1:] if line and MARK not in line] == []


@pytest.mark.parametrize("columns", [44, 80])
def test_alt_e_explains_the_line_until_the_next_key(home: Home, columns: int) -> None:
    prepared(home, None)
    with in_tmux(home, size=(24, columns)) as shell:
        shell.wait_for("/help")
        shell.type("rm -rf a; cut -d: -f2 log").wait_for("high risk")
        shell.press("M-e").wait_for("fields are separated by :").wait_for("folders with all that is in them")
        shell.type("s").wait_for("-f2 logs")
        shell.wait_screen(lambda screen: "fields are" not in screen, "the rows to be gone")
        assert not any("rm -rf" in line for line in shell.ran)


def test_it_is_as_clear_on_a_narrow_screen(home: Home) -> None:
    prepared(home, None)
    with in_tmux(home, (20, 44)) as shell:
        shell.type("sudo rm -rf /srv/data").wait_for("⚠ high risk: deletes files").wait_for("$ sudo rm")
        shell.press("C-u").type("find what is eating all of my disk space here").wait_for("❯ find")
        shell.press("C-c").press("C-c").wait_for("Ctrl+C again")
        shell.type("/help").press("Enter").wait_for("twice: leave")
        assert all(len(line) <= 44 for line in shell.screen().split("\n"))


def test_an_unsure_line_asks(home: Home, server: ModelServer) -> None:
    prepared(home, server)
    known = Known(path=os.environ["PATH"], shell="bash", cwd=str(home.home))
    line = next(line for line in MAYBE if route(line, known).unsure)
    server.will(says("An answer."))
    with chat(home) as terma:
        terma.mark().type(line).press("Enter").wait_for("a command or a prompt?").wait_for(CHOICES)
        terma.press("p").prompted("An answer.").mark().type(line).press("Enter").wait_for(CHOICES)
        terma.mark().press("e").wait_for(line).waits_for_input().mark().press("C-u")
        terma.type(line).press("Enter").wait_for("a command or a prompt?").wait_for(CHOICES).press(
            "c"
        ).wait_for("exit status")
    assert len(server.seen) == 1


def test_what_a_person_runs_is_known_to_the_model(home: Home, server: ModelServer) -> None:
    prepared(home, server)
    server.will(says("I see."), says("Still here."))
    with chat(home) as terma:
        terma.enter("!echo seen-$((40 + 2)); false", "exit status 1")
        terma.enter("> what did I do?", "I see.")
        terma.enter("> and before?", "Still here.")
    assert "The person ran: echo seen-$((40 + 2)); false\nexit status 1\nseen-42" in told(server, 1)
    assert told(server, 2).count("The person ran:") == 1


def test_pasted_lines_wait_for_enter_and_lose_what_would_harm(home: Home) -> None:
    prepared(home, None)
    with chat(home) as terma:
        terma.mark().send(
            "\x1b[200~!echo o''ne\r\necho t''wo \x1b]0;owned\x07\x1b[31m; echo 中''文\u202e\x1b[201~"
        )
        terma.wait_for("中''文")
        assert "one" not in terma.since()
        terma.press("Enter").wait_for("one").wait_for("two").wait_for("中文")
        assert b"\x1b]0;owned" not in terma.raw
        assert "\u202e" not in terma.text


def test_escape_enter_begins_a_new_line(home: Home) -> None:
    prepared(home, None)
    with chat(home) as terma:
        terma.mark().type("!echo fi''rst").press("Escape", "Enter").wait_for("…")
        terma.type("echo sec''ond").press("Enter").wait_for("first").wait_for("second")


def test_tab_completes_programs_paths_slashes_and_roles(home: Home) -> None:
    prepared(home, None)
    (home.home / "a long name").mkdir()
    (home.home / "a long name" / "file.txt").write_text("found it\n")
    tools = home.home / "tools"
    tools.mkdir()
    (tools / "uniquely-named").write_text("#!/bin/sh\necho it was $1\n")
    (tools / "uniquely-named").chmod(0o755)
    with chat(home, PATH=f"{tools}:{os.environ['PATH']}") as terma:
        terma.mark().type("uniquely-n").press("Tab").wait_for("amed").type(" run").press("Enter")
        terma.prompted("it was run").mark().type("!cat a").press("Tab").wait_for("name/")
        terma.press("Tab").wait_for("file.txt").press("Enter").prompted("found it")
        terma.mark().type("/role deb").press("Tab").wait_for("ug").press("Enter").prompted("role: debug")
        terma.mark().type("/model offl").press("Tab").wait_for("ine").press("Enter")
        terma.prompted("engine = offline").mark().type("/qu").press("Tab").wait_for("it").press("Enter")
        assert terma.status() == 0


@pytest.mark.parametrize("vi", [False, True], ids=["emacs", "vi"])
def test_keys_typed_ahead_of_a_completion_land_behind_it(home: Home, vi: bool) -> None:
    """All in one write, as fast hands and pasted lines come."""
    prepared(home, None)
    (home.home / "a long name").mkdir()
    (home.home / "a long name" / "file.txt").write_text("found it\n")
    for name in ("pair-one", "pair-two"):
        (home.home / name).write_text(f"this is {name[5:]}\n")
    tools = home.home / "tools"
    tools.mkdir()
    (tools / "uniquely-named").write_text("#!/bin/sh\necho it was $1, $# word\n")
    (tools / "uniquely-named").chmod(0o755)
    if vi:
        (home.home / ".inputrc").write_text("set editing-mode vi\n")
    with chat(home, PATH=f"{tools}:{os.environ['PATH']}") as terma:
        for keys, printed in (
            ("uniquely-n\trun\r", "it was run, 1 word"),
            ("uniquely-n\t run\r", "it was run, 1 word"),
            ("!cat a\tfi\t\r", "found it"),
            ("!cat pa\tone\r", "this is one"),
            ("!cat pa\tt\t | tr a-z A-Z\r", "THIS IS TWO"),
            ("!cat pa\t\t\t\r", "this is one"),
            ("!echo nothing-like-it\t-here | tr a-z A-Z\r", "NOTHING-LIKE-IT-HERE"),
            ("/role deb\t\r", "role: debug"),
            ("/co\tst\r", "0 requests"),
        ):
            terma.waits_for_input().mark().type(keys).prompted(printed)


def test_lines_are_remembered_without_secrets_and_for_their_owner_alone(home: Home) -> None:
    prepared(home, None)
    with chat(home) as terma:
        terma.enter("!echo to''ken ghp_0123456789abcdefghijABCDEFGHIJ012345", "token")
        terma.waits_for_input().press("C-d")
        assert terma.status() == 0
    file = home.home / ".local/state/terma/chat-history"
    assert file.stat().st_mode & 0o777 == 0o600
    assert "ghp_0123456789" not in file.read_text()
    with chat(home) as terma:
        terma.mark().press("Up").wait_for("!echo to''ken")


@pytest.mark.parametrize("included", [False, True])
def test_vi_keys_for_those_whose_inputrc_says_so(home: Home, included: bool) -> None:
    prepared(home, None)
    text = "set editing-mode vi\n"
    if included:
        (home.home / ".more").write_text(text)
        text = "$include ~/.more\n"
    (home.home / ".inputrc").write_text(text)
    with chat(home) as terma:
        terma.mark().type("!Xecho fi''ne").press("Escape")
        terma.type("0lx").press("Enter").wait_for("fine")


def test_a_terminal_that_cannot_move_its_cursor(home: Home, server: ModelServer) -> None:
    prepared(home, server)
    server.will(says("In ", "**plain** words."))
    terma = Terma(home, "chat", TERM="dumb")
    with terma:
        terma.prompted().enter("> how?", "In **plain** words.")
        terma.waits_for_input().mark().type("echo al''ive").press("Enter").wait_for(
            "a command or a prompt?"
        ).wait_for(CHOICES)
        terma.press("c").wait_for("alive")
        assert b"\x1b[6n" not in terma.raw
        assert "CPR" not in terma.text


def test_every_slash_command_does_what_it_says(home: Home, server: ModelServer) -> None:
    prepared(home, server)
    said = ("Answer one.", "Answer two.", "Answer two again.", "All in short.", "All in short.")
    server.will(*map(says, said))
    with chat(home) as terma:
        terma.enter("> question one?", "Answer one.")
        terma.enter("> question two?", "Answer two.")
        terma.enter("/retry", "Answer two again.")
        assert told(server, 3).count("question two?") == 1
        terma.waits_for_input().mark().type("/undo").press("Enter").wait_for("taken back")
        terma.wait_for("question two?").waits_for_input().press("C-u")
        terma.enter("/cost", "3 requests")
        terma.enter("/compact", "All in short.")
        terma.enter("/undo", "the summary is taken back")
        terma.enter("/compact", "All in short.")
        terma.enter("/save talk.md", "written to")
        terma.enter("/save talk.md", "is there already")
        terma.enter("/model", "model = m")
        terma.enter("/model no-such-model", "no-such-model")
        terma.enter("/model offline", "offline")
        terma.enter("/tools", "run_command")
        terma.enter("/forget", "asked about again")
        terma.enter("/clear", "forgotten")
        terma.enter("/qiut", "did you mean /quit")
        terma.waits_for_input().type("/quit").press("Enter")
        assert terma.status() == 0
    text = (home.home / "talk.md").read_text()
    assert "## question one?" in text
    assert "All in short." in text
    assert (home.home / "talk.md").stat().st_mode & 0o777 == 0o600


def test_a_conversation_is_gone_on_with(home: Home, server: ModelServer) -> None:
    prepared(home, server)
    server.will(says("The first."), says("The second."))
    with chat(home) as terma:
        terma.enter("> one?", "The first.")
        terma.waits_for_input().press("C-d").wait_for("terma chat --continue")
        assert terma.status() == 0
    with chat(home, "--continue") as terma:
        terma.enter("> two?", "The second.")
    assert "The first." in told(server, 2)
    (file,) = (home.home / ".local/state/terma/conversations").glob("*.json")
    assert len(json.loads(file.read_text())["messages"]) == 4


def test_an_approval_for_the_session_holds_until_it_is_forgotten(home: Home, server: ModelServer) -> None:
    prepared(home, server)
    again = proposes("echo ag''ain")
    server.will(again, says("One."), again, says("Two."), again, says("Three."))
    with chat(home) as terma:
        terma.mark().type("> go").press("Enter").wait_for(KEYS).type("a").prompted("One.")
        terma.enter("> go", "Two.")
        assert "approved before: echo ag''ain" in terma.since()
        terma.enter("/forget", "asked about again")
        terma.waits_for_input().mark().type("> go").press("Enter").wait_for(KEYS).type("n").wait_for("Three.")


def test_keys_typed_ahead_approve_nothing(home: Home, server: ModelServer) -> None:
    prepared(home, server)
    typed = threading.Event()
    server.will(proposes("touch made", words="Now.", gate=typed), says("Not made."))
    with chat(home) as terma:
        terma.mark().type("> make it").press("Enter")
        server.wait_for(1)
        terma.type("y\r\ny\ryes\r")
        typed.set()
        terma.wait_for(KEYS).mark().press("n").wait_for("Not made.")
    assert not (home.home / "made").exists()


def test_several_calls_of_one_turn_are_approved_one_by_one(home: Home, server: ModelServer) -> None:
    prepared(home, server)
    server.will(proposes("echo o''ne", "echo t''wo", "echo th''ree"), says("Two of three."))
    with Terma(home, "do these three") as terma:
        terma.wait_for("1 of 3").wait_for(KEYS).mark().press("y").wait_for("one").wait_for("2 of 3")
        terma.wait_for(KEYS).mark().press("n").wait_for("3 of 3").wait_for(KEYS).mark().press("y")
        terma.wait_for("three").wait_for("Two of three.")
        assert terma.status() == 0
        assert "two" not in terma.text.replace("Two of three", "")


def test_a_command_is_edited_before_it_runs_and_the_model_is_told(home: Home, server: ModelServer) -> None:
    prepared(home, server)
    server.will(proposes("echo yours"), says("I see what ran."))
    with Terma(home, "say it") as terma:
        terma.wait_for(KEYS).mark().press("e").wait_for("edit: ").waits_for_input()
        terma.press("C-u").type("echo mi''ne").press("Enter").wait_for("mine").wait_for("I see what ran.")
        assert terma.status() == 0
    assert "The person changed the command. What ran: echo mi''ne" in told(server, 2)


def test_an_explanation_comes_from_the_machine_and_the_model_and_runs_nothing(
    home: Home, server: ModelServer
) -> None:
    prepared(home, server)
    server.will(proposes("touch made"), says("It makes an *empty* file."), says("Then not."))
    with Terma(home, "make it") as terma:
        terma.wait_for(KEYS).mark().press("?").wait_for("touch").wait_for("It makes an empty file.").wait_for(
            KEYS
        )
        assert not (home.home / "made").exists()
        terma.mark().press("n").wait_for("Then not.")
        assert terma.status() == 0
    assert "Explain the command" in told(server, 2)
    assert "It makes an" not in told(server, 3)


def test_a_window_that_changes_its_size_while_an_answer_comes(home: Home, server: ModelServer) -> None:
    prepared(home, server)
    words = " ".join(f"word{number}" for number in range(60))
    server.will(says(*(f"{word} " for word in words.split()), "\n\nThe end.", gap=0.03))
    with in_tmux(home) as shell:
        shell.type("> tell me").press("Enter").wait_for("word5")
        shell._tmux("resize-window", "-x", "50", "-y", "20")
        shell.wait_for("word30")
        shell._tmux("resize-window", "-x", "100", "-y", "30")
        shell.wait_for("The end.").wait_for(PROMPT.strip())
        said = " ".join(shell.screen(history=True).split())
    assert words in said
    assert said.count("word20 ") == 1


SPINS = "⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏"


def spins(screen: str) -> int:
    """How many rows show a spinner."""
    return sum(any(mark in row for mark in SPINS) for row in screen.split("\n"))


@pytest.mark.parametrize("size", [(24, 80), (8, 20)])
@pytest.mark.parametrize("colour", [{}, {"NO_COLOR": "1"}], ids=["colour", "no-colour"])
def test_the_spinner_goes_without_a_trace_whatever_is_pressed(
    home: Home, server: ModelServer, size: tuple[int, int], colour: dict[str, str]
) -> None:
    prepared(home, server)
    pressed = threading.Event()
    server.will(says("Short.", gate=pressed))
    with in_tmux(home, size, **colour) as shell:
        shell.type("> wait").press("Enter")
        shell.wait_screen(lambda screen: spins(screen) == 1, "the spinner")
        shell.press(":", "Enter", "Up", "Tab", "Enter", "BSpace")
        shell._tmux("resize-window", "-x", "50", "-y", "12")
        shell.wait_screen(lambda screen: spins(screen) == 1, "one spinner")
        pressed.set()
        shell.wait_screen(lambda screen: "Short." in screen and not spins(screen), "no spinner")
        assert not spins(shell.screen(history=True))


@pytest.mark.parametrize("load", [zsh, bash], ids=["zsh", "bash"])
def test_keys_pressed_before_an_answer_begins_move_nothing_and_are_the_shell_s(
    home: Home, server: ModelServer, load: Callable[..., Shell]
) -> None:
    prepared(home, server)
    (home.home / ".zshrc").unlink()  # each brings its own
    pressed = threading.Event()
    server.will(says("Short.", gate=pressed))
    with load(home, env=home.env) as shell:
        shell.mark().type(f"{TERMA} wait here").press("Enter").wait_for("⠋")
        shell.type("echo ty''ped").press("Enter")
        server.wait_for(1)
        pressed.set()
        shell.wait_for("Short.").wait_for("typed")
        before = shell.since().partition("Short.")[0]
        assert "echo" not in before
        assert before.count("\n") == 2  # of the line that was entered, and of what is told of the context


@pytest.mark.parametrize("line", ["exit", "/quit", "\x04"])
def test_alone_on_a_terminal_terma_begins_a_conversation_that_is_easily_left(home: Home, line: str) -> None:
    prepared(home, None)
    with Terma(home) as terma:
        terma.wait_for(PROMPT).waits_for_input().type(line)
        if line != "\x04":
            terma.press("Enter")
        assert terma.status() == 0


def test_the_shell_may_end_and_there_is_a_new_one(home: Home) -> None:
    prepared(home, None)
    with chat(home) as terma:
        terma.enter("!exit 3", "the shell ended")
        terma.enter("!echo al''ive", "alive")


def test_a_place_that_is_gone_is_no_reason_to_fail(home: Home, tmp_path: Path) -> None:
    prepared(home, None)
    gone = tmp_path / "gone"
    gone.mkdir()
    with Terma(home, "chat", cwd=gone) as terma:
        gone.rmdir()
        terma.wait_for("❯").waits_for_input().mark().type("!cd && echo al''ive").press("Enter").wait_for(
            "alive"
        )


@pytest.mark.parametrize("shell", SHELLS)
def test_aliases_and_functions_of_the_shell_are_commands(home: Home, shell: str) -> None:
    prepared(home, None, shell)
    for name, text in RC.items():
        function = "function wobble; echo wob$argv[1]; end" if "fish" in name else "wobble() { echo wob$1; }"
        (home.home / name).write_text(f"{text}\nalias wibble='echo alias-''ran'\n{function}\n")
    with chat(home) as terma:
        wait_until(lambda: runs(terma, "wibble", "alias-ran"), "the aliases to be known", PATIENCE)
        terma.waits_for_input().mark().type("!wobble x").press("Enter").wait_for("wobx")


def runs(terma: Terma, line: str, output: str) -> bool:
    """Whether the line, typed anew, is run: until its name is known it is taken for words, or asked about."""
    terma.waits_for_input().mark().type(line).press("Enter")
    deadline = time.monotonic() + PATIENCE
    while PROMPT not in terma.since().partition(line)[2]:
        assert time.monotonic() < deadline, terma.since()
        if "a command or a prompt?" in terma.since():
            terma.mark().type("p")
        terma.read(0.02)
    return output in terma.since()


def test_the_gesture_of_the_shell_works_in_its_own_prompt(home: Home, server: ModelServer) -> None:
    """Words become a command, the empty line brings the fix of a failure or the code of an answer; nothing runs."""
    prepared(home, None)
    (home.home / "notes.txt").write_text("one\ntwo\n")
    with in_tmux(home) as shell:
        shell.wait_for("/help")
        shell.type("count the lines of notes.txt").press("C-t").wait_for("$ wc -l notes.txt").wait_for(
            "runs in the shell"
        )
        shell.press("C-_").wait_for("❯ count the lines of notes.txt")
        shell.press("C-t").wait_for("$ wc -l notes.txt").press("Enter")  # nobody read it so fast
        time.sleep(2 * QUIET)
        shell.press("Enter").wait_for("2 notes.txt")
        shell.press("C-t").wait_for("nothing failed here")
        shell.type("gti status").press("C-g").press("C-g").press("Enter").wait_for("exit status 127")
        shell.press("C-t").wait_for("$ git status").press("C-u")


def test_keys_typed_while_a_command_runs_are_the_next_prompt_s_in_their_order(home: Home) -> None:
    prepared(home, None)
    with chat(home) as terma:
        terma.waits_for_input().mark().type("!echo go''ing; sleep 0.3; echo do''ne").press("Enter")
        terma.wait_for("going").mark().type("wrong\x15ech0\x7fo ri''gt\x1b[Dh")
        terma.wait_for("done").wait_for("$ echo ri''ght").waits_for_input().press("Enter").wait_for("right")


def test_an_answer_s_code_is_the_next_command_and_can_be_copied(home: Home, server: ModelServer) -> None:
    prepared(home, server)
    server.will(says("Two ways:\n\n```sh\necho first\n```\n\n```console\n$ echo second\nsecond\n```\n"))
    with chat(home) as terma:
        terma.mark().type("> how do I say it").press("Enter").prompted("second")
        terma.mark().press("C-t").wait_for("echo first")
        terma.mark().press("C-t").wait_for("second").press("C-u")
        terma.mark().type("/copy").press("Enter").wait_for("OSC 52")
        assert b"\x1b]52;c;ZWNobyBmaXJzdAplY2hvIHNlY29uZA==\x07" in terma.raw


def test_model_lists_what_its_server_has_and_takes_one(home: Home, server: ModelServer) -> None:
    prepared(home, server)
    server.will(says("As set."), says("Another one."))
    with chat(home) as terma:
        terma.enter("> one?", "As set.")
        terma.waits_for_input().mark().type("/model m/scripted-\t\r").prompted("model = m/scripted-large")
        terma.enter("> two?", "Another one.")
        terma.enter("/model", "m/scripted-large, ")
    assert [seen.body["model"] for seen in server.seen if "messages" in seen.body] == [
        "tiny",
        "scripted-large",
    ]


def test_behind_what_was_typed_here_comes_the_shell_s_own_history(home: Home) -> None:
    prepared(home, None)
    past = home.home / "past"
    past.write_text("echo long''-ago\necho ye''sterday\n")
    with chat(home, HISTFILE=str(past)) as terma:
        terma.mark().press("Up").wait_for("ye''sterday").press("Up").wait_for("long''-ago").press("C-u")
        terma.enter("!echo here''-now", "here-now")
        terma.mark().press("Up").wait_for("here''-now").press("Up").wait_for("ye''sterday")
    assert past.read_text() == "echo long''-ago\necho ye''sterday\n"


def test_without_a_model_too_what_was_run_is_known_and_a_question_in_vain_spoils_nothing(home: Home) -> None:
    prepared(home, None)
    with chat(home) as terma:
        terma.enter("> who painted the ceiling of the chapel", "no answer to that")
        terma.enter("!ls -d /etc /usr", "/usr")
        terma.enter("> what did I just run?", "ls -d /etc /usr worked")
        terma.enter("> the second one", "That is /usr")
