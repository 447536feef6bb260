"""`?why` in bash: what it asks, what it shows, how it is stopped, and that it leaves nothing behind."""

from __future__ import annotations

import json
import select
import socket
import subprocess
from pathlib import Path

import pytest

from terma import wire
from tests.conftest import WAIT, Home, RunningAgent
from tests.shells.driver import PROMPT, Shell, wait_until
from tests.shells.in_bash import BASHES, bash, bash_in_tmux, pipes_of

every_bash = pytest.mark.parametrize("which", BASHES)
NOWHERE = "ls nowhere"


def ask_why(shell: Shell, line: str = "?why", end: str = "scripted · ") -> str:
    """Asks, and returns what was written up to the next prompt."""
    said = shell.run(line)
    assert end in said
    return said + "\r\n"


class Listener:
    """An agent's socket held by the test: what bash asks, and whatever answer the test likes."""

    def __init__(self, home: Home) -> None:
        self._socket = socket.socket(socket.AF_UNIX)
        self._socket.settimeout(WAIT)
        self._socket.bind(str(home.socket))
        self._socket.listen()

    def accept(self, shell: Shell) -> tuple[socket.socket, str, dict[str, str]]:
        """The connection, the request's id, and its fields; reads what the shell writes meanwhile."""
        wait_until(
            lambda: shell.read() + b"-" and select.select([self._socket], [], [], 0)[0], "a connection"
        )
        peer, _ = self._socket.accept()
        peer.settimeout(WAIT)
        with peer.makefile("rb") as stream:
            assert wire.decode(stream.readline())[:3] == ("hello", "1", "bash")
            line = stream.readline()
        assert len(line) < wire.MAX_FRAME
        verb, number, kind, *fields = wire.decode(line)
        assert verb == "ask"
        return peer, number, wire.keyed(fields) | {"kind": kind}

    def __enter__(self) -> Listener:
        return self

    def __exit__(self, *_: object) -> None:
        self._socket.close()


@every_bash
def test_it_sends_what_the_agent_needs(home: Home, which: str) -> None:
    env = {"TMUX_PANE": "%7", "TERM_PROGRAM": "tmux"}
    after = "alias ll='ls -l'; alias two=$'a\\nb'; for i in {1..3000}; do alias a$i=$i; done"
    with Listener(home) as agent, bash(home, env=env, after=after, which=which) as shell:
        shell.run("cd /tmp; (exit 7)")
        shell.type("?why is $x 'so").line()
        shell.press("Enter")
        peer, number, asked = agent.accept(shell)
        peer.sendall(wire.encode("done", number, "why"))
        peer.close()
        assert (asked["kind"], asked["question"], asked["asked"]) == ("why", " is $x 'so", "?why is $x 'so")
        assert (asked["command"], asked["status"]) == ("cd /tmp; (exit 7)", "7")
        assert (asked["cwd"], asked["command_dir"]) == ("/tmp", str(home.home))
        assert (asked["columns"], asked["lines"], asked["shell"]) == ("80", "24", "bash")
        assert (asked["env.TMUX_PANE"], asked["env.TERM_PROGRAM"]) == ("%7", "tmux")
        assert "env.STY" not in asked and asked["path"] and int(asked["duration"]) > 0
        assert 7000 < len(asked["aliases"]) <= 8192 and "two=" not in asked["aliases"]


@every_bash
@pytest.mark.parametrize("line", ["?why, who has it; touch PWNED", "?why: is $(touch PWNED) safe"])
def test_a_question_may_follow_a_comma_or_a_colon(home: Home, line: str, which: str) -> None:
    with Listener(home) as agent, bash(home, which=which) as shell:
        shell.run("true | (exit 7)")
        shell.type(line).line()
        shell.press("Enter")
        peer, number, asked = agent.accept(shell)
        peer.sendall(wire.encode("done", number, "why"))
        peer.close()
        assert (asked["question"], asked["command"]) == (line.removeprefix("?why"), "true | (exit 7)")
        assert asked["statuses"] == "0 7"
        assert not (home.home / "PWNED").exists()


