"""An install that nobody set up answers, whatever is in its environment and whoever listens, and tells nobody."""

from __future__ import annotations

import encodings.idna  # noqa: F401 somebody else may not read where it lies
import http.server
import json
import os
from collections.abc import Iterator
from multiprocessing import Pipe, get_context
from multiprocessing.connection import Connection
from pathlib import Path

import pytest

from tests.conftest import WAIT, Home, RunningAgent
from tests.e2e.test_two_shells import call
from tests.model_server import ModelServer, Reply, fails, says
from tests.shells.in_terma import Terma

WORDS = {"buffer": "extract backup.tar.gz", "cwd": "/", "shell": "bash"}
FAILED = {
    "command": "gti status",
    "status": "127",
    "cwd": "/",
    "shell": "bash",
    "output": "gti: command not found",
}


@pytest.fixture
def server() -> Iterator[ModelServer]:
    with ModelServer() as made:
        yield made.will(says("echo told"))


@pytest.fixture
def unset(home: Home) -> Iterator[RunningAgent]:
    """An agent in whose settings nothing is set but where to look."""
    (root := home.root / "agent").mkdir()
    agent = RunningAgent(root)
    del agent.env["TERMA_ENGINE"]
    agent.configure({"TERMA_LOCAL_PORTS": "[]"})
    try:
        yield agent.start()
    finally:
        agent.stop()


def looks(agent: RunningAgent, port: int) -> None:
    """The settings name this port, and the server on it has been found."""
    agent.configure(
        {"TERMA_LOCAL_PORTS": str(port), "TERMA_RETRIES": "0", "TERMA_SUGGESTIONS__CHECK": "false"}
    )
    shown = json.loads(agent.ask("models")[-1][2])
    assert [one["where"] for one in shown["servers"]] == [f"http://127.0.0.1:{port}/v1"]


def last_note(frames: list[tuple[str, ...]]) -> str:
    return [frame[1] for frame in frames if frame[0] == "note"][-1]


def chats(server: ModelServer) -> list[str]:
    """What it was told besides the question for its models."""
    return [seen.path for seen in server.seen if not seen.path.endswith("/models")]


def test_a_server_that_was_found_gets_nothing_before_a_yes(unset: RunningAgent, server: ModelServer) -> None:
    looks(unset, server.port)
    frames = unset.ask("translate", **WORDS)
    assert frames[-1][2].startswith("tar ")
    assert last_note(frames).startswith("offline")
    assert f"terma models --allow 127.0.0.1:{server.port}" in last_note(frames)
    said = "".join(frame[2] for frame in unset.ask("why", **FAILED) if frame[0] == "say")
    assert "git status" in said and "--allow" not in said  # once a shell
    answer = json.loads(unset.ask("suggest", words=WORDS["buffer"])[-1][2])
    assert answer["engine"] == "offline" and "--allow" in answer["notes"][0]
    assert chats(server) == []
    done = call(unset, {}, "models", "--allow", f"127.0.0.1:{server.port}")
    assert "may answer from now on" in done.stdout, done.stderr
    unset.ask("translate", **WORDS)
    assert chats(server)  # it was asked, whoever of the two stands first
    assert call(unset, {}, "models", "--deny", f"127.0.0.1:{server.port}").returncode == 0
    frames = unset.ask("translate", **WORDS)
    assert frames[-1][2].startswith("tar ") and "--allow" not in last_note(frames)


class Lists(http.server.BaseHTTPRequestHandler):
    """Lists a model, and writes down that it was told something."""

    told = Path("/nonexistent")

    def do_GET(self) -> None:
        body = json.dumps({"data": [{"id": "coder"}]}).encode()
        self.send_response(200)
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def do_POST(self) -> None:
        self.told.write_text("told")
        self.do_GET()

    def log_message(self, *_: object) -> None:
        pass


def serve_as(uid: int, told: Path, port: Connection) -> None:
    """In a child: become somebody else, listen, and say where."""
    os.setgroups([])
    os.setgid(uid)
    os.setuid(uid)
    Lists.told = told
    with http.server.HTTPServer(("127.0.0.1", 0), Lists) as server:
        port.send(server.server_port)
        server.serve_forever()


if os.geteuid() == 0:  # only root can be somebody else; tests/unit/test_auto.py has the same for everybody

    def test_somebody_else_s_server_is_never_asked(unset: RunningAgent) -> None:
        unset.root.chmod(0o777)
        told, (ours, theirs) = unset.root / "told", Pipe()
        process = get_context("fork").Process(target=serve_as, args=(4321, told, theirs), daemon=True)
        process.start()
        try:
            assert ours.poll(WAIT)
            port = ours.recv()
            looks(unset, port)
            refused = call(unset, {}, "models", "--allow", f"127.0.0.1:{port}")
            assert refused.returncode == 1 and "nothing called" in refused.stderr
            assert "user 4321" in call(unset, {}, "models").stdout
            assert unset.ask("translate", **WORDS)[-1][2].startswith("tar ")
            unset.ask("why", **FAILED)
        finally:
            process.kill()
            process.join()
        assert not told.exists()


