"""The conversation's shell when something goes wrong: kills, time-outs, cancelled commands, terminals in a mess."""

from __future__ import annotations

import os
import shutil
import signal
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.conftest import Home, wait_until
from tests.e2e.sessioned import alive, children_with, needs
from tests.e2e.shell_person import Person
from tests.e2e.test_persistent_shell import ASK, SHELLS, called, children_of, ok, until

DEAF = "import signal, time; signal.signal(2, signal.SIG_IGN); print('deaf'); time.sleep(999)"
STUBBORN = f'{sys.executable} -c "{DEAF}"'
DAEMON = """import os, sys
for _ in range(2):
    os.fork() and os._exit(0)
    os.setsid()
os.execvp("sleep", sys.argv[1].split())
"""
START = """setsid {0} &
nohup {0} >/dev/null 2>&1 &
{1} daemon.py '{0}' &
(trap '' HUP TERM INT; {0}) &
env -i {0} &
{0}
"""


@pytest.fixture
def person(request, home: Home) -> Iterator[Person]:
    """Before bash, or the shell that the test is given."""
    (home.home / ".zshrc").touch()
    shell = getattr(request, "param", "bash")
    made = Person(shell, home.env, str(home.home))
    made.shell = shell
    yield made
    made.close()


def sleeping(words: str) -> list[int]:
    """The sleeps themselves, without the shells that name them."""
    return [pid for pid in children_with(words) if called(pid) == "sleep"]


every_shell = pytest.mark.parametrize("person", SHELLS, indirect=True)


@every_shell
def test_kill_9_leaves_nobody_behind(person, home):
    """Not what left the terminal's session, either: setsid, nohup, a double fork, an emptied environment."""
    mark = f"sleep 98{os.getpid()}"
    (home.home / "daemon.py").write_text(DAEMON)
    (home.home / "start.sh").write_text(START.format(mark, sys.executable))
    person.begin("sh start.sh")
    wait_until(lambda: len(sleeping(mark)) >= 6, "all of them to run")
    shell = children_with("sh start.sh")
    person.kill()
    wait_until(lambda: not sleeping(mark) and not any(map(alive, shell)), "all of them to be gone")


@every_shell
def test_the_end_of_the_conversation_ends_the_jobs_and_leaves_what_was_detached(person):
    """As a terminal does that is closed."""
    mark = f"sleep 96{os.getpid()}"
    person.run(f"{mark} &")
    person.run(f"nohup {mark} >/dev/null 2>&1 &")
    person.run(f"setsid {mark} >/dev/null 2>&1 &")
    wait_until(lambda: len(sleeping(mark)) == 3, "all of them")
    person.order("close")
    wait_until(lambda: len(sleeping(mark)) == 2, "the job to be gone")
    detached = sleeping(mark)
    assert len(detached) == 2
    for pid in detached:
        os.kill(pid, 9)


@every_shell
def test_a_cancelled_command_is_interrupted_and_the_prompt_is_back(person):
    person.begin("echo going; sleep 1000").wait_for("going")
    person.order("cancel")
    done = person.result()
    assert done["cancelled"] and done["last"]["ended_by"] == "interrupt"
    assert done["last"]["output"].startswith("going")
    ok(person)


@every_shell
def test_ctrl_c_is_heard_where_terma_was_started_deaf(person, home):
    """A script's `&` ignores SIGINT and SIGQUIT for all that it starts, and bash hands that on."""
    command = [
        sys.executable,
        "-c",
        "import os, signal, sys; signal.signal(2, 1); os.execv(sys.argv[1], sys.argv[1:])",
    ]
    deaf = Person(person.shell, home.env, str(home.home), before=command)
    try:
        deaf.begin("echo going; sleep 1000").wait_for("going")
        wait_until(lambda: children_of(deaf, "sleep"), "sleep")
        assert deaf.type("\x03").result()["status"] == 130
    finally:
        deaf.close()


def test_a_command_that_hears_no_interrupt_is_killed_when_it_is_cancelled(person):
    person.begin(STUBBORN).wait_for("deaf")
    person.order("cancel")
    assert person.result()["cancelled"]
    ok(person)


@needs("vim")
def test_a_cancelled_editor_leaves_the_terminal_as_it_was(person):
    person.begin("vim -u NONE -N").wait_for_bytes(b"\x1b[?1049h").wait_for_bytes(b"~")
    person.order("cancel")
    assert person.result()["cancelled"]
    assert person.seen.rindex(b"\x1b[?1049l") > person.seen.rindex(b"\x1b[?1049h")
    ok(person)


@every_shell
def test_a_time_out_ends_the_wait_and_not_the_command(person):
    ok(person)  # the shell has begun
    done = person.run("echo early; sleep 1000", within=2)
    assert (done["ended_by"], done["state"], done["status"], done["output"]) == (
        "timeout",
        "running",
        None,
        "early",
    )
    assert person.modes() == person.before
    refused = person.run("echo swallowed?")
    assert refused["code"] == "busy" and "sleep 1000" in refused["error"]
    person.order("interrupt")
    assert person.result()["state"] == "idle"
    ok(person)