def test_a_question_that_is_far_too_long_is_cut(home: Home) -> None:
    with Listener(home) as agent, bash(home) as shell:
        shell.run(NOWHERE)
        shell.send("\x1b[200~?why " + "很" * 9000 + "\x1b[201~").line()
        shell.press("Enter")
        peer, number, asked = agent.accept(shell)
        peer.sendall(wire.encode("done", number, "why"))
        peer.close()
        assert len(asked["question"]) == 4000
        shell.line()


@every_bash
def test_the_explanation_is_shown_in_its_styles(agent: RunningAgent, which: str) -> None:
    agent.will_explain("It is **not** there: `nowhere`.\n\n- one\n- two", fixes=("ls somewhere", "rm -rf x"))
    with bash(agent, which=which) as shell:
        shell.run(NOWHERE)
        said = ask_why(shell)
        assert "It is not there: nowhere.\r\n" in said and "• two\r\n" in said
        assert (
            "fix  ls somewhere\r\n" in said and "⚠ high" in said and "scripted · no output was seen" in said
        )
        assert b"\x1b[1mnot\x1b[0m" in shell.raw and b"\x1b[36mnowhere\x1b[0m" in shell.raw
        assert b"\x1b[1;31m\r\n     \xe2\x9a\xa0 high" in shell.raw


@pytest.mark.parametrize("plain", ["export NO_COLOR=1", "TERM=dumb"])
def test_it_is_plain_where_colours_are_not_wanted(agent: RunningAgent, plain: str) -> None:
    agent.will_explain("It is **not** there.")
    with bash(agent) as shell:
        shell.type(f"{plain}; {NOWHERE}").line()
        begun = len(shell.raw)
        shell.mark().press("Enter").wait_for("\n" + PROMPT)  # a dumb terminal is told of no bracketed paste
        shell.mark().type("?why").press("Enter").wait_for("scripted · ").wait_for("\n" + PROMPT)
        assert b"It is not there." in shell.raw[begun:] and b"\x1b[1m" not in shell.raw[begun:]
        assert b"\x1b[2m" not in shell.raw[begun:] and b"\x1b[5n" not in shell.raw[begun:]


HOSTILE = (
    "\x1b]0;owned\x07",
    "\x1b[2J",
    "\x9b31m",
    "\u202egnp",
    "\rready> rm",
    "\x00\x08\x7f",
)


@every_bash
@pytest.mark.parametrize("locale", ["C.UTF-8", "C"])
def test_no_control_character_of_a_broken_agent_reaches_the_screen_or_the_line(
    home: Home, locale: str, which: str
) -> None:
    with Listener(home) as agent, bash(home, env={"LC_ALL": locale}, which=which) as shell:
        shell.run(NOWHERE)
        begun = len(shell.raw)
        shell.type("?why").line()
        shell.mark().press("Enter")
        peer, number, _ = agent.accept(shell)
        for text in HOSTILE:
            peer.sendall(wire.encode("say", number, "plain", f"a{text}b"))
        peer.sendall(wire.encode("say", number, "nostyle\x1b[31m", "last"))
        peer.sendall(wire.encode("say", "999", "plain", "another's"))
        peer.sendall(wire.encode("unheard", number, "of"))
        peer.sendall(wire.encode("fix", number, "echo \x1b[31m\u202ered\n\n", "high", "it \x1b[2J erases"))
        peer.sendall(wire.encode("done", number, "why"))
        peer.close()
        shell.wait_for("last\r\n").wait_for("\n" + PROMPT)
        said = shell.raw[begun:]
        assert (
            b"\x1b]0" not in said
            and b"\x1b[2J" not in said
            and b"\x9b" not in said
            and b"\xe2\x80\xae" not in said
        )
        assert b"\rready> rm" not in said and b"\x08" not in said and b"another's" not in said
        shell.line()
        shell.mark().press("C-t").wait_for("it [2J erases")
        assert shell.line().text == "echo [31mred"


