"""What a model is never told, and how it is put back where it is typed."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

from tests.conftest import WAIT
from tests.e2e.mcp_client import Client, mcp
from tests.e2e.sessioned import needs, wait_until

__all__ = ["mcp"]


def test_a_secret_does_not_reach_the_model(mcp):
    token = "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"
    mcp.tool("session_create", session="work")
    assert token not in json.dumps(mcp.tool("session_exec", session="work", input=f"echo token={token}"))
    assert token not in json.dumps(mcp.ask("resources/read", uri="terma://session/work/output"))
    assert token not in json.dumps(mcp.tool("session_search", session="work", pattern="token"))


def test_progress_tells_no_secret(mcp):
    mcp.tool("session_create", session="work")
    number = mcp.send(
        "tools/call",
        name="session_exec",
        arguments={
            "session": "work",
            "input": "printf 'DB_PASSWORD=x9Qz77Lm%s\\n' aa; printf x9Qz77; sleep 3",
        },
        _meta={"progressToken": "p"},
    )
    seen = []
    while (message := mcp.read()).get("id") != number:
        seen.append(message["params"]["message"])
    assert seen[-1].endswith("output: DB_PASSWORD=<SECRET_1>")


@pytest.fixture
def hiding(mcp):
    """A client that was shown <SECRET_1>, which stands for HELD."""
    mcp.tool("session_create", session="work")
    shown = mcp.told("session_exec", session="work", input=f"printf 'DB_PASSWORD=%s\\n' '{HELD}'")
    assert shown.endswith("\nDB_PASSWORD=<SECRET_1>")
    assert "redacted=1" in shown
    return mcp


HELD = "x9Qz77Lm$HOME;true"


def test_a_placeholder_is_put_back_where_it_is_typed_and_its_value_never_shown(hiding):
    told = hiding.told("session_exec", session="work", input="x='<SECRET_1>'; echo ${#x} \"$x\"")
    assert told.split("\n")[1:] == [f"{len(HELD)} <SECRET_1>"]
    asked = hiding.told("session_exec", session="work", input="read -rsp 'Password: ' y")
    assert "state=password" in asked
    hiding.tool("session_send", session="work", text="<SECRET_1>", enter=True)
    same = hiding.told("session_exec", session="work", input='[ "$x" = "$y" ]')
    assert "exit_status=0" in same
    assert "<SECRET_1>" in hiding.told("session_search", session="work", pattern="DB_PASSWORD")


@pytest.mark.parametrize(
    ("name", "arguments", "words"),
    [
        ("session_exec", {"input": "echo '<SECRET_1>' > kept"}, "would be written into kept"),
        ("session_exec", {"input": "echo '<SECRET_1>' | tee -a kept"}, "would be written into kept"),
        ("session_exec", {"input": "cat > kept <<'E'\n<SECRET_1>\nE"}, "would be written into kept"),
        (
            "session_exec",
            {"input": "if true; then echo '<SECRET_1>' >> kept; fi"},
            "would be written into kept",
        ),
        ("session_send", {"text": ["echo '<SECRET_1>' > kept"], "enter": True}, "would be written into kept"),
        (
            "session_send",
            {"text": ["echo '<SECRET_1>'", " > kept"], "enter": True},
            "would be written into kept",
        ),
        (
            "session_send",
            {"text": "echo '<SECRET_1>' > kept<Enter>", "keys": True},
            "would be written into kept",
        ),
        ("session_send", {"text": "echo '<SECRET_1>'<Up><Enter>", "keys": True}, "cannot be read in full"),
        ("session_exec", {"input": "echo '<SECRET_1>"}, "cannot be read in full"),
        ("session_exec", {"input": "echo <SECRET_1>"}, "between single quotes"),
        ("session_exec", {"input": "git config user.token '<SECRET_1>'"}, "git might write <SECRET_1>"),
        ("session_exec", {"input": "x='<SECRET_1>' && ./keep $x"}, "keep might write <SECRET_1>"),
        ("session_exec", {"input": "echo '<SECRET_1>' | sort -o kept"}, "would be written into kept"),
        ("session_exec", {"input": "echo '<SECRET_1>' | psql db"}, "psql might write <SECRET_1>"),
        ("session_exec", {"input": "sudo echo '<SECRET_1>'"}, "sudo might write <SECRET_1>"),
        ("session_exec", {"input": "curl -c kept -H 'X: <SECRET_1>' http://h"}, "curl might write"),
        ("session_exec", {"input": "echo <SECRET_9>"}, "stands for nothing"),
        ("session_exec", {"input": "true", "wait": "<SECRET_1>"}, "nowhere else"),
        ("session_create", {"command": ["echo", "<SECRET_1>"]}, "nowhere else"),
    ],
    ids=range(19),
)
def test_a_placeholder_is_refused_where_a_file_or_the_shell_would_get_more_than_a_value(
    hiding, agent, name, arguments, words
):
    refused = hiding.tool(name, session="work", **arguments)
    assert refused["isError"] is True
    assert words in refused["content"][0]["text"]
    assert HELD not in json.dumps(refused)
    assert not (agent.home / "kept").exists()


def test_keys_carry_a_placeholder_as_it_stands(hiding):
    told = hiding.told(
        "session_send", session="work", text="echo '<SECRET_1>'<Enter>", keys=True, settle=300, timeout=WAIT
    )
    assert "echo '<SECRET_1>'" in told
    assert HELD not in told


def test_what_is_no_known_shell_gets_a_secret_as_the_answer_to_a_question_alone(hiding, agent):
    hiding.tool("session_create", session="far", command=["sh", "-c", "exec sh -i"], kind="none")
    refused = hiding.told("session_exec", session="far", input="echo got '<SECRET_1>'")
    assert "no shell reads <SECRET_1>" in refused
    asking = 'printf "Token: "; read -r x; [ "$x" = "$held" ] && echo same; cat > kept; echo done'
    held = ["env", "held=" + HELD, "sh", "-c", asking]
    hiding.tool("session_create", session="asks", command=held, kind="none")
    hiding.told("session_read", session="asks", wait="Token: ", timeout=WAIT)
    assert "no question" in hiding.told("session_send", session="asks", text="x<SECRET_1>", enter=True)
    hiding.told("session_send", session="asks", text="<SECRET_1>", enter=True)
    assert "same" in hiding.told("session_read", session="asks", wait="same", timeout=WAIT)
    assert "no question" in hiding.told("session_send", session="asks", text="<SECRET_1>", enter=True)
    assert not (agent.home / "kept").read_text()


@pytest.mark.parametrize(
    ("command", "line"),
    [
        ([sys.executable, "-i"], "open('kept', 'w').write('<SECRET_1>')"),
        pytest.param(
            ["sqlite3", "kept"], "create table t as select '<SECRET_1>' as x;", marks=needs("sqlite3")
        ),
        (["awk", '{print > "kept"; fflush()}'], "<SECRET_1>"),
        (["ed", "-s", "kept"], "a\n<SECRET_1>\n.\nw"),
        (["cat"], "<SECRET_1>"),
    ],
    ids=lambda value: str(value[0]).rpartition("/")[2] if isinstance(value, list) else "",
)
def test_a_program_that_may_write_what_it_reads_gets_none(hiding, agent, command, line):
    (agent.home / "kept").write_bytes(b"")
    hiding.tool("session_create", session="repl", command=command)
    hiding.told("session_read", session="repl", settle=300, timeout=WAIT)
    refused = hiding.told("session_send", session="repl", text=line, enter=True)
    assert "no shell reads <SECRET_1>" in refused or "several lines" in refused
    assert not (agent.home / "kept").read_bytes()


@pytest.mark.parametrize("kind", ["", "sh"])
def test_a_line_in_two_calls_keeps_no_secret_either(hiding, agent, kind):
    name = "work"
    if kind:
        name = "far"
        hiding.tool("session_create", session=name, command=["sh", "-c", "exec sh -i"], kind=kind)
        hiding.told("session_exec", session=name, input="true")
    refused = hiding.told("session_send", session=name, text="echo '<SECRET_1>'")
    assert "not entered" in refused
    hiding.told("session_send", session=name, text="> kept ")
    refused = hiding.told("session_send", session=name, text="echo '<SECRET_1>'", enter=True)
    assert "would be written into kept" in refused
    hiding.told("session_send", session=name, text="<Up>", keys=True)
    refused = hiding.told("session_send", session=name, text="echo '<SECRET_1>'", enter=True)
    assert "is not known" in refused and HELD not in refused
    hiding.told("session_send", session=name, text="<C-c>", keys=True)
    told = hiding.told(
        "session_send", session=name, text="echo got '<SECRET_1>'", enter=True, settle=300, timeout=WAIT
    )
    assert "got <SECRET_1>" in told
    assert not (agent.home / "kept").exists()


def test_who_meets_a_password_is_told_of_the_person_and_of_their_secrets(hiding):
    hiding.tool("session_exec", session="work", input="read -rsp 'Password: ' y")
    told = hiding.told("session_exec", session="work", input="whoami")
    assert "terma session attach work" in told
    assert "session_secret work NAME" in told
    assert "session_send" not in told


def test_a_secret_of_several_lines_is_no_answer(mcp):
    key = "\n".join(
        ["-----BEGIN OPENSSH PRIVATE KEY-----", *["b3BlbnNzaC1rZXktdjEAAAAABG5vbmUAAAAEbm9uZQAAAAAAAAABAAAAMwAA"] * 4,
         "-----END OPENSSH PRIVATE KEY-----"]
    )  # fmt: skip
    mcp.tool("session_create", session="work")
    assert "<SECRET_1>" in mcp.told("session_exec", session="work", input=f"echo '{key}'")
    mcp.tool("session_exec", session="work", input="read -rsp 'Password: ' y")
    refused = mcp.told("session_send", session="work", text="<SECRET_1>", enter=True)
    assert "stands for several lines" in refused


def test_a_session_in_files_gets_no_secret(hiding):
    hiding.tool("session_create", session="files", storage="file")
    refused = hiding.tool("session_exec", session="files", input="echo '<SECRET_1>'")
    assert "the files of this session" in refused["content"][0]["text"]


def test_a_secret_on_a_screen_is_starred_where_it_stands(mcp):
    token = "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"
    command = ["sh", "-c", f"printf 'token=\\033[31m{token}\\033[0m end'; sleep 300"]
    mcp.tool("session_create", session="work", command=command, tui=True, cols=30)
    for form in ("plain", "ansi"):
        wait_until(
            lambda form=form: (
                "end" in json.dumps(mcp.tool("session_read", session="work", snapshot=True, form=form))
            ),
            "the screen",
        )
        seen = mcp.tool("session_read", session="work", snapshot=True, form=form)
        assert token[:25] not in json.dumps(seen)
        assert "****" in seen["content"][0]["text"]
    assert "38;5;1m*" in seen["content"][0]["text"]


def test_a_full_screen_program_is_told_as_its_screen_with_the_secrets_starred(mcp):
    token = "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"
    draw = f"printf '\\033[?1049h\\033[2J\\033[Hfirst\\r\\ntoken={token}\\r\\nlast'; sleep 300"
    mcp.tool("session_create", session="work")
    mcp.tool("session_send", session="work", text=draw, enter=True)
    wait_until(lambda: "last" in mcp.told("session_read", session="work", snapshot=True), "the screen")
    head, *lines = mcp.told("session_read", session="work").split("\n")
    assert "alternate_screen=true" in head
    assert lines[-3:] == ["first", "token=" + "*" * len(token), "last"]
    assert mcp.told("session_read", session="work", tail=1).split("\n")[1:] == ["last"]


KEPT = "correct horse 42"


@pytest.fixture
def keeping(agent):
    """A client whose person keeps a secret by the name of box."""
    config = agent.home / ".config/terma/config.toml"
    config.parent.mkdir(parents=True, exist_ok=True)
    (agent.home / "kept").write_text(KEPT + "\nanother line\n")
    config.write_text(f'[sessions.secrets]\nbox = "command:cat {agent.home}/kept"\n')
    made = Client(agent)
    made.tool("session_create", session="work")
    yield made
    made.close()


def test_a_secret_of_the_settings_answers_a_password_and_is_never_shown(keeping):
    asked = keeping.told("session_exec", session="work", input="read -rsp 'Password: ' y; echo got \"$y\"")
    assert "state=password" in asked
    assert KEPT not in keeping.told("session_secret", session="work", secret="box")
    told = keeping.told("session_read", session="work", wait="got", timeout=WAIT)
    assert "got {{secret:box}}" in told


def test_a_secret_of_the_settings_is_typed_where_a_password_is_asked_for_alone(keeping):
    refused = keeping.tool("session_secret", session="work", secret="box")
    assert refused["isError"] is True
    assert "asks for no password" in refused["content"][0]["text"]
    keeping.tool("session_exec", session="work", input="read -rsp 'Password: ' y")
    assert "there is no secret 'other'" in keeping.told("session_secret", session="work", secret="other")
    keeping.tool("session_create", session="files", storage="file")
    keeping.tool("session_exec", session="files", input="read -rsp 'Password: ' y")
    assert "written to files" in keeping.told("session_secret", session="files", secret="box")


def test_a_script_types_a_secret_of_the_settings_as_well(keeping):
    keeping.tool("session_exec", session="work", input="read -rsp 'Password: ' y; echo ${#y}")
    line = [sys.executable, "-I", "-m", "terma.cli", "session", "secret", "work", "box"]
    done = subprocess.run(line, env=keeping.env, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    assert KEPT not in done.stdout
    told = keeping.told("session_read", session="work", wait=f"^{len(KEPT)}$", timeout=WAIT)
    assert "ended_by=pattern" in told
