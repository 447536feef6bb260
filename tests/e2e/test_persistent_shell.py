"""The conversation's shell on a real terminal: what lasts in it, and the programs that want the person's keys."""

from __future__ import annotations

import contextlib
import os
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from terma.sessions.processes import find
from tests.conftest import Home, wait_until
from tests.e2e.sessioned import alive, children_with, needs, sleeps
from tests.e2e.shell_person import Person

SHELLS = [name for name in ("bash", "zsh", "fish") if shutil.which(name)]
ASK = f"{sys.executable} -c \"import getpass; print(len(getpass.getpass('Password for root: ')))\""


@pytest.fixture(params=SHELLS)
def person(request, home: Home) -> Iterator[Person]:
    (home.home / ".zshrc").touch()  # else zsh asks whether to make one
    made = Person(request.param, home.env, str(home.home))
    made.shell = request.param
    yield made
    made.close()


def ok(person: Person) -> None:
    """The shell is there and its terminal is as it was."""
    done = person.run("echo well && echo done")
    assert (done["output"], done["status"], done["ended_by"], done["state"]) == (
        "well\ndone",
        0,
        "marker",
        "idle",
    )
    assert person.modes() == person.before


def test_what_is_set_lasts(person, home):
    (home.home / "sub").mkdir()
    (home.home / "venv.sh").write_text("export COLOUR=green\n")
    (home.home / "venv.fish").write_text("set -gx COLOUR green\n")
    kind = "fish" if person.shell == "fish" else "sh"
    define = "function greet; echo hello $argv; end" if kind == "fish" else "greet() { echo hello $1; }"
    assert person.run("cd sub")["cwd"] == str(home.home / "sub")
    person.run(f"source ../venv.{kind}")
    person.run(define)
    assert person.run("pwd; echo $COLOUR; greet you")["output"] == f"{home.home}/sub\ngreen\nhello you"
    assert person.run("false")["status"] == 1
    assert person.run("echo $status" if kind == "fish" else "echo $?")["output"] == "1"
    ok(person)


def test_a_virtual_environment_and_options_last(person, home):
    kind = ".fish" if person.shell == "fish" else ""
    assert (
        person.run(f"{sys.executable} -m venv --without-pip v && source v/bin/activate{kind}")["status"] == 0
    )
    assert (
        person.run("echo $VIRTUAL_ENV; command -v python")["output"]
        == f"{home.home}/v\n{home.home}/v/bin/python"
    )
    if person.shell != "fish":
        person.run("set -o pipefail")
        assert person.run("false | true")["status"] == 1
    ok(person)


def test_output_comes_while_the_command_runs(person, home):
    person.begin(f"echo first; {until('go')}; echo second").wait_for("first")
    assert not person.sees("second")
    (home.home / "go").touch()
    assert person.result()["output"] == "first\nsecond"
    assert person.sees("second")
    assert "echo" not in person.text()


def until(name: str) -> str:
    """A command, for every shell, that runs until there is a file of that name."""
    return f"sh -c 'until [ -e {name} ]; do sleep 0.05; done'"


def test_a_heredoc_a_comment_and_a_loop(person):
    if person.shell != "fish":
        assert person.run("cat <<EOF\none $((1 + 1))\nEOF")["output"] == "one 2"
    assert person.run("echo seen # a comment")["output"] == "seen"
    loop = "for i in 1 2\n echo L$i\nend" if person.shell == "fish" else "for i in 1 2; do\n echo L$i\ndone"
    assert person.run(loop)["output"] == "L1\nL2"
    ok(person)


def test_an_error_of_syntax_is_shown_and_told(person):
    done = person.run("echo )")
    assert done["status"] not in (0, None)
    assert done["ended_by"] == "marker"
    assert "'" in done["output"] and ")" in done["output"]
    assert person.sees(done["output"].split("\n")[0])
    ok(person)


def test_an_unclosed_quote_is_told_and_swallows_nothing(person):
    done = person.run("echo 'open")
    assert (done["state"], done["ended_by"], done["status"]) == ("continuation", "settle", None)
    ok(person)


