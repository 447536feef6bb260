"""`terma shell` remembers what each command printed: the right bytes under the right command, and only those."""

from __future__ import annotations

import json
import re
import stat
from pathlib import Path

import pytest

from tests.conftest import Home
from tests.e2e.recorded import LOAD, Recorded
from tests.shells.driver import PROMPT, wait_until

both = pytest.mark.parametrize("shell", ["zsh", "bash"])


@both
def test_a_command_its_status_its_place_and_its_output_are_kept(home: Home, shell: str) -> None:
    (home.home / "dïr").mkdir()
    with Recorded(shell, home) as terminal:
        terminal.run("cd dïr")
        terminal.run("echo 50% of é; ls /nowhere")
        failed = terminal.last()[-1]
    assert failed["command"] == "echo 50% of é; ls /nowhere"
    assert failed["status"] == 2
    assert failed["cwd"] == f"{home.home}/dïr"
    assert failed["output"].startswith("50% of é\r\nls: ")
    assert failed["output"].endswith("No such file or directory\r\n")
    assert (failed["dropped"], failed["running"], failed["alt_screen"]) == (0, False, False)


@both
def test_the_very_first_command_and_one_of_many_lines_have_their_text(home: Home, shell: str) -> None:
    with Recorded(shell, home) as terminal:
        terminal.run("echo first")
        terminal.mark().type("for i in 1 2").press("Enter").wait_for("> ")
        terminal.type("do echo n$i").press("Enter").type("done").press("Enter").wait_for("n2\r\n")
        terminal.wait_for(PROMPT)
        first, loop = terminal.last()[-2:]
    assert (first["command"], first["output"]) == ("echo first", "first\r\n")
    assert re.sub(r"[\s;]+", " ", loop["command"]) == "for i in 1 2 do echo n$i done"
    assert loop["output"] == "n1\r\nn2\r\n"


@both
def test_a_line_without_an_end_is_kept_without_the_mark_that_zsh_puts_there(home: Home, shell: str) -> None:
    with Recorded(shell, home) as terminal:
        terminal.run("printf unfinished")
        terminal.run("printf 'ends in blanks   '")
        terminal.run("true")
        outputs = [command["output"] for command in terminal.last()]
    assert outputs == ["unfinished", "ends in blanks   ", ""]


@both
def test_an_empty_line_and_a_cancelled_one_are_no_commands(home: Home, shell: str) -> None:
    with Recorded(shell, home) as terminal:
        terminal.run("false")
        terminal.run("")
        terminal.mark().type("half a li").wait_for("half a li").interrupt()
        terminal.run("true")
        assert [command["command"] for command in terminal.last()] == ["false", "true"]


FORGED = r"printf '\033]133;D;0\007\033]133;D;0;terma=0123456789abcdef\007\033]133;C;cmdline_url=evil\007\033]133;'"


@both
def test_marks_that_a_program_prints_are_output_like_any_other(home: Home, shell: str) -> None:
    with Recorded(shell, home) as terminal:
        terminal.run(f"echo before; {FORGED}; echo after; false")
        terminal.run("echo next")
        forger, following = terminal.last()
    assert forger["status"] == 1
    assert forger["output"].startswith("before\r\n\x1b]133;D;0\x07")
    assert forger["output"].endswith("after\r\n")
    assert (following["command"], following["output"]) == ("echo next", "next\r\n")


@both
def test_an_unfinished_forged_mark_does_not_swallow_the_real_one(home: Home, shell: str) -> None:
    with Recorded(shell, home) as terminal:
        terminal.run(r"printf 'text\033]133;C;cmdline_url=evil'; false")
        terminal.run("echo next")
        forger, following = terminal.last()
    assert (forger["status"], forger["output"][:4]) == (1, "text")
    assert following["output"] == "next\r\n"


