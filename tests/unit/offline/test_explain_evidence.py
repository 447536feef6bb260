"""An output is taken apart by shapes: the line that decides, its place, what is named, and which command failed."""

# ruff: noqa: E501  (what programs print is as long as it is)
from __future__ import annotations

from pathlib import Path

import pytest

from terma.offline.explain import Failure, explain
from terma.offline.explain.case import Case
from terma.offline.explain.evidence import extract
from terma.offline.explain.evidence.tidy import tidy
from terma.offline.explain.proof import judge

TRACE = (
    'Traceback (most recent call last):\n  File "/home/u/p/app.py", line 7, in <module>\n    run()\n'
    '  File "/usr/lib/python3.11/site-packages/x/y.py", line 3, in run\n    raise ValueError("no rows")\n'
    "ValueError: no rows\n"
)
BOXED = "╷\n│ Error: Reference to undeclared input variable\n│\n│   on main.tf line 4, in resource:\n│    4:   count = var.n\n╵\n"


@pytest.mark.parametrize(
    ("output", "line", "place"),
    [
        (TRACE, "ValueError: no rows", "app.py:7"),
        (BOXED, "Error: Reference to undeclared input variable", "main.tf:4"),
        ("cc -c a.c\na.c:3:9: error: x undeclared\nmake: *** [a.o] Error 1", "a.c:3:9: error: x undeclared", "a.c:3:9"),
        ("tar: x: Cannot stat: No such file\ntar: Exiting with failure status", "tar: x: Cannot stat: No such file", ""),
        ("deploy.yml\n  3:7   error   bad indentation\n", "3:7   error   bad indentation", "deploy.yml:3:7"),
        ("Illegal division by zero at div.pl line 2.", "Illegal division by zero at div.pl line 2.", "div.pl:2"),
        ("PHP Fatal error:  Uncaught Error: f() in /home/u/p/a.php:3", "PHP Fatal error:  Uncaught Error: f() in /home/u/p/a.php:3", "a.php:3"),
        ("12:03:44 start\ncurl: (7) Failed to connect to 127.0.0.1 port 80", "curl: (7) Failed to connect to 127.0.0.1 port 80", ""),
    ],
)  # fmt: skip
def test_the_decisive_line_and_its_place_are_found(output: str, line: str, place: str) -> None:
    found = extract(output, frozenset({"tar", "curl"}), "/home/u/p")
    assert found.line == line
    assert str(found.place or "") == place


def test_a_line_that_fills_the_terminal_goes_on_in_the_next() -> None:
    whole = "fatal: " + "x" * 60 + " and so on to the end"
    assert extract(f"{whole[:80]}\n{whole[80:]}", columns=80).line == whole


def test_a_sentence_that_was_broken_at_a_margin_is_whole_again() -> None:
    output = "The virtual environment was not created successfully because ensurepip is not\navailable.  On Debian it has a package."
    found = explain(Failure("python3 -m venv v", 1, output, "/nonexistent"))
    assert "ensurepip" in found.text
    assert found.rule == "python.ensurepip"


def test_the_decisive_line_stands_whole_under_every_answer() -> None:
    long = "zorg: " + "a very long complaint " * 12 + "about the last word"
    assert long in explain(Failure("zorg x", 1, f"starting\n{long}\n", "/nonexistent")).text


@pytest.mark.parametrize(
    ("command", "status", "statuses", "output", "program"),
    [
        ("echo ok; grep x f", 2, (2,), "ok\ngrep: f: No such file or directory", "grep"),
        ("cat log | grep 500 | awk '{' | sort", 0, (0, 0, 2, 0), "", "awk"),
        ("make && ./parser in", 1, (1,), "make: *** [all] Error 1", "make"),
        ("true && false | cat", 1, (1, 0), "", "false"),
        ("yes | head -1 | grep q", 1, (141, 0, 1), "", "grep"),
    ],
)
def test_the_statuses_tell_which_command_failed(
    command: str, status: int, statuses: tuple[int, ...], output: str, program: str
) -> None:
    case = Case(Failure(command, status, output, "/nonexistent", statuses=statuses))
    assert (case.program, case.blamed) == (program, True)


@pytest.mark.parametrize(
    ("command", "output", "fix"),
    [
        ("ruby name.rb", "name.rb:2:in `<main>': undefined method `upcas'\nDid you mean?  upcase", "upcase name.rb"),
        ("python3 job.py", "ModuleNotFoundError: No module named 'acme_billing'", "pip install acme_billing"),
        ("psql -h db shop", 'ERROR: column "totl" does not exist\nHINT: Perhaps "orders.total"', "psql -h db orders.total"),
        ("ls -l", "ls: cannot access 'x'", "zorglub-not-here -l"),
    ],
)  # fmt: skip
def test_what_the_output_does_not_call_wrong_is_not_replaced(
    tmp_path: Path, command: str, output: str, fix: str
) -> None:
    for name in ("ruby", "python3", "psql", "ls", "pip"):
        (tmp_path / name).touch(mode=0o755)
    case = Case(Failure(command, 1, output, str(tmp_path), path=str(tmp_path)))
    assert not judge(case, fix, bound=False).holds


@pytest.mark.parametrize(
    ("command", "output", "question", "said"),
    [
        ("python3 app.py", TRACE, "where did it crash?", "It happened at /home/u/p/app.py:7."),
        ("ls /x", "ls: cannot access '/x'", "is it safe to run again", "Yes: ls only reads."),
        ("rm -rf a", "rm: a: busy", "can I run it again?", "Not without a look"),
        (
            "rsync a b",
            "created directory b\nrsync: write failed",
            "did it do anything",
            "created directory b",
        ),
        ("make", "make: *** [all] Error 1", "who wrote this", "not known from here"),
        ("make", "make: *** [all] Error 1", "where did it crash", "not known from here"),
    ],
)
def test_a_question_is_answered_from_the_evidence_or_not_at_all(
    command: str, output: str, question: str, said: str
) -> None:
    assert said in explain(Failure(command, 1, output, "/nonexistent", question=question)).text


def test_lines_that_begin_with_one_label_stay_apart() -> None:
    told = (
        "npm error enoent Could not read package.json: Error: ENOENT: no such file, open 'package.json'\n"
        "npm error enoent This is related to npm not being able to find a file."
    )
    assert len(tidy(told)) == 2
