"""What a change of wording may do to an answer: nothing, where the words mean nothing; something or silence, where
they deny, leave out, turn round or add."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

from terma.offline import Engine
from terma.types import Query

DATA = tomllib.loads((Path(__file__).parents[2] / "data" / "sentences.toml").read_text(encoding="utf-8"))
SAID = [entry["say"] for entry in DATA["answer"]][::3]
ORDERS = [words for words in SAID if words.split()[0] in ("delete", "remove", "kill", "stop", "move", "copy", "rename",
          "compress", "extract", "replace", "install", "restart", "create", "change")]  # fmt: skip


def first(engine: Engine, words: str) -> str:
    found = engine.answer(Query(words=words, cwd="/nonexistent"), limit=1)
    return found[0].command if found else ""


@pytest.fixture(scope="module")
def plain(engine: Engine) -> dict[str, str]:
    """The answer to each of the sentences as it stands."""
    return {words: first(engine, words) for words in SAID}


@pytest.mark.parametrize(
    "before", ["please ", "how do i ", "what's the command to ", "can you ", "I want to "]
)
def test_talk_ahead_of_the_matter_changes_nothing(engine: Engine, plain: dict[str, str], before: str) -> None:
    changed = [words for words in ORDERS if first(engine, before + words) != plain[words]]
    assert not changed


BEHIND = (" please", "?", " now", " on my machine", " on this machine", ", thanks")


@pytest.mark.parametrize("after", BEHIND)
def test_talk_behind_the_matter_changes_nothing(engine: Engine, plain: dict[str, str], after: str) -> None:
    """Every sentence meets three of the six."""
    said = SAID[BEHIND.index(after) % 2 :: 2]
    changed = [words for words in said if first(engine, words + after) != plain[words]]
    assert len(changed) <= len(said) // 50, changed


def test_a_capital_at_the_start_changes_nothing(engine: Engine, plain: dict[str, str]) -> None:
    changed = [w for w in SAID if first(engine, w[0].upper() + w[1:]) != plain[w]]
    assert len(changed) <= len(SAID) // 50, changed


@pytest.mark.parametrize("before", ["don't ", "do not ", "never ", "please don't "])
def test_what_is_denied_is_not_done(engine: Engine, before: str) -> None:
    kept = [words for words in ORDERS if first(engine, before + words) not in ("",)]
    assert not kept


@pytest.mark.parametrize(
    ("words", "other"),
    [
        ("delete all log files in /srv/crates", "delete all log files in /srv/crates except old.log"),
        ("list the files in crates", "list the files in crates but not the ones in keep/"),
        ("find png files under /srv", "find png files under /srv, excluding /srv/tmp"),
        ("kill the process named crated", "kill the process named crated but not crated-old"),
        ("sort wares.txt", "show wares.txt without sorting it"),
        ("copy all jpg files to /mnt/stick", "copy all jpg files to /mnt/stick except cat.jpg"),
        ("show wares.txt", "show wares.txt without empty lines"),
    ],
)
def test_what_is_left_out_changes_the_command_or_silences_it(engine: Engine, words: str, other: str) -> None:
    answer = first(engine, other)
    assert not answer or answer != first(engine, words)


@pytest.mark.parametrize(
    ("words", "turned"),
    [
        ("copy wares.txt from /srv to /mnt", "copy wares.txt from /mnt to /srv"),
        ("copy crates/ to web7:/srv", "copy web7:/srv to crates/"),
        ("move old.txt to new.txt", "move new.txt to old.txt"),
        ("replace cat with dog in pets.txt", "replace dog with cat in pets.txt"),
        ("sync /srv/a to /srv/b", "sync /srv/b to /srv/a"),
        ("copy wares.txt to web7:/srv/wares.txt", "copy web7:/srv/wares.txt to wares.txt"),
        ("merge topic into main", "merge main into topic"),
        ("convert cat.png to cat.jpg", "convert cat.jpg to cat.png"),
        ("write card.img to /dev/sdq", "write /dev/sdq to card.img"),
    ],
)
def test_the_two_ends_of_a_direction_swap_or_nothing_is_said(engine: Engine, words: str, turned: str) -> None:
    one, other = first(engine, words), first(engine, turned)
    assert one != other or not one


@pytest.mark.parametrize(
    "words",
    [
        "copy wares.txt to /mnt/stick",
        "list the files in crates",
        "compress crates/",
        "find empty files in /srv",
    ],
)
@pytest.mark.parametrize("more", [" and then delete wares.txt", ", then restart cups", " and then shut down"])
def test_a_second_order_is_added_or_silences_the_first(engine: Engine, words: str, more: str) -> None:
    answer = first(engine, words + more)
    assert not answer or answer != first(engine, words)
