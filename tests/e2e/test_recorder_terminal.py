"""`terma shell` is not there: bytes, sizes, signals, modes, start-up files, statuses are those of the shell alone."""

from __future__ import annotations

import hashlib
import os
import random
import re
import shutil
import signal
import subprocess
import time
from pathlib import Path

import pytest

from tests.conftest import Home
from tests.e2e.recorded import LOAD, MARK, TERMA, Recorded, lives
from tests.shells.driver import PROMPT, wait_until

both = pytest.mark.parametrize("shell", ["zsh", "bash"])
NOISE = 5_000_000


@both
def test_five_megabytes_of_noise_arrive_byte_for_byte(home: Home, shell: str) -> None:
    noise = random.Random(7).randbytes(NOISE)
    (home.home / "noise").write_bytes(noise)
    with Recorded(shell, home) as terminal:
        terminal.mark().type("stty -opost; cat noise; stty opost; echo; echo over''ed").press("Enter")
        arrived = terminal.collect(b"overed\r\n")
        wait_until(lambda: terminal.read() or not terminal.last()[-1]["running"], "the end of the command")
        (command,) = terminal.last()
    start = arrived.find(noise[:64])
    there = arrived[start : start + len(noise)]
    assert hashlib.sha256(there).hexdigest() == hashlib.sha256(noise).hexdigest()
    assert command["dropped"] > NOISE - 300_000


READ_RAW = (
    "stty raw -echo; echo ok; head -c {count} | od -An -v -tx1 | tr -d ' \\n'; stty sane; echo; echo over''ed"
)


@both
def test_every_byte_that_is_typed_arrives_with_paste_and_mouse(home: Home, shell: str) -> None:
    typed = (
        bytes(range(256))
        + b"\x1b[200~past\xe9\r\n\x1b[201~\x1b[<0;10;5M\x1b[M !!\xff\xfe"
        + bytes(range(255, -1, -1))
    )
    with Recorded(shell, home) as terminal:
        terminal.mark().type(READ_RAW.format(count=len(typed))).press("Enter").wait_for("ok\n")
        terminal.send(typed).wait_for("overed").wait_for(PROMPT)
        assert typed.hex() in terminal.since()


@both
def test_a_paste_larger_than_any_buffer_arrives_whole(home: Home, shell: str) -> None:
    pasted = b"".join(b"%06d\n" % number for number in range(40_000))
    with Recorded(shell, home) as terminal:
        terminal.mark().type(
            f"stty -echo; echo ok; head -c {len(pasted)} | sha256sum; stty echo; echo over''ed"
        )
        terminal.press("Enter").wait_for("ok\r\n")
        view = memoryview(pasted)
        while view:
            view = view[os.write(terminal.child.child_fd, view[:2048]) :]
        terminal.wait_for("overed")
        assert hashlib.sha256(pasted).hexdigest() in terminal.since()


@both
def test_a_new_size_reaches_the_program_that_runs(home: Home, shell: str) -> None:
    with Recorded(shell, home) as terminal:
        assert "24 80" in terminal.run("stty size")
        watch = "trap 'stty size' WINCH; echo watching; while :; do sleep 0.1; done"
        terminal.mark().type(f'sh -c "{watch}"').press("Enter").wait_for("watching\r\n")
        terminal.child.setwinsize(33, 111)
        terminal.wait_for("33 111")
        terminal.mark().press("C-c").wait_for(PROMPT)
        assert "33 111" in terminal.run("stty size")


@both
@pytest.mark.parametrize(("line", "status"), [("exit 7", 7), ("kill -9 $$", 137)])
def test_the_exit_status_is_the_shells_own(home: Home, shell: str, line: str, status: int) -> None:
    with Recorded(shell, home) as terminal:
        terminal.type(line).press("Enter")
        assert terminal.ended() == status


def test_ctrl_d_ends_it_as_it_ends_the_shell(home: Home) -> None:
    with Recorded("bash", home) as terminal:
        terminal.run("false")
        terminal.press("C-d")
        assert terminal.ended() == 1


