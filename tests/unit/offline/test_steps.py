"""Two orders in one sentence."""

from __future__ import annotations

import pytest

from terma.dialect.root import without_sudo
from terma.offline.engine import Engine
from terma.offline.sentence import Sentence
from terma.offline.steps import in_steps
from terma.types import Candidate, Query


@pytest.fixture(scope="module")
def engine() -> Engine:
    return Engine.load()


@pytest.mark.parametrize(
    ("words", "first", "second"),
    [
        ("wait 5 minutes and then reboot", "wait 5 minutes", "reboot"),
        ("unpack a.zip, then delete it", "unpack a.zip", "delete a.zip"),
        ("make a folder called out and then go into it", "make a folder called out", "go into out"),
        ("copy a.txt to b.txt and delete c.txt", "copy a.txt to b.txt", "delete c.txt"),
        (
            "pack the folder pics into p.zip then delete the folder",
            "pack the folder pics into p.zip",
            "delete the folder pics",
        ),
    ],
)
def test_each_is_a_sentence_and_what_it_stands_for_is_written_out(
    words: str, first: str, second: str
) -> None:
    steps = in_steps(Sentence.parse(words))
    assert steps is not None
    assert (steps.first, steps.second) == (first, second)


@pytest.mark.parametrize(
    "words",
    [
        "list the files",
        "delete a.txt b.txt and then",
        "if a.txt exists then delete it",
        "rename a.txt b.txt c.txt then delete it",
        "when did it reboot then",
    ],
)
def test_one_order_a_condition_and_an_unclear_it_are_no_two_steps(words: str) -> None:
    assert in_steps(Sentence.parse(words)) is None


@pytest.mark.parametrize(
    ("words", "command"),
    [
        ("wait 5 minutes and then suspend the laptop", "sleep 300 && systemctl suspend"),
        ("copy a.txt to b.txt and delete c.txt", "cp a.txt b.txt && rm c.txt"),
        ("make a folder called out and then go into it", "mkdir out && cd out"),
    ],
)
def test_two_that_are_sure_are_one_line(engine: Engine, words: str, command: str) -> None:
    assert engine.answer(Query(words))[0].command in (command, command.replace("&& ", "&& sudo "))


@pytest.mark.parametrize(
    "words",
    [
        "pack a.txt into a.zip and then delete it",  # which?
        "find foo in a.txt and count matches",
        "delete a.txt and then frobnicate it",
        "make a folder called out and then don't go into it",
    ],
)
def test_where_one_of_them_is_not_sure_neither_is_run(engine: Engine, words: str) -> None:
    assert not any(" && " in one.command for one in engine.answer(Query(words)))


@pytest.mark.parametrize(
    ("command", "plain"),
    [
        ("sudo apt update && sudo apt upgrade -y", "apt update && apt upgrade -y"),
        ("echo x | sudo tee /etc/a", "echo x | tee /etc/a"),
        ("sudo -u bob ls", "sudo -u bob ls"),
        ("(sudo a; sudo b {name})", "(a; b {name})"),
    ],
)
def test_root_types_it_without_sudo(command: str, plain: str) -> None:
    assert without_sudo(Candidate(command, 0.9, "knowledge", (), "")).command == plain
