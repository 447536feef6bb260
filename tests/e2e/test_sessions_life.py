"""What stays and what goes: names, output, readers, processes, agents."""

from __future__ import annotations

import json
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from terma.errors import TermaError
from terma.sessions import remote
from terma.sessions.asking import ask
from tests.conftest import end_agent_in
from tests.e2e.sessioned import SLOW, alive, children_with, create, wait_until


def fds(agent) -> int:
    return len(list(Path(f"/proc/{agent.pid}/fd").iterdir()))


@pytest.mark.parametrize("name", ["", "a b", "../x", "-x", ".x", "x" * 65, "a/b", "ä", "a\n"])
def test_names_that_are_none_are_refused(agent, name):
    with pytest.raises(TermaError, match="no name for a session"):
        create(agent, "cat", name=name)


def test_a_name_is_taken_once_and_free_again_after_kill(agent):
    first = create(agent, "cat", name="a.b-c_1")
    with pytest.raises(TermaError, match="already"):
        create(agent, "cat", name="a.b-c_1")
    first.call("kill")
    create(agent, "cat", name="a.b-c_1")


def test_a_session_that_is_not_there_is_said_so(agent):
    create(agent, "cat", name="there")
    with agent.connect() as connection, pytest.raises(TermaError) as told:
        remote.call(connection, "exec", {"session": "elsewhere", "input": "x"})
    assert "elsewhere" in told.value.message
    assert "there" in told.value.hint


def test_a_program_that_cannot_start_leaves_nothing(agent):
    create(agent, "cat", name="warm").call("kill")
    before = fds(agent)
    for _ in range(3):
        with pytest.raises(TermaError, match="cannot start"):
            create(agent, "/no/such/program")
        with pytest.raises(TermaError, match="no directory"):
            create(agent, "cat", cwd="/no/such/place")
        with pytest.raises(TermaError, match="cells"):
            create(agent, "cat", cols=0)
    assert _names(agent) == []
    wait_until(lambda: fds(agent) <= before, "the descriptors to be given back")


@pytest.mark.parametrize("operation", ["stop", "kill"])
def test_everything_that_was_started_ends(agent, operation):
    mark = f"{agent.root.name}-{operation}"
    script = (
        f"setsid sleep 300.1 {mark} & nohup sh -c 'sleep 300 #{mark}' & "
        f"(setsid sh -c 'sleep 300 #{mark}; true' &) ; trap '' HUP TERM; sleep 300; : {mark}"
    ).replace(f"sleep 300.1 {mark}", f"sh -c 'sleep 300; : {mark}'")
    session = create(agent, "sh", "-c", script)
    wait_until(lambda: len(children_with(mark)) >= 4, "the children to run", 60)
    session.call(operation, **({"grace": 0.2} if operation == "stop" else {}))
    assert children_with(mark) == []


def test_stop_keeps_the_output_and_kill_deletes_it(agent):
    session = create(agent, "bash")
    session.exec("echo precious")
    stopped = session.call("stop")
    assert stopped["state"] == "exited"
    assert "precious" in session.read(all=True)
    session.call("kill")
    with pytest.raises(TermaError, match="no session"):
        session.read(all=True)


def test_many_short_lives_under_a_flood_leave_nothing(agent):
    create(agent, "cat", name="warm").call("kill")
    before = fds(agent)
    mark = f"{agent.root.name}-mark"
    for _ in range(20):
        create(agent, "sh", "-c", f"setsid sh -c 'sleep 300; : {mark}' & exec yes", name="short").call("kill")
    assert children_with(mark) == []
    wait_until(lambda: fds(agent) <= before, "the descriptors to be given back")
    zombies = [
        int(entry.name)
        for entry in Path("/proc").iterdir()
        if entry.name.isdigit() and _zombie_of(int(entry.name), agent.pid)
    ]
    assert zombies == []
    assert not (agent.runtime / "sessions.live").exists()


def _zombie_of(pid: int, parent: int) -> bool:
    try:
        with open(f"/proc/{pid}/stat", encoding="utf-8", errors="replace") as file:  # noqa: PTH123
            state, ppid = file.read().rpartition(")")[2].split()[:2]
    except OSError:
        return False
    return state == "Z" and int(ppid) == parent


def test_a_session_is_forgotten_when_its_time_is_over(agent):
    create(agent, "true", name="brief", ttl=1)
    wait_until(lambda: not _names(agent), "the session to be forgotten")


def _names(agent) -> list[str]:
    with agent.connect() as connection:
        return [item["session"] for item in remote.call(connection, "list", {}).get("items", [])]