def test_after_a_time_out_one_may_wait_on(person, home):
    assert person.run(f"echo early; {until('go')}; echo late; (exit 3)", within=0.2)["state"] == "running"
    (home.home / "go").touch()
    person.order("wait")
    done = person.result()
    assert (done["output"].split()[-1], done["status"], done["ended_by"]) == ("late", 3, "marker")
    assert person.run(until("again"), within=0.1)["state"] == "running"
    person.begin("echo next", if_busy="wait")
    (home.home / "again").touch()
    assert person.result()["output"] == "next"
    assert person.run("sleep 1000", within=0.1)["state"] == "running"
    assert person.run("echo next", if_busy="interrupt")["output"] == "next"
    ok(person)


def test_a_person_who_types_is_not_timed_out(person):
    person.begin("echo ready; read -r answer; echo got $answer", within=3).wait_for("ready")
    for letter in "x" * 16:  # longer than the time-out, all together
        time.sleep(0.25)
        person.type(letter)
    person.wait_for("x" * 16).type("\r")
    assert person.result()["output"] == f"ready\n{'x' * 16}\ngot {'x' * 16}"


def test_a_program_that_has_the_screen_is_not_timed_out(person):
    draw = "stty raw; for i in 1 2 3 4 5 6 7 8; do sleep 0.4; printf $i; done; stty sane"
    done = person.run(f'sh -c "{draw.replace("$", chr(92) + "$")}"', within=2)
    assert (done["output"], done["ended_by"]) == ("12345678", "marker")


def test_the_size_follows_the_terminal(person):
    loop = "until [ \"$(stty size)\" = '17 61' ]; do sleep 0.05; done"
    person.begin(f"echo ready; {loop}; echo follo''wed").wait_for("ready")
    person.resize(61, 17)
    assert person.result()["output"].endswith("followed")
    assert person.run("stty size")["output"] == "17 61"


MESS = r"\033[?1049h\033[?1000;1006h\033[?2004h\033[?25l\033[?1h\033=\033[?7l\033[>1u\033[3;9r\033[31m\033(0"
ORDER = [b"\x1b[<1u", b"\x1b[r", b"\x1b[?1049l", b"\x1b[?1000l", b"\x1b[?1006l", b"\x1b[?2004l", b"\x1b[?1l"]
ORDER += [b"\x1b[?7h", b"\x1b[?25h", b"\x1b>", b"\x1b(B", b"\x1b[0m"]


@every_shell
def test_what_a_killed_program_left_on_is_switched_off(person, home):
    (home.home / "mess.sh").write_text(f"stty raw -echo\nprintf '{MESS}left'\nkill -9 $$\n")
    person.begin("sh mess.sh")
    assert person.result()["status"] == 137
    end = person.seen.rpartition(b"left")[2]
    assert not [one for one in ORDER if one not in end]
    assert person.modes() == person.before
    ok(person)


def test_a_program_that_leaves_no_mess_gets_no_cure(person):
    person.run("printf 'plain\\n'")
    assert b"\x1b" not in person.seen


def test_keys_typed_ahead_are_no_command_and_come_back(person, home):
    person.begin(f"echo going; {until('go')}").wait_for("going")
    person.type("rm -r precious\r").wait_for("rm -r precious")
    (home.home / "go").touch()
    assert person.result()["typed_ahead"] == "rm -r precious"
    assert person.run("echo clean")["output"] == "clean"
    ok(person)


def test_keys_of_every_kind_come_back_as_they_were_sent(person, home):
    typed = (
        ("\x14", "\x14"),
        ("ab\x7fc\x1b[D\x17", "ab\x7fc\x1b[D\x17"),
        ("\x1b[5;1Rls", "ls"),  # what the terminal answers is no key
        ("\x0fls\x0f\r", "\x0fls"),  # shows the rest of an output on the empty line, and enters any other
        ("ls\nrm a\n", "ls"),
        ("é思\x1b\r", "é思"),
    )
    for number, (keys, back) in enumerate(typed):
        person.begin(f"echo going{number}; {until(f'go{number}')}").wait_for(f"going{number}")
        person.type(keys)
        wait_until(person.all_read, "the keys to be read")
        (home.home / f"go{number}").touch()
        assert person.result()["typed_ahead"] == back


@pytest.mark.parametrize("person", ["bash", pytest.param("zsh", marks=needs("zsh"))], indirect=True)
def test_a_key_that_is_read_before_the_end_is_heard_of_is_not_the_shell_s(person, home):
    """The shell stands at its prompt already, and would take the key for one of its own."""
    person.begin(f"echo going; {until('go')}").wait_for("going")
    process = Path(f"/proc/{person.process.pid}")
    wait_until(lambda: process.joinpath("stat").read_text().rpartition(") ")[2][0] == "S", "it to rest")
    os.kill(person.process.pid, signal.SIGSTOP)
    person.type("\x14ls")
    (home.home / "go").touch()
    wait_until(lambda: not children_with("-e go"), "the command to end")
    time.sleep(0.3)  # the shell stands at its prompt by now
    os.kill(person.process.pid, signal.SIGCONT)
    assert person.result()["typed_ahead"] == "\x14ls"
    assert person.run("echo clean")["output"] == "clean"


