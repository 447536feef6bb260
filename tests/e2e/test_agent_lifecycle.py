"""The agent's birth and death: started once, found again, gone when it should be, and back when it is
wanted."""

from __future__ import annotations

import fcntl
import json
import os
import shutil
import signal
import socket
import stat
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

import terma
from terma import autostart, client
from terma.agent import lifecycle
from terma.agent.endpoint import AlreadyRunning, Endpoint, holder, lock_file
from terma.errors import AgentUnavailable, UnsafePath
from terma.sessions import remote
from terma.sessions.held.frames import LOCK
from tests.surroundings import with_knowledge

from ..conftest import WAIT, Home, wait_until

START = [sys.executable, "-I", "-c", "from terma.agent import lifecycle; lifecycle.start()"]


@pytest.fixture
def here(home: Home, monkeypatch: pytest.MonkeyPatch) -> Home:
    """A home without an agent that this process lives in too: `client` and `lifecycle` act on it."""
    home.script.write_text("[]")
    home.env["TERMA_ENGINE"] = "scripted"
    for name, value in home.env.items():
        monkeypatch.setenv(name, value)
    return home


def test_start_returns_when_the_agent_accepts_and_is_idempotent(here):
    lifecycle.start()
    first = lifecycle.status()
    lifecycle.start()
    assert first["pid"] == lifecycle.status()["pid"] == holder(here.runtime)


def test_the_agent_leaves_its_starter_s_terminal_and_directory_behind(here):
    lifecycle.start()
    pid = lifecycle.status()["pid"]
    assert os.getsid(pid) != os.getsid(0)
    assert Path(f"/proc/{pid}/cwd").readlink() == Path("/")
    assert {str(Path(f"/proc/{pid}/fd/{number}").readlink()) for number in (0, 1, 2)} == {"/dev/null"}
    assert not [name for name in fd_targets(pid) if "pipe" in name and name in fd_targets(os.getpid())]


