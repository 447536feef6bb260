"""The command line as a person or a program meets it: real processes, real exit statuses."""

from __future__ import annotations

import json
import shutil
import signal
import subprocess
import sys
from pathlib import Path

import pytest

import terma
from tests.conftest import WAIT, Home, RunningAgent
from tests.shells.driver import PROMPT, TmuxShell

TERMA = str(Path(sys.executable).parent / "terma")


def call(home: Home, *arguments: str, said: str = "", **env: str) -> subprocess.CompletedProcess[str]:
    """Run `terma` with `arguments` in the test's home; `said` is its standard input."""
    return subprocess.run(
        [TERMA, *arguments],
        env=home.env | env,
        input=said,
        capture_output=True,
        text=True,
        timeout=WAIT * 2,
        cwd=home.home,
        check=False,
    )


def test_help_lists_every_command(home: Home) -> None:
    done = call(home, "--help")
    files = (Path(terma.__file__).parent / "commands").glob("[a-z]*.py")
    for file in files:
        assert f"  {file.stem.rstrip('_')} " in done.stdout
    assert done.returncode == 0


@pytest.mark.parametrize(
    "command", ["agent", "suggest", "risk", "init", "try", "doctor", "completions", "uninstall", "version"]
)
def test_every_command_explains_itself(home: Home, command: str) -> None:
    done = call(home, command, "--help")
    assert done.stdout.startswith(f"usage: terma {command}")
    assert done.returncode == 0


def test_version(home: Home) -> None:
    assert call(home, "--version").stdout == call(home, "version").stdout == f"terma {terma.__version__}\n"
    assert json.loads(call(home, "version", "--json").stdout)["version"] == terma.__version__


@pytest.mark.parametrize(
    "arguments", [["sugest", "x"], ["suggest"], ["risk"], ["init", "fish"], ["suggest", "--nope", "x"]]
)
def test_wrong_usage_is_status_2_and_says_so_briefly(home: Home, arguments: list[str]) -> None:
    done = call(home, *arguments)
    assert done.returncode == 2
    assert done.stdout == ""
    assert "Traceback" not in done.stderr
    assert done.stderr.strip()


def test_a_shell_without_a_key_is_told_what_there_is(home: Home) -> None:
    for arguments in (["init", "fish"], ["try", "--shell", "fish"]):
        done = call(home, *arguments)
        assert done.returncode == 2
        assert "there is no key for fish yet" in done.stderr and "terma suggest" in done.stderr
        assert "usage:" not in done.stderr


def test_who_names_no_shell_is_told_the_line(home: Home) -> None:
    done = call(home, "init")
    assert done.returncode == 2
    assert "usage:" not in done.stderr and "terma init zsh --install" in done.stderr


def test_a_mistyped_command_is_met_with_the_nearest_one(home: Home) -> None:
    assert "did you mean: terma suggest" in call(home, "sugest").stderr


def test_suggest_prints_the_command_and_nothing_else(agent: RunningAgent) -> None:
    agent.will_say("ls ", "-l", match="list files")
    done = call(agent, "suggest", "list files")
    assert (done.stdout, done.stderr, done.returncode) == ("ls -l\n", "", 0)


def test_suggest_takes_a_sentence_in_several_words(agent: RunningAgent) -> None:
    agent.will_say("ls -l", match="list files")
    assert call(agent, "suggest", "list", "files").stdout == "ls -l\n"


def test_suggest_prints_as_many_as_asked_for(agent: RunningAgent) -> None:
    agent.will_say("ls -l", match="list", candidates=("ls -la", "ls"))
    assert call(agent, "suggest", "-n", "2", "list").stdout == "ls -l\nls -la\n"
    assert call(agent, "suggest", "list").stdout == "ls -l\n"


def test_suggest_json_carries_risk_and_candidates(agent: RunningAgent) -> None:
    agent.will_say("rm -rf build", match="delete build")
    answer = json.loads(call(agent, "suggest", "--json", "delete build").stdout)
    assert answer["command"] == "rm -rf build"
    assert answer["candidates"][0]["risk"] == {"level": "high", "reasons": ["deletes files, recursively"]}
    assert answer["engine"] == "scripted"


def test_suggest_says_on_stderr_that_it_does_not_know(agent: RunningAgent) -> None:
    agent.forget()
    done = call(agent, "suggest", "colourless green ideas")
    assert done.returncode == 1
    assert done.stdout == ""
    assert 1 <= len(done.stderr.splitlines()) <= 2


def test_a_batch_answers_line_by_line_and_keeps_the_count(agent: RunningAgent) -> None:
    agent.will_say("ls -l", match="list")
    agent.will_say("for f in *\ndo echo $f\ndone", match="loop")
    done = call(agent, "suggest", "--batch", said="list files\n\nunknown words\nloop over files\nlist again")
    assert done.stdout.splitlines() == ["ls -l", "", "", "for f in *\\ndo echo $f\\ndone", "ls -l"]
    assert done.returncode == 0


