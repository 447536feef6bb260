"""Output in files, and the agents that come and go around it."""

from __future__ import annotations

import contextlib
import json
import time
from itertools import count
from pathlib import Path

import pytest

from terma.errors import TermaError
from terma.sessions import remote
from tests.conftest import RunningAgent, end_agent_in
from tests.e2e.sessioned import Session, alive, create, wait_until


def listed(agent) -> dict[str, dict]:
    with agent.connect() as connection:
        return {item["session"]: item for item in remote.call(connection, "list", {}).get("items", [])}


def place(agent, name: str = "work") -> Path:
    return agent.home / ".local/state/terma/sessions" / name


def again(agent) -> None:
    """All dies, and another agent starts."""
    end_agent_in(agent.runtime)
    agent.start()


def test_the_list_and_the_output_outlive_the_agent(agent):
    session = create(agent, "bash", storage="file")
    session.exec("seq 100; exit_not")
    session.exec("echo last words")
    again(agent)
    about = listed(agent)["work"]
    assert (about["state"], about["storage"], about["command"]) == ("exited", "file", ["bash"])
    assert "last words" in session.read(tail=3)
    assert session.read(since=about["position"] - 1) == ""
    assert session.call("search", pattern="^9[0-9]$")["total"] == 10
    assert session.call("info")["state"] == "exited"
    with pytest.raises(TermaError, match="earlier session"):
        create(agent, "bash")
    for operation, values in (("exec", {"input": "echo x"}), ("send", {"text": ["x"]}), ("clear", {})):
        with pytest.raises(TermaError, match="has exited"):
            session.call(operation, **values)
    assert session.call("stop")["state"] == "exited"
    session.call("kill")
    assert not place(agent).exists()
    assert listed(agent) == {}


def test_a_program_that_ended_is_remembered_with_its_status(agent):
    session = create(agent, "sh", "-c", "echo said; exit 6", storage="file")
    session.wait_for_state("exited")
    again(agent)
    assert listed(agent)["work"]["exit_status"] == 6
    assert session.call("read", all=True)["exit_status"] == 6
    assert session.read(head=1) == "said"


def test_an_agent_that_is_stopped_leaves_the_output_whole(agent):
    session = create(agent, "sh", "-c", "seq 3000; printf unfinished; sleep 300", storage="file")
    session.call("read", wait="unfinished", since=0, timeout=60)
    agent.ask("stop")
    agent.wait()
    agent.start()
    kept = session.read(all=True).split("\n")
    assert kept == [*map(str, range(1, 3001)), "unfinished"]


def test_saved_output_goes_when_its_time_is_over(agent):
    create(agent, "true", storage="file", ttl=3600)
    wait_until(lambda: listed(agent)["work"]["state"] == "exited", "true to end")
    end_agent_in(agent.runtime)
    about = place(agent) / "about.json"
    about.write_text(json.dumps(json.loads(about.read_text()) | {"ended": time.time() - 7200}))
    agent.start()
    assert listed(agent) == {}
    assert not place(agent).exists()


@pytest.fixture
def second(agent):
    """Another agent of the same person, with a socket of its own."""
    root = agent.root / "second"
    root.mkdir()
    other = RunningAgent(root)
    other.env["HOME"] = agent.env["HOME"]
    yield other.start()
    other.stop()


def test_a_second_agent_cannot_steal_a_living_session(agent, second):
    mine = create(agent, "bash", storage="file")
    mine.exec("echo mine")
    theirs = Session(second, "work")
    for attempt in ("kill", "read", "info"):
        with pytest.raises(TermaError, match="another agent"):
            theirs.call(attempt)
    with pytest.raises(TermaError, match="another agent"):
        create(second, "bash", storage="file")
    assert listed(second) == {}
    again(second)
    assert alive(mine.pid())
    assert mine.exec("echo still mine")["output"] == "still mine"
    assert "mine" in mine.read(all=True)
    memory = create(second, "bash", name="other")
    assert memory.exec("echo theirs")["output"] == "theirs"


def test_who_takes_over_reads_what_the_first_left(agent, second):
    create(agent, "bash", storage="file").exec("echo handed over")
    end_agent_in(agent.runtime)
    assert "handed over" in Session(second, "work").read(all=True)


def test_a_state_directory_that_others_can_open_is_refused(agent):
    create(agent, "bash", storage="file").call("kill")
    place(agent).parent.chmod(0o755)
    with pytest.raises(TermaError, match="open to other users"):
        create(agent, "bash", storage="file")
    place(agent).parent.chmod(0o700)
    create(agent, "bash", storage="file").call("kill")


def on_disk(folder: Path) -> int:
    total = 0
    for path in folder.glob("*.out"):
        with contextlib.suppress(FileNotFoundError):
            total += path.stat().st_size
    return total


def test_files_have_a_cap_and_a_reader_is_told_what_is_gone(agent):
    session = create(agent, "sh", "-c", "seq 200000", storage="file", capacity=200_000)
    wait_until(lambda: session.state() == "exited", "seq to end", 60)
    wait_until(lambda: b"200000" in session.call("read", tail=2)["data"], "the last line")
    assert on_disk(place(agent)) <= 200_000 * 9 / 8  # a piece more, while it is counted
    # what was not looked through for secrets yet is in memory, above the cap
    readers = count()
    wait_until(
        lambda: session.call("read", cursor=f"r{next(readers)}")["gap_bytes"] > 0, "the cap to hold", 60
    )
    told = session.call("read", cursor="late")
    assert told["gap_bytes"] + len(told["data"]) == told["position"]


def test_memory_has_the_cap_that_was_asked_for(agent):
    session = create(agent, "sh", "-c", "seq 100000", capacity=50_000)
    wait_until(lambda: session.state() == "exited", "seq to end", 60)
    late = session.call("read")
    assert late["gap_bytes"] > 400_000
    assert late["gap_bytes"] + len(late["data"]) == late["position"]
    assert late["data"].endswith(b"100000\r\n")


def test_who_wants_a_session_that_an_earlier_agent_left_gets_a_new_one(agent):
    session = create(agent, "sh", "-c", "echo of the first", storage="file")
    session.wait_for_state("exited")
    again(agent)
    create(agent, "cat", if_not_exists=True)
    assert session.state() != "exited"
    assert "of the first" not in session.read(all=True)