def ended(pid: int) -> bool:
    """Whether the process is over; the machine's init may take its time to reap it."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] == "Z"
    except FileNotFoundError:
        return True


def fd_targets(pid: int) -> list[str]:
    targets = []
    for file in Path(f"/proc/{pid}/fd").iterdir():
        try:
            targets.append(str(file.readlink()))
        except FileNotFoundError:
            continue
    return targets


@pytest.mark.parametrize("around", ["<&- >&- 2>&-", "<&-", "2>&-"])
def test_a_starter_without_standard_streams_starts_it_all_the_same(here, around):
    line = f"trap '' CHLD; exec \"$@\" {around}"
    subprocess.run(["bash", "-c", line, "bash", *START], env=here.env, check=True, timeout=WAIT)
    pid = lifecycle.status()["pid"]
    assert {str(Path(f"/proc/{pid}/fd/{number}").readlink()) for number in (0, 1, 2)} == {"/dev/null"}


def test_only_its_user_can_reach_the_socket(here):
    lifecycle.start()
    assert stat.S_IMODE(here.socket.lstat().st_mode) == 0o600
    assert stat.S_IMODE(here.runtime.lstat().st_mode) == 0o700


def test_many_starts_at_once_make_one_agent(here):
    starts = [subprocess.Popen(START, env=here.env, stderr=subprocess.PIPE) for _ in range(8)]
    assert [start.communicate(timeout=WAIT)[1] for start in starts] == [b""] * 8
    assert [start.returncode for start in starts] == [0] * 8
    lifecycle.status()  # it has logged its start before it answers
    lines = here.log.read_text().splitlines()
    assert len([line for line in lines if " start " in line]) == 1


def session(operation: str, **values):
    with client.connect() as connection:
        return remote.call(connection, operation, values)


def test_agents_with_two_sockets_in_one_directory_share_nothing(here, monkeypatch):
    lifecycle.start()
    first = lifecycle.status()["pid"]
    session("create", session="mine", command=["cat"])
    with monkeypatch.context() as elsewhere:
        elsewhere.setenv("TERMA_SOCKET", str(here.runtime / "other.sock"))
        lifecycle.start()
        try:
            assert lifecycle.status()["pid"] != first
            assert session("list").get("items", []) == []
            session("create", session="theirs", command=["cat"])
        finally:
            lifecycle.stop()
    assert lifecycle.status()["pid"] == first
    assert [(one["session"], one["state"]) for one in session("list")["items"]] == [("mine", "needs_input")]
    lifecycle.stop()
    assert holder(here.runtime, LOCK) is None


def test_an_agent_that_was_killed_is_replaced(here):
    lifecycle.start()
    dead = lifecycle.status()["pid"]
    os.kill(dead, signal.SIGKILL)
    wait_until(lambda: holder(here.runtime) is None, "the agent to die")
    assert here.socket.exists()
    with client.connect() as connection:
        assert connection.ask_json("status", {})["pid"] != dead


def test_an_agent_whose_socket_was_removed_is_replaced(here):
    lifecycle.start()
    old = lifecycle.status()["pid"]
    here.socket.unlink()
    lifecycle.start()
    assert lifecycle.status()["pid"] not in (None, old)
    wait_until(lambda: ended(old), "the old agent to leave")
    assert here.socket.exists()


def test_an_agent_that_comes_late_does_not_make_its_place_anew(here, monkeypatch):
    """As a shell that was killed with its trial begins to start one."""
    gone = here.root / "gone"
    monkeypatch.setenv("TERMA_SOCKET", str(gone / "run" / "agent.sock"))
    with pytest.raises(UnsafePath, match="cannot create"):
        lifecycle.start()
    with pytest.raises(UnsafePath, match="cannot create"):
        Endpoint(gone / "run" / "agent.sock")
    assert not gone.exists()


def test_stop_ends_it_and_removes_the_socket(here):
    lifecycle.start()
    pid = lifecycle.status()["pid"]
    assert lifecycle.stop() is True
    assert not here.socket.exists()
    assert lifecycle.status() is None
    assert lifecycle.stop() is False
    wait_until(lambda: ended(pid), "the process to end")


def test_stop_finds_one_whose_lock_has_another_name(here, monkeypatch):
    """As an agent of another version may have it, behind a socket of another name."""
    monkeypatch.setenv("TERMA_SOCKET", str(here.runtime / "other.sock"))
    lifecycle.start()
    pid = lifecycle.status()["pid"]
    (here.runtime / "other.sock.agent.lock").rename(here.runtime / "agent.lock")
    assert lifecycle.status()["pid"] == pid
    assert lifecycle.stop() is True
    wait_until(lambda: ended(pid), "the process to end")


def test_restart_makes_a_new_one(here):
    lifecycle.start()
    old = lifecycle.status()["pid"]
    lifecycle.restart()
    assert lifecycle.status()["pid"] != old


def test_stop_kills_one_that_does_not_listen(here, monkeypatch):
    lifecycle.start()
    pid = lifecycle.status()["pid"]
    monkeypatch.setattr(lifecycle, "STATUS_SECONDS", 0.2)
    monkeypatch.setattr(lifecycle, "STOP_SECONDS", 1.0)
    monkeypatch.setattr(client, "HELLO_SECONDS", 0.2)
    os.kill(pid, signal.SIGSTOP)
    assert lifecycle.stop() is True
    assert holder(here.runtime) is None


def test_a_process_that_only_has_the_old_number_is_never_signalled(here):
    with subprocess.Popen(["sleep", "60"]) as bystander:
        autostart.signal_agent(bystander.pid, signal.SIGKILL)
        assert bystander.poll() is None
        bystander.kill()


def test_looking_whether_it_runs_does_not_keep_one_from_starting(here):
    lifecycle.start()
    lifecycle.stop()
    looking = lock_file(here.runtime / "agent.lock", fcntl.LOCK_SH)
    starting = subprocess.Popen(START, env=here.env)
    assert holder(here.runtime) is None
    os.close(looking)
    assert starting.wait(WAIT) == 0
    assert lifecycle.status() is not None


def test_without_an_agent_a_client_says_so(here):
    with pytest.raises(AgentUnavailable, match="no agent is running"):
        client.connect(autostart_agent=False)


def test_a_start_that_cannot_work_gives_the_reason(here):
    here.socket.write_text("my notes")
    with pytest.raises(UnsafePath, match="is not a socket"):
        lifecycle.start()
    assert here.socket.read_text() == "my notes"


def test_the_agent_s_own_reason_reaches_whoever_started_it(here, monkeypatch):
    monkeypatch.setattr("terma.autostart.knock", lambda path: None)
    here.socket.write_text("my notes")
    with pytest.raises(AgentUnavailable, match="is not a socket"):
        lifecycle.start()


@pytest.mark.parametrize("mode", [0o755, 0o770, 0o701])
def test_a_directory_that_others_can_enter_is_refused(here, mode):
    here.runtime.chmod(mode)
    with pytest.raises(UnsafePath, match="open to other users") as caught:
        lifecycle.start()
    assert "chmod 700" in caught.value.hint
    here.runtime.chmod(0o700)


def test_a_directory_behind_a_symbolic_link_is_refused(here):
    here.runtime.rename(here.root / "elsewhere")
    here.runtime.symlink_to(here.root / "elsewhere")
    with pytest.raises(UnsafePath, match="not a directory"):
        lifecycle.start()


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give a directory away")
def test_a_directory_of_another_user_is_refused(here):
    os.chown(here.runtime, 65534, 65534)
    with pytest.raises(UnsafePath, match="belongs to another user"):
        lifecycle.start()


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give a socket away")
def test_a_socket_of_another_user_is_neither_used_nor_removed(here):
    with socket.socket(socket.AF_UNIX) as theirs:
        theirs.bind(str(here.socket))
        theirs.listen()
        os.chown(here.socket, 65534, 65534)
        with pytest.raises(UnsafePath, match="not a socket of yours"):
            client.connect()
        with pytest.raises(UnsafePath, match="another user"):
            Endpoint(here.socket)
        assert here.socket.exists()


def test_two_endpoints_cannot_hold_one_socket(place):
    first = Endpoint(place / "run" / "agent.sock")
    with pytest.raises(AlreadyRunning):
        Endpoint(place / "run" / "agent.sock")
    first.close()
    second = Endpoint(place / "run" / "agent.sock")
    second.close()


def test_an_endpoint_does_not_remove_a_socket_that_took_its_place(place):
    path = place / "run" / "agent.sock"
    endpoint = Endpoint(path)
    path.unlink()
    with socket.socket(socket.AF_UNIX) as other:
        other.bind(str(path))
        assert not endpoint.intact()
        endpoint.close()
        assert path.exists()


def test_an_idle_agent_leaves(sleeping_agent):
    sleeping_agent.launch(TERMA_IDLE_SECONDS="0.2")  # it may have left before anybody sees that it accepts
    assert sleeping_agent.wait() == 0
    assert not sleeping_agent.socket.exists()
    assert "leave reason=idle" in sleeping_agent.log.read_text()


def test_an_answer_under_way_keeps_it_from_leaving(sleeping_agent):
    sleeping_agent.will_do({"delta": "sleep "}, {"wait": 3}, {"delta": "1"})
    sleeping_agent.start(TERMA_IDLE_SECONDS="2")
    assert sleeping_agent.ask("translate", buffer="wait")[-1][2] == "sleep 1"


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT, signal.SIGHUP])
def test_a_signal_lets_a_short_answer_end(agent, number):
    agent.will_do({"delta": "ls "}, {"wait": 0.3}, {"delta": "-l"})
    with agent.raw().hello().send(("ask", "1", "translate", "buffer=list")) as peer:
        peer.read_until("delta")
        agent.kill(number)
        assert peer.read_until("done")[3] == "ls -l"
    assert agent.wait() == 0
    assert not agent.socket.exists()


def test_a_signal_ends_a_hung_answer_with_a_word(agent):
    agent.will_do({"delta": "ls "}, {"hang": True})
    with agent.raw().hello().send(("ask", "1", "translate", "buffer=list")) as peer:
        peer.read_until("delta")
        agent.kill(signal.SIGTERM)
        assert peer.read_until("error")[:4] == ("error", "1", "agent", "the agent is stopping")
        assert peer.read() is None
    assert agent.wait() == 0


@pytest.fixture
def copied(sleeping_agent) -> Path:
    """A package of its own for the agent under test, to be upgraded under its feet."""
    package = sleeping_agent.root / "lib" / "terma"
    shutil.copytree(
        Path(terma.__file__).parent, package, ignore=shutil.ignore_patterns("__pycache__", "knowledge")
    )
    return package


def start_copied(agent, package: Path) -> subprocess.Popen[bytes]:
    cache = with_knowledge(agent.root / "cache")  # the tables; it knows nothing
    own = {"PYTHONPATH": str(package.parent), "XDG_CACHE_HOME": str(cache)}
    environment = agent.env | own
    process = subprocess.Popen([sys.executable, "-P", "-m", "terma.agent"], env=environment)
    wait_until(agent.accepts, "the agent to accept")
    return process


def test_after_an_upgrade_it_answers_and_makes_way(sleeping_agent, copied):
    process = start_copied(sleeping_agent, copied)
    sleeping_agent.will_say("ls")
    assert sleeping_agent.ask("translate", buffer="list")[-1][2] == "ls"
    init = copied / "__init__.py"
    init.write_text(init.read_text().replace(terma.__version__, "99.0"))
    assert sleeping_agent.ask("translate", buffer="list")[-1][2] == "ls"
    assert process.wait(WAIT) == 0
    process = start_copied(sleeping_agent, copied)
    assert json.loads(sleeping_agent.ask("status")[-1][2])["version"] == "99.0"
    process.kill()
    process.wait()


def test_after_its_package_was_removed_it_answers_and_leaves(sleeping_agent, copied):
    process = start_copied(sleeping_agent, copied)
    sleeping_agent.will_say("ls")
    sleeping_agent.ask("translate", buffer="list")
    copied.rename(copied.with_name("removed"))  # at once: the agent may be writing what it compiled there
    assert sleeping_agent.ask("translate", buffer="list")[-1][2] == "ls"
    assert process.wait(WAIT) == 0


def test_a_hundred_shells_at_once_all_get_their_own_answer(agent):
    for number in range(100):
        agent.will_say("echo ", str(number), match=f"number {number}.", wait=0.01)

    def ask(number: int) -> str:
        return agent.ask("translate", buffer=f"print number {number}.")[-1][2]

    with ThreadPoolExecutor(100) as shells:
        answers = list(shells.map(ask, range(100)))
    assert answers == [f"echo {number}" for number in range(100)]
