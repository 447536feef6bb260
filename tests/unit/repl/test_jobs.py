"""What lives on is called by the command that started it, whenever somebody happens to look."""

from __future__ import annotations

import asyncio
import os
import pty
import signal
import subprocess
import uuid
from collections.abc import Callable
from dataclasses import replace

import pytest

from terma.client import refusal
from terma.errors import TermaError
from terma.repl.jobs import leaving
from terma.repl.jobs.started import Jobs
from terma.repl.jobs.stopped import in_parts
from terma.sessions import processes, survivors
from terma.sessions.survivors import Survivor, name_of
from tests.conftest import wait_until


class Machine:
    """Processes that appear and turn into others, one picture for each look; the last one stays."""

    def __init__(self, *pictures: list[Survivor]) -> None:
        self.pictures = list(pictures)
        self.now = 1000.0

    async def look(self) -> list[Survivor]:
        return self.pictures.pop(0) if len(self.pictures) > 1 else self.pictures[0]

    def jobs(self) -> Jobs:
        return Jobs(self.look, lambda: self.now)


def process(pid: int, command: str, began: float, **more: bool) -> Survivor:
    return Survivor(pid, command, command.partition(" ")[0], began=began, **more)


def names(found: list[Survivor]) -> list[tuple[int, str]]:
    return [(one.pid, one.command) for one in found]


def test_what_forked_once_more_after_the_look_is_called_as_it_was_entered() -> None:
    machine = Machine([])
    jobs = machine.jobs()
    jobs.enter("setsid sleep 7 &")
    machine.now += 10
    jobs.enter("pwd")
    machine.pictures = [[process(5, "sleep 7", 1000.2)]]
    assert asyncio.run(jobs.started()) == ()  # pwd has left nothing
    assert names(asyncio.run(jobs.left())) == [(5, "setsid sleep 7")]


def test_a_start_is_told_up_to_a_tick_too_early() -> None:
    machine = Machine([process(5, "sleep 7", 1010.0 - processes.TICK * 0.9)])
    jobs = machine.jobs()
    jobs.enter("pwd")
    machine.now += 10
    jobs.enter("setsid sleep 7 &")
    machine.now += 10
    assert names(asyncio.run(jobs.left())) == [(5, "setsid sleep 7")]


def test_what_has_only_just_begun_is_looked_at_until_it_stays_the_same() -> None:
    young = 1000.1
    machine = Machine(
        [process(4, "setsid sleep 7", young)],
        [process(5, "setsid sleep 7", young, here=False)],
        [process(5, "sleep 7", young, here=False)],
        [process(5, "sleep 7", young, here=False)],
    )
    jobs = machine.jobs()
    jobs.enter("setsid sleep 7 &")
    machine.now += 0.2
    assert asyncio.run(jobs.started()) == ("setsid sleep 7",)
    found = asyncio.run(jobs.left())
    assert names(found) == [(5, "setsid sleep 7")]
    assert not found[0].here


def test_without_a_start_the_newest_command_is_meant() -> None:
    machine = Machine([process(5, "sleep 7", 0.0)])
    jobs = machine.jobs()
    jobs.enter("pwd")
    jobs.enter("nohup sleep 7 &")
    assert names(asyncio.run(jobs.left())) == [(5, "nohup sleep 7")]


def test_a_job_of_several_parts_says_which_it_is_and_a_subshell_is_called_as_entered() -> None:
    machine = Machine([process(5, "sleep 7", 1000.0), process(6, "", 1000.0)])
    jobs = machine.jobs()
    jobs.enter("sleep 7 & (while :; do :; done) &")
    machine.now += 10
    text = "sleep 7 & (while :; do :; done)"
    assert names(asyncio.run(jobs.left())) == [(5, "sleep 7"), (6, text)]


def test_what_was_seen_once_is_not_told_again_and_what_stopped_never_is() -> None:
    machine = Machine([process(5, "sleep 7", 1000.0), process(6, "vim", 1000.0, stopped=True)])
    jobs = machine.jobs()
    jobs.enter("sleep 7 &")
    machine.now += 10
    assert asyncio.run(jobs.started()) == ("sleep 7",)
    assert asyncio.run(jobs.started()) == ()