def test_two_readers_see_the_same_bytes(agent):
    session = create(
        agent, "sh", "-c", "stty raw -echo; head -c 300000 /dev/urandom; sleep 0.2; head -c 200000 /dev/zero"
    )
    session.wait_for_state("exited")
    slow = b""
    with agent.connect() as connection:
        whole = remote.call(connection, "read", {"session": "work", "cursor": "one"})["data"]
        at = 0
        while len(slow) < len(whole):
            slow += remote.call(connection, "read", {"session": "work", "since": at})["data"][:70_001]
            at = len(slow)
    assert len(whole) == 500_000
    assert slow == whole
    assert session.call("read", cursor="one")["data"] == b""
    assert session.call("read", cursor="two")["data"] == whole


def test_head_tail_since_and_clear(agent):
    session = create(agent, "seq", "100000")
    session.wait_for_state("exited")
    assert session.read(tail=2) == "99999\n100000"
    assert session.read(head=2) == "1\n2"
    assert session.read(tail=100_000) == session.read(all=True)
    position = session.call("info")["position"]
    assert session.read(since=position - 8) == "100000"
    session.call("clear")
    assert session.read(all=True) == ""
    assert session.call("info")["position"] == position


def test_what_was_printed_before_something_is_read_without_what_came_since(agent):
    session = create(agent, "seq", "100000")
    session.wait_for_state("exited")
    with agent.connect() as connection:
        told = ask(connection, "read", {"session": "work", "since": 2, "before": 9}, None, None)
        assert (told["data"], told["start"], told["position"]) == (b"\n2\r\n3\r\n", 2, 9)
        assert remote.before(connection, "work", 6) == "1\n2"
    assert session.read(since=0, head=2) == "1\n2"


def test_search_finds_lines_and_what_is_around_them(agent):
    session = create(agent, "seq", "1000")
    session.wait_for_state("exited")
    found = session.call("search", pattern="^77$", context=1)
    assert found["matches"] == [{"line": 77, "text": "77", "before": ["76"], "after": ["78"]}]
    assert session.call("search", pattern="0", max=5)["total"] == 181
    with pytest.raises(TermaError, match="regular expression"):
        session.call("search", pattern="(")


def test_a_slow_expression_ends_with_an_error(agent):
    session = create(agent, "sh", "-c", "printf %3000s | tr ' ' a; echo; sleep 300")
    with pytest.raises(TermaError, match="takes longer"):
        session.call("read", since=0, wait="(a+)+$b", timeout=60)
    with pytest.raises(TermaError, match="takes longer"):
        session.call("search", pattern="(a+)+$b")
    assert session.call("search", pattern="^a+$")["total"] == 1


def test_what_is_typed_comes_in_the_form_asked_for(agent):
    session = create(agent, "sh", "-c", "stty raw -echo; echo ready; exec cat -v")
    session.call("read", wait="ready", timeout=SLOW)
    session.send("\\x03\\e[A\\r\\u00e9", keys=True)
    session.send("aGk=", base64=True)
    session.send("one\ntwo")
    session.call("read", since=0, wait="two", timeout=SLOW)
    assert "^C^[[A^MM-CM-)hione^Mtwo" in session.read(all=True)
    with pytest.raises(TermaError, match="base64"):
        session.send("???", base64=True)


def test_a_program_that_does_not_read_is_no_danger(agent):
    session = create(agent, "sh", "-c", "stty raw -echo; sleep 300")
    big = "x" * 15_000
    with pytest.raises(TermaError, match="does not read"):
        for _ in range(100):
            session.send(big)
    session.call("kill")


def test_the_size_reaches_the_program(agent):
    session = create(agent, "bash", cols=90, rows=33)
    assert session.exec("stty size")["output"] == "33 90"
    session.call("resize", cols=70, rows=20)
    assert session.exec("stty size")["output"] == "20 70"


@pytest.mark.parametrize("command", [["bash"], ["sh"], [sys.executable, "-P", "-m", "terma", "shell"]])
def test_what_jobs_print_after_the_end_of_their_shell_is_said_to_be_lost(agent, command):
    session = create(agent, *command)
    session.send("sleep 300 & exit\r")
    session.wait_for_state("exited")
    assert "still had its terminal" in session.call("info")["lost"]
    assert "still had its terminal" in session.call("read", all=True)["lost"]
    agent.kill()
    agent.start()
    assert "still had its terminal" in session.call("info")["lost"]
    session.call("stop")
    assert "lost" not in session.call("info")


@pytest.mark.parametrize(
    "line",
    ["sleep 300 >/dev/null 2>&1 </dev/null & sleep 1; exit", "sleep 300 & kill %1; wait; exit", "exit"],
)
def test_nothing_is_said_to_be_lost_where_nobody_has_the_terminal(agent, line):
    session = create(agent, "bash")
    session.send(line + "\r")
    session.wait_for_state("exited")
    assert "lost" not in session.call("info")