@every_bash
@pytest.mark.parametrize("between", [["Enter"], ["x", "C-c"], ["Space", "Enter"], ["#", "Enter"]])
def test_nothing_between_loses_the_failure(agent: RunningAgent, between: list[str], which: str) -> None:
    agent.will_explain("heard.", match=NOWHERE)
    with bash(agent, which=which) as shell:
        shell.run(NOWHERE)
        shell.press(*between[:-1]).line()
        shell.press(between[-1]).line()
        for _ in range(2):
            said = ask_why(shell)
            assert NOWHERE in said and "exit status 2" in said and "heard." in said


@every_bash
def test_terma_itself_is_never_the_last_command(agent: RunningAgent, which: str) -> None:
    agent.will_explain("heard.", match=NOWHERE)
    with bash(agent, which=which) as shell:
        shell.run(NOWHERE)
        for line in [
            "terma --version",
            "terma --version | cat",
            "terma --version | cat; false",
            "terma nonsense",
        ]:
            shell.run(line)
            said = ask_why(shell)
            assert NOWHERE in said and "exit status 2" in said


@every_bash
@pytest.mark.parametrize("history", ["ignoredups", "ignoreboth", "erasedups"])
def test_repeated_commands_are_told_apart(agent: RunningAgent, history: str, which: str) -> None:
    agent.will_explain("heard.")
    with bash(agent, before=f"HISTCONTROL={history}", which=which) as shell:
        for line, ending in [("(exit 3)", "3"), ("(exit 4)", "4"), ("(exit 4)", "4"), ("(exit 3)", "3")]:
            shell.run(line)
            for _ in range(2):
                said = ask_why(shell)
                assert line in said and f"exit status {ending}" in said


@pytest.mark.parametrize("times", ["", "HISTTIMEFORMAT='%F '"])
@pytest.mark.parametrize("share", ["history -a; history -c; history -r", "history -a; history -n"])
def test_a_history_that_is_read_again_with_every_prompt(agent: RunningAgent, share: str, times: str) -> None:
    agent.will_explain("heard.", match=NOWHERE)
    before = f"PROMPT_COMMAND='{share}'; HISTFILE=$HOME/shared; echo 'echo older' > $HISTFILE\n{times}"
    with bash(agent, before=before) as shell:
        for _ in range(2):
            shell.run(NOWHERE)
            assert NOWHERE in ask_why(shell, "?why is that")


def test_a_command_of_several_lines_is_told_whole(home: Home) -> None:
    with Listener(home) as agent, bash(home, before="shopt -s lithist") as shell:
        for line in ("for i in 1", "do (exit $i)", "done"):
            shell.run(line)
        shell.type("?why").line()
        shell.press("Enter")
        peer, number, asked = agent.accept(shell)
        peer.sendall(wire.encode("done", number, "why"))
        peer.close()
        assert asked["command"] == "for i in 1\ndo (exit $i)\ndone" and asked["status"] == "1"


@every_bash
def test_a_line_that_bash_cannot_read_is_a_failure_too(agent: RunningAgent, which: str) -> None:
    agent.will_explain("heard.")
    with bash(agent, which=which) as shell:
        shell.run("true")
        assert "syntax error" in shell.run("if true; fi")
        said = ask_why(shell)
        assert "if true; fi" in said and "exit status 2" in said
        shell.run("true")
        assert "exit status 0" in ask_why(shell)


def test_a_command_that_history_does_not_keep_is_not_sent(home: Home) -> None:
    with Listener(home) as agent, bash(home, before="HISTCONTROL=ignorespace") as shell:
        shell.run("echo public")
        shell.run(" (exit 4)")
        shell.type("?why").line()
        shell.press("Enter")
        peer, number, asked = agent.accept(shell)
        peer.sendall(wire.encode("done", number, "why"))
        peer.close()
        assert (asked["command"], asked["status"]) == ("", "4")


def children_of(pid: int) -> list[str]:
    done = subprocess.run(
        ["ps", "-o", "args=", "--ppid", str(pid)], capture_output=True, text=True, check=False
    )
    return done.stdout.splitlines()


