"""Sessions outlive their agent, however it ends; and what holds them is missed when it dies."""

from __future__ import annotations

import contextlib
import os
import re
import signal
import stat
import subprocess
import threading
import time
from pathlib import Path

import pytest

from terma.agent.endpoint import holder
from terma.errors import TermaError
from terma.sessions import remote
from terma.sessions.held import starting
from terma.sessions.held.frames import LOCK, SOCKET, Reader, encode
from tests.conftest import WAIT, end_agent_in
from tests.e2e.sessioned import SHELLS, Session, alive, create, wait_until

TIMES = 20


def holder_of(agent) -> int:
    pid = holder(agent.runtime, LOCK)
    assert pid
    return pid


def again(agent) -> None:
    """The agent is killed, and another one starts."""
    agent.kill()
    agent.start()


def numbers(text: str) -> list[int]:
    return [int(word) for word in re.findall(r"^n(\d+)$", text, re.M)]


def test_twenty_kills_of_the_agent_lose_nothing(agent):
    """Commands run and print meanwhile; every byte is read once, every status is known, every shell goes on."""
    shell, other = create(agent, "bash"), create(agent, "bash", name="other")
    shell.exec("mark=kept; cd /tmp")
    pids = (shell.pid(), other.pid())
    other.send("for n in $(seq 100000); do echo n$n; sleep 0.001; done\n")
    read = ""
    for number in range(TIMES):
        begun = shell.exec(f"sleep 0.2; echo here {number}; (exit {number})", timeout=0)
        assert begun["ended_by"] == "timeout"
        read += remote.text_of(other.call("read")) + "\n"
        again(agent)
        assert (shell.pid(), other.pid()) == pids
        shell.wait_for_state("idle")
        told = shell.call("read")
        assert f"here {number}" in remote.text_of(told)
        assert told["last_status"] == number
        assert shell.exec("echo $mark $PWD")["output"] == "kept /tmp"
        assert other.state() == "running"
    read += remote.text_of(other.call("read"))
    seen = numbers(read)
    assert seen == list(range(1, len(seen) + 1))
    assert len(seen) > TIMES


def test_a_flood_across_kills_is_whole(agent):
    """Not a line is missing or there twice, of what is printed as fast as it is read."""
    flood = "seq -f n%.0f $((n * 200000 + 1)) $((n * 200000 + 200000))"
    script = f"for n in 0 1 2 3 4; do until [ -e go$n ]; do sleep 0.01; done; {flood}; done; sleep 300"
    session = create(agent, "sh", "-c", f"stty -onlcr; {script}", capacity=0)
    for number in range(5):
        at = session.call("info")["position"]
        (agent.home / f"go{number}").touch()
        wait_until(lambda at=at: session.call("info")["position"] > at, "the flood")
        again(agent)
    wait_until(lambda: session.read(tail=1) == "n1000000", "the last line")
    whole = session.call("read", all=True)
    assert whole["gap_bytes"] == 0
    assert whole["data"] == b"".join(b"n%d\n" % number for number in range(1, 1_000_001))


@pytest.mark.parametrize("shell", [*SHELLS, "python3"])
def test_every_kind_of_shell_is_known_to_the_next_agent(agent, shell):
    session = create(agent, shell)
    line = {"python3": "1 + 1", "fish": "math 1 + 1"}.get(shell, "echo $((1 + 1))")
    assert session.exec(line)["output"] == "2"
    again(agent)
    done = session.exec(line)
    assert (done["output"], done["exit_status"], done["ended_by"]) == ("2", 0, "marker")
    assert session.read(all=True).count("2") >= 2


def test_places_marks_and_settings_are_as_they_were(agent):
    session = create(agent, "bash", cols=91, rows=17)
    session.exec("echo one; false")
    session.call("read", cursor="mine")
    session.exec("echo two; (exit 9)")
    before = session.call("info")
    again(agent)
    after = session.call("info")
    changing = {"quiet"}
    assert {key: value for key, value in before.items() if key not in changing} == {
        key: value for key, value in after.items() if key not in changing
    }
    assert "two" in session.read(cursor="mine")
    assert "one" not in session.read(cursor="mine")
    assert session.exec("stty size")["output"] == "17 91"


