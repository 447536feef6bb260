"""Which command of a list or pipe failed, told by the statuses of a line that is read as its shell reads it."""

from __future__ import annotations

from pathlib import Path

import pytest

from terma.offline.explain import Failure, explain
from terma.offline.explain.case import Case
from terma.offline.explain.failing import status_of


@pytest.mark.parametrize(
    ("line", "shell", "status", "statuses", "program"),
    [
        ("echo $(date) | grep x", "bash", 1, (0, 1), "grep"),
        ('cat "a|b" | sort | uniq', "bash", 0, (1, 0, 0), "cat"),
        ("true && tr a < f || false; wc -l", "bash", 1, (1,), "wc"),
        ("diff <(sort a) <(sort b) | head", "zsh", 0, (2, 0), "diff"),
        ("make # all; test", "bash", 2, (2,), "make"),
    ],
)
def test_the_statuses_tell_which_one_failed(
    line: str, shell: str, status: int, statuses: tuple[int, ...], program: str
) -> None:
    assert Case(Failure(line, status, "", shell=shell, statuses=statuses)).program == program


@pytest.mark.parametrize(
    ("line", "status", "statuses", "said"),
    [
        ("true && xa nofile | sort", 0, (1, 0), "xa ended with status 1 "),
        ("xa | xb -q", 3, (0, 3), "xb ended with status 3 "),
        ("echo ok; xa x f", 2, (2,), "xa ended with status 2 "),
        ("xa | xb", 5, (4, 5), "The command ended with status 5 "),
    ],
)
def test_the_status_that_is_told_is_its_own(
    line: str, status: int, statuses: tuple[int, ...], said: str
) -> None:
    assert explain(Failure(line, status, "", shell="bash", statuses=statuses)).text.startswith(said)


@pytest.mark.parametrize(
    ("line", "output", "program"),
    [
        ("xa all || false", "xa: no such target", "xa"),
        ("cd sub && xa all || exit 1", "xa: no such target", "xa"),
        ("xa one | xb two || false", "xb: cannot read", "xb"),
        ("xa all || xb all", "xa: no such target\nxb: nor here", "xb"),
        ("xa all; false", "xa: no such target", "false"),
        ("xa all || false", "", "false"),
    ],
)
def test_behind_or_the_one_before_is_blamed_where_the_output_is_its(
    line: str, output: str, program: str
) -> None:
    case = Case(Failure(line, 1, output, shell="bash", statuses=(1,)))
    assert case.program == program


def test_the_status_of_the_one_before_is_not_known() -> None:
    case = Case(Failure("xa all || false", 1, "xa: no such target", shell="bash", statuses=(1,)))
    assert status_of(case.pipelines, case.part, (1,)) is None


@pytest.mark.parametrize("line", ["for f in a b; do cat $f; done", "{ false; true; } | cat", "! grep x f"])
def test_control_flow_is_no_list(line: str) -> None:
    assert Case(Failure(line, 1, "", statuses=(1,))).pipelines == ()


@pytest.mark.parametrize(
    ("command", "output", "fix"),
    [
        ("mkfifo in/pipe", "mkfifo: cannot create fifo 'in/pipe': No such file or directory",
         "mkdir -p in && mkfifo in/pipe"),
        ("nohup ./job", "nohup: failed to run command './job': Permission denied", "chmod +x ./job && nohup ./job"),
        ("xargs -n one echo", 'xargs: invalid number "one" for -n option', ""),
    ],
)  # fmt: skip
def test_what_was_seen_wrong_once(command: str, output: str, fix: str, tmp_path: Path) -> None:
    (tmp_path / "job").touch(mode=0o644)
    found = explain(Failure(command, 1, output, str(tmp_path)))
    assert [one.command for one in found.fixes][:1] == ([fix] if fix else [])


def test_a_dash_in_a_program_begins_no_option() -> None:
    found = explain(Failure("update-rc --disply vi", 1, "update-rc: unknown option '--disply'"))
    assert "option --disply" in found.text


def test_a_name_in_a_source_is_no_command_of_the_interpreter() -> None:
    found = explain(Failure("tclsh job.tcl", 1, 'invalid command name "putz"\n    (file "job.tcl" line 2)'))
    assert "is not a tclsh command" not in found.text