@every_bash
@pytest.mark.parametrize("trap", ["", "trap 'echo trapped' INT"])
def test_ctrl_c_stops_it_and_leaves_nothing_behind(agent: RunningAgent, trap: str, which: str) -> None:
    agent.will_do_why({"delta": "It is a **long** story\n\nand "}, {"hang": True})
    with bash(agent, after=trap, which=which) as shell:
        shell.run(NOWHERE)
        traps, fds = shell.run("trap -p"), shell.run("echo /proc/$$/fd/*")
        shell.run(NOWHERE)
        shell.type("?why").line()
        shell.mark().press("Enter").wait_for("long story")
        shell.press("C-c").wait_for("^C").wait_for("\n" + PROMPT)
        assert shell.line().text == ""
        assert ("trapped" in shell.since()) == bool(trap)
        wait_until(
            lambda: not pipes_of(shell.child.pid) and not children_of(shell.child.pid), "its processes to end"
        )
        wait_until(lambda: not busy(agent), "the agent to hear of it")
        assert shell.run('echo "<$?>"') == "<130>"
        assert shell.run("jobs") == "" and shell.run("trap -p") == traps
        assert shell.run("echo /proc/$$/fd/*") == fds
        agent.will_explain("heard.")
        shell.run(NOWHERE)
        assert "heard." in ask_why(shell)


def busy(agent: RunningAgent) -> bool:
    """Whether an answer is under way, beside this question's own."""
    return bool(json.loads(agent.ask("status")[-1][-1])["answering"] > 1)


@every_bash
def test_keys_typed_meanwhile_are_not_lost(agent: RunningAgent, which: str) -> None:
    agent.will_do_why({"delta": "one "}, agent.pause, {"delta": "two."}, fixes=("ls somewhere",))
    with bash(agent, which=which) as shell:
        shell.run(NOWHERE)
        shell.type("?why").line()
        shell.mark().press("Enter").wait_for("exit status 2")
        shell.type("echo typed").press("Enter").wait_for("echo typed\r\n")  # the terminal's own echo
        agent.go_on()
        shell.wait_for("scripted · ").wait_for("\rtyped\r\n")
        assert shell.line().text == ""


@every_bash
def test_the_agent_may_die_in_mid_answer(agent: RunningAgent, which: str) -> None:
    agent.will_do_why({"delta": "It was **a dark** night\n\nand then"}, {"wait": 0.3}, {"crash": True})
    with bash(agent, which=which) as shell:
        shell.run(NOWHERE)
        said = ask_why(shell, end="terma: the agent went away; ask again")
        assert "a dark night" in said
        assert shell.run('echo "<$?>"') == "<1>"


def test_an_agent_that_hangs_is_left(agent: RunningAgent) -> None:
    agent.will_do_why({"hang": True})
    with bash(agent, env={"TERMA_WHY_TIMEOUT": "1"}) as shell:
        shell.run(NOWHERE)
        ask_why(shell, end="terma: nothing came from the agent for 1 s; terma agent restart")
        assert shell.run('echo "<$?>"') == "<1>"


def test_an_error_is_one_line(agent: RunningAgent) -> None:
    agent.will_do_why({"error": ["provider", "the engine is on fire", "pour water"]})
    with bash(agent) as shell:
        shell.run(NOWHERE)
        said = ask_why(shell, end="terma: the engine is on fire; pour water")
        assert said.count("\r\n") <= 2
        assert shell.run('echo "<$?>"') == "<1>"


def test_set_e_does_not_end_the_shell(agent: RunningAgent) -> None:
    agent.will_do_why({"error": ["provider", "the engine is on fire", ""]})
    with bash(agent) as shell:
        shell.run("set -e")
        ask_why(shell, end="terma: ")
        ask_why(shell, end="terma: ")
        assert shell.child.isalive() and shell.line().text == ""