def test_a_screen_is_there_again(agent):
    session = create(
        agent, "sh", "-c", r"printf '\033[?1049h\033[5;3Hchosen \033[7mrow\033[0m'; cat", tui=True
    )
    wait_until(lambda: "chosen row" in session.call("read", snapshot=True)["screen"], "the screen")
    again(agent)
    shown = session.call("read", snapshot=True)
    assert "chosen row" in shown["screen"].split("\n")[4]
    assert shown["alternate_screen"]


def test_what_is_asked_while_nobody_answers_is_answered_later(agent):
    """A program that asks its terminal where the cursor is, while there is no agent."""
    ask = r"stty raw -echo; until [ -e go ]; do sleep 0.02; done; printf '\033[6n'; head -c 6 | od -c; echo told"
    session = create(agent, "sh", "-c", ask)
    agent.kill()
    (agent.home / "go").touch()
    agent.start()
    session.call("read", wait="told", since=0, timeout=60)


def test_the_status_of_what_ended_without_an_agent_is_known(agent):
    session = create(agent, "sh", "-c", "until [ -e go ]; do sleep 0.02; done; echo last; exit 7")
    pid = session.pid()
    agent.kill()
    (agent.home / "go").touch()
    wait_until(lambda: not alive(pid), "the program to end")
    agent.start()
    session.wait_for_state("exited")
    assert session.call("info")["exit_status"] == 7
    assert "last" in session.read(all=True)


def test_output_in_files_goes_on_where_it_stood(agent):
    session = create(agent, "bash", storage="file")
    session.exec("seq 2000")
    again(agent)
    session.exec("seq 2001 4000")
    again(agent)
    found = [int(line) for line in re.findall(r"^\d+$", session.read(all=True), re.M)]
    assert found == list(range(1, 4001))
    place = agent.home / ".local/state/terma/sessions/work"
    session.call("stop")
    wait_until(lambda: b"4000" in b"".join(map(Path.read_bytes, sorted(place.glob("*.out")))), "the disk")


@pytest.mark.parametrize("how", ["SIGTERM", "upgrade", "restart"])
def test_an_agent_that_leaves_hands_on_its_sessions(sleeping_agent, how):
    agent = sleeping_agent.start()
    shell = create(agent, "bash")
    shell.exec("kept=yes")
    pid = shell.pid()
    if how == "SIGTERM":
        agent.kill(signal.SIGTERM)
    else:
        agent.ask("stop", keep="1")
    agent.wait()
    assert alive(pid)
    agent.start()
    assert shell.exec("echo $kept")["output"] == "yes"
    assert shell.pid() == pid


def test_an_ended_session_is_forgotten_by_the_next_agent_in_its_time(agent):
    session = create(agent, "true", ttl=3)
    session.wait_for_state("exited")
    again(agent)
    wait_until(lambda: not _names(agent), "it to be forgotten")


def _names(agent) -> list[str]:
    with agent.connect() as connection:
        return [item["session"] for item in remote.call(connection, "list", {}).get("items", [])]


def test_the_holder_goes_with_the_last_session(agent):
    session = create(agent, "cat")
    pid = holder_of(agent)
    session.call("kill")
    agent.kill()
    wait_until(lambda: not alive(pid), "the holder to leave")
    assert not (agent.runtime / SOCKET).exists()


def test_who_waits_when_the_holder_dies_is_told_why(agent):
    session = create(agent, "bash")
    pid = session.pid()
    told: list[dict] = []
    waiting = threading.Thread(target=lambda: told.append(session.exec("echo begun; sleep 300")))
    waiting.start()
    session.call("read", wait="begun", since=0, timeout=60, cursor="w")
    os.kill(holder_of(agent), signal.SIGKILL)
    waiting.join(60)
    assert told[0]["ended_by"] == "exit"
    assert "the process that held this session died" in told[0]["lost"]
    assert "begun" in told[0]["output"]
    with pytest.raises(TermaError, match="the process that held this session died"):
        session.exec("echo more")
    wait_until(lambda: not alive(pid), "its program to end")
    assert "begun" in session.read(all=True)
    session.call("kill")
    assert create(agent, "bash").exec("echo anew")["output"] == "anew"


