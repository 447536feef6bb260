"""`exec` in real shells and REPLs: the command's own output, its status, and an end that is the end."""

from __future__ import annotations

import contextlib
import time

import pytest

from terma.errors import TermaError
from terma.sessions import remote
from tests.conftest import WAIT
from tests.e2e.sessioned import SHELLS, SLOW, create, needs, wait_until

POSIX = [name for name in SHELLS if name != "fish"]
PASTING = [name for name in SHELLS if name in ("bash", "zsh")]


@pytest.fixture(params=POSIX)
def shell(agent, request):
    return create(agent, request.param)


@pytest.mark.parametrize("name", SHELLS)
def test_a_command_gives_its_output_and_its_status(agent, name):
    shell = create(agent, name)
    done = shell.exec("echo hi")
    assert (done["output"], done["exit_status"], done["ended_by"], done["state"]) == (
        "hi",
        0,
        "marker",
        "idle",
    )
    assert shell.exec("sh -c 'exit 7'")["exit_status"] == 7
    assert shell.exec("false")["exit_status"] == 1


@pytest.mark.parametrize(
    ("text", "output", "status"),
    [
        ("cat <<EOF\none $((1 + 1))\nEOF", "one 2", 0),
        ("echo seen # a comment", "seen", 0),
        ("for i in 1 2; do\n  echo L$i\ndone", "L1\nL2", 0),
        ("echo a\nfalse\n\necho b $?", "a\nb 1", 0),
        ("printf unfinished", "unfinished", 0),
        ("false | true", "", 0),
        ("(exit 3)", "", 3),
        ("echo 'a!!b'", "a!!b", 0),
        ("\techo tab", "tab", 0),
        ("printf '\\033]133;D;0\\007'; sleep 0.3; echo real", "real", 0),
        ("printf '\\033[6n\\033[c\\033]11;?\\007'; echo asked", "asked", 0),
    ],
)
def test_what_ends_elsewhere_too_early_or_never(shell, text, output, status):
    done = shell.exec(text)
    assert (done["output"], done["exit_status"], done["ended_by"]) == (output, status, "marker")
    assert shell.exec("echo next")["output"] == "next"


@pytest.mark.parametrize("text", ["", "# only a comment"])
def test_nothing_to_run_ends_as_well(shell, text):
    assert shell.exec(text)["ended_by"] == "marker"


def test_an_error_of_syntax_is_a_status_and_no_wait(shell):
    done = shell.exec("echo )")
    assert done["ended_by"] == "marker"
    assert done["exit_status"] != 0


def test_state_lasts_from_one_command_to_the_next(shell):
    shell.exec("cd /; export COLOUR=green; greet() { echo hello $1; }")
    assert shell.exec("pwd; echo $COLOUR; greet you")["output"] == "/\ngreen\nhello you"


def test_a_job_in_the_background_ends_nothing_and_goes_into_no_later_output(shell):
    assert shell.exec("(sleep 0.3; printf 'LA%s\\n' TE) &")["ended_by"] == "marker"
    shell.call("read", wait="^LATE", timeout=SLOW)
    assert "LATE" not in shell.exec("echo now")["output"]


def test_an_unclosed_quote_is_told_and_swallows_nothing(shell):
    done = shell.exec("echo 'open")
    assert (done["ended_by"], done["state"], done["exit_status"]) == ("settle", "continuation", None)
    assert shell.exec("echo closed")["output"] == "closed"


def test_what_stands_on_the_prompt_is_not_run_together_with_the_next_command(shell):
    shell.send("echo half")
    assert shell.exec("echo whole")["output"] == "whole"


@pytest.mark.parametrize("name", ["fish", "python3"])
def test_a_line_editor_that_still_draws_what_stands_there_is_cleared(agent, name):
    shell = create(agent, name)
    say = "print('whole')" if name == "python3" else "echo whole"
    for length in (100, 700, 1500):
        shell.send("echo half " + "x" * length)
        assert shell.exec(say)["output"] == "whole"