def test_what_a_job_in_the_background_still_prints_does_not_hold_the_shell_back(home: Home) -> None:
    with Recorded("bash", home) as terminal:
        terminal.run("(trap '' HUP; while echo still here; do :; done) & disown")
        terminal.type("exit 5").press("Enter")
        assert terminal.ended() == 5


BETWEEN = "stty -g; {terma}; echo status $?; stty -g; echo finis''hed; read x"


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP, signal.SIGINT, signal.SIGQUIT])
def test_a_signal_ends_the_shell_and_gives_the_terminal_back(home: Home, number: signal.Signals) -> None:
    with Recorded("zsh", home, through=BETWEEN) as terminal:
        (path,) = terminal.sockets()
        shell = _child(terminal.recorder)
        os.kill(terminal.recorder, number)
        terminal.wait_for("finished")
        before, after = _modes(terminal)
        assert f"status {128 + number}" in terminal.since()
        assert before == after
        wait_until(lambda: not lives(shell), "the shell to end")
        assert not path.exists()


def test_the_terminal_is_given_back_at_a_normal_end(home: Home) -> None:
    with Recorded("bash", home, through=BETWEEN) as terminal:
        terminal.type("stty -echo -icanon; exit 3").press("Enter").wait_for("finished")
        assert "status 3" in terminal.since()
        before, after = _modes(terminal)
        assert before == after


def test_a_program_that_is_not_there_costs_one_line(home: Home) -> None:
    odd = home.home / "odd"
    odd.write_text("#!/nowhere/interpreter\n", encoding="ascii")
    odd.chmod(0o755)
    with Recorded(str(odd), home, through=BETWEEN, ready="finished") as terminal:
        assert "status 126" in terminal.text
        assert f"terma: {odd}: No such file or directory\r\n" in terminal.text


def _modes(terminal: Recorded) -> list[str]:
    found = re.findall(r"[0-9a-f]+(?::[0-9a-f]+){10,}", terminal.text)
    assert len(found) == 2
    return found


def _child(pid: int) -> int:
    return int(Path(f"/proc/{pid}/task/{pid}/children").read_text(encoding="ascii").split()[0])


def test_after_sigkill_the_shell_is_gone_and_reset_makes_the_terminal_usable(home: Home) -> None:
    killed = "{terma}; echo status $?; PS1='outer> ' exec bash --norc"
    with Recorded("zsh", home, through=killed) as terminal:
        shell = _child(terminal.recorder)
        terminal.mark()
        os.kill(terminal.recorder, signal.SIGKILL)
        terminal.wait_for("status 137").wait_for("outer> ")
        wait_until(lambda: not lives(shell), "the shell to be hung up on")
        terminal.mark().type("reset").press("C-j").wait_for("outer> ")
        terminal.mark().type("stty -a; echo usa''ble").press("Enter").wait_for("usable\r\n")
        assert {"icanon", "isig", "opost", "echo", "icrnl"} <= set(terminal.since().split())


def test_it_is_hung_up_on_with_its_terminal(home: Home) -> None:
    terminal = Recorded("zsh", home)
    recorder = terminal.recorder
    shell = _child(recorder)
    os.close(terminal.child.child_fd)
    wait_until(lambda: not lives(shell) and not lives(recorder), "both to end")
    assert terminal.sockets() == []


@both
def test_a_shell_that_stops_itself_stops_the_recorder_and_fg_brings_both_back(home: Home, shell: str) -> None:
    job = "PS1='outer> ' exec bash --norc"
    with Recorded(shell, home, through=job, ready="outer> ") as terminal:
        terminal.mark().type(f"{TERMA} shell").press("Enter").wait_for(PROMPT)
        terminal.mark().type("kill -STOP $$").press("Enter").wait_for("Stopped").wait_for("outer> ")
        terminal.mark().type("stty -a | grep -o ' icanon'").press("Enter").wait_for(" icanon\r\n")
        terminal.wait_for("outer> ").mark().type("fg").press("Enter").wait_for(PROMPT)
        assert "back\r\n" in terminal.run("echo ba''ck")


