"""What bash remembers of the last command, and that remembering it changes nothing for anyone else."""

from __future__ import annotations

import re
import shutil
import socket
import subprocess
import time

import pytest

from terma import wire
from tests.conftest import WAIT, Home, RunningAgent
from tests.shells.driver import Shell
from tests.shells.in_bash import BASHES, LOAD, ask, bash, wait_for_the_end

every_bash = pytest.mark.parametrize("which", BASHES)
# On a key, so that telling is no command itself.
TELL = r"""
tell() { echo "<$_terma_status|$_terma_command_dir|${_terma_command_event:+$(HISTTIMEFORMAT= history 1)}>"; }
bind -x '"\C-o": tell'
"""


def told(shell: Shell) -> str:
    shell.line()
    shell.mark().press("C-o").wait_for(">\r\n")
    match = re.search(r"<(.*)>\r\n", shell.since())
    assert match
    return re.sub(r" +\d+ +", "", match[1])


@every_bash
def test_every_command_of_a_pipe_has_its_status(agent: RunningAgent, which: str) -> None:
    with bash(agent, after=TELL.replace("$_terma_status|", "${_terma_statuses// /,}|"), which=which) as shell:
        for line, statuses in [
            ("true | (exit 3) | true", "0,3,0,"),
            ("true; false", "1,"),
            ("(exit 2) && true | true", "2,"),
            ("IFS=x; true | false", "0,1,"),
        ]:
            shell.run(line)
            assert told(shell).split("|")[0] == statuses


@every_bash
def test_the_last_command_its_status_and_its_directory_are_kept(agent: RunningAgent, which: str) -> None:
    with bash(agent, after=TELL, which=which) as shell:
        shell.run("cd /tmp")
        assert told(shell) == f"0|{agent.home}|cd /tmp"
        shell.run("(exit 42)")
        assert told(shell) == "42|/tmp|(exit 42)"


@every_bash
def test_an_empty_enter_and_ctrl_c_keep_the_last_failure(agent: RunningAgent, which: str) -> None:
    with bash(agent, after=TELL, which=which) as shell:
        shell.run("(exit 3)")
        for keys in [["Enter"], ["x", "C-c"], ["Space", "Enter"], ["#", "Enter"]]:
            shell.press(*keys[:-1]).line()  # a ^C that meets the editor at work is lost in any shell
            shell.press(keys[-1]).line()
            assert told(shell).startswith("3|")


def test_a_line_that_history_does_not_keep_is_not_sent(agent: RunningAgent) -> None:
    with bash(agent, before="HISTCONTROL=ignoreboth", after=TELL) as shell:
        shell.run("echo public")
        shell.run(" (exit 4)")
        assert told(shell) == f"4|{agent.home}|"


def test_the_duration_is_in_microseconds(agent: RunningAgent) -> None:
    tell = TELL.replace("$_terma_status|", "$_terma_duration|")
    with bash(agent, after=tell) as shell:
        started = time.monotonic()
        shell.run("sleep 0.2")
        took = (time.monotonic() - started) * 1e6
        assert 200_000 <= int(told(shell).split("|")[0]) <= took


def test_it_is_sent_with_the_request(home: Home) -> None:
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(str(home.socket))
        listener.listen()
        with bash(home) as shell:
            shell.run("cd /tmp; (exit 7)")
            shell.type("list files").line()
            shell.press("C-t")
            listener.settimeout(WAIT)
            peer, _ = listener.accept()
            with peer, peer.makefile("rb") as stream:
                assert wire.decode(stream.readline())[:3] == ("hello", "1", "bash")
                verb, _, kind, *fields = wire.decode(stream.readline())
            asked = wire.keyed(fields)
            assert (verb, kind) == ("ask", "translate")
            assert (asked["buffer"], asked["attempt"], asked["shell"]) == ("list files", "0", "bash")
            assert (asked["status"], asked["command"], asked["cwd"]) == ("7", "cd /tmp; (exit 7)", "/tmp")
            assert asked["path"] and int(asked["duration"]) > 0