@both
def test_a_suspended_command_ends_with_its_status_and_goes_on_as_fg(home: Home, shell: str) -> None:
    with Recorded(shell, home) as terminal:
        terminal.mark().type("echo started; sleep 1000").press("Enter").wait_for("started\r\n")
        wait_until(lambda: _sleeps(terminal), "sleep to be in the foreground")
        terminal.mark().press("C-z").wait_for(PROMPT)
        stopped = terminal.last()[-1]
        terminal.mark().type("fg").press("Enter").wait_for("sleep 1000")
        wait_until(lambda: _sleeps(terminal), "sleep to be in the foreground")
        terminal.mark().press("C-c").wait_for(PROMPT)
        again = terminal.last()[-1]
    assert (stopped["status"], stopped["running"]) == (148, False)
    assert (again["command"], again["status"]) == ("fg", 130)


def _sleeps(terminal: Recorded) -> bool:
    """Whether `sleep` has the shell's terminal."""
    terminal.read()
    shell = (
        Path(f"/proc/{terminal.recorder}/task/{terminal.recorder}/children")
        .read_text(encoding="ascii")
        .split()[0]
    )
    group = Path(f"/proc/{shell}/stat").read_text(encoding="ascii").rsplit(")", 1)[1].split()[5]
    try:
        command = Path(f"/proc/{group}/comm").read_text(encoding="ascii")
        state = Path(f"/proc/{group}/stat").read_text(encoding="ascii").rsplit(")", 1)[1].split()[0]
    except FileNotFoundError:
        return False
    return command == "sleep\n" and state == "S"


@both
def test_a_password_that_is_typed_unseen_is_nowhere_in_the_recording(home: Home, shell: str) -> None:
    ask = (
        "IFS= read -rs 'pw?Pass''word: '" if shell == "zsh" else "IFS= read -rsp 'Pass''word: ' pw"
    )  # not as it is typed
    with Recorded(shell, home) as terminal:
        terminal.mark().type(f"{ask}; echo got ${{#pw}}").press("Enter").wait_for("Password: ")
        terminal.type("hunter2!").press("Enter").wait_for("got 8").wait_for(PROMPT)
        answer = terminal.ask()
    assert b"Password: " in answer
    assert b"hunter2" not in answer


@both
def test_a_program_on_the_alternate_screen_is_flagged_and_its_screen_not_kept(home: Home, shell: str) -> None:
    with Recorded(shell, home) as terminal:
        terminal.run(r"echo before; printf '\033[?1049hsecret screen\033[?1049l'; echo after")
        command = terminal.last()[-1]
    assert command["output"] == "before\r\nafter\r\n"
    assert command["alt_screen"] is True


@both
def test_a_new_shell_in_place_of_the_old_one_is_recorded_when_its_start_file_loads_terma(
    home: Home, shell: str
) -> None:
    with Recorded(shell, home, LOAD[shell]) as terminal:
        terminal.run(f"exec {shell}")
        terminal.run("echo reborn")
        replaced, command = terminal.last()
    assert (replaced["command"], replaced["status"], replaced["running"]) == (
        f"exec {shell}" if shell == "zsh" else None,
        None,
        False,
    )
    assert (command["command"], command["output"], command["status"]) == ("echo reborn", "reborn\r\n", 0)


@both
def test_a_shell_within_has_its_own_commands_and_the_outer_one_ends_last(home: Home, shell: str) -> None:
    with Recorded(shell, home, LOAD[shell]) as terminal:
        terminal.run(shell)
        terminal.run("echo inside; false")
        inside = terminal.last()
        terminal.run("exit 3")
        after = terminal.last()
    assert [(command["status"], command["running"]) for command in inside] == [(1, False), (None, True)]
    assert inside[0]["output"] == "inside\r\n"
    assert after[0]["output"] == "inside\r\n"
    assert (after[-1]["command"], after[-1]["status"]) == (shell, 3)


@both
def test_a_plain_shell_within_is_output_of_the_command_that_started_it(home: Home, shell: str) -> None:
    plain = "zsh -f" if shell == "zsh" else "bash --norc"
    with Recorded(shell, home) as terminal:
        terminal.mark().type(f"PS1='in> ' {plain}").press("Enter").wait_for("in> ")
        terminal.type("echo inside").press("Enter").wait_for("inside\r\n").type("exit 3").press("Enter")
        terminal.wait_for(PROMPT)
        (command,) = terminal.last()
    assert command["status"] == 3
    assert "inside\r\n" in command["output"]


