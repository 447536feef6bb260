"""What zsh remembers of the last command, and that remembering it changes nothing for anyone else."""

from __future__ import annotations

import re
import shutil
import subprocess
import time

import pytest

from tests.conftest import RunningAgent
from tests.shells.driver import PROMPT, Shell
from tests.shells.in_zsh import ask, zsh

TELL = """
tell() { zle -M "<$_terma_command|$_terma_command_status|$_terma_command_dir>" }
zle -N tell; bindkey '^O' tell
"""


def told(shell: Shell) -> str:
    shell.line()
    shell.mark().press("C-o").wait_for(">")
    match = re.search(r"<(.*)>", shell.since())
    assert match
    shell.line()  # the editor waits for a key again: any zsh drops keys next to a ^C that meets it at work
    return match[1]


def test_the_last_command_its_status_and_its_directory_are_kept(agent: RunningAgent) -> None:
    with zsh(agent, after=TELL) as shell:
        shell.run("cd /tmp")
        assert told(shell) == f"cd /tmp|0|{agent.home}"
        shell.run("(exit 42)")
        assert told(shell) == "(exit 42)|42|/tmp"


def test_every_command_of_a_pipe_has_its_status(agent: RunningAgent) -> None:
    with zsh(agent, after=TELL.replace("$_terma_command|", "$_terma_command_statuses|")) as shell:
        for line, statuses in [
            ("true | (exit 3) | true", "0 3 0"),
            ("true; false", "1"),
            ("(exit 2) && true | true", "2"),
            ("true", "0"),
        ]:
            shell.run(line)
            assert told(shell).split("|")[0] == statuses


def test_every_hook_sees_the_statuses_of_the_pipe(agent: RunningAgent) -> None:
    later = 'theirs() { seen="$? $pipestatus" }; precmd_functions+=(theirs)\n'
    with zsh(agent, after=later + TELL.replace("$_terma_command|", "$seen|")) as shell:
        shell.run("false | true | (exit 7)")
        assert told(shell).split("|")[0] == "7 1 0 7"


def test_an_empty_enter_and_ctrl_c_keep_the_last_failure(agent: RunningAgent) -> None:
    with zsh(agent, after=TELL) as shell:
        shell.run("(exit 3)")
        for keys in [["Enter"], ["C-c"], ["x", "C-c"], ["Space", "Enter"]]:
            shell.press(*keys[:-1]).line()
            (shell.interrupt() if keys[-1] == "C-c" else shell.mark().press("Enter").wait_for(PROMPT)).line()
            assert told(shell).startswith("(exit 3)|3|")


def test_a_line_that_history_rejects_is_still_remembered(agent: RunningAgent) -> None:
    with zsh(agent, after=TELL + "zshaddhistory() { return 1 }\n") as shell:
        shell.run("(exit 4)")
        assert told(shell).startswith("(exit 4)|4|")


def test_the_duration_is_in_microseconds(agent: RunningAgent) -> None:
    with zsh(agent, after=TELL.replace("$_terma_command|", "$_terma_command_duration|")) as shell:
        started = time.monotonic()
        shell.run("sleep 0.2")
        took = (time.monotonic() - started) * 1e6
        assert 200_000 <= int(told(shell).split("|")[0]) <= took


def test_the_request_carries_them(agent: RunningAgent) -> None:
    agent.will_say("ls")
    spy = """
functions[_sent]=$functions[_terma_wire_frame]
_terma_wire_frame() { print -rN -- "$@" >> $HOME/sent; _sent "$@" }
"""
    with zsh(agent, after=spy, env={"HISTFILE": ""}) as shell:
        shell.run("(exit 9)")
        ask(shell, "it's 100% \\ thing")
        sent = (agent.home / "sent").read_text().split("\0")
        assert sent[0:3] == ["hello", "1", "zsh"]
        assert {
            "ask",
            "translate",
            "buffer=it's 100% \\ thing",
            "attempt=0",
            "shell=zsh",
            "columns=80",
        } <= set(sent)
        assert {"command=(exit 9)", "status=9", f"command_dir={agent.home}", f"cwd={agent.home}"} <= set(sent)


def test_status_and_underscore_are_as_without_us(agent: RunningAgent) -> None:
    seen = []
    for disable in ["", "1"]:
        with zsh(agent, env={"TERMA_DISABLE": disable}) as shell:
            for line in ("false one two", "true last-word"):
                shell.run(line)
                seen.append(shell.run('print -r -- "<$?|$_>"'))
    assert seen == ["<1|two>", "<0|last-word>"] * 2


def test_other_hooks_and_prompt_marks_are_untouched(agent: RunningAgent) -> None:
    marks = r"""
PS1=$'%{\e]133;A\a%}'$PS1$'%{\e]133;B\a%}'
first() { print -n "first=$? " }; last() { print -n "last=$?"; print -n '\e]133;D\a' }
precmd_functions=(first); preexec_functions+=(_mark); _mark() { print -n '\e]133;C\a' }
precmd() { print -n "own=$? " }
"""
    with zsh(agent, marks, "precmd_functions+=(last)") as shell:
        assert "own=5 first=5 last=5" in shell.run("(exit 5)")
        shell.read()
        for mark in "ABCD":
            assert f"\x1b]133;{mark}\x07".encode() in shell.raw


@pytest.mark.skipif(shutil.which("strace") is None, reason="strace counts the forks")
def test_a_prompt_costs_no_fork(agent: RunningAgent) -> None:
    with zsh(agent) as shell:
        shell.run("true")
        log = agent.root / "strace"
        what = "trace=clone,clone3,fork,vfork,execve,socket,connect"
        argv = ["strace", "-f", "-e", what, "-o", str(log), "-p", str(shell.child.pid)]
        with subprocess.Popen(argv, stderr=subprocess.PIPE) as tracer:
            assert tracer.stderr
            tracer.stderr.readline()  # "attached"
            for _ in range(5):
                shell.run("true")
                shell.run("")
            shell.run("/bin/true")
            tracer.terminate()
        calls = [line for line in log.read_text().splitlines() if "(" in line]
        assert len(calls) == 2  # the fork and the exec of /bin/true: the trace sees what there is to see
        assert "/bin/true" in calls[1]
