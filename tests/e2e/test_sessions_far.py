"""`exec` at the far end of a relay (ssh, script, a REPL that polls): it ends when the command has, and not before."""

from __future__ import annotations

import shlex
import subprocess
import sys

import pytest

from terma.errors import TermaError
from tests.e2e.far import login
from tests.e2e.sessioned import SLOW, create, needs, wait_until
from tests.e2e.test_sessions_waiting import wait

__all__ = ["login"]
SLOWLY = "sleep 1.3; echo do''ne"


def ssh(login, *more):
    return ("ssh", "-tt", "-F", str(login), *more, "host")


def test_a_marked_login_waits_for_the_end(agent, login):
    box = create(agent, *ssh(login), kind="sh")
    done = box.exec(SLOWLY + "; (exit 3)")
    assert (done["output"], done["ended_by"], done["exit_status"]) == ("done", "marker", 3)
    part = box.exec("printf 'half: '; sleep 1.3; echo do''ne")
    assert (part["output"], part["ended_by"]) == ("half: done", "marker")


def test_an_unmarked_login_waits_for_its_prompt(agent, login):
    box = create(agent, *ssh(login))
    for _ in range(2):
        done = box.exec(SLOWLY)
        assert done["output"].splitlines()[0] == "done"
        assert (done["ended_by"], done["state"]) == ("settle", "needs_input")


@pytest.mark.parametrize("shell", [(), ("sh",)], ids=["bash", "sh"])
@pytest.mark.parametrize("words", ["total: ", "50 %% ", "a -> b> ", "ready? ", "[2/3] "])
def test_a_line_that_only_looks_like_a_prompt_is_none(agent, login, words, shell):
    box = create(agent, *ssh(login), *shell)
    box.exec("echo first")
    done = box.exec(f"printf '{words}'; sleep 1.3; echo do''ne")
    assert done["output"].splitlines()[0].endswith("done")
    assert done["state"] == "needs_input"


@pytest.mark.parametrize("kind", ["sh", "auto"])
def test_of_a_question_far_away_nobody_says_more_than_is_known(agent, login, kind):
    box = create(agent, *ssh(login), "sh", kind=kind)
    asked = box.exec("for n in 1 2; do printf 'name? '; read n; echo \"<$n>\"; done")
    assert (asked["output"].splitlines()[-1], asked["state"]) == ("name?", "unsure")
    with pytest.raises(TermaError, match="may be running, or ask: 'name\\?'"):
        box.exec("echo typed")
    box.send("Ada", enter=True)
    again = box.exec("Grace")  # such a line was answered before: it is known by now
    assert "<Grace>" in again["output"]
    assert "typed" not in box.read(all=True)


def test_who_knows_of_a_doubtful_line_is_told_what_comes_next(agent, login):
    box = create(agent, *ssh(login), kind="sh")
    doubtful = box.exec("printf 'ready? '; sleep 60; echo do''ne")
    assert doubtful["state"] == "unsure"
    assert wait(agent, "work", until="idle", timeout=1)["ended_by"] == "timeout"
    box.press(r"\x03")
    assert wait(agent, "work", until="idle")["ended_by"] == "idle"


def test_nothing_is_typed_into_a_far_command_that_runs(agent, login):
    box = create(agent, *ssh(login))
    late = box.exec("sleep 60; echo do''ne", timeout=1)
    assert (late["ended_by"], late["state"]) == ("timeout", "running")
    with pytest.raises(TermaError, match="running"):
        box.exec("echo typed")
    box.press(r"\x03")
    assert "after" in box.exec("echo af''ter")["output"]


def test_a_login_inside_a_shell_waits_for_its_prompt(agent, login):
    shell = create(agent, "bash")
    shell.exec(" ".join(ssh(login)))
    assert shell.exec(SLOWLY)["output"].splitlines()[0] == "done"
    assert shell.exec("exit 4")["exit_status"] == 4


@pytest.mark.parametrize(
    "command", [("script", "-qc", "bash --norc", "/dev/null"), ("sh",), ("sh", "-c", "exec sh")]
)
@pytest.mark.parametrize("kind", ["auto", "sh"])
def test_a_shell_behind_others_waits_for_the_end(agent, command, kind):
    box = create(agent, *command, kind=kind, env={"PS1": "near$ "})
    assert box.exec(SLOWLY)["output"].splitlines()[0] == "done"
    assert box.exec("echo ne''xt")["output"].splitlines()[0] == "next"


@needs("tmux")
@pytest.mark.parametrize("shell", ["bash --norc", "dash", "zsh -f", "env PS1='ready| ' bash --norc"])
@pytest.mark.parametrize("far", [False, True], ids=["near", "ssh"])
def test_a_shell_on_a_screen_of_its_own_waits_for_its_prompt(agent, request, shell, far):
    tmux = ("tmux", "-S", str(agent.home / "own"), "-f", "/dev/null", "new", shell)
    box = create(agent, *((*ssh(request.getfixturevalue("login")), shlex.join(tmux)) if far else tmux))
    try:
        for number in range(2):
            done = box.exec(f"sleep 1.3; echo do''ne{number}")
            assert f"done{number}" in done["screen"].split()
            assert (done["ended_by"], done["state"]) == ("settle", "needs_input")
        late = box.exec("sleep 60; echo la''te", timeout=1)
        assert (late["ended_by"], late["state"]) == ("timeout", "running")
        with pytest.raises(TermaError, match="running"):
            box.exec("echo typed")
        box.press("<C-c>")
        agent.kill()
        agent.start()
        assert "after" in box.exec("sleep 1.3; echo af''ter")["screen"].split()
    finally:
        box.send("exec true", enter=True)  # its server goes with its last shell
        box.wait_for_state("exited")