def test_a_password_is_asked_for_and_known_to_nobody(person, home):
    person.begin(ASK).wait_for("Password for root:")
    person.type("hunter2!\r")
    done = person.result()
    assert done["output"] == "Password for root:\n8"
    assert "hunter2" not in str(done) + person.text()
    told = person.run("echo hunter2! is in a file")
    assert told["output"] == "[typed unseen] is in a file"
    ok(person)


def test_read_takes_the_persons_line(person):
    person.begin("echo 'Your line:'; read answer; echo got=$answer").wait_for("Your line:")
    person.type("yes\r")
    assert "got=yes" in person.result()["output"]
    ok(person)


@needs("vim")
def test_vim_edits_a_file(person, home):
    person.begin("vim -u NONE -N note.txt").wait_for_bytes(b"\x1b[?1049h")
    person.wait_for_bytes(b"note.txt").type("ihello\x1b")
    person.wait_for_bytes(b"hello")
    person.type(":wq\r")
    done = person.result()
    assert (done["status"], done["ended_by"]) == (0, "marker")
    assert (home.home / "note.txt").read_text() == "hello\n"
    assert b"\x1b[?1049l" in person.seen
    ok(person)


@needs("less")
def test_less_turns_pages_and_leaves(person, home):
    (home.home / "long").write_text("".join(f"line {number}\n" for number in range(1, 200)))
    person.begin("less long").wait_for_bytes(b"line 20")
    assert b"line 50" not in person.seen
    person.type(" ")
    person.wait_for_bytes(b"line 50")
    person.type("q")
    assert person.result()["status"] == 0
    ok(person)


def test_python_talks(person):
    person.begin(f"{sys.executable} -q").wait_for(">>>")
    person.type("print(6 * 7)\r")
    person.wait_for("\n42\n>>>")  # Ctrl+D before Python reads again is lost
    person.type("\x04")
    assert person.result()["status"] == 0
    ok(person)


@needs("top")
def test_top_ends_with_q(person):
    person.begin("top").wait_for("PID")
    person.type("q")
    assert person.result()["status"] == 0
    ok(person)


def test_ctrl_c_ends_the_command_and_leaves_the_shell(person):
    person.begin("echo going; sleep 1000").wait_for("going")
    wait_until(lambda: children_of(person, "sleep"), "sleep")
    person.type("\x03")
    done = person.result()
    assert (done["ended_by"], done["status"], done["state"]) == ("interrupt", 130, "idle")
    ok(person)


def test_ctrl_c_is_known_whatever_the_program_makes_of_it(person):
    person.begin(
        "trap 'trap - INT' INT; sh -c 'trap \"echo tidy; exit 0\" INT; echo going; while :; do sleep 0.05; done'"
    )
    person.wait_for("going").type("\x03")
    done = person.result()
    assert (done["ended_by"], done["insisted"]) == ("interrupt", False)
    assert done["output"].endswith("tidy")
    ok(person)


def test_a_program_that_waits_for_words_takes_ctrl_c_as_a_key(person):
    mark = f"-Xwaits={os.getpid()}"
    person.begin(f"{sys.executable} -q -i {mark}").wait_for(">>>")
    wait_until(lambda: any(map(sleeps, children_with(f"-q -i {mark}"))), "it waits behind its prompt")
    person.type("\x03").wait_for("KeyboardInterrupt").type("exit()\r")
    done = person.result()
    assert (done["ended_by"], done["status"], done["insisted"]) == ("marker", 0, False)


def test_ctrl_z_leaves_the_job_in_the_shell(person):
    person.begin("sleep 1000").wait_until_raw()
    wait_until(lambda: children_of(person, "sleep"), "sleep")
    person.type("\x1a")
    done = person.result()
    assert done["ended_by"] == "stop"
    assert "stopped" in done["output"].lower() or "suspended" in done["output"]
    assert "sleep" in person.run("jobs")["output"]
    person.begin("fg").wait_until_raw()
    person.wait_for("sleep 1000")  # fish names the job before it gives it the terminal
    wait_until(lambda: any(map(in_front, children_of(person, "sleep"))), "sleep in front")
    person.type("\x03")
    assert person.result()["state"] == "idle"
    ok(person)


