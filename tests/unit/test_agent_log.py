"""The log is bounded, private, and never in the way."""

from __future__ import annotations

import os
import stat
from pathlib import Path

import pytest

from terma.agent import log as module
from terma.agent.log import Log


def test_a_line_has_its_time_process_and_facts(tmp_path: Path):
    log = Log(tmp_path / "state" / "agent.log")
    log.write("start", version="1.0", socket=Path("/run/x"))
    time, pid, *rest = log.path.read_text().split()
    assert time.endswith("Z")
    assert int(pid) == os.getpid()
    assert rest == ["start", "version=1.0", "socket=/run/x"]


def test_others_cannot_read_it(tmp_path: Path):
    log = Log(tmp_path / "state" / "agent.log")
    log.write("start")
    assert stat.S_IMODE(log.path.stat().st_mode) == 0o600
    assert stat.S_IMODE(log.path.parent.stat().st_mode) == 0o700


def test_it_keeps_two_bounded_files(tmp_path: Path, monkeypatch):
    monkeypatch.setattr(module, "MAX_BYTES", 2_000)
    log = Log(tmp_path / "agent.log")
    for number in range(500):
        log.write("event", number=number)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["agent.log", "agent.log.1"]
    assert all(path.stat().st_size < 2_100 for path in tmp_path.iterdir())
    assert "number=499" in log.path.read_text()


def test_one_event_is_one_line_of_plain_characters(tmp_path: Path):
    log = Log(tmp_path / "agent.log")
    log.write("odd", what="a\nb\x1b[31m\u202e" + "x" * 10_000)
    text = log.path.read_text()
    assert text.count("\n") == 1
    assert len(text) < 4_100
    assert text.isprintable() or text.rstrip("\n").isprintable()


def test_words_of_the_user_need_debug(tmp_path: Path):
    quiet, loud = Log(tmp_path / "quiet.log"), Log(tmp_path / "loud.log", debug=True)
    for log in (quiet, loud):
        log.user_text("ask", words="hunter2")
        try:
            raise ValueError("hunter2")
        except ValueError as error:
            log.crash("request", error)
    assert "hunter2" not in quiet.path.read_text()
    assert "ValueError" in quiet.path.read_text()
    assert loud.path.read_text().count("hunter2") == 2


@pytest.mark.parametrize("path", ["/dev/full", "/dev/null/agent.log", "/proc/self/nothing"])
def test_what_cannot_be_written_is_remembered_and_forgiven(path: str):
    log = Log(Path(path))
    log.write("start")
    assert log.problem


def test_a_symbolic_link_is_not_followed(tmp_path: Path):
    (tmp_path / "agent.log").symlink_to(tmp_path / "precious")
    log = Log(tmp_path / "agent.log")
    log.write("start")
    assert not (tmp_path / "precious").exists()
    assert log.problem


def test_it_recovers_when_the_fault_is_gone(tmp_path: Path):
    log = Log(tmp_path / "state" / "agent.log")
    (tmp_path / "state").write_text("in the way")
    log.write("lost")
    assert log.problem
    (tmp_path / "state").unlink()
    log.write("kept")
    assert not log.problem
    assert "kept" in log.path.read_text()


def test_in_the_foreground_it_goes_to_standard_error(capsys: pytest.CaptureFixture[str]):
    Log(None).write("start")
    assert capsys.readouterr().err.endswith(" start\n")