def test_nothing_is_done_while_nothing_happens(home: Home) -> None:
    with Recorded("zsh", home) as terminal:
        terminal.run("true")
        status = Path(f"/proc/{terminal.recorder}/status")
        terminal.ask()

        def wakeups() -> str:
            found = re.search(r"voluntary_ctxt_switches:\s+(\d+)", status.read_text(encoding="ascii"))
            assert found
            return found[1]

        def still() -> bool:
            before = wakeups()
            time.sleep(1.0)
            return wakeups() == before

        wait_until(still, "a second in which the recorder does not wake")


@both
def test_a_recorded_shell_inside_one_is_simply_a_shell(home: Home, shell: str) -> None:
    with Recorded(shell, home) as terminal:
        outer = terminal.run("echo $$")
        assert "terma:" not in terminal.run(f"{TERMA} shell")
        assert terminal.run("echo $$") != outer
        assert len(terminal.sockets()) == 1
        terminal.run("exit 3")
        assert terminal.run("echo status $?").startswith("status 3\r\n")
        assert terminal.run("echo $$") == outer


@both
def test_what_a_job_prints_after_the_shells_end_still_comes(home: Home, shell: str) -> None:
    with Recorded(shell, home, through="{terma}; echo status $?; read x") as terminal:
        wait = "while [ ! -e go ]; do sleep 0.02; done"
        terminal.run(f"(trap '' HUP; {wait}; echo late out''put) & disown")
        terminal.type("exit 4").press("Enter")
        terminal.wait_for("status 4")
        (home.home / "go").touch()
        terminal.wait_for("late output")


def test_what_a_dead_recorder_left_in_the_environment_does_not_stand_in_the_way(home: Home) -> None:
    env = {
        "TERMA_RECORDING": f"{home.runtime}/rec-1-0123456789abcdef.sock",
        "TERMA_RECORDING_TTY": "/dev/pts/0",
    }
    with Recorded("bash", home, env=env) as terminal:
        terminal.run("echo recorded")
        assert terminal.last()[-1]["output"] == "recorded\r\n"


