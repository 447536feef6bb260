"""What goes wrong between a shell, the agent and an engine, one fault a test, and that the next request is
answered."""

from __future__ import annotations

import json
import os
import random
import signal
import socket
import subprocess
import sys
import threading

import pytest

from terma import client, wire
from terma.errors import AgentUnavailable, ProtocolError, TermaError

from ..conftest import WAIT, wait_until

HELLO = wire.encode("hello", "1", "test", "1")
ASK = wire.encode("ask", "1", "translate", "buffer=list", "engine=scripted")
BAD_FRAMES = {
    "garbage": b"\x00\xff\xfe GET / HTTP/1.1\r\n\r\n",
    "an empty line": b"\n",
    "no hello": ASK,
    "another major version": wire.encode("hello", "2", "test", "1"),
    "no version": wire.encode("hello"),
    "a frame that is not closed": HELLO + b"ask\x1f1\x1ftranslate\n",
    "a raw control character": HELLO + b"ask\x1f1\x1ftranslate\x1fbuffer=\x1b[31m\x1f.\n",
    "an escape that is not ours": HELLO + b"ask\x1f1\x1ftranslate\x1fbuffer=\\x41\x1f.\n",
    "a field without a key": HELLO + wire.encode("ask", "1", "translate", "list"),
    "an ask without a kind": HELLO + wire.encode("ask", "1"),
    "an ask without an id": HELLO + wire.encode("ask", "", "translate"),
    "a frame of unknown kind": HELLO + wire.encode("sing", "1"),
    "an oversized frame": HELLO + b"ask\x1f1\x1ftranslate\x1fbuffer=" + b"x" * 70_000 + b"\x1f.\n",
    "an oversized frame without an end": HELLO + b"x" * 200_000,
    "an oversized hello": b"hello\x1f1\x1f" + b"x" * 70_000 + b"\x1f.\n",
    "two asks with one id": HELLO + ASK + ASK,
    "too many asks": HELLO + b"".join(wire.encode("ask", str(n), "translate", "buffer=a") for n in range(40)),
}


@pytest.mark.parametrize("sent", BAD_FRAMES.values(), ids=BAD_FRAMES.keys())
def test_a_bad_frame_gets_one_error_and_a_closed_connection(agent, sent):
    agent.will_do({"hang": True})
    with agent.raw() as peer:
        peer.send(sent)
        frames = peer.read_all()
    errors = [frame for frame in frames if frame[0] == "error"]
    assert [error[1:3] for error in errors] == [("-", "protocol")]
    agent.will_say("ls")
    assert agent.ask("translate", buffer="list")[-1][2] == "ls"


def test_no_noise_brings_it_down(agent):
    noise = random.Random(2)
    parts = [
        HELLO,
        ASK,
        b"\x1f.\n",
        b"\n",
        b"\\",
        b"ask\x1f",
        b"cancel\x1f1\x1f.\n",
        b"buffer=\xff",
        b"\0",
        b".",
    ]
    agent.will_say("ls")
    for _ in range(150):
        with agent.raw() as peer:
            peer.send(b"".join(noise.choices(parts, k=noise.randrange(1, 12))))
            peer.socket.shutdown(socket.SHUT_WR)
            assert {frame[0] for frame in peer.read_all()} <= {"hello", "note", "delta", "done", "error"}
    assert agent.ask("translate", buffer="list")[-1][2] == "ls"
    assert {line.split()[2] for line in agent.log.read_text().splitlines()} == {"start", "protocol"}


def test_a_frame_cut_short_by_the_end_is_refused(agent):
    with agent.raw() as peer:
        peer.send(HELLO, ASK[:-3])
        peer.socket.shutdown(socket.SHUT_WR)
        assert peer.read_all()[-1][:3] == ("error", "-", "protocol")


def test_an_unknown_version_is_told_what_to_do(agent):
    with agent.raw() as peer:
        error = peer.send(wire.encode("hello", "7", "zsh", "1")).read_until("error")
    assert "version 1" in error[3]
    assert "restart" in error[4]


def test_an_unknown_request_is_an_error_of_that_request_alone(agent):
    agent.will_say("ls")
    with agent.raw().hello() as peer:
        peer.send(("ask", "a", "juggle"), ("ask", "b", "translate", "buffer=list"))
        assert peer.read_until("error")[1:3] == ("a", "usage")
        assert peer.read_until("done")[1:4] == ("b", "replace", "ls")