def test_a_batch_can_be_held_as_a_conversation(agent: RunningAgent) -> None:
    agent.will_say("ls -l", match="list")
    process = subprocess.Popen(
        [TERMA, "suggest", "--batch"], env=agent.env, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    with process:
        assert process.stdin and process.stdout
        for _ in range(3):
            process.stdin.write("list files\n")
            process.stdin.flush()
            assert process.stdout.readline() == "ls -l\n"
        process.stdin.close()
        assert process.wait(WAIT) == 0


def test_a_hostile_answer_is_printed_without_its_controls(agent: RunningAgent) -> None:
    agent.will_say("ls\x1b]0;owned\x07\x1b[31m -l\r\n", match="list")
    assert call(agent, "suggest", "list").stdout == "ls -l\n"


def test_without_a_usable_directory_the_answer_comes_without_an_agent(home: Home) -> None:
    home.runtime.chmod(0o777)
    home.script.write_text('[{"match": "", "steps": [{"delta": "ls -l"}]}]')
    done = call(home, "suggest", "list files", TERMA_ENGINE="scripted")
    assert (done.stdout, done.returncode) == ("ls -l\n", 0)
    assert not home.socket.exists()


def test_risk_says_level_and_reasons(home: Home) -> None:
    assert (
        call(home, "risk", "rm -rf /").stdout
        == "high: deletes the whole system; deletes files, recursively\n"
    )
    assert call(home, "risk", "ls").stdout == "low\n"
    assert call(home, "risk", "sudo ls").stdout == "low: needs root\n"
    assert json.loads(call(home, "risk", "--json", "sudo ./setup").stdout) == {
        "level": "medium",
        "reasons": ["needs root"],
        "kinds": ["root"],
    }


def test_risk_in_a_batch_gives_a_line_for_a_line(home: Home) -> None:
    done = call(home, "risk", "--batch", said="ls\nrm -r x\n\ngrep 'rm -rf' f\n")
    assert done.stdout.splitlines() == ["low", "high: deletes files, recursively", "low", "low"]


def test_risk_looks_at_what_is_there(home: Home) -> None:
    (home.home / "important.txt").write_text("words")
    assert (
        call(home, "risk", "> important.txt").stdout == "high: overwrites important.txt, which is not empty\n"
    )


def test_bytes_that_are_no_text_end_no_batch(home: Home) -> None:
    done = subprocess.run(
        [TERMA, "risk", "--batch"], env=home.env, input=b"ls \xff\xfe\nls\n", capture_output=True, check=False
    )
    assert done.stdout == b"low\nlow\n"


def test_a_reader_that_leaves_early_is_no_error(home: Home) -> None:
    process = subprocess.Popen(
        [TERMA, "risk", "--batch"],
        env=home.env,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    assert process.stdin and process.stdout and process.stderr
    process.stdout.close()
    with process.stdin as stdin:
        stdin.write(b"ls\n" * 1000)
    assert process.wait(WAIT) == 141
    assert process.stderr.read() == b""
    process.stderr.close()


def test_control_c_is_status_130_without_a_word(home: Home) -> None:
    process = subprocess.Popen(
        [TERMA, "risk", "--batch"],
        env=home.env,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    assert process.stdin and process.stdout and process.stderr
    process.stdin.write(b"ls\n")
    process.stdin.flush()
    assert process.stdout.readline() == b"low\n"  # it runs
    process.send_signal(signal.SIGINT)
    assert process.wait(WAIT) == 130
    assert process.stderr.read() == b""
    for stream in (process.stdin, process.stdout, process.stderr):
        stream.close()


def test_a_traceback_is_shown_to_who_asks_for_it(home: Home) -> None:
    home.runtime.chmod(0o777)
    quiet = call(home, "agent", "start")
    assert quiet.returncode == 1
    assert "Traceback" not in quiet.stderr
    assert len(quiet.stderr.splitlines()) <= 2
    assert "Traceback" in call(home, "agent", "start", TERMA_DEBUG="1").stderr


def test_doctor_finds_a_healthy_machine_healthy(agent: RunningAgent) -> None:
    found = {check["name"]: check for check in json.loads(call(agent, "doctor", "--json").stdout)}
    assert {"terma", "zsh", "bash", "key", "socket", "agent", "transport", "engine", "risk"} <= found.keys()
    assert found["agent"]["detail"].startswith("running")
    assert found["risk"]["status"] == "ok"
    assert found["zsh"]["hint"] == "terma init zsh --install"


def test_doctor_says_what_to_do_about_an_open_directory(home: Home) -> None:
    home.runtime.chmod(0o755)
    done = call(home, "doctor")
    assert done.returncode == 1
    assert f"chmod 700 {home.runtime}" in done.stdout


def test_doctor_sees_that_a_shell_loads_terma(home: Home) -> None:
    call(home, "init", "zsh", "--install", "--yes")
    found = {
        check["name"]: check for check in json.loads(call(home, "doctor", "--json", TERM="xterm").stdout)
    }
    assert "loads terma" in found["zsh"]["detail"]


def test_doctor_names_the_widget_that_has_the_key(home: Home) -> None:
    (home.home / ".zshrc").write_text("zle -N my-picker ls; bindkey '^T' my-picker\n", encoding="utf-8")
    said = call(home, "doctor", TERM="xterm").stdout
    assert "Ctrl+T in zsh" in said
    assert "my-picker has it now" in said


def test_try_without_a_terminal_plays_three_sentences(home: Home) -> None:
    before = sorted(home.home.rglob("*"))
    home.script.write_text(json.dumps([{"match": "", "steps": [{"delta": "rm -rf x"}]}]))
    done = call(home, "try", TERMA_ENGINE="scripted")
    assert done.stdout.count("← Ctrl+T") == 3
    assert done.stdout.count("$ rm -rf x\n    ⚠ high: deletes files, recursively · scripted") == 3
    assert done.returncode == 0
    assert sorted(home.home.rglob("*")) == before
    assert not home.socket.exists()


def test_the_completions_know_every_command_and_option(home: Home) -> None:
    for shell in ("zsh", "bash", "xonsh", "fish"):
        code = call(home, "completions", shell).stdout
        for word in ("suggest", "batch", "restart", "dry-run"):
            assert word in code, (shell, word)


@pytest.mark.parametrize(
    ("line", "found"),
    [
        ("terma sugg", {"suggest"}),
        ("terma agent st", {"start", "stop", "status"}),
        ("terma suggest --b", {"--batch"}),
        ("terma agent --json sto", {"stop"}),
        ("terma init x", set()),
    ],
)
@pytest.mark.skipif(not shutil.which("fish"), reason="fish is not here")
def test_fish_completes_commands_actions_and_options(home: Home, line: str, found: set[str]) -> None:
    code = call(home, "completions", "fish").stdout
    done = subprocess.run(
        ["fish", "--no-config", "-c", f'{code}\ncomplete -C "{line}"'],
        capture_output=True,
        text=True,
        check=True,
        cwd=home.home,
    )
    assert {row.partition("\t")[0] for row in done.stdout.splitlines()} == found
    assert done.stderr == ""


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["completions", "tcsh"], "there are no completions for tcsh yet"),
        (["completions"], "terma completions "),
        (["suggest", "--shell", "fish", "x"], "no commands for fish"),
        (["explain", "--shell", "nu", "ls"], "no commands for nu"),
    ],
)
def test_a_shell_that_it_does_not_know_is_told_what_there_is(
    home: Home, arguments: list[str], said: str
) -> None:
    done = call(home, *arguments)
    assert done.returncode == 2 and "usage:" not in done.stderr
    assert said in done.stderr