def test_a_key_for_another_program_leaves_the_embedded_engine_alive(unset: RunningAgent) -> None:
    for name in ("ANTHROPIC_API_KEY", "OPENAI_API_KEY"):
        key = {f"env.{name}": "sk-0123456789abcdefghij"}
        frames = unset.ask("translate", **WORDS, **key)
        assert frames[-1][2].startswith("tar ")
        assert name in last_note(frames)
        said = "".join(frame[2] for frame in unset.ask("why", **FAILED, **key) if frame[0] == "say")
        assert "git status" in said and name not in said  # this shell has read it
    done = call(unset, {"OPENAI_API_KEY": "sk-0123456789abcdefghij"}, "suggest", WORDS["buffer"])
    assert done.stdout.startswith("tar ") and "terma models --allow openai" in done.stderr
    done = call(unset, {"OPENAI_API_KEY": "sk-0123456789abcdefghij"}, "ask", WORDS["buffer"])
    assert "tar " in done.stdout + done.stderr and "--allow openai" in done.stderr + done.stdout


@pytest.mark.parametrize(
    "said", [{"TERMA_MODEL": "openai/gpt-4.1"}, {"TERMA_MODEL": "local", "TERMA_FALLBACKS": "groq/llama"}]
)
def test_a_directory_sends_no_words_to_a_service_under_its_own_key(
    unset: RunningAgent, said: dict[str, str]
) -> None:
    """It can set the variable that names a service and the one that has the key, and reads there what was asked."""
    keys = {"OPENAI_API_KEY": "sk-0123456789abcdefghij", "GROQ_API_KEY": "gsk_0123456789abcdefghij"}
    for asked in (("suggest", WORDS["buffer"]), ("ask", WORDS["buffer"]), ("why", "--command", "gti status")):
        done = call(unset, said | keys, *asked)
        assert "a directory can set both" in done.stdout + done.stderr, (asked, done)
        assert "terma models --allow" in done.stdout + done.stderr


@pytest.mark.parametrize(
    "reply", [fails(401, "no"), fails(500), Reply(then="cut", pieces=())], ids=["401", "500", "cut"]
)
def test_what_auto_chose_and_cannot_reach_gives_way(
    unset: RunningAgent, server: ModelServer, reply: Reply
) -> None:
    looks(unset, server.port)
    call(unset, {}, "models", "--allow", f"127.0.0.1:{server.port}")
    server.will(reply)
    frames = unset.ask("translate", **WORDS)
    assert frames[-1][2].startswith("tar ")
    assert last_note(frames).startswith("offline") and "scripted" in last_note(frames)
    again = unset.ask("translate", **WORDS, attempt="1")
    assert again[-1][2].startswith("tar ") and again[-1][2] != frames[-1][2]
    said = "".join(frame[2] for frame in unset.ask("why", **FAILED) if frame[0] == "say")
    assert "git status" in said and "offline" in said
    done = call(unset, {}, "suggest", WORDS["buffer"])
    assert done.stdout.startswith("tar ") and "scripted" in done.stderr
    asked = len(chats(server))
    done = call(unset, {}, "ask", WORDS["buffer"])
    assert "tar " in done.stdout + done.stderr and done.stderr.count("scripted (") == 1
    assert len(chats(server)) == asked + 1  # what follows the command is the embedded engine's too


@pytest.mark.parametrize("pieces", [(), ("It was ",)], ids=["at once", "in mid-answer"])
def test_why_is_answered_where_what_auto_chose_falls_silent(
    unset: RunningAgent, server: ModelServer, pieces: tuple[str, ...]
) -> None:
    looks(unset, server.port)
    unset.configure(
        {
            "TERMA_LOCAL_PORTS": str(server.port),
            "TERMA_RETRIES": "0",
            "TERMA_TIMEOUTS__FIRST_TOKEN": "1",
            "TERMA_TIMEOUTS__BETWEEN_TOKENS": "1",
        }
    )
    call(unset, {}, "models", "--allow", f"127.0.0.1:{server.port}")
    server.will(Reply(pieces=pieces, then="hang"))
    frames = unset.ask("why", **FAILED)
    said = "".join(frame[2] for frame in frames if frame[0] == "say")
    assert "git status" in said and "said nothing" in said and "offline" in said
    assert frames[-1][0] == "done"


def test_why_waits_for_no_silent_model_that_auto_chose(unset: RunningAgent, server: ModelServer) -> None:
    """Its own time-out is a minute: the embedded answer stands there before that."""
    looks(unset, server.port)
    call(unset, {}, "models", "--allow", f"127.0.0.1:{server.port}")
    server.will(Reply(pieces=(), then="hang"))
    said = ""
    with unset.connect() as connection:
        for frame in connection.ask("why", dict(FAILED), 30):
            said += frame[2] if frame[0] == "say" else ""
            if "has said nothing yet" in said:
                break
        connection.cancel()
    assert "git status" in said and "offline" in said