STOPS_BY_ITSELF = """import os, signal, sys, tty
tty.setraw(0)
print("raw", end="", flush=True)
while (key := os.read(0, 1)) != b"q":
    if key == b"\x1a" and sys.argv[1] == "stops":
        os.kill(0, signal.SIGTSTP)
os.system("stty sane")
"""


def test_ctrl_z_as_a_programs_own_key_stops_it_or_does_not(person, home):
    (home.home / "own.py").write_text(STOPS_BY_ITSELF)
    person.begin(f"{sys.executable} own.py stops").wait_for("raw").type("\x1a")
    assert person.result()["ended_by"] == "stop"
    person.begin(f"{sys.executable} own.py undoes").wait_for("raw").type(
        "\x1aq"
    )  # beside one that is stopped
    done = person.result()
    assert (done["ended_by"], done["status"]) == ("marker", 0)
    person.run("kill -9 %1; true" if person.shell != "fish" else "kill -9 (jobs -p); true")
    ok(person)


def test_what_has_no_status_of_its_own_went_well(person):
    quiet = ("sleep 1000 &", "set x 3" if person.shell == "fish" else "x=3")
    for command in quiet:
        assert person.run("false")["status"] == 1
        assert person.run(command)["status"] == 0
    assert person.run("false; sleep 1000 &")["status"] == (1 if person.shell == "fish" else 0)
    ok(person)


def test_ctrl_backslash_is_a_signal_as_well(person):
    person.begin("ulimit -c 0; sleep 1000").wait_until_raw()
    wait_until(lambda: children_of(person, "sleep"), "sleep")
    person.type("\x1c")
    assert person.result()["status"] == 131
    ok(person)


def test_a_shell_that_replaces_itself_is_followed(person):
    for name in SHELLS:
        assert person.run(f"exec {name}")["ended_by"] == "marker"
        status = "$status" if name == "fish" else "$?"
        assert person.run("echo inside; false")["status"] == 1
        assert person.run(f"echo {status}")["output"] == "1"
    assert person.run("exec sh")["ended_by"] == "marker"
    assert person.run("echo inside; (exit 4)")["status"] == 4
    ok(person)


def test_exit_ends_the_shell_and_the_next_command_has_a_new_one(person, home):
    (home.home / "sub").mkdir()
    person.run("cd sub")
    done = person.run("exit 3")
    assert (done["ended_by"], done["state"], done["status"]) == ("exit", "exited", 3)
    after = person.run("pwd")
    assert (after["output"], after["restarted"]) == (str(home.home / "sub"), True)
    assert person.run("pwd")["restarted"] is False
    ok(person)


def test_a_job_in_the_background_ends_nothing(person):
    done = person.run("sleep 1000 &")
    assert (done["ended_by"], done["state"]) == ("marker", "idle")
    assert "sleep" in person.run("jobs")["output"]
    ok(person)


def test_a_flood_is_shown_whole_and_told_in_part(person):
    person.begin("seq -f 'line %09.0f of the flood' 250000; echo end of it")
    seen = 0
    while b"end of it" not in person.seen:
        seen += max(len(person.seen) - 4096, 0)
        person.seen = person.seen[-4096:]
        before = len(person.seen)
        wait_until(lambda before=before: person.look() or len(person.seen) != before, "more")
    done = person.result()
    assert seen + len(person.seen) >= 7_250_000
    assert done["output"].startswith("line 000000001 of the flood\nline 000000002")
    assert done["output"].endswith("line 000250000 of the flood\nend of it")
    assert done["dropped"] > 5_000_000
    ok(person)


def children_of(person: Person, name: str) -> list[int]:
    """The processes called `name` that the person's shell started."""
    return [pid for pid in find(person.process.pid, "-") if called(pid) == name and alive(pid)]


def in_front(pid: int) -> bool:
    """Whether the terminal of a process is its group's now."""
    with contextlib.suppress(OSError, ValueError, IndexError):
        fields = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8").rpartition(") ")[2].split()
        return fields[2] == fields[5]
    return False


def called(pid: int) -> str:
    """The name of a process, "" when it is gone."""
    with contextlib.suppress(OSError):
        return Path(f"/proc/{pid}/comm").read_text(encoding="utf-8").strip()
    return ""