def test_a_program_that_reads_is_told_and_can_be_answered(shell):
    done = shell.exec("read -r answer; echo got=$answer")
    assert (done["state"], done["exit_status"]) == ("needs_input", None)
    assert "got=yes" in shell.exec("yes")["output"]
    assert shell.state() == "idle"


def test_five_megabytes_come_whole(shell):
    pieces: list[bytes] = []
    with shell.agent.connect() as connection:
        values = {"session": shell.name, "input": "seq 1000000 | head -c 5000000", "timeout": 60}
        done = remote.call(connection, "exec", values, pieces.append)
    assert done["exit_status"] == 0
    assert len(b"".join(pieces).replace(b"\r", b"")) == 5_000_000


@pytest.mark.parametrize("name", PASTING)
def test_bytes_that_are_no_text_pass(agent, name):
    shell = create(agent, name)
    done = shell.exec("head -c 100000 /dev/urandom")
    assert (done["exit_status"], done["ended_by"]) == (0, "marker")
    assert shell.exec("echo well")["output"] == "well"


@pytest.mark.parametrize("name", PASTING)
def test_a_shell_that_replaces_itself_is_followed(agent, name):
    shell = create(agent, name)
    assert shell.exec(f"exec {name}")["ended_by"] == "marker"
    done = shell.exec("echo inside; false")
    assert (done["output"], done["exit_status"]) == ("inside", 1)


@pytest.mark.parametrize("name", PASTING)
def test_the_history_file_stays_as_it_was(agent, name):
    history = agent.home / "history"
    history.write_text("theirs\n")
    shell = create(agent, name, env={"HISTFILE": str(history), "SAVEHIST": "100", "HISTSIZE": "100"})
    shell.exec("echo secret work")
    assert shell.exec("exit 3")["exit_status"] == 3
    assert history.read_text() == "theirs\n"


def test_the_end_of_the_shell_is_an_answer(shell):
    done = shell.exec("exit 5")
    assert (done["ended_by"], done["state"], done["exit_status"]) == ("exit", "exited", 5)
    with pytest.raises(TermaError, match="exited"):
        shell.send("more")


def test_a_time_out_leaves_the_command_running_and_the_session_usable(shell):
    done = shell.exec("sleep 30", timeout=2)
    assert (done["ended_by"], done["state"], done["exit_status"]) == ("timeout", "running", None)
    with pytest.raises(TermaError, match="running"):
        shell.exec("echo no")
    shell.press("\\x03")
    shell.wait_for_state("idle")
    assert shell.exec("echo yes")["output"] == "yes"


def test_a_command_right_after_an_interrupt_gets_no_result_but_its_own(shell):
    for number in range(5):
        assert shell.exec("sleep 30", timeout=0.3)["ended_by"] == "timeout"
        shell.press("\\x03")
        done: dict[str, object] = {}

        def has_run(text: str = f"echo own {number}", done: dict[str, object] = done) -> bool:
            with contextlib.suppress(TermaError):  # it may be told that the command has not ended yet
                done |= shell.exec(text)
            return bool(done)

        wait_until(has_run, "the prompt")
        assert (done["output"], done["exit_status"]) == (f"own {number}", 0)


def test_a_pattern_matches_the_output_and_not_the_echo(shell):
    done = shell.exec("sleep 1; echo DO''NE DONE", wait="DONE")
    assert done["ended_by"] == "pattern"
    assert "DONE DONE" in done["output"]


def test_a_pattern_is_not_found_in_the_command_itself(shell):
    began = time.monotonic()
    done = shell.exec("sleep 2; echo DONE", wait="DONE")
    assert time.monotonic() - began >= 2
    assert (done["ended_by"], done["output"]) == ("pattern", "DONE")


def test_a_pattern_sees_through_colours(shell):
    done = shell.exec("printf 'do\\033[31mne\\033[0m\\n'; sleep 20", wait="^done$")
    assert done["ended_by"] == "pattern"


