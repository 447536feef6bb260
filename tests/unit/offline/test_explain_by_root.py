"""What is offered to root: no sudo that nobody typed, and nothing of a system that was not started."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from terma.offline.explain import Failure, explain, reach
from terma.offline.explain.case import Case
from terma.offline.explain.raised import as_root
from terma.types import GIVEN, Output, WhyQuery

SILENT = "Cannot connect to the Docker daemon at unix:///var/run/docker.sock. Is the docker daemon running?"


@pytest.fixture(autouse=True)
def _root(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reach, "is_root", lambda: True)


@pytest.mark.parametrize(
    ("typed", "fix", "offered"),
    [
        ("docker ps", "sudo systemctl start docker && docker ps", "systemctl start docker && docker ps"),
        ("a | b", "sudo a | sudo b", "a | b"),
        ("psql x", "sudo -u postgres psql x", "sudo -u postgres psql x"),
        ("sudo b", "sudo a && sudo b", "sudo a && sudo b"),
        ("man b", "man sudo b", "man sudo b"),
        ("b", "echo 'sudo b'", "echo 'sudo b'"),
    ],
)
def test_root_needs_no_sudo_that_was_not_typed(typed: str, fix: str, offered: str) -> None:
    assert as_root(Case(Failure(typed, here=True)), fix) == offered


def test_what_was_handed_over_may_be_another_user_s() -> None:
    seen = [
        Failure.of(WhyQuery(command="a", output=Output("no", source))).here for source in (GIVEN, "tmux", "")
    ]
    assert seen == [False, True, True]
    assert as_root(Case(Failure("a")), "sudo a") == "sudo a"


@pytest.mark.parametrize(("started", "fixes"), [(True, ["systemctl start docker && docker ps"]), (False, [])])
def test_a_service_is_started_where_there_is_what_starts_it(
    started: bool, fixes: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("docker", "systemctl"):
        (tmp_path / name).touch(mode=0o755)
    monkeypatch.setattr("terma.offline.explain.installable._lacks_systemd", lambda case: not started)
    failure = Failure("docker ps", 1, SILENT, str(tmp_path), path=str(tmp_path), here=True)
    assert [fix.command for fix in explain(failure).fixes] == fixes
    handed = [fix.command for fix in explain(replace(failure, here=False)).fixes]
    assert handed == ["sudo systemctl start docker && docker ps"], "may be another machine's"
