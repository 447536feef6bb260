"""A remembered case for a new sentence: values in their places, options that nobody asks for gone, a place named."""

from __future__ import annotations

import pytest

from terma.offline.cases.induce import induced
from terma.offline.cases.parts import bare, chosen, optional, part, slot
from terma.offline.cases.write import written
from terma.offline.sentence import Sentence

TAIL = f"tail{part(('last', 'line'), ' -n ' + slot('2', 'v'))}{part(('follow',), ' -f')} {slot('5', 't')}"


def test_what_stands_in_a_part_may_be_missing() -> None:
    may, cues, placed = optional(TAIL)
    assert may == {2}
    assert cues == {"last", "line", "follow"}
    assert not placed
    assert bare(TAIL) == f"tail -n {slot('2', 'v')} -f {slot('5', 't')}"


def test_a_part_goes_when_nothing_asks_for_it() -> None:
    assert " -f" in chosen(TAIL, {2: 0, 5: 1}, frozenset(("follow",)))
    assert " -f" not in chosen(TAIL, {2: 0, 5: 1}, frozenset())
    assert " -f" in chosen(TAIL, {2: 0, 5: 1}, None)


def test_a_part_goes_when_its_value_is_missing() -> None:
    assert chosen(TAIL, {5: 1}, None) == f"tail -f {slot('5', 't')}"


@pytest.mark.parametrize(("place", "command"), [(-1, "find . -type f"), (2, "find crates -type f")])
def test_a_place_that_nobody_names_is_this_one(place: int, command: str) -> None:
    sentence = Sentence.parse("files under crates")
    assert written(f"find {slot('', 't', True)} -type f", {}, sentence, place) == command


@pytest.mark.parametrize(
    ("template", "words", "command"),
    [
        (f"blkid /dev/{slot('1', 't')}", "identify /dev/sdb1", "blkid /dev/sdb1"),
        (f"blkid /dev/{slot('1', 't')}", "identify sdb1", "blkid /dev/sdb1"),
        (f"sh ./{slot('1', 't')} -v", "run /opt/bin/go.sh", "sh /opt/bin/go.sh -v"),
        (f"ls ~/{slot('1', 't')}/new", "list ~/photos", "ls ~/photos/new"),
        (f"ls a/{slot('1', 't')}", "list /srv", "ls /srv"),
        (f"scp x host:{slot('1', 't')}", "send /srv/x", "scp x host:/srv/x"),
        (f"dd if=/dev/{slot('1', 't')}", "read /dev/sdc", "dd if=/dev/sdc"),
    ],
)
def test_a_path_from_the_root_stands_below_no_folder(template: str, words: str, command: str) -> None:
    assert written(template, {1: 1}, Sentence.parse(words)) == command


@pytest.mark.parametrize(
    "words", ["list all .xyz files except the md ones", "list xml files except the .md files"]
)
def test_extensions_are_values(words: str) -> None:
    kinds = [token.value for token in Sentence.parse(words).tokens if token.kind == "ext"]
    assert kinds in (["xyz", "md"], ["xml", "md"])
    case = induced(words, f"find . -name '*.{kinds[0]}' ! -name '*.md'", {})
    assert case is not None
    assert kinds[0] not in case[0]
    assert "md" not in case[0]


@pytest.mark.parametrize(
    ("words", "name"),
    [("move all pictures to Old Crates", "Old Crates"), ("replace Room 7 with 9 in a.txt", "Room 7")],
)
def test_a_name_in_several_words_is_one_value(words: str, name: str) -> None:
    assert name in [token.value for token in Sentence.parse(words).tokens]


def test_capitals_everywhere_name_nothing() -> None:
    assert all(token.kind == "word" for token in Sentence.parse("Show All Big Files").tokens)


@pytest.mark.parametrize(
    ("words", "command", "open_"),
    [("average of column 5 of a.csv", "awk -F, '{s+=$5} END {print s/NR}' a.csv", "$5"),
     ("commits between v1.8 and v1.9", "git log v1.8..v1.9", "v1.9"),
     ("lines 3 to 7 of a.txt", "sed -n '3,7p' a.txt", "7p"),
     ("tables in shop.db", "sqlite3 shop.db .tables", "shop")],
)  # fmt: skip
def test_columns_ranges_and_names_inside_of_names_are_values(words: str, command: str, open_: str) -> None:
    case = induced(words, command, {})
    assert case is not None
    assert open_ not in case[0]


def test_a_word_of_the_program_is_none() -> None:
    case = induced("show pods", "kubectl get pods", {"kubectl": frozenset(("pods",))})
    assert case is not None
    assert "pods" in case[0]


def test_no_slash_stands_twice() -> None:
    sentence = Sentence.parse("copy a.txt to backup/")
    assert written(f"cp {slot('1', 't')} {slot('3', 't')}/", {1: 1, 3: 3}, sentence) == "cp a.txt backup/"