@pytest.mark.parametrize("person", ["bash", pytest.param("zsh", marks=needs("zsh"))], indirect=True)
def test_no_line_typed_ahead_is_run_however_late_the_end_is_heard_of(person, home):
    person.begin(f"echo going; {until('go')}").wait_for("going")
    person.type("touch first\rtouch second\r").wait_for("touch second")
    process = Path(f"/proc/{person.process.pid}")
    wait_until(lambda: process.joinpath("stat").read_text().rpartition(") ")[2][0] == "S", "it to rest")
    os.kill(person.process.pid, signal.SIGSTOP)
    (home.home / "go").touch()
    wait_until(lambda: not children_with("-e go"), "the command to end")
    time.sleep(0.5)  # the shell stands at its prompt by now
    os.kill(person.process.pid, signal.SIGCONT)
    assert person.result()["status"] == 0
    assert person.run("echo clean")["output"] == "clean"
    assert not [name for name in ("first", "second") if (home.home / name).exists()]


def test_what_was_typed_before_the_password_prompt_is_not_told_either(person, home):
    slow = f"time.sleep(1.{os.getpid()})"
    person.begin(ASK.replace("import getpass", f"import getpass, time; {slow}")).wait_until_raw()
    wait_until(lambda: children_with(slow), "the program")
    person.type("hunter")
    person.wait_for("Password")
    person.type("hunter2!\r")
    assert "hunter" not in person.result()["output"]


def test_a_terminal_that_is_closed_ends_the_command(person):
    person.begin("sleep 95123").wait_until_raw()
    wait_until(lambda: children_with("sleep 95123"), "sleep")
    os.close(person.master)
    person.master = os.open("/dev/null", os.O_RDWR)
    wait_until(lambda: not children_with("sleep 95123"), "sleep to be gone")


@pytest.mark.parametrize(
    ("start", "works"),
    [
        ("alias hello='echo an alias'", "an alias"),
        (f"exec {shutil.which('zsh') or 'bash'} -f -i", None),
        ("echo welcome; exit", None),
        ("PROMPT_COMMAND='echo noise'; readonly PS1='$ '; alias hello='echo an alias'", "an alias"),
        ("set -u; PS1='two\nlines> '; alias hello='echo an alias'", "an alias"),
        ("trap 'true' DEBUG; shopt -s extdebug; alias hello='echo an alias'", "an alias"),
    ],
)
def test_start_up_files_of_every_sort_lead_to_a_shell(home, start, works):
    (home.home / ".bashrc").write_text(start + "\n")
    person = Person("bash", home.env, str(home.home))
    try:
        done = person.run("hello")
        if works:
            assert (done["output"], done["status"]) == (works, 0)
        ok(person)
        person.run("source ~/.bashrc" if works else "true")
        ok(person)
    finally:
        person.close()


def test_start_up_files_may_ask_for_a_passphrase(home):
    (home.home / ".bashrc").write_text("read -r -s -p 'Passphrase: ' secret\nalias hello='echo ${#secret}'\n")
    person = Person("bash", home.env, str(home.home))
    try:
        person.begin("hello").wait_for("Passphrase:").type("open sesame\r")
        done = person.result()
        assert (done["output"], done["bare"]) == ("11", False)
        assert "sesame" not in person.text() + person.run("echo $secret")["output"]
        ok(person)
    finally:
        person.close()


def test_answers_of_the_terminal_that_come_late_are_nobodys_keys(person):
    person.begin(r"printf '\033[c\033[6n\033]11;?\007'").wait_for_bytes(b"\x1b]11;?")
    person.type("\x1b[?62;22c\x1b[5;1R\x1b]11;rgb:0000/0000/0000\x07")
    assert person.result()["typed_ahead"] == ""
    person.type("\r" if person.raw() else "")
    ok(person)


def test_what_a_job_in_the_background_says_is_shown_before_the_next_command(person):
    unique = f"sleep 1.{os.getpid()}"
    person.run(f"({unique}; printf 'LA%s\\n' TE) &")
    wait_until(lambda: not sleeping(unique), "the job to end")
    person.run(f"wait; {unique.replace('1.', '0.0')}")  # its words come before it ends
    assert person.sees("LATE")
    ok(person)


@pytest.mark.parametrize("name", SHELLS)
def test_the_history_of_the_person_stays_as_it_was(home, name):
    history = {
        "bash": home.home / ".bash_history",
        "zsh": home.home / ".zsh_history",
        "fish": home.home / ".local/share/fish/fish_history",
    }[name]
    history.parent.mkdir(parents=True, exist_ok=True)
    history.write_text("- cmd: theirs\n  when: 1\n")
    (home.home / ".zshrc").write_text("HISTFILE=~/.zsh_history SAVEHIST=100; setopt inc_append_history\n")
    person = Person(name, home.env, str(home.home))
    person.run("echo of a conversation")
    person.run("exit")
    person.run("echo again")
    person.close()
    assert Path(history).read_text() == "- cmd: theirs\n  when: 1\n"