@every_bash
@pytest.mark.parametrize(
    "setting",
    [
        "PROMPT_COMMAND='s=$?; echo \"pc<$s>\"; (exit $s)'",
        "PROMPT_COMMAND=('s=$?; echo \"pc<$s>\"; (exit $s)' :)",
    ],
)
def test_prompt_command_and_the_prompt_see_the_status(agent: RunningAgent, setting: str, which: str) -> None:
    if setting.startswith("PROMPT_COMMAND=("):
        setting = f"(( BASH_VERSINFO[0] * 100 + BASH_VERSINFO[1] >= 501 )) && {setting}"
    with bash(agent, before=setting + "\nset +o history", which=which) as shell:
        assert "pc<42>" in shell.run("(exit 42)")
        assert shell.run("(exit 5)").endswith("pc<5>")
        assert "6 pc" in shell.run("(exit 6); echo $? pc")


@every_bash
def test_status_and_last_argument_are_the_users(agent: RunningAgent, which: str) -> None:
    agent.will_say("echo $?,$_")
    with bash(agent, which=which) as shell:
        shell.run("true one two")
        assert shell.run("echo $?,$_") == "0,two"
        shell.run("false one two")
        assert ask(shell, "x").enter() == "1,two"


def test_ps0_debug_traps_and_marks_of_others_are_kept(agent: RunningAgent) -> None:
    before = r"""
PS0='\e]133;C\aps0'
PS1='\[\e]133;A\a\]ready> \[\e]133;B\a\]'
trap 'seen+=("$BASH_COMMAND")' DEBUG
"""
    with bash(agent, before=before) as shell:
        assert shell.run("echo ran").startswith("ps0ran")
        assert b"\x1b]133;C\x07" in shell.raw and b"\x1b]133;A\x07" in shell.raw
        assert "trap -- 'seen+=" in shell.run("trap -p DEBUG")
        assert "echo ran" in shell.run("printf '%s,' \"${seen[@]}\"")


HARD = r"""
set -u; set -o noclobber; shopt -s extglob nullglob nocasematch dotglob globstar; IFS=:; CDPATH=/
(( BASH_VERSINFO[0] * 100 + BASH_VERSINFO[1] >= 502 )) && shopt -s patsub_replacement
alias local=false printf=false read=false exec=false
"""


@every_bash
@pytest.mark.parametrize("options", [HARD, "shopt -s failglob", "set -o posix", "set -E; set -T", "set -f"])
def test_it_works_under_the_users_options_and_leaves_them(
    agent: RunningAgent, options: str, which: str
) -> None:
    agent.will_say("echo ", "'a & b' *", candidates=("second &",))
    with bash(agent, after=options, which=which) as shell:
        before = shell.run('builtin echo $-,$SHELLOPTS,$BASHOPTS,"$IFS"')
        assert ask(shell, "say it").line().text == "echo 'a & b' *"
        shell.mark().press("C-t").wait_for("2/2")
        assert wait_for_the_end(shell).line().text == "second &"
        assert shell.run('builtin echo $-,$SHELLOPTS,$BASHOPTS,"$IFS"') == before


def test_set_e_does_not_end_the_shell(agent: RunningAgent) -> None:
    with bash(agent) as shell:
        shell.run("set -e")
        ask(shell, "nothing known", "does not know")
        assert shell.line().text == "nothing known"
        assert shell.child.isalive()


@every_bash
def test_the_hooks_fork_nothing(agent: RunningAgent, which: str) -> None:
    if not shutil.which("strace"):
        pytest.skip("strace is not installed")
    with bash(agent, after="PS0=${PS0%'$(_test_ran)'}", which=which) as shell:
        shell.run(":")
        log = agent.root / "strace"
        trace = subprocess.Popen(
            ["strace", "-f", "-e", "trace=process,exit_group", "-o", log, "-p", str(shell.child.pid)],
            stderr=subprocess.PIPE,
        )
        assert trace.stderr is not None
        line = trace.stderr.readline()
        if b"attached" not in line:
            pytest.skip(f"strace may not attach here: {line!r}")
        for _ in range(3):
            shell.run(":")
        shell.run("(:)")
        trace.terminate()
        trace.wait(10)
        trace.stderr.close()
        forks = re.findall(r"\b(?:clone3?|v?fork)\(", log.read_text())
        assert len(forks) == 1, "only the subshell of the last line forks"


def test_loading_twice_changes_nothing(agent: RunningAgent) -> None:
    agent.will_say("ls")
    with bash(agent, after=LOAD + "unset -f _test_ran; PS0=${PS0/'$(_test_ran)'}") as shell:
        assert shell.run('echo "${PROMPT_COMMAND[*]}"').count("_terma_precmd") == 1
        assert shell.run('echo "$PS0"').count("_terma_began") == 1
        assert ask(shell, "list").line().text == "ls"