def test_hundred_sessions_and_two_hundred_clients(agent):
    for number in range(100):
        create(agent, "sh", name=f"s{number}")
    failed: list[object] = []

    def one(number: int) -> None:
        try:
            with agent.connect() as connection:
                values = {"session": f"s{number % 100}"}
                assert remote.call(connection, "info", values)["session"] == values["session"]
                if number < 100:
                    done = remote.call(
                        connection, "exec", values | {"input": f"echo {number}", "timeout": 60}
                    )
                    assert remote.text_of(done) == str(number)
        except (TermaError, OSError, AssertionError) as error:
            failed.append(error)

    threads = [threading.Thread(target=one, args=(number,)) for number in range(200)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert failed == []


def test_the_agent_stays_while_a_session_lives(sleeping_agent):
    agent = sleeping_agent.start(TERMA_IDLE_SECONDS="3")
    session = create(agent, "sleep", "7")
    session.wait_for_state("exited")
    assert agent.wait() == 0


def test_an_agent_that_is_told_to_stop_takes_its_sessions_along(agent):
    session = create(agent, "sh", "-c", "trap '' HUP TERM; sleep 300; :")
    pid = session.pid()
    agent.ask("stop")
    agent.wait()
    wait_until(lambda: not alive(pid), "the program to end")


def test_an_agent_after_all_has_died_ends_what_was_left(agent):
    mark = f"{agent.root.name}-mark"
    create(agent, "sh", "-c", f"setsid sh -c 'sleep 300; : {mark}' & sleep 300; : {mark}")
    wait_until(lambda: children_with(f": {mark}"), "the child to run")
    end_agent_in(agent.runtime)
    assert children_with(f": {mark}")
    agent.start()
    wait_until(lambda: not children_with(f": {mark}"), "the orphans to be ended")


def test_output_in_files_outlives_the_agent_and_holds_no_secret(agent):
    session = create(agent, "bash", storage="file")
    token = "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"
    session.exec(f"echo kept; echo token={token}")
    place = agent.home / ".local/state/terma/sessions/work"
    assert {path.stat().st_mode & 0o777 for path in place.iterdir()} == {0o600}
    assert place.stat().st_mode & 0o777 == 0o700
    end_agent_in(agent.runtime)
    written = b"".join(path.read_bytes() for path in sorted(place.iterdir()))
    assert b"kept" in written
    assert token.encode() not in written
    agent.start()
    assert "kept" in session.read(all=True)
    session.call("kill")
    assert not place.exists()


@pytest.mark.parametrize(
    "args", ["", "[]", "{", '"x"', "{}", '{"session": 1}', '{"session": "x", "timeout": "a"}']
)
@pytest.mark.parametrize("kind", ["session_exec", "session_read", "session_nothing", "session_"])
def test_requests_that_make_no_sense_get_one_error_each(agent, kind, args):
    with pytest.raises(TermaError):
        agent.ask(kind, args=args)
    assert agent.ask("session_list", args=json.dumps({}))[-1][0] == "done"


def test_who_wants_a_session_whose_program_has_exited_gets_a_new_one(agent):
    first = create(agent, "sh", "-c", "exit 3")
    first.wait_for_state("exited")
    with pytest.raises(TermaError, match="already"):
        create(agent, "cat")
    again = create(agent, "cat", if_not_exists=True)
    assert again.state() != "exited"
    pid = again.pid()
    assert create(agent, "cat", if_not_exists=True).pid() == pid


def test_the_status_of_a_command_that_outlived_its_exec_is_read_later(agent):
    shell = create(agent, "bash")
    assert shell.exec("until [ -e go ]; do sleep 0.02; done; (exit 7)", timeout=0.5)["ended_by"] == "timeout"
    (agent.home / "go").touch()
    shell.wait_for_state("idle")
    assert shell.call("read")["last_status"] == 7
    assert shell.call("info")["last_status"] == 7


def test_a_pattern_that_never_comes_is_told_by_the_exit_status(agent):
    create(agent, "cat")
    line = [agent.env["TERMA_BIN"], "session", "read", "work", "--wait", "never", "--timeout", "0.2"]
    assert subprocess.run(line, env=agent.env, capture_output=True, check=False).returncode == 124


def test_a_command_that_ends_without_what_was_waited_for_is_told_by_the_exit_status(agent):
    create(agent, "bash")
    line = [agent.env["TERMA_BIN"], "session", "exec", "work", "--wait", "never", "echo so it is; (exit 5)"]
    done = subprocess.run(line, env=agent.env, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (124, "so it is\n")
    assert "the command ended with status 5" in done.stderr
