"""What was started is found also in the moment in which it becomes another process, or another program."""

from __future__ import annotations

import os
import subprocess
import uuid
from collections.abc import Iterator
from pathlib import Path

import pytest

from terma.sessions import probe, processes

pytestmark = pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="other systems have ps")
TAG = uuid.uuid4().hex


@pytest.fixture
def started() -> Iterator[int]:
    """A process of the session, with no parent that is looked for."""
    with subprocess.Popen(["sleep", "600"], env={processes.TAG: TAG, "PATH": os.environ["PATH"]}) as process:
        yield process.pid
        process.kill()


def test_a_child_that_took_its_parents_place_while_it_was_looked(
    started: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    with subprocess.Popen(["true"]) as parent:
        pass
    lists = [[parent.pid]]
    all_there = processes._all
    monkeypatch.setattr(processes, "_all", lambda: lists.pop() if lists else all_there())
    assert processes.find(0, TAG) == [started]


def test_one_that_is_about_to_be_another_program(started: int, monkeypatch: pytest.MonkeyPatch) -> None:
    environment, silent = processes._environment, [started]
    now = processes.began(processes.stat(started)) + 0.1
    monkeypatch.setattr(processes, "now", lambda: now)
    monkeypatch.setattr(
        processes, "_environment", lambda pid: [] if silent and pid == silent.pop() else environment(pid)
    )
    monkeypatch.setattr(processes, "_all", lambda: [started])
    assert processes.find(0, TAG) == [started]


def test_an_environment_of_no_bytes_is_one_that_is_not_there_yet(
    started: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    read, empty = processes._read, [f"/proc/{started}/environ"]
    now = processes.began(processes.stat(started)) + 0.1
    monkeypatch.setattr(processes, "now", lambda: now)
    monkeypatch.setattr(processes, "_read", lambda path: b"" if path in empty and empty.pop() else read(path))
    assert processes.find(0, TAG) == [started]


def test_a_group_is_its_leader_and_who_else_is_in_it() -> None:
    with subprocess.Popen(["sleep", "600"], process_group=0) as leader:
        with subprocess.Popen(["sleep", "600"], process_group=leader.pid) as other:
            found = list(probe._members(leader.pid))
            other.kill()
        leader.kill()
    assert found == [leader.pid, other.pid]
    assert processes.group_of(leader.pid) == -1