def test_an_answer_that_loads_it_again_leaves_every_key_as_it_was(agent: RunningAgent) -> None:
    """`source ~/.bashrc`, asked for in words: at that Enter the keys are still terma's for one key."""
    agent.will_say(LOAD.strip())
    with bash(agent) as shell:
        shell.run("save() { { bind -s; bind -X; stty -a; } > $HOME/$1; }; save before")
        assert ask(shell, "load it again").line().text == LOAD.strip()  # the probe is no key that ends it
        shell.enter()
        shell.run("save after")
        assert "_next_key" not in (agent.home / "before").read_text()
        was, now = ((agent.home / name).read_text().splitlines() for name in ("before", "after"))
        assert [line for line in now if line not in was and '"\\e[7772;' not in line] == []
        agent.will_say("ls")
        assert ask(shell, "list").line().text == "ls"


def test_it_loads_nothing_where_it_has_no_place(agent: RunningAgent) -> None:
    with bash(agent, env={"TERMA_DISABLE": "1"}) as shell:
        assert shell.run("{ declare -F; declare -p; } | grep -c _terma") == "0"
    with bash(agent, env={"TERM": "dumb"}) as shell:  # but one line about it
        shell.mark().type("{ declare -F; declare -p; } | grep _terma; echo e''nd").press("Enter").wait_for(
            "end"
        )
        assert set(re.findall(r"_terma\w*", shell.since().partition("grep _terma")[2])) == {"_terma_is_dumb"}
        shell.mark().type("?why is it [so").press("Enter").wait_for("terma: TERM=dumb cannot be drawn on")
    quiet = subprocess.run(
        ["bash", "--norc", "-c", LOAD + "declare -F; echo ${PS0-}"], capture_output=True, check=True
    )
    assert quiet.stdout.strip() == b"" and quiet.stderr == b""


def test_an_old_bash_gets_one_line_and_no_binding(agent: RunningAgent) -> None:
    again = "bind -r '\\C-t'; unset -f _terma_precmd; _terma_setup 3 2"
    with bash(agent, after=again) as shell:
        assert shell.text.count("bash 3.2 is too old") == 1
        assert "not bound" in shell.run("bind -s | grep -c 'C-x.C-^' | sed s/0/not\\ bound/")


# What bash-preexec up to 0.5 does to a prompt, and so bash-it: its own function first, which leaves the status of its
# last `type -t` behind; the arguments and statuses of the command are in variables. A stand-in: no code of theirs.
OLD_PREEXEC = r"""
precmd_functions=() preexec_functions=()
__bp_precmd_invoke_cmd() {
  __bp_last_ret_value="$?" BP_PIPESTATUS=("${PIPESTATUS[@]}")
  local each
  for each in "${precmd_functions[@]}" precmd; do if type -t "$each" >/dev/null; then "$each"; fi; done
}
__bp_interactive_mode() { __bp_preexec_interactive_mode=on; }
__bp_preexec_invoke_exec() {
  [[ -n ${__bp_preexec_interactive_mode-} && -t 1 ]] || return
  __bp_preexec_interactive_mode=''
  local each; for each in "${preexec_functions[@]}"; do "$each" "$BASH_COMMAND"; done
}
__bp_install() {
  trap '__bp_preexec_invoke_exec "$_"' DEBUG
  PROMPT_COMMAND=${PROMPT_COMMAND//$'\n'__bp_install}
  PROMPT_COMMAND=__bp_precmd_invoke_cmd$'\n'${PROMPT_COMMAND//__bp_install}$'\n'__bp_interactive_mode
}
PROMPT_COMMAND=${PROMPT_COMMAND:+$PROMPT_COMMAND$'\n'}__bp_install
"""


@pytest.mark.parametrize("where", ["before", "after"])
def test_the_status_is_true_behind_an_old_bash_preexec(agent: RunningAgent, where: str) -> None:
    with bash(agent, **{where: OLD_PREEXEC}) as shell:
        for line, status, statuses in [
            ("(exit 3)", "3", "3"),
            ("(exit 4) | true | (exit 5)", "5", "4 0 5"),
            ("true", "0", "0"),
        ]:
            shell.run(line)
            assert shell.run('echo "<$_terma_status|${_terma_statuses% }>"') == f"<{status}|{statuses}>"
