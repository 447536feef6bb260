"""A fix keeps the options of the failed command, and adds no danger that nobody asked for."""

from __future__ import annotations

from pathlib import Path

import pytest

from terma.offline.explain import Failure, explain
from terma.offline.explain.asked import danger_of, keeps, with_context
from terma.offline.explain.case import Case
from terma.offline.explain.commands import commands_of


def case(command: str, output: str, **more: str) -> Case:
    return Case(Failure(command, 1, output, **more))


@pytest.mark.parametrize(
    ("command", "output", "fix"),
    [
        ("psql -h db1 -U app shop", 'FATAL: database "shop" does not exist', "psql -U app shops"),
        ("terraform apply -target=a.b -plan p", "Error: Failed to load plan", "terraform apply -target=a.b"),
        ("make -C lib clen", "make: *** No rule to make target 'clen'.  Stop.", "make clean"),
        (
            "kubectl -n prod get pdo",
            'error: the server doesn\'t have a resource type "pdo"',
            "kubectl get pods",
        ),
    ],
)
def test_an_option_that_the_output_does_not_call_wrong_stays(command: str, output: str, fix: str) -> None:
    assert not keeps(case(command, output), fix, knows=False)


@pytest.mark.parametrize(
    ("command", "output", "fix"),
    [
        ("sort --numerc f", "sort: unrecognized option '--numerc'", "sort --numeric-sort f"),
        ("column -x -q f", "column: invalid option -- 'q'", "column -x f"),
        ("ls -lq3 d", "ls: invalid option -- '3'", "ls -lq d"),
        ("tar -x -f a.txz", "tar: Cannot exec xz", "tar -xf a.txz"),
        ("npm run build -- --prod", "sh: 1: tsc: not found", "npm install"),
    ],
)
def test_a_wrong_option_a_cluster_and_another_step_may_change(command: str, output: str, fix: str) -> None:
    assert keeps(case(command, output), fix, knows=False)


def test_a_rule_that_knows_may_exchange_one_option_and_no_more() -> None:
    one = case("tool run -a 1 -b 2", "tool: these do not go together")
    assert keeps(one, "tool run -c 1 -b 2", knows=True)
    assert not keeps(one, "tool run", knows=True)


@pytest.mark.parametrize(
    ("command", "fix", "whole"),
    [
        ("git -C ../site push", "git push -u origin main", "git -C ../site push -u origin main"),
        ("docker --context far ps -q", "docker start web && docker ps -q",
         "docker --context far start web && docker --context far ps -q"),
        ("git -c core.pager=cat log", "git init", "git init"),
        ("git push", "git push -u origin main", "git push -u origin main"),
    ],
)  # fmt: skip
def test_where_a_program_works_is_kept_in_every_step(command: str, fix: str, whole: str) -> None:
    assert with_context(case(command, "fatal: it failed"), fix) == whole


@pytest.mark.parametrize(
    ("command", "output", "fix"),
    [
        ("ln -s new.conf conf", "ln: failed to create symbolic link 'conf': File exists", "ln -sf new.conf conf"),
        ("rmdir old", "rmdir: failed to remove 'old': Directory not empty", "rm -r old"),
        ("terraform plan", "Error: Unsupported argument", "terraform plan -destroy"),
        ("docker run --name db pg", 'The container name "/db" is in use', "docker rm db && docker run --name db pg"),
        ("pkg add x", "x is installed already", "pkg add --force x"),
        ("npm i", "retry with --legacy-peer-deps\nto accept a broken resolution", "npm i --legacy-peer-deps"),
        ("ssh web2", "Host key verification failed.", "ssh-keygen -R web2 && ssh web2"),
    ],
)  # fmt: skip
def test_a_danger_that_nobody_asked_for_is_seen(command: str, output: str, fix: str) -> None:
    assert danger_of(case(command, output), fix)


@pytest.mark.parametrize(
    ("command", "output", "fix"),
    [
        ("git branch -d wip", "hint: If you are sure, run 'git branch -D wip'", "git branch -D wip"),
        ("git rm lib", "fatal: not removing 'lib' recursively without -r", "git rm -r lib"),
        ("kubectl delte pod x", 'error: unknown command "delte" for "kubectl"', "kubectl delete pod x"),
        ("rmm -r old", "bash: rmm: command not found", "rm -r old"),
        ("git push", "hint: (e.g., 'git pull ...') before pushing again.", "git pull --rebase && git push"),
        ("sort f", "sort: cannot read: f: No such file or directory", "sort g"),
    ],
)  # fmt: skip
def test_what_was_typed_or_is_advised_is_no_danger(command: str, output: str, fix: str) -> None:
    assert not danger_of(case(command, output), fix)


def test_a_question_may_ask_for_it() -> None:
    told = "fatal: tag 'v1' already exists"
    assert danger_of(case("git tag v1", told), "git tag --force v1")
    assert not danger_of(case("git tag v1", told, question="how do I overwrite it"), "git tag --force v1")


def test_what_is_withheld_is_told_in_words(tmp_path: Path) -> None:
    found = explain(Failure("git tag v1", 128, "fatal: tag 'v1' already exists", str(tmp_path)))
    assert not found.fixes
    assert "git tag --force v1" in found.text and "overwrites a tag" in found.text


@pytest.mark.parametrize(
    ("line", "shell", "words"),
    [
        ("sudo -u me A=1 git -C x log | wc -l", "bash", [("git", "-C", "x", "log"), ("wc", "-l")]),
        ("for f in *; do rm $f; done", "zsh", [("rm", "$f")]),
        ("echo 'a b' > out && (cd d; ls)", "bash", [("echo", "a b"), ("cd", "d"), ("ls",)]),
        ("echo 'open", "bash", [("echo", "open")]),
    ],
)
def test_a_line_is_cut_as_its_shell_cuts_it(line: str, shell: str, words: list[tuple[str, ...]]) -> None:
    assert [command.words for command in commands_of(line, shell)] == words
