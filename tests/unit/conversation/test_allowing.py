"""A list of commands lets through those that stand on it, and nothing that hides behind them."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

import tests
from terma.conversation.allowing import Allowance, covered, covers
from terma.conversation.harmless import Program, only_reads, programs
from terma.dialogue import Proposal
from terma.types import Risk

ALLOW = ["git status", "git diff *", "ls *", "cat *.md", "wc -l", "echo *", "grep *"]


@pytest.mark.parametrize(
    "command",
    [
        "ls",
        "ls -la src",
        "git status",
        "git diff",
        "git diff --stat HEAD~1",
        "cat README.md",
        "ls -l | wc -l",
        "git status && git diff",
        "ls; echo done",
        "grep -rn 'a b; rm x' src",
        'echo "rm -rf /"',
        "ls missing 2>/dev/null",
        "ls missing 2>&1 | grep no",
    ],
)
def test_what_is_on_the_list_passes(command):
    assert covered(ALLOW, command)


@pytest.mark.parametrize(
    "command",
    [
        "",
        "rm x",
        "ls; rm x",
        "ls && rm x",
        "ls | sh",
        "ls\nrm x",
        "ls & rm x",
        "ls > out",
        "ls >> ~/.bashrc",
        "cat README.md < /etc/passwd",
        "echo x > /dev/sda",
        "ls $(rm x)",
        "ls `rm x`",
        "echo $HOME",
        "ls  # a remark",
        'echo "$(rm x)"',
        'echo "${x:-$(rm x)}"',
        "ls <(rm x)",
        "LD_PRELOAD=./x.so ls",
        "/tmp/ls",
        "./ls",
        "sudo ls",
        "command ls",
        "git status extra",
        "git -c core.pager=sh status",
        "(ls)",
        "{ ls; }",
        "if ls; then rm x; fi",
        "for x in a; do ls; done",
        "ls() { rm x; }; ls",
        "! ls",
        "cat <<X\nx\nX",
        "cat README.md other.txt",
        "echo 'unclosed",
        "ls $'\\x3b'; rm x",
        "echo $((1+1))",
        "cat secret",
        "l''s && rm x",
    ],
)
def test_whatever_else_is_in_the_line_stops_it(command):
    assert not covers(ALLOW, command)


@pytest.mark.parametrize(
    "word", [r"'a\' 'b; rm x #'", r'"a\"; rm x #"', "'a & del x'", "'a|more'", "a\\;rm", "'`n'"]
)
def test_what_only_some_shells_take_for_one_word_is_asked_about_on_another_machine(word):
    assert covered(["ls *"], f"ls {word}", "bash") is not None
    assert not covers(["ls *"], f"ls {word}")
    assert covers(["ls *"], "ls -la '/srv/my files' 2>/dev/null | ls")
    assert covers(["ls *"], "ls '*' '[a-z]?'") and not covers(["ls *"], "ls *")


def test_quotes_around_a_name_change_nothing():
    assert covers(["ls *"], "l''s -l")
    assert covers(["ls *"], "'ls' -l")


@pytest.mark.parametrize(
    ("pattern", "command"),
    [
        ("git diff *", "git diff --output=x"),
        ("git diff *", "git diff --ext-diff"),
        ("git *", "git -c core.pager=x log"),
        ("git grep *", "git grep -Osh x"),
        ("find *", "find . -exec sh -c id {} +"),
        ("find *", "find . -okdir id ';'"),
        ("find *", "find . -delete"),
        ("find *", "find . -fprintf x y"),
        ("sort *", "sort -o x y"),
        ("sort *", "sort -ro x y"),
        ("sort *", "sort --compress-program=x y"),
        ("tar *", "tar cf a b --checkpoint-action=exec=id"),
        ("tar *", "tar -I x -cf a b"),
        ("rg *", "rg --pre sh x"),
        ("man *", "man -P sh ls"),
        ("curl *", "curl -o x https://example.org"),
        ("awk *", "awk 'BEGIN{system(\"id\")}'"),
        ("sed *", "sed 1e x"),
        ("python3 *", "python3 -c 1"),
        ("xargs *", "xargs rm"),
        ("env *", "env rm x"),
        ("sudo ls *", "sudo ls -l"),
    ],
)
def test_a_wildcard_allows_no_option_that_runs_or_writes(pattern, command):
    assert not covers([pattern], command)


@pytest.mark.parametrize(
    ("pattern", "command"),
    [
        ("git log *", "git log --oneline -n 5 --stat"),
        ("git diff *", "git diff -C --color HEAD~1"),
        ("find *", "find . -name '*.py' -newer x -type f"),
        ("sort *", "sort -rn x"),
        ("grep *", "grep -o --color=always -e x y"),
        ("ls *", "ls -lo --format=long"),
        ("sed -n 1p *", "sed -n 1p"),
        ("python3 --version", "python3 --version"),
        ("docker ps *", "docker ps --format x"),
    ],
)
def test_a_wildcard_allows_what_only_looks(pattern, command):
    assert covered([pattern], command)


@pytest.mark.parametrize("pattern", ["*", "* *", "g?t status", "'unclosed"])
def test_a_pattern_needs_a_program(pattern):
    assert not covers([pattern], "git status")


def permitted(tool="run_command", command="ls", risk=None, **more) -> bool:
    proposal = Proposal("1", tool, command, risk=risk or Risk())
    return asyncio.run(Allowance(**more)(proposal))


def test_the_list_counts_with_yes_and_for_harmless_commands_alone():
    assert permitted(allow=["ls"], yes=True)
    assert not permitted(allow=["ls"])
    assert not permitted(allow=["ls"], yes=True, risk=Risk("medium", ("x",)))


def test_reading_is_free_where_the_person_said_so():
    readers = {"read_file"}
    assert permitted("read_file", "", readers=readers, read_freely=True)
    assert not permitted("read_file", "", readers=readers, yes=True)
    assert not permitted(
        "read_file", "", readers=readers, read_freely=True, risk=Risk("medium", ("outside",))
    )
    assert not permitted("session_kill", "", readers=readers, read_freely=True, yes=True)


def listed(name: str) -> list[tuple[str, str]]:
    """Pairs of a pattern and a command."""
    pattern, pairs = "", []
    for line in (Path(tests.__file__).parent / "data" / name).read_text(encoding="utf-8").splitlines():
        if line.startswith("["):
            pattern = line[1:-1]
        elif line and not line.startswith("#"):
            pairs.append((pattern, line))
    return pairs


@pytest.mark.parametrize(("pattern", "command"), listed("allowed.txt"))
def test_an_ordinary_use_is_let_through(pattern, command):
    assert covered([pattern], command, "bash") is not None


@pytest.mark.parametrize(("pattern", "command"), listed("evasions.txt"))
def test_an_evasion_is_asked_about(pattern, command):
    assert covered([pattern], command) is None


def test_there_are_enough_of_both():
    assert min(len(set(listed(name))) for name in ("allowed.txt", "evasions.txt")) >= 200


def test_every_option_of_the_table_is_a_word_that_can_be_given():
    """A slip in the table would allow nothing, or another option than was meant."""

    def walk(name: str, program: Program) -> None:
        assert not set(program.short) & set(program.value + program.attached), name
        assert not set(program.long) & program.others, name
        assert all(char.isalnum() or char in ".@" for char in program.short + program.value), name
        for command, inner in program.commands.items():
            walk(f"{name} {command}", inner)

    for name, program in programs().items():
        walk(name, program)
    assert len(programs()) >= 80


@pytest.mark.parametrize("name", sorted(programs()))
def test_an_option_that_nobody_knows_asks_of_every_program(name):
    if programs()[name].free:
        return
    for word in ("--no-such-option", "--no-such-option=x", "-ß"):
        assert not only_reads([name, word])


def test_on_another_machine_git_is_never_let_through():
    assert covers(["ls *"], "ls -l")
    assert not covers(["git status", "git log *"], "git status")
    assert not covers(["sudo git status"], "sudo git status")