@pytest.mark.parametrize(
    "fields",
    [{"buffer": ""}, {"buffer": " \n"}, {"buffer": "x" * 5000}, {"buffer": "list", "attempt": "many"}],
    ids=["empty", "blank", "too long", "attempt is no number"],
)
def test_a_request_that_makes_no_sense_is_a_usage_error(agent, fields):
    agent.will_say("ls")
    with pytest.raises(TermaError) as caught:
        agent.ask("translate", **fields)
    assert caught.value.code == "usage"


def test_bytes_that_are_no_utf8_come_back_unharmed_or_not_at_all(agent):
    agent.will_say("ls")
    with agent.raw().hello() as peer:
        peer.send(b"ask\x1f1\x1ftranslate\x1fengine=scripted\x1fbuffer=list \xff\xfe\x1fcwd=/tmp/\xe9\x1f.\n")
        assert peer.read_until("done")[3] == "ls"


def test_asks_on_one_connection_are_told_apart(agent):
    agent.will_do(agent.pause, {"delta": "slow"}, match="first")
    agent.will_say("fast", match="second")
    with agent.raw().hello() as peer:
        peer.send(("ask", "1", "translate", "buffer=first"), ("ask", "2", "translate", "buffer=second"))
        assert peer.read_until("done")[1:4] == ("2", "replace", "fast")
        agent.go_on()
        assert peer.read_until("done")[1:4] == ("1", "replace", "slow")


def answering(agent) -> int:
    return json.loads(agent.ask("status")[-1][2])["answering"] - 1


def test_cancel_ends_a_hung_engine(agent):
    agent.will_do({"delta": "ls "}, {"hang": True})
    with agent.raw().hello().send(ASK) as peer:
        peer.read_until("delta")
        assert answering(agent) == 1
        peer.send(("cancel", "1"), ("cancel", "no-such-id"))
        assert peer.read_until("error")[1:3] == ("1", "cancelled")
        wait_until(lambda: answering(agent) == 0, "the ask to end")
        agent.will_say("pwd")
        peer.send(("ask", "1", "translate", "buffer=where"))
        assert peer.read_until("done")[3] == "pwd"


def test_a_shell_that_goes_away_cancels_a_hung_engine(agent):
    agent.will_do({"delta": "ls "}, {"hang": True})
    with agent.raw().hello().send(ASK) as peer:
        peer.read_until("delta")
    wait_until(lambda: answering(agent) == 0, "the ask to end")


def test_an_engine_that_takes_the_agent_down_before_the_first_byte(agent):
    agent.will_do({"crash": True})
    with pytest.raises(AgentUnavailable, match="went away") as caught:
        agent.ask("translate", buffer="list")
    assert caught.value.hint


def test_an_agent_killed_in_mid_stream(agent):
    agent.will_do({"delta": "rm -rf "}, {"hang": True})
    with agent.connect() as connection:
        frames = connection.ask("translate", {"buffer": "clean"})
        assert [next(frames)[0], next(frames)[0]] == ["note", "delta"]
        agent.kill()
        with pytest.raises(AgentUnavailable, match="went away"):
            next(frames)


def test_a_connection_dropped_by_the_agent_leaves_the_agent_alive(agent):
    agent.will_do({"delta": "ls"}, {"disconnect": True})
    with pytest.raises(AgentUnavailable):
        agent.ask("translate", buffer="list")
    agent.will_say("pwd")
    assert agent.ask("translate", buffer="where")[-1][2] == "pwd"


@pytest.mark.parametrize(
    "raw", ["\u00ff\u00fe\n", "no frame\n", "delta\u001f1\u001f\u001b[2J\u001f.\n", "x" * 70_000]
)
def test_an_agent_that_talks_garbage_is_a_clear_error_to_a_program(agent, raw):
    agent.will_do({"raw": raw}, {"delta": "ls"})
    with pytest.raises(ProtocolError):
        agent.ask("translate", buffer="list")


def test_an_engine_s_own_error_reaches_the_shell_as_one_clean_line(agent):
    agent.will_do({"delta": "ls"}, {"error": ["auth", "no\x1b[31m key\nat all", "set one"]})
    with pytest.raises(TermaError) as caught:
        agent.ask("translate", buffer="list")
    assert (caught.value.code, caught.value.hint) == ("auth", "set one")
    assert "\x1b" not in caught.value.message
    assert "\n" not in caught.value.message