def test_a_pattern_that_never_comes_ends_with_the_command(shell):
    assert shell.exec("echo other", wait="never")["ended_by"] == "marker"


def test_settling_ends_after_quiet(shell):
    done = shell.exec("echo early; sleep 30", settle=3000)
    assert (done["ended_by"], done["output"]) == ("settle", "early")


@pytest.mark.parametrize("text", ["echo \x1b[201~", "a\x03b", "x\x7f"])
def test_keys_are_no_command(shell, text):
    with pytest.raises(TermaError, match="control characters"):
        shell.exec(text)


def test_python_is_a_shell_as_well(agent):
    python = create(agent, "python3")
    assert python.exec("6 * 7")["output"] == "42"
    block = 'def f(n):\n\n    text = """a\n\n  b"""\n    return text * n\nf(1)'
    assert python.exec(block)["output"] == "'a\\n\\n  b'"
    failed = python.exec("1/0")
    assert failed["exit_status"] == 1
    assert "ZeroDivisionError" in failed["output"]
    assert python.exec("len('ok')") | {"data": b"", "position": 0, "start": 0} == {
        "session": "work", "position": 0, "start": 0, "exit_status": 0, "ended_by": "marker", "state": "idle",
        "gap_bytes": 0, "alternate_screen": False, "output": "2", "data": b"",
    }  # fmt: skip
    assert python.exec("def g():")["state"] == "continuation"
    assert python.exec("3 + 3")["output"] == "6"
    asked = python.exec("input('name? ')")
    assert (asked["state"], asked["output"]) == ("needs_input", "name?")
    assert "'joe'" in python.exec("joe")["output"]


def test_the_startup_file_of_python_is_read_and_sees_its_own_name(agent):
    startup = agent.home / "startup.py"
    startup.write_text("import os\nseen = os.environ['PYTHONSTARTUP']\n")
    python = create(agent, "python3", env={"PYTHONSTARTUP": str(startup)})
    assert python.exec("print(seen)")["output"] == str(startup)


@needs("sqlite3")
def test_a_program_that_nobody_knows_ends_when_it_waits_again(agent):
    database = create(agent, "sqlite3")
    done = database.exec("select 40 + 2;")
    assert "42" in done["output"].split("\n")
    assert "select" not in done["output"]
    assert (done["ended_by"], done["exit_status"]) == ("settle", None)
    slow = "with recursive n(i) as (select 1 union all select i + 1 from n where i < 3000000) select count(*) from n;"
    assert "3000000" in database.exec(slow, timeout=60)["output"]


@needs("gdb")
def test_gdb_is_talked_to_in_turns(agent):
    debugger = create(agent, "gdb", "-q", "-nx")
    assert "= 42" in debugger.exec("print 6*7")["output"]


def test_a_password_is_asked_for_and_never_echoed(agent):
    shell = create(agent, "bash")
    ask = "import getpass; print(len(getpass.getpass()))"
    done = shell.exec(f'python3 -c "{ask}"')
    assert done["state"] == "password"
    with pytest.raises(TermaError, match="password"):
        shell.exec("ls")
    shell.send("hunter2", enter=True)
    shell.wait_for_state("idle")
    everything = shell.read(all=True)
    assert "hunter2" not in everything
    assert "\n7\n" in everything


def test_a_posix_shell_behind_another_program_marks_its_commands(agent):
    shell = create(agent, "sh", "-c", "sleep 0.3; echo welcome; exec sh -i", kind="sh")
    assert shell.exec("echo far; (exit 4)") | {"data": b"", "position": 0, "start": 0} == {
        **{
            "session": "work",
            "position": 0,
            "start": 0,
            "exit_status": 4,
            "ended_by": "marker",
            "state": "idle",
        },
        **{"gap_bytes": 0, "alternate_screen": False, "output": "far", "data": b""},
    }