def test_without_a_terminal_it_says_so(home: Home) -> None:
    done = subprocess.run(
        [TERMA, "shell"], env=home.env, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr == "terma: terma shell needs a terminal\n  run it where you type commands\n"


SHOW_ENV = "env | LC_ALL=C sort | grep -v -e ^TERMA_RECORDING -e ^_= -e ^SHLVL="
SHOWN = {
    "zsh": f"setopt; set -o; bindkey; print -r - $ZDOTDIR-; {SHOW_ENV}; print -r - $0 $-; stty -a",
    "bash": f"shopt; set -o; bind -p; trap; {SHOW_ENV}; echo $0 $-; stty -a",
}


@both
@pytest.mark.parametrize("words", [(), ("-l",)])
@pytest.mark.parametrize("zdotdir", [None, "elsewhere"])
def test_options_bindings_environment_and_modes_are_those_of_the_shell_alone(
    home: Home, shell: str, words: tuple[str, ...], zdotdir: str | None
) -> None:
    env = {} if zdotdir is None else {"ZDOTDIR": str(home.home / zdotdir)}
    place = home.home / (zdotdir or ".")
    place.mkdir(exist_ok=True)
    (home.home / ".profile").write_text(". ~/.bashrc\n", encoding="ascii")
    seen = []
    for through in ("{terma}", f"exec {shell} {' '.join(words)}"):
        if zdotdir:
            (place / ".zshrc").write_text(f"PS1='{PROMPT}'\nHISTFILE=\n", encoding="ascii")
        with Recorded(shell, home, words=words, env=env, through=through) as terminal:
            seen.append(terminal.run(SHOWN[shell]))
    assert seen[0] == seen[1]


def test_the_persons_own_zsh_files_are_read_in_their_order_and_keep_their_zdotdir(home: Home) -> None:
    place = home.home / "zsh"
    place.mkdir()
    (home.home / ".zshenv").write_text(f"ZDOTDIR={place}\necho env ${{ZDOTDIR}}\n", encoding="ascii")
    for name in (".zprofile", ".zshrc", ".zlogin"):
        (place / name).write_text(f"PS1='{PROMPT}'\necho {name} $ZDOTDIR $options[norcs]\n", encoding="ascii")
    with Recorded("zsh", home, words=("-l",)) as terminal:
        terminal.run("echo hello")
        assert terminal.last()[-1]["output"] == "hello\r\n"
        lines = [line for line in terminal.text.splitlines() if "/zsh" in line and "echo" not in line]
        assert lines[:4] == [
            f"env {place}",
            *(f"{name} {place} off" for name in (".zprofile", ".zshrc", ".zlogin")),
        ]


def test_a_zsh_without_start_files_is_left_alone(home: Home) -> None:
    with Recorded("zsh", home, words=("-f",), ready="# ") as terminal:
        terminal.mark().type("echo [$ZDOTDIR]").press("Enter").wait_for("[]\r\n")


@both
@pytest.mark.parametrize("terma_too", [False, True])
def test_status_and_last_argument_reach_the_prompts_own_commands(
    home: Home, shell: str, terma_too: bool
) -> None:
    hook = "precmd() { print -r - was $? }" if shell == "zsh" else "PROMPT_COMMAND='echo was $? $_'"
    with Recorded(shell, home, f"{hook}\n{LOAD[shell] if terma_too else ''}") as terminal:
        said = terminal.run("sh -c 'exit 3' x y")
        assert "was 3" in said
        if shell == "bash":
            assert "was 3 y" in said
        assert "was 1" in terminal.run("false")
        assert [command["status"] for command in terminal.last()] == [3, 1]


def test_a_list_of_prompt_commands_stays_a_list_and_a_string_a_string(home: Home) -> None:
    for given, kind in (("PROMPT_COMMAND=(true :)", "declare -a"), ("PROMPT_COMMAND=true", "declare --")):
        with Recorded("bash", home, f"{given}\n") as terminal:
            assert kind in terminal.run("declare -p PROMPT_COMMAND")
            terminal.run("echo kept")
            assert terminal.last()[-1]["output"] == "kept\r\n"


@pytest.mark.skipif(shutil.which("strace") is None, reason="strace is Linux's")
@both
def test_the_hooks_fork_nothing(home: Home, shell: str) -> None:
    trace = home.home / "trace"
    with Recorded(shell, home) as terminal:
        terminal.run("true")
        watcher = subprocess.Popen(
            [
                "strace",
                "-f",
                "-q",
                "-e",
                "trace=clone,clone3,fork,vfork",
                "-o",
                trace,
                "-p",
                str(_child(terminal.recorder)),
            ]
        )
        try:
            wait_until(lambda: "TracerPid:\t0" not in _status(_child(terminal.recorder)), "strace to attach")
            for _ in range(3):
                terminal.run("cd . ; :")
        finally:
            watcher.terminate()
            watcher.wait()
    assert not re.search(r"(clone3?|v?fork)\(", trace.read_text(encoding="utf-8"))


def _status(pid: int) -> str:
    return Path(f"/proc/{pid}/status").read_text(encoding="ascii")


def test_the_marks_are_all_that_the_recorder_adds_to_a_session(home: Home) -> None:
    lines = ["echo hello", "printf unfinished", "cd /; ls -d etc", "no-such-program", "false"]
    for shell in ("bash", "zsh"):
        seen = []
        for through in ("{terma}", "exec {shell}"):
            with Recorded(shell, home, through=through) as terminal:
                for line in lines:
                    terminal.run(line)
                terminal.type("exit").press("Enter")
                terminal.ended()
                seen.append(terminal.raw)
        assert MARK.sub(b"", seen[0]) == seen[1]
        assert len(MARK.findall(seen[0])) == 3 * len(lines) + 2