@both
def test_a_command_that_runs_shows_what_it_has_printed_so_far(home: Home, shell: str) -> None:
    with Recorded(shell, home) as terminal:
        terminal.mark().type("echo so far; cat").press("Enter").wait_for("so far\r\n")
        wait_until(lambda: terminal.last()[-1]["output"] == "so far\r\n", "the output of the running command")
        assert terminal.last()[-1]["running"] is True


@both
def test_a_flood_stops_at_ctrl_c_and_leaves_its_two_ends_within_bounds(home: Home, shell: str) -> None:
    with Recorded(shell, home) as terminal:
        before = _rss(terminal.recorder)
        terminal.mark().type("echo the beginning; yes").press("Enter")
        flood = 0
        while flood < 3_000_000:
            flood += len(terminal.collect(b"y\r\n"))
        terminal.press("C-c").collect(PROMPT.encode())
        (command,) = terminal.last()
        assert (
            _rss(terminal.recorder) - before < 8 * 1024
        )  # KiB: the answer of 256 KiB was made in it as well
    assert command["status"] == 130
    assert command["output"].startswith("the beginning\r\ny\r\n")
    assert command["output"].rstrip("\r\n").endswith(("y\r\ny\r\n^C", "y\r\ny^C", "^C", "y"))
    assert command["dropped"] > 1_000_000
    assert f"… {command['dropped']} bytes dropped …" in command["output"]
    assert len(command["output"]) < 270_000


def _rss(pid: int) -> int:
    found = re.search(r"VmRSS:\s+(\d+)", Path(f"/proc/{pid}/status").read_text(encoding="ascii"))
    assert found
    return int(found[1])


def test_bash_keeps_no_text_of_a_line_that_its_user_keeps_out_of_the_history(home: Home) -> None:
    with Recorded("bash", home, "HISTCONTROL=ignoreboth\n") as terminal:
        terminal.run("echo shown")
        terminal.run(" echo hidden")
        terminal.run("echo shown")
        terminal.run("set +o history")
        terminal.run("echo more")
        texts = [command["command"] for command in terminal.last()]
    assert texts == ["echo shown", None, None, None, None]  # a repetition is not told from a hidden line


def test_the_answer_knows_its_version_the_size_and_how_many_were_wanted(home: Home) -> None:
    with Recorded("bash", home, size=(30, 100)) as terminal:
        for number in range(12):
            terminal.run(f"echo {number}")
        whole = json.loads(terminal.ask())
        assert (whole["version"], whole["columns"], whole["lines"]) == (1, 100, 30)
        assert [command["output"] for command in whole["commands"]] == [f"{n}\r\n" for n in range(2, 12)]
        assert len(terminal.last(3)) == 3
        assert terminal.ask(b"frist\n") == terminal.ask(b"last x\n") == terminal.ask(b"x" * 1000) == b""


def test_the_socket_is_the_owners_alone_and_gone_with_the_shell(home: Home) -> None:
    with Recorded("bash", home) as terminal:
        (path,) = terminal.sockets()
        assert stat.S_IMODE(path.stat().st_mode) == 0o600
        assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700
        terminal.type("exit").press("Enter")
        assert terminal.ended() == 0
        assert not path.exists()


def test_what_a_dead_recorder_left_is_swept_and_what_lives_is_not(home: Home) -> None:
    with Recorded("bash", home) as first:
        (alive,) = first.sockets()
        stale = home.runtime / "rec-4194303-0123456789abcdef.sock"  # above Linux's default pid_max
        stale.touch()
        with Recorded("bash", home) as second:
            wait_until(lambda: not stale.exists(), "the stale socket to be removed")
            assert alive in second.sockets()
            assert len(second.sockets()) == 2


def test_a_shell_with_plain_marks_of_its_own_is_recorded_by_them(home: Home) -> None:
    fish = home.home / "fish"
    fish.write_text(
        "#!/bin/sh\nprintf '\\033]133;C;cmdline_url=echo%%20hi\\007hi\\n\\033]133;D;4\\007ready> '\nread x\n"
    )
    fish.chmod(0o755)
    with Recorded(str(fish), home) as terminal:
        (command,) = terminal.last()
    assert (command["command"], command["output"], command["status"]) == ("echo hi", "hi\r\n", 4)
