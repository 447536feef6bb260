"""`terma why` and `terma last` speak to people, to programs, and in batches."""

from __future__ import annotations

import json
import subprocess

import pexpect
import pytest

OUTPUT = "git: 'stauts' is not a git command. See 'git --help'.\n\nThe most similar command is\n\tstatus\n"
FAILURE = {"id": "a", "command": "git stauts", "exit_status": 1, "output": OUTPUT}


@pytest.fixture
def terma(agent):
    def run(*args: str, stdin: str = "", status: int = 0, **env: str) -> str:
        done = subprocess.run(
            [agent.env["TERMA_BIN"], *args],
            env=agent.env | {"TERMA_ENGINE": "offline"} | env,
            input=stdin,
            capture_output=True,
            text=True,
            cwd=agent.home,
            check=False,
        )
        assert done.returncode == status, done.stderr
        assert "Traceback" not in done.stderr
        return done.stdout or done.stderr

    return run


def test_it_says_what_went_wrong_the_fix_and_who_answered(terma, tmp_path):
    (tmp_path / "out").write_text(OUTPUT)
    said = terma("why", "--command", "git stauts", "--output-file", str(tmp_path / "out"))
    assert said.startswith("git stauts · exit status 1\n")
    assert "fix  git status\n" in said
    assert said.endswith("offline · given\n")
    assert "\x1b" not in said


def test_json_holds_explanation_fixes_looks_engine_and_source(terma):
    answer = json.loads(terma("why", "--json", "--command", "git stauts", "--output-file", "-", stdin=OUTPUT))
    assert list(answer) == ["explanation", "fixes", "looks", "engine", "source"]
    first = answer["fixes"][0]
    assert (first["command"], first["risk"]) == ("git status", "low") and 0.65 <= first["confidence"] < 1
    assert "stauts" in answer["explanation"]
    assert (answer["engine"], answer["source"]) == ("offline", "given")


def test_a_batch_answers_each_line_and_survives_a_broken_one(terma):
    lines = [json.dumps(FAILURE), "not json", "", json.dumps(FAILURE | {"id": 7, "command": ""})]
    answers = [json.loads(line) for line in terma("why", "--batch", stdin="\n".join(lines)).splitlines()]
    assert (answers[0]["id"], answers[0]["fixes"][0]["command"]) == ("a", "git status")
    assert ["not a failure" in answer.get("error", "") for answer in answers] == [False, True, True]


def test_an_output_of_megabytes_full_of_escapes_is_read(terma):
    noise = "".join(f"\x1b[32mline {n}\x1b[0m\r\n" for n in range(40_000))
    answer = json.loads(
        terma("why", "--json", "--command", "git stauts", "--output-file", "-", stdin=noise + OUTPUT)
    )
    assert answer["fixes"][0]["command"] == "git status"


def test_a_shell_s_last_command_comes_through_the_environment(terma):
    said = terma("why", TERMA_LAST_COMMAND="gti status", TERMA_LAST_STATUS="127")
    assert "gti status · exit status 127" in said
    assert "no output was seen" in said


def test_without_a_command_it_says_what_to_do(terma):
    assert "terma init" in terma("why", status=2)
    assert "--command" in terma("why", "--status", "3", status=2)


def test_what_would_be_told_and_what_was(terma):
    assert "Command: make it" in terma("last", TERMA_LAST_COMMAND="make it", TERMA_LAST_STATUS="2")
    assert "no engine was told anything" in terma("last", "--sent", status=1)
    terma("why", "--command", "curl -u me:hunter2hunter2 x", "--status", "6")
    sent = terma("last", "--sent")
    assert "told to offline" in sent and "nothing left this machine" in sent
    assert "curl -u me:" in sent
    assert "hunter2" not in sent


@pytest.mark.parametrize(
    ("env", "coloured"),
    [({"TERM": "xterm"}, True), ({"TERM": "dumb"}, False), ({"TERM": "xterm", "NO_COLOR": "1"}, False)],
)
def test_a_terminal_gets_colours_unless_it_has_none(agent, env, coloured):
    args = ["why", "--command", "gti", "--status", "127"]
    shown = pexpect.run(
        " ".join([agent.env["TERMA_BIN"], *args]), env=agent.env | {"TERMA_ENGINE": "offline"} | env
    )
    assert b"exit status 127" in shown
    assert (b"\x1b[1mgti\x1b[0m" in shown) is coloured