def bash_completes(home: Home, *words: str) -> set[str]:
    code = call(home, "completions", "bash").stdout
    quoted = " ".join(f"'{word}'" for word in words)
    asked = f"COMP_WORDS=({quoted})\nCOMP_CWORD={len(words) - 1}\n_terma_complete"
    script = f"{code}\n{asked}\nprintf '%s\\n' \"${{COMPREPLY[@]}}\""
    done = subprocess.run(["bash", "--norc", "-c", script], capture_output=True, text=True, check=True)
    return set(done.stdout.split())


def test_bash_completes_commands_actions_and_options(home: Home) -> None:
    assert bash_completes(home, "terma", "su") == {"suggest"}
    assert bash_completes(home, "terma", "agent", "st") == {"start", "stop", "status"}
    assert bash_completes(home, "terma", "suggest", "--b") == {"--batch"}
    assert bash_completes(home, "terma", "init", "") == {"zsh", "bash"}
    assert "-h" not in bash_completes(home, "terma", "risk", "")


def test_xonsh_completion_code_is_python(home: Home) -> None:
    compile(call(home, "completions", "xonsh").stdout, "completions", "exec")


def test_zsh_completes_commands_and_actions(home: Home) -> None:
    rc = f'PS1="{PROMPT}"\nautoload -Uz compinit; compinit -u -d ~/dump; eval "$({TERMA} completions zsh)"\n'
    with TmuxShell("zsh", home.home, rc=rc) as shell:
        shell.type("terma sugg").press("Tab").wait_for("terma suggest")
        shell.press("C-u").type("terma agent rest").press("Tab").wait_for("terma agent restart")


def test_it_runs_as_a_module(home: Home) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "terma", "version"],
        env=home.env,
        capture_output=True,
        text=True,
        timeout=WAIT,
        check=False,
    )
    assert done.returncode == 0
    assert done.stdout.startswith("terma ")