@pytest.mark.parametrize("transport", ["nc", "socat", "relay"])
def test_an_agent_is_started_with_one_quiet_line(sleeping_agent: RunningAgent, transport: str) -> None:
    sleeping_agent.will_explain("heard.")
    with bash(sleeping_agent, env={"TERMA_TRANSPORT": transport}) as shell:
        shell.run(NOWHERE)
        said = ask_why(shell)
        assert said.count("starting the agent") == 1 and "heard." in said
        assert "starting" not in ask_why(shell)


def test_without_terma_it_says_what_to_do(home: Home) -> None:
    with bash(home, env={"TERMA_BIN": "/nonexistent/terma"}) as shell:
        shell.run(NOWHERE)
        said = ask_why(shell, end="is not a command here; pipx install xontrib-terma")
        assert said.count("\r\n") <= 3


@every_bash
def test_last_argument_job_and_directory_stay(agent: RunningAgent, which: str) -> None:
    agent.will_explain("heard.", fixes=("ls somewhere",))
    with bash(agent, which=which) as shell:
        shell.run("sleep 300 & disown; echo $! > job; true one two")
        ask_why(shell, "?why")
        assert shell.run('echo "<$_,$!>"') == f"<two,{(agent.home / 'job').read_text().strip()}>"
        subprocess.run(["kill", (agent.home / "job").read_text().strip()], check=False)


def test_chinese_and_a_narrow_terminal(agent: RunningAgent) -> None:
    agent.will_explain("没有这个目录。" * 6)
    with bash_in_tmux(agent, size=(20, 30)) as shell:
        shell.type(NOWHERE).press("Enter").wait_for("cannot access").line()
        shell.type("?why 为什么 $(touch X)").press("Enter")
        shell.wait_screen(
            lambda screen: screen.rstrip().endswith("ready>") and "scripted" in screen, "the answer"
        )
        assert not (agent.home / "X").exists()
        assert shell.line().text == ""


def test_a_resize_in_mid_answer_does_no_harm(agent: RunningAgent) -> None:
    agent.will_do_why({"delta": "one\n\n"}, agent.pause, {"delta": "two"}, fixes=("ls somewhere",))
    with bash_in_tmux(agent) as shell:
        shell.type(NOWHERE).press("Enter").wait_for("No such file").line()
        shell.type("?why").press("Enter").wait_for("exit status 2")
        shell._tmux("resize-window", "-x", "50", "-y", "20")
        agent.go_on()
        shell.wait_for("ready> ls somewhere")
        assert shell.line().text == "ls somewhere"


@every_bash
def test_the_terma_function_hands_over_the_last_command(home: Home, tmp_path: Path, which: str) -> None:
    tool = tmp_path / "terma"
    tool.write_text('#!/bin/sh\nenv | grep ^TERMA_LAST | sort; printf "<%s>" "$@"; exit 9\n')
    tool.chmod(0o755)
    with bash(home, env={"TERMA_BIN": str(tool)}, which=which) as shell:
        shell.run("cd /tmp; (exit 7)")
        for line in ["terma why 'is that'", "terma last --sent", "terma recipe", "terma 'why is that'"]:
            said = shell.run(line)
            assert "TERMA_LAST_COMMAND=cd /tmp; (exit 7)\r\n" in said and "TERMA_LAST_STATUS=7\r\n" in said
            assert "TERMA_LAST_SHELL=bash\r\n" in said
            assert f"TERMA_LAST_DIR={home.home}\r\n" in said and "TERMA_LAST_DURATION=" in said
        assert "TERMA_LAST_STATUS=7\r\n" in shell.run("terma last | cat")
        assert shell.run("terma doctor --json") == "<doctor><--json>"
        assert shell.run('terma doctor; echo "$?"').endswith("9")
        assert shell.run("env | grep TERMA_LAST") == ""


@pytest.mark.parametrize("own", ["terma() { echo mine; }", "alias terma='echo mine'"])
def test_a_terma_of_ones_own_is_kept(home: Home, own: str) -> None:
    with bash(home, before=own) as shell:
        assert shell.run("terma why").startswith("mine")
