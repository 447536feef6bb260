"""What a command must keep to, whoever wrote it: opposites, questions, disks, and the words that change the work."""

from __future__ import annotations

import re

import pytest

from terma.offline import Engine
from terma.offline.asking import is_question
from terma.offline.sentence import Sentence
from terma.offline.trust.command import harm
from terma.types import Query


def commands(engine: Engine, words: str) -> list[str]:
    return [candidate.command for candidate in engine.answer(Query(words=words, cwd="/nonexistent"))]


@pytest.mark.parametrize(
    ("words", "opposite"),
    [
        ("unpack wares.tar into crates/", r"tar -c"),
        ("unmount /mnt/stick", r"\bmount "),
        ("mount /dev/sdq1 on /mnt/stick", r"umount"),
        ("encrypt ledger.txt with a passphrase", r"gpg -d"),
        ("lock user ulf", r"usermod -U"),
        ("enable the cups service", r"disable"),
        ("stop the cups service", r"systemctl start"),
    ],
)
def test_opposites_exclude_each_other(engine: Engine, words: str, opposite: str) -> None:
    found = commands(engine, words)
    assert found
    assert not [command for command in found if re.search(opposite, command)]


@pytest.mark.parametrize(
    "words",
    [
        "is the cups service enabled",
        "which program is listening on port 7070",
        "what is the size of /srv/wares",
        "who is in the group crew",
        "how many lines are in ledger.txt",
    ],
)
def test_a_question_is_answered_by_looking(engine: Engine, words: str) -> None:
    assert is_question(Sentence.parse(words))
    assert not [command for command in commands(engine, words) if harm(command) != "look"]


@pytest.mark.parametrize(
    "words", ["how do I unpack wares.tar", "can you stop cups", "what command kills a job"]
)
def test_who_asks_for_a_command_gets_one_that_acts(words: str) -> None:
    assert not is_question(Sentence.parse(words))


@pytest.mark.parametrize(
    "words", ["write zeros to /dev/sdq", "burn wares.iso to /dev/sdq", "save text to /dev/sdq"]
)
def test_no_tool_for_text_writes_to_a_disk(engine: Engine, words: str) -> None:
    for command in commands(engine, words):
        assert not re.search(r"\becho\b|>|\btee\b|\bcp\b|\bsort\b|\btouch\b", command)


@pytest.mark.parametrize(
    ("words", "kept"),
    [
        ("shrink all png images to 40%", r"40%"),
        ("show the last 30 lines of wares.log and keep following", r"-[fF]|-\w*f"),
        ("sort wares.txt in place", r"-o|-i"),
        ("watch the free memory every 4 seconds", r"-n 4"),
        ("find crates larger than 3 GB under /srv", r"\+3G"),
    ],
)
def test_what_changes_the_work_is_kept_or_nothing_is_said(engine: Engine, words: str, kept: str) -> None:
    for command in commands(engine, words):
        assert re.search(kept, command)


@pytest.mark.parametrize(
    "words",
    [
        "how are you feeling",
        "write a sonnet about rain",
        "show only the interesting lines of wares.log",
        "good evening",
    ],
)
def test_what_only_a_person_can_do_is_refused(engine: Engine, words: str) -> None:
    assert commands(engine, words) == []


def test_a_bracket_that_a_value_opens_belongs_to_it(engine: Engine) -> None:
    words = "change the author of the last commit to Ulf Berg <ulf@crates.example>"
    found = engine.explain(Query(words=words, cwd="/nonexistent"))
    assert "--author='Ulf Berg <ulf@crates.example>'" in found[0].candidate.command


def test_the_trash_is_not_what_deletes(engine: Engine) -> None:
    """Whatever is installed: `gio trash` keeps a file, and who deletes one does not ask for that."""
    for words in ("delete wares.txt", "remove wares.txt"):
        assert engine.explain(Query(words=words, cwd="/nonexistent"))[0].candidate.command == "rm wares.txt"
