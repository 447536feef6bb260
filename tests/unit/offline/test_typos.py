"""Which words are slips of the finger, and which are names or other words."""

from __future__ import annotations

import pytest

from terma.offline.engine import Engine
from terma.offline.lemma import norm as lemma
from terma.offline.packed import Packed, Writer
from terma.offline.understood import understood
from terma.offline.usage import Usage
from terma.types import Query

ENGINE = Engine.load()


def read(words: str) -> tuple[str, ...]:
    return understood(words, ENGINE.index, ENGINE.usage)[0].norms()


@pytest.mark.parametrize(
    ("words", "slip", "norm"),
    [
        ("zip froom backups into old.zip", "froom", "from"),  # a letter twice, of a word that says little
        ("which folders take teh most space", "teh", "the"),
        ("find empty dirextories", "dirextories", "directory"),  # a key beside the right one
        ("list the biggest filse", "filse", "file"),
        ("set a pasword for the archive", "pasword", "password"),  # though many write it so
        ("add up the rowa of sales.csv", "rowa", "row"),
        ("cancel what waits in rhe print queue", "rhe", "the"),  # by its neighbours, though it is short
        ("take the user ouy of the group wheel", "ouy", "out"),
        ("stop nignx and look at its log", "nignx", "nginx"),  # a program that is often named
        ("lines behind the edn of a.log", "edn", "end"),
        ("conditions of the daemnset fluent", "daemnset", "daemonset"),  # known by what was remembered
    ],
)
def test_a_slip_is_read_as_what_was_meant(words: str, slip: str, norm: str) -> None:
    assert norm in read(words)
    assert slip not in read(words)


@pytest.mark.parametrize(
    ("words", "word"),
    [
        ("stop the container hermes", "hermes"),  # the noun before says that it is a name
        ("switch to branch otter", "otter"),
        ("create a folder called otter", "otter"),
        (
            "delete the unused volumes but leave caches alone",
            "alone",
        ),  # a word that people type, and no "clone"
        ("restart the browser, the tab crashed", "tab"),
        ("find the files of ned", "ned"),  # no "end": the first letter is seldom wrong
    ],
)
def test_a_name_and_another_word_stay_what_they_are(words: str, word: str) -> None:
    assert lemma(word) in read(words)


@pytest.mark.parametrize("name", ["hermes", "otter", "bluebird", "quokka"])
@pytest.mark.parametrize(
    ("words", "command"),
    [
        ("stop the container {}", "docker stop {}"),
        ("switch to branch {}", "git switch {}"),
        ("add user {} to the docker group", "usermod -aG docker {}"),
        ("delete the folder {}", "rm -r {}"),
    ],
)
def test_what_a_thing_is_called_does_not_matter(words: str, command: str, name: str) -> None:
    first = ENGINE.answer(Query(words=words.format(name), cwd="/nonexistent", path=""))[0]
    assert first.command.removeprefix("sudo ") == command.format(name)


def test_talk_with_a_slip_in_it_is_still_talk() -> None:
    assert read("Could yoy show me the files here?") == read("Could you show me the files here?")


def test_what_is_misspelt_in_a_value_stays_as_it_was_typed() -> None:
    sentence, fixed = understood("restart postgersql", ENGINE.index, ENGINE.usage)
    assert fixed == {1: "postgresql"}
    assert sentence.tokens[1].text == "postgersql"


def test_words_that_stand_beside_each_other_oftener_fit_better() -> None:
    usage = ENGINE.usage
    assert usage.fits("in", "the", "folder") > 10 * usage.fits("the", "in", "the")
    assert usage.times("the") > usage.times("folder") > usage.times("never-typed") == 0
    assert usage.knows("folder")
    assert not usage.knows("qzx")


def test_without_tables_nothing_is_a_slip() -> None:
    nothing = Usage("<s> </s> <name>", 3, (1, 1, 1), (), ())
    assert understood("list teh filse", ENGINE.index, nothing)[1] == {}


def test_packed_and_read_again_it_knows_the_same() -> None:
    data = {
        "words": "</s> <name> <s> a b rare",
        "times": [2, 1, 2, 5, 7, 2],
        "beside": [[], [], [3, 2], [4, 3], [0, 2]],
    }
    writer = Writer()
    Usage.of(data).write(writer)
    read = Usage.read(Packed(writer.packed("")))
    assert [read.times(word) for word in ("a", "b", "rare", "c")] == [5, 7, 2, 0]
    assert [read.knows(word) for word in ("a", "rare", "c")] == [True, False, False]
    assert read.fits("<s>", "a", "b") == Usage.of(data).fits("<s>", "a", "b") > read.fits("<s>", "b", "a")
