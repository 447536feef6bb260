"""Which words are slips of the finger, and which are names or other words."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from terma.offline.engine import Engine
from terma.offline.typos import Typed
from terma.offline.understood import understood
from terma.types import Query

ENGINE = Engine.load()


def meant(words: str) -> dict[str, str]:
    """What was typed -> the norm that was meant."""
    typed = words.split()
    fixed = understood(words, ENGINE.index, ENGINE.memory.typed)[1]
    return {typed[i]: norm for i, norm in fixed.items()}


@pytest.mark.parametrize(
    ("words", "slip", "norm"),
    [
        ("zip froom backups into old.zip", "froom", "from"),  # a letter twice, of a word that says little
        ("which folders take teh most space", "teh", "the"),
        ("find empty dirextories", "dirextories", "directory"),  # a key beside the right one
        ("list the biggest filse", "filse", "file"),
        ("set a pasword for the archive", "pasword", "password"),  # though many write it so
        ("add up the rowa of sales.csv", "rowa", "row"),
        ("lines behind the edn of a.log", "edn", "end"),  # of three letters only two that were swapped
        ("conditions of the daemnset fluent", "daemnset", "daemonset"),  # known by what was remembered
    ],
)
def test_a_slip_is_read_as_what_was_meant(words: str, slip: str, norm: str) -> None:
    assert meant(words).get(slip) == norm


@pytest.mark.parametrize(
    ("words", "word"),
    [
        ("stop the container hermes", "hermes"),  # the noun before says that it is a name
        ("switch to branch otter", "otter"),
        ("create a folder called relaese", "relaese"),
        (
            "delete the unused volumes but leave caches alone",
            "alone",
        ),  # a word that people type, and no "clone"
        ("restart the browser, the tab crashed", "tab"),
        ("find the files of ned", "ned"),  # no "end": the first letter is seldom wrong
    ],
)
def test_a_name_and_another_word_stay_what_they_are(words: str, word: str) -> None:
    assert word not in meant(words)


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


class Counted(dict[str, Sequence[int]]):
    """Remembered words that count how often one of them is looked up."""

    looked_up = 0

    def __getitem__(self, norm: str) -> Sequence[int]:
        self.looked_up += 1
        return super().__getitem__(norm)

    def __contains__(self, norm: object) -> bool:
        self.looked_up += 1
        return super().__contains__(norm)


def test_the_neighbours_of_a_slip_are_not_looked_up_one_by_one() -> None:
    posts = Counted(ENGINE.memory.posts)
    words = "conditions of the daemnset fluent"
    fixed = understood(words, ENGINE.index, Typed(posts))[1]
    assert "daemonset" in fixed.values()
    assert posts.looked_up < 20  # a word of eight letters has over four hundred