def test_a_program_waits_for_no_silent_model_that_auto_chose(
    unset: RunningAgent, server: ModelServer
) -> None:
    looks(unset, server.port)
    call(unset, {}, "models", "--allow", f"127.0.0.1:{server.port}")
    server.will(Reply(pieces=(), then="hang"))
    with unset.connect() as connection:
        answer = json.loads(list(connection.ask("why_json", dict(FAILED), 30))[-1][2])
    assert answer["engine"] == "offline" and answer["fixes"][0]["command"] == "git status"
    assert "said nothing for 2 s" in answer["explanation"]


def test_a_program_waits_for_no_silent_model_where_the_words_have_an_answer(
    unset: RunningAgent, server: ModelServer
) -> None:
    looks(unset, server.port)
    call(unset, {}, "models", "--allow", f"127.0.0.1:{server.port}")
    server.will(Reply(pieces=(), then="hang"))
    done = call(unset, {}, "suggest", WORDS["buffer"])
    assert done.stdout.startswith("tar ") and "said nothing for 2 s" in done.stderr
    done = call(unset, {}, WORDS["buffer"])
    assert "tar -xf backup.tar.gz" in done.stdout and "said nothing for 2 s" in done.stderr
    done = call(unset, {}, "why", "--command", "gti status")  # into a pipe
    assert "said nothing for 2 s" in done.stdout and "git status" in done.stdout
    entered = {"command": WORDS["buffer"], "status": "127", "cwd": "/", "shell": "bash"}
    said = "".join(frame[2] for frame in unset.ask("why", **entered) if frame[0] == "say")
    assert "you meant words" in said


def test_a_program_waits_where_nothing_else_has_a_fix(unset: RunningAgent, server: ModelServer) -> None:
    """The embedded engine has none for this: the model has its own time."""
    looks(unset, server.port)
    call(unset, {}, "models", "--allow", f"127.0.0.1:{server.port}")
    server.will(Reply(pieces=("It was the weather.",), wait=3.0))
    odd = {"command": "frobnicate x", "status": "9", "output": "it rains", "cwd": "/", "shell": "bash"}
    with unset.connect() as connection:
        answer = json.loads(list(connection.ask("why_json", odd, 30))[-1][2])
    assert "It was the weather." in answer["explanation"] and answer["engine"] != "offline"


def test_a_no_ends_what_is_said_of_a_key(unset: RunningAgent) -> None:
    """Also of one that nothing here could use."""
    key = {"ANTHROPIC_API_KEY": "sk-0123456789abcdefghij"}
    assert "ANTHROPIC_API_KEY" in call(unset, key, "suggest", WORDS["buffer"]).stderr
    assert "--deny anthropic" in call(unset, key, "models").stdout
    assert call(unset, key, "models", "--deny", "anthropic").returncode == 0
    assert "ANTHROPIC_API_KEY" not in call(unset, key, "suggest", WORDS["buffer"]).stderr


def test_a_conversation_asks_once_and_remembers(unset: RunningAgent, server: ModelServer) -> None:
    looks(unset, server.port)
    server.will(says("I was asked."))
    with Terma(unset, "which one are you?", SHELL="/bin/bash") as terma:
        terma.wait_for("May it answer from now on?").wait_for("[y/N]")
        assert chats(server) == []
        terma.type("y").press("Enter").wait_for("I was asked.")
        assert terma.status() == 0
    with Terma(unset, "which one are you?", SHELL="/bin/bash") as terma:
        terma.wait_for("I was asked.")
        assert b"from now on" not in terma.raw
        assert terma.status() == 0


@pytest.mark.parametrize(
    ("reply", "words"),
    [
        (fails(401, "no"), ""),
        (Reply(pieces=(), then="hang"), "no word within"),
        (Reply(pieces=()), "without a word"),
    ],
    ids=["refuses", "is silent", "says nothing"],
)
def test_what_gives_no_word_does_not_answer(
    unset: RunningAgent, server: ModelServer, reply: Reply, words: str
) -> None:
    model = {"MODEL": "tiny", "API_BASE": server.base}
    unset.configure(
        {f"TERMA_MODELS__M__{key}": value for key, value in model.items()}
        | {
            "TERMA_MODEL": "m",
            "TERMA_RETRIES": "0",
            "TERMA_TIMEOUTS__FIRST_TOKEN": "1",
            "TERMA_TIMEOUTS__CONNECT": "1",
        }
    )
    server.will(reply)
    shown = json.loads(call(unset, {}, "models", "--check", "--json").stdout)["check"]
    assert shown["ok"] is False and shown["error"]
    server.will(says("ready"))
    assert json.loads(call(unset, {}, "models", "--check", "--json").stdout)["check"]["ok"] is True


def test_doctor_sees_the_bash_that_init_set_up(home: Home) -> None:
    assert call(home, {}, "init", "bash", "--install", "-y").returncode == 0
    found = {one["name"]: one for one in json.loads(call(home, {}, "doctor", "--json").stdout)}
    assert found["bash"]["status"] == "ok" and "loads terma" in found["bash"]["detail"]
    (home.home / ".local/share/terma/terma-core.bash").unlink()
    found = {one["name"]: one for one in json.loads(call(home, {}, "doctor", "--json").stdout)}
    assert found["bash"]["status"] == "note"