def test_sessions_that_died_with_everything_are_told_of(agent):
    session = create(agent, "cat")
    end_agent_in(agent.runtime)
    agent.start()
    with pytest.raises(TermaError, match="the process that held this session died"):
        session.read(all=True)
    assert create(agent, "cat").state() != "exited"


def test_nobody_else_may_reach_what_is_held(agent):
    create(agent, "cat")
    assert stat.S_IMODE((agent.runtime / SOCKET).stat().st_mode) == 0o600


def test_the_holder_is_light(agent):
    create(agent, "cat")
    status = Path(f"/proc/{holder_of(agent)}/status").read_text(encoding="ascii")
    own = int(re.search(r"RssAnon:\s+(\d+) kB", status)[1])
    assert own < 10_000
    mapped = Path(f"/proc/{holder_of(agent)}/maps").read_text(encoding="ascii")
    assert "asyncio" not in mapped
    assert "_ssl" not in mapped


def test_what_is_new_in_the_protocol_is_passed_over(agent):
    """An agent of a later version takes what this holder has: it says more than is known here."""
    session = create(agent, "cat")
    agent.kill()
    connection = starting.knock(agent.socket)
    assert connection is not None
    with contextlib.closing(connection):
        reader = Reader()
        for frame in (
            {"type": "hello", "version": 1, "colour": "green"},
            {"type": "unheard-of", "id": 1},
            {"type": "took", "id": 1, "count": 0, "novelty": [1, 2]},
        ):
            connection.sendall(encode(frame))
        heads: list[dict] = []
        deadline = time.monotonic() + WAIT
        while not any(head["type"] == "ready" for head in heads):
            assert time.monotonic() < deadline
            assert reader.receive(connection)
            heads += [head for head, _, handle in reader.frames() if handle < 0 or os.close(handle) is None]
    assert [head["type"] for head in heads][:2] == ["hello", "held"]
    agent.start()
    assert Session(agent, session.name).state() != "exited"


def test_who_speaks_another_version_is_told_nothing(agent):
    session = create(agent, "cat")
    agent.kill()
    connection = starting.knock(agent.socket)
    assert connection is not None
    with contextlib.closing(connection):
        connection.sendall(encode({"type": "hello", "version": 99}))
        connection.settimeout(0.5)
        reader = Reader()
        assert reader.receive(connection)
        assert [head["type"] for head, _, _ in reader.frames()] == ["hello"]
        with pytest.raises(TimeoutError):
            reader.receive(connection)
    agent.start()
    assert session.state() != "exited"


def test_what_the_settings_say_of_sessions_holds(sleeping_agent):
    agent = sleeping_agent
    config = agent.home / ".config/terma/config.toml"
    config.parent.mkdir(parents=True, exist_ok=True)
    config.write_text('[sessions]\nttl = 0\nstorage = "file"\nfiles = 0\n', encoding="utf-8")
    agent.start()
    session = create(agent, "sh", "-c", "echo kept")
    session.wait_for_state("exited")
    about = session.call("info")
    assert (about["storage"], about["ttl"]) == ("file", 0)
    assert (agent.home / ".local/state/terma/sessions/work").is_dir()
    assert create(agent, "cat", name="other", storage="memory", ttl=5).call("info")["ttl"] == 5
    shown = subprocess.run(
        [agent.env["TERMA_BIN"], "session", "info", "work"],
        env=agent.env,
        capture_output=True,
        text=True,
        check=True,
    )
    assert re.search(r"^ttl +never forgotten$", shown.stdout, re.M)
    assert re.search(r"^ended +\d+ seconds? ago$", shown.stdout, re.M)