@pytest.mark.parametrize("name", PASTING)
def test_what_somebody_left_on_the_line_is_told_and_not_run_with_the_next_command(agent, name):
    shell = create(agent, name)
    shell.exec("true")
    shell.send("touch PWNED; ")
    with agent.connect() as connection:
        line = remote.line(connection, shell.name)
    assert (line["unentered"], line["sure"], line["cwd"]) == ("touch PWNED; ", True, str(agent.home))
    assert shell.exec("echo fine")["output"] == "fine"
    assert not (agent.home / "PWNED").exists()


def test_what_was_typed_ahead_while_a_program_ran_is_not_run_with_the_next_command(agent):
    shell = create(agent, "bash")
    shell.exec("sleep 0.2", wait="never", timeout=0.01)
    shell.send("touch PWNED; ")
    shell.wait_for_state("idle")
    assert shell.exec("echo fine")["output"] == "fine"
    assert not (agent.home / "PWNED").exists()


def test_keys_that_were_approved_for_another_line_or_place_are_not_typed(agent):
    shell = create(agent, "bash")
    shell.exec("true")

    def seen() -> str:
        with agent.connect() as connection:
            return str(remote.line(connection, shell.name)["seen"])

    before = seen()
    assert shell.send("echo ", seen=before)["sent"] == 5
    with pytest.raises(TermaError, match="not as it was"):
        shell.send("x", enter=True, seen=before)
    assert shell.exec("cd /", seen=seen())["exit_status"] == 0
    moved = seen()
    assert moved != before
    with pytest.raises(TermaError, match="not as it was"):
        shell.exec("true", seen=before)
    assert shell.exec("true", seen=moved)["exit_status"] == 0


def test_a_line_at_a_password_prompt_is_told_to_nobody(agent):
    shell = create(agent, "bash")
    shell.exec("read -s -p 'Password: ' x", wait="word: ")
    shell.wait_for_state("password")
    shell.send("hunter2")
    with agent.connect() as connection:
        line = remote.line(connection, shell.name)
    assert (line["unentered"], line["sure"]) == ("", False)


@pytest.mark.parametrize(
    "command",
    [pytest.param(("zsh", "-f"), marks=needs("zsh")), ("bash", "--norc"), ("bash", "-l"), ("sh",)],
    ids=["zsh -f", "bash --norc", "bash -l", "sh"],
)
def test_what_is_typed_to_set_a_shell_up_never_shows(agent, command):
    (agent.home / ".bash_profile").write_text("echo from the profile\n")
    session = create(agent, *command, tui=True)
    assert session.exec("(exit 3)")["exit_status"] == 3
    seen = [session.read(all=True), session.call("read", snapshot=True)["screen"]]
    assert ("from the profile" in seen[0]) == ("-l" in command)
    assert not [text for text in seen if "PS1" in text or "TERMA_SESSION" in text or "hooks" in text]
    session.exec("exec sh -i" if command != ("sh",) else "exec bash")
    assert session.exec("echo other")["output"] == "other"
    assert not [word for word in ("PS1", "TERMA_SESSION", "hooks") if word in session.read(all=True)]


def test_where_nothing_marks_what_was_typed_to_ask_for_it_never_shows(agent):
    session = create(agent, "sh", "-c", "printf '$ '; while read -r line; do printf '$ '; done", kind="sh")
    wait_until(lambda: session.call("info")["kind"] == "none", "terma to give up")
    assert "PS1" not in session.read(all=True)


def test_a_read_behind_the_prompt_tells_the_line_once(agent):
    shell = create(agent, "bash")
    shell.exec("true")
    shell.call("read")
    assert shell.exec("sleep 0.5; echo hi", timeout=0.1)["ended_by"] == "timeout"
    told = shell.call("read", wait="^hi$", timeout=WAIT)
    assert told["ended_by"] == "pattern"
    assert remote.text_of(told).split("\n")[0].strip() == "sleep 0.5; echo hi"
