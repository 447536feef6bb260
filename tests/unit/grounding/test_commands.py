"""Right and wrong commands of many programs, as models write them, held against the programs of this machine."""

from __future__ import annotations

import os
import re
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest

import terma
from terma.grounding.line import calls_of
from terma.machine import helps, manual
from terma.machine.options import forget, options
from terma.machine.programs import where

from .conftest import Check

KNOWLEDGE = Path(terma.__file__).parent / "offline" / "knowledge"
_PART = re.compile(r"\{\?[^:{}]*:([^{}]*(?:\{[^{}?]*\}[^{}]*)*)\}")
_PLACE = re.compile(r"\{\w[\w:]*\}")
gnu = pytest.mark.skipif(
    not sys.platform.startswith("linux"), reason="these commands are written for GNU's programs"
)
DATA = Path(__file__).parents[2] / "data" / "grounding"
# On every machine that runs these tests, with a help or a manual page that names every option.
CORE = frozenset(
    "ls cp mv rm cat head tail sort uniq wc cut df du stat date touch mkdir chmod chown seq split shuf"
    " base64 grep sed find xargs diff tar gzip bash sh env sudo time for if in do done then fi ln tee"
    " paste tac sha256sum nproc timeout readlink basename nohup".split()
)
# Their help takes its time: on a busy machine it is cut off, and they stay unknown.
SLOW = frozenset("docker kubectl cargo psql pg_dump".split())


@pytest.fixture(autouse=True, scope="module")
def asked_once() -> Iterator[None]:
    """What a program says of itself is the same for all of these tests: hundreds are started once and not twice."""
    said: dict[tuple[str, ...], str] = {}
    ask = helps._ask

    def remembered(words: list[str]) -> str:
        if tuple(words) not in said:
            said[tuple(words)] = ask(words)
        return said[tuple(words)]

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(helps, "_ask", remembered)
        yield


def lines(name: str) -> list[str]:
    return [line for line in (DATA / name).read_text(encoding="utf-8").splitlines() if line]


@gnu
@pytest.mark.parametrize("name", ["right.txt", "right2.txt"])
def test_nothing_is_wrong_with_a_right_command(
    name: str, here: Check, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / ".bashrc").touch()
    monkeypatch.setenv("HOME", str(tmp_path))
    said = {line: here(line) for line in lines(name)}
    # a program that this machine lacks is rightly called missing
    wrong = {
        line: left
        for line, problems in said.items()
        if (left := [text for text in problems if not text.startswith("no such program")])
    }
    assert wrong == {}
    assert len(said) > 250


@gnu
@pytest.mark.parametrize("name", ["wrong.txt", "wrong2.txt"])
def test_what_is_invented_is_marked_wherever_the_program_is_known(name: str, here: Check) -> None:
    missed = [line for line in lines(name) if known(line) and not here(line)]
    assert missed == [line for line in missed if line in ADMITTED]


@gnu
def test_nor_is_there_on_a_machine_without_manual_pages(
    here: Check, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(manual, "page", lambda *_: "")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    forget()
    said = {line: here(line) for name in ("right.txt", "right2.txt") for line in lines(name)}
    forget()
    wrong = [line for line, problems in said.items() if any(" has no " in text for text in problems)]
    assert wrong == []


@gnu
def test_the_everyday_programs_alone_give_enough_to_judge() -> None:
    judged = [line for name in ("wrong.txt", "wrong2.txt") for line in lines(name) if known(line)]
    assert len(judged) > 120


# Named in the manual page of the subcommand, but as another's option.
ADMITTED = frozenset(
    (
        "git reset --all",
        "git rebase --squash HEAD~3",
        "git blame --author main.py",
        "git config --set user.name x",
    )
)


def known(line: str) -> bool:
    """Whether this machine can know all that `line` runs, so that a silence would be a failure."""
    for call in calls_of(line) or ():
        if not call.words or call.name in CORE:
            continue
        if call.name in SLOW:
            return False
        file = where(call.words[0].text, os.environ["PATH"], "")
        if not file:
            continue
        sub = (call.args[0].text,) if call.name == "git" and call.args else ()
        found = options(call.name, file, sub)
        if found is None or not found.sure or (sub and not has_page(call.name, sub[0])):
            return False
    return True


def has_page(program: str, sub: str) -> bool:
    return any(Path(f"/usr/share/man/man1/{program}-{sub}.1{end}").exists() for end in ("", ".gz"))


@pytest.mark.parametrize(
    ("command", "said"),
    [
        ("ls --newest", "ls has no option --newest"),
        ("ls -lY", "ls has no option -Y"),
        ("find . -nme x", "find has no test -nme"),
        ("find . --newest-first", "find has no test --newest-first"),
        ("sudo grep --recurse-dirs x .", "grep has no option --recurse-dirs"),
        ("frobnicate-me -x", "no such program: frobnicate-me"),
        ("cat missing.txt", "no such file: missing.txt"),
        ("cd missing", "no such folder: missing"),
    ],
)
def test_it_is_said_in_few_words(command: str, said: str, here: Check) -> None:
    problems = here(command)
    assert said in problems
    assert all(text == said or text.startswith("no such program: sudo") for text in problems)


@pytest.mark.parametrize(
    "command",
    [
        "",
        "   ",
        "((",
        "ls '",
        "`",
        "\x00",
        "--",
        "-",
        "a=b",
        "$(",
        "{",
        "\U0001f600 --x",
        "ls " + "-" * 5000,
        "&&",
        "| |",
        "ls \udcff --newest",
        "(" * 300,
        "bash -c " * 60 + "x",
    ],
)
def test_a_strange_line_is_no_trouble(command: str, here: Check) -> None:
    assert isinstance(here(command), list)


def test_a_shell_whose_language_is_another_is_left_alone(here: Check) -> None:
    assert here("ls --newest", shell="fish") == []
    assert here("ls --newest", shell="zsh") == ["ls has no option --newest"]


def test_no_more_than_three_things_are_said(here: Check) -> None:
    assert len(here("ls --aa1 --bb2 --cc3 --dd4 --ee5")) == 3


@gnu
def test_nothing_is_wrong_with_what_the_embedded_engine_knows(here: Check) -> None:
    templates = [
        entry["run"]
        for file in sorted(KNOWLEDGE.glob("*.toml"))
        for entry in tomllib.loads(file.read_text(encoding="utf-8"))["entry"]
        if isinstance(entry.get("run"), str)
    ]
    commands = sorted({filled(template) for template in templates})
    said = {command: here(command, cwd="") for command in commands}
    wrong = {
        command: problems
        for command, problems in said.items()
        if any(" has no " in text for text in problems)
    }
    assert wrong.keys() <= {"aws logs tail 1 --follow"}  # version 1 has it not, and says so itself
    assert len(commands) > 1500


def filled(template: str) -> str:
    """A template of the knowledge with every optional part, and `1` in each place."""
    while (smaller := _PART.sub(r"\1", template)) != template:
        template = smaller
    return _PLACE.sub("1", template)