@pytest.mark.parametrize("steps", [[{"delta": "\x1b[2J"}], [{"delta": " \n\n"}], []])
def test_an_answer_with_nothing_to_see_is_unknown(agent, steps):
    agent.will_do(*steps)
    with pytest.raises(TermaError) as caught:
        agent.ask("translate", buffer="list")
    assert caught.value.code == "unknown"


def test_an_endless_answer_is_cut_off(agent):
    agent.will_do(*[{"delta": "x" * 4000}] * 100)
    with pytest.raises(TermaError, match="too long"):
        agent.ask("translate", buffer="list")


def test_the_longest_answer_fits_whatever_it_holds(agent):
    agent.will_say("\\" * 7_900)
    assert agent.ask("translate", buffer="list")[-1][2] == "\\" * 7_900
    agent.will_say("\U0001f600" * 7_900)
    assert agent.ask("translate", buffer="list")[-1][2] == "\U0001f600" * 7_900


def test_a_script_that_cannot_be_read_is_an_error_and_no_traceback(agent):
    agent.script.write_text("{")
    with pytest.raises(TermaError, match="script cannot be read"):
        agent.ask("translate", buffer="list")


def test_a_hung_agent_does_not_hold_a_program_for_ever(agent, monkeypatch):
    agent.kill(signal.SIGSTOP)
    with agent.connect() as connection, pytest.raises(AgentUnavailable, match="does not answer"):
        list(connection.ask("status", {}, timeout=0.2))


def test_something_else_on_the_socket_is_not_taken_for_an_agent(home, monkeypatch):
    monkeypatch.setenv("TERMA_SOCKET", str(home.socket))
    with socket.socket(socket.AF_UNIX) as server:
        server.bind(str(home.socket))
        server.listen()

        def speak() -> None:
            peer, _ = server.accept()
            with peer:
                peer.sendall(b"220 mail.example ESMTP\r\n")
                peer.recv(100)

        speaker = threading.Thread(target=speak)
        speaker.start()
        with pytest.raises(ProtocolError):
            client.connect()
        speaker.join(WAIT)


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can be another user")
def test_another_user_is_refused_even_when_every_door_is_open(agent):
    for path in (agent.root, agent.runtime):
        path.chmod(0o755)
    agent.socket.chmod(0o666)
    theirs = subprocess.run(
        ["nc", "-U", "-N", str(agent.socket)],
        input=HELLO + ASK,
        capture_output=True,
        user=65534,
        group=65534,
        timeout=WAIT,
        check=False,
    )
    frames = [wire.decode(line) for line in theirs.stdout.splitlines()]
    assert frames == [("error", "-", "denied", "this agent serves another user", "")]


def test_a_full_disk_costs_the_log_and_nothing_else(sleeping_agent):
    """A file size limit of 0 makes every write to a file fail, as a full disk does."""
    sleeping_agent.will_say("ls")
    script = 'ulimit -f 0; exec "$0" -I -m terma.agent'
    process = subprocess.Popen(["bash", "-c", script, sys.executable], env=sleeping_agent.env)
    wait_until(sleeping_agent.accepts, "the agent to accept")
    assert sleeping_agent.ask("translate", buffer="list")[-1][2] == "ls"
    status = json.loads(sleeping_agent.ask("status")[-1][2])
    assert "large" in status["log_problem"]
    process.terminate()
    assert process.wait(WAIT) == 0


def test_no_place_for_a_log_costs_the_log_and_nothing_else(sleeping_agent):
    sleeping_agent.will_say("ls")
    sleeping_agent.start(XDG_STATE_HOME="/dev/null/nowhere", HOME="/dev/null")
    assert sleeping_agent.ask("translate", buffer="list")[-1][2] == "ls"
    assert json.loads(sleeping_agent.ask("status")[-1][2])["log_problem"]


def test_under_debug_the_log_holds_the_question(sleeping_agent):
    sleeping_agent.will_say("ls")
    sleeping_agent.start(TERMA_DEBUG="1")
    sleeping_agent.ask("translate", buffer="hunter2")
    assert "words=hunter2" in sleeping_agent.log.read_text()


def test_the_log_holds_no_word_of_the_user_and_none_of_the_answer(agent):
    agent.will_do({"delta": "cp secret-plan"}, {"raw": "\n"}, match="hunter2")
    with pytest.raises(TermaError):
        agent.ask("translate", buffer="hunter2", command="mysql -phunter2")
    agent.ask("status")
    text = agent.log.read_text()
    assert "start" in text
    assert "hunter2" not in text
    assert "secret" not in text