def test_a_real_shell_never_shows_a_name_of_its_own() -> None:
    """A bash forks and execs while it is looked at as fast as may be: the settled look has the programs."""
    if not hasattr(os, "pidfd_open"):
        return
    tag = f"test-{uuid.uuid4().hex}"
    master, slave = pty.openpty()
    env = {"PATH": os.environ["PATH"], processes.TAG: tag, "PS1": ""}
    shell = subprocess.Popen(
        ["bash", "--norc", "-i"], stdin=slave, stdout=slave, stderr=slave, env=env, start_new_session=True
    )

    async def look() -> list[Survivor]:
        return survivors.left(shell.pid, tag)

    jobs = Jobs(look)
    try:
        for number in range(1, 6):
            line = f"setsid sleep 7{number} </dev/null >/dev/null 2>&1 &"
            jobs.enter(line)
            os.write(master, line.encode() + b"\n")
            wait_until(lambda n=number: len(survivors.left(shell.pid, tag)) >= n, "the process")
            found = asyncio.run(jobs.left())
            assert [one.command for one in found][-1] == line.removesuffix("&").strip()
            assert not any(one.here for one in found)
            assert [one.pid for one in found] == [one.pid for one in asyncio.run(jobs.left())]
    finally:
        for pid in processes.find(shell.pid, tag):
            os.kill(pid, signal.SIGKILL)
        shell.wait()
        os.close(master)
        os.close(slave)


@pytest.mark.parametrize("fields", [[], ["S", "1"]])
def test_a_start_that_is_not_told_is_none(fields: list[str]) -> None:
    assert processes.began(fields) == 0.0


def test_a_start_counts_as_now_does() -> None:
    if fields := processes.stat(os.getpid()):
        assert 0 < processes.began(fields) < processes.now()
    child = subprocess.Popen(["sleep", "60"])
    try:
        if fields := processes.stat(child.pid):
            assert abs(processes.now() - processes.began(fields)) < 30
    finally:
        child.kill()
        child.wait()


@pytest.mark.parametrize(
    ("entered", "runs", "command", "name"),
    [
        ("nice -n 10 make -j2 &", "make -j2", "nice -n 10 make -j2", "make"),
        ("timeout 60 python3 -m http.server 80 &", "timeout 60 python3 -m http.server 80",
         "timeout 60 python3 -m http.server 80", "http"),
        ("(python3 -m http.server 80 >/dev/null &)", "bash /opt/shims/exec python3 -m http.server 80",
         "python3 -m http.server 80", "http"),
        ("cd site; sh -c 'hugo server &'", "/usr/bin/hugo server", "hugo server", "hugo"),
        ("make && nohup ./serve --port 80 &", "./serve --port 80", "./serve --port 80", "serve"),
        ("make && ./serve &", "worker: master", "worker: master", "worker"),
    ],
)  # fmt: skip
def test_a_job_is_called_by_what_was_entered(entered: str, runs: str, command: str, name: str) -> None:
    found = replace(process(5, runs, 1000.2), name=name_of(runs.split()))
    machine = Machine([found])
    jobs = machine.jobs()
    jobs.enter(entered)
    machine.now += 10
    (left,) = asyncio.run(jobs.left())
    assert (left.command, left.name) == (command, name)


@pytest.mark.parametrize(
    ("command", "shell", "parts"),
    [
        ("make -j4", "bash", False),
        ("make 2>&1 | tee log", "bash", False),
        ("(make; make check)", "bash", False),
        ("for n in 1 2; do make $n; done", "bash", True),
        ("cd src && make", "bash", True),
        ("make; make check", "bash", True),
        ("for n in 1 2; do make $n; done", "zsh", False),
        ("echo 'unclosed", "bash", False),
    ],
)
def test_what_a_shell_does_not_keep_together_is_known(command: str, shell: str, parts: bool) -> None:
    assert in_parts(command, shell) is parts


def test_a_name_that_is_taken_gets_a_number_and_another_refusal_is_told(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    taken = ["http", "http-2"]

    def asked(name: str, _: str) -> dict[str, str]:
        if name in taken:
            raise refusal(["1", "usage", f"there is a session {name!r} already", ""])
        raise refusal(["1", "limit", "too many sessions", ""]) if not taken else KeyError(name)

    def give(_: int, __: object, ___: bytes, ask: Callable[[str], dict[str, str]]) -> dict[str, str]:
        try:
            return ask("/a/socket")
        except KeyError as free:
            return {"session": str(free.args[0])}

    monkeypatch.setattr(leaving, "_asked", asked)
    monkeypatch.setattr(leaving.handing, "give", give)
    assert leaving._given("http", 0, None, b"") == "http-3"  # type: ignore[arg-type]
    taken.clear()
    with pytest.raises(TermaError, match="too many"):
        leaving._given("http", 0, None, b"")  # type: ignore[arg-type]