@needs("tmux")
def test_a_program_that_draws_within_another_screen_is_no_command_that_runs(agent):
    box = create(agent, "tmux", "-S", str(agent.home / "own"), "-f", "/dev/null", "new", "dash")
    box.exec("seq 200 > numbers")
    assert box.exec("less numbers")["state"] == "unsure"
    box.press("q")
    assert "back" in box.exec("echo ba''ck")["screen"]
    box.send("exit", enter=True)
    box.wait_for_state("exited")


@needs("node")
def test_a_repl_that_polls_waits_for_the_value(agent):
    node = create(agent, "node")
    slow = node.exec("await new Promise(done => setTimeout(() => done('fi' + 'nal'), 2000))")
    assert "final" in slow["output"]
    assert "42" in node.exec("6 * 7")["output"]


def test_marks_come_behind_a_hosts_key_and_a_passphrase(agent, login):
    subprocess.run(
        ["ssh-keygen", "-q", "-p", "-P", "", "-N", "open sesame", "-f", login.parent / "user"], check=True
    )
    box = create(agent, *ssh(login, "-o", "StrictHostKeyChecking=ask"), kind="sh")
    assert box.state() == "needs_input"
    assert "authenticity of host" in box.read()
    box.send("yes", enter=True)
    box.wait_for_state("password")
    box.send("open sesame", enter=True)
    box.wait_for_state("idle")
    done = box.exec(SLOWLY + "; (exit 5)")
    assert (done["output"], done["exit_status"]) == ("done", 5)
    assert "PS1=" not in box.read(all=True)


def test_a_far_program_that_asks_for_a_password_is_told(agent, login):
    box = create(agent, *ssh(login), kind="sh")
    asked = box.exec(
        "stty -echo; printf 'Password: '; read word; stty echo; echo; echo ${#word}", timeout=SLOW
    )
    assert asked["state"] == "password"
    box.send("correct", enter=True)
    box.wait_for_state("idle")
    assert "7" in box.read(all=True).split()


@pytest.mark.parametrize("shell", ["bash", "zsh", "dash"])
def test_every_posix_shell_behind_a_login_tells_its_status(agent, login, shell):
    box = create(agent, "ssh", "-tt", "-F", str(login), "host", shell, kind="sh")
    done = box.exec("echo far; (exit 6)")
    assert (done["output"], done["exit_status"]) == ("far", 6)
    assert box.exec("printf 'no newline'")["output"] == "no newline"
    wait_until(lambda: box.state() == "idle", "the prompt")
    assert "unset PROMPT" not in box.read(all=True)


@pytest.mark.parametrize(
    "command", [("env", "PS1=", "dash"), "PS1= bash --norc --noprofile"], ids=["near", "ssh"]
)
def test_a_shell_whose_prompt_is_empty_tells_its_status(agent, login, command):
    near = isinstance(command, tuple)
    box = create(agent, *(command if near else (*ssh(login), command)), kind="sh")
    box.wait_for_state("idle")
    done = box.exec("echo far; (exit 4)")
    assert (done["output"], done["exit_status"]) == ("far", 4)


@needs("fish")
def test_a_fish_behind_a_login_says_what_it_is_and_tells_its_status(agent, login):
    box = create(agent, *ssh(login), "fish", kind="sh")
    done = box.exec("echo far; false")
    assert (done["output"], done["exit_status"]) == ("far", 1)
    assert box.exec("printf 'no newline'")["output"] == "no newline"
    assert box.exec("for one in 1 2")["state"] == "continuation"
    agent.kill()
    agent.start()
    assert box.exec("echo on")["output"] == "on"
    assert "133;" not in box.read(all=True) and "_terma" not in box.read(all=True)


@needs("fish")
@pytest.mark.parametrize(
    "command", [("script", "-qc", "fish --private", "/dev/null"), ("fish", "-N")], ids=["script", "no config"]
)
def test_what_fish_does_not_take_is_not_run_together_with_the_next_command(agent, command):
    box = create(agent, *command)
    assert "not allowed" in box.exec("echo refu''sed; (exit 7)")["output"]
    assert "on" in box.exec("echo o''n")["output"].splitlines()


@pytest.mark.parametrize(
    "command", ["bash --noprofile --norc", "bash --norc --noediting", "dash -e", "bash -eu"]
)
def test_a_shell_with_options_of_its_own_marks_its_commands(agent, command):
    shell = create(agent, *command.split(), env={"HISTFILE": "/dev/null"})
    done = shell.exec("(sleep 0.6; exit 3) || echo ended $?")
    assert (done["output"], done["exit_status"], done["state"]) == ("ended 3", 0, "idle")


@needs("fish")
def test_a_fish_says_what_is_wrong_with_a_line(agent):
    box = create(agent, "fish")
    wrong = box.exec("echo refu''sed; (exit 7)")
    assert wrong["state"] == "continuation"
    told = wrong["output"].splitlines()
    assert "not allowed" in told[0]
    assert told[-1].strip().startswith("^")  # and behind that no prompt
    assert box.exec("echo o''n")["output"] == "on"


def test_a_python_behind_a_login_tells_its_status(agent, login):
    box = create(agent, *ssh(login), sys.executable, "-q", kind="python")
    done = box.exec("for number in range(2):\n    print(number)\n1 / 0")
    assert done["output"].splitlines()[:2] == ["0", "1"]
    assert done["exit_status"] == 1
    assert "_terma" not in box.read(all=True)
