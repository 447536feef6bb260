"""What is asked of many files of one kind."""

from __future__ import annotations

import pytest

from terma.offline.cases.spread import spread
from terma.offline.each import Each, of_each
from terma.offline.engine import Engine
from terma.offline.sentence import Sentence
from terma.offline.trust.facts import read
from terma.types import Query
from training.several import several


@pytest.fixture(scope="module")
def engine() -> Engine:
    return Engine.load()


@pytest.mark.parametrize(
    ("words", "one", "which"),
    [
        ("turn all pngs in shots into jpg", "turn shots/item.png into jpg", ("shots", "*.png", False)),
        ("gzip every log", "gzip item.log", ("", "*.log", False)),
        ("in this folder, gzip all the .log files", "gzip item.log", ("", "*.log", False)),
        ("in pics/, rotate all jpgs", "rotate pics/item.jpg", ("pics", "*.jpg", False)),
        ("gzip all csv files recursively", "gzip item.csv", ("", "*.csv", True)),
        ("gzip all csv files below data", "gzip data/item.csv", ("data", "*.csv", True)),
        (
            "webp from all the pngs here, keep the pngs",
            "webp from item.png, keep item.png",
            ("", "*.png", False),
        ),
        ("gzip the .log files in old older than 3 days", "gzip old/item.log", ("old", "*.log", False)),
    ],
)
def test_a_sentence_about_many_files_is_one_about_one_of_them(
    words: str, one: str, which: tuple[str, str, bool]
) -> None:
    each = of_each(Sentence.parse(words))
    assert each is not None
    assert (each.one, (each.folder, each.pattern, each.deep)) == (one, which)
    assert each.listing == ("list the .log files in old older than 3 days" if "older than" in words else "")


@pytest.mark.parametrize(
    "words",
    [
        "gzip notes.log",  # one file
        "turn a.png into jpg",  # a kind that is to be made
        "convert the jpgs to webp but not the pngs",  # two kinds
        "all pngs",  # nothing is asked
        "show me only the pdf files in shots",  # which they are
        "list all csv files below data",
        "compress the folder logs",
        "",
    ],
)
def test_other_sentences_are_not_about_many_files(words: str) -> None:
    assert of_each(Sentence.parse(words)) is None


@pytest.mark.parametrize(
    ("words", "command"),
    [
        ("convert all pngs in shots to jpg", 'for f in shots/*.png; do convert "$f" "${f%.png}.jpg"; done'),
        ("are all gz files in /backup intact", "gzip -t /backup/*.gz"),
        ("extract all zips in downloads", 'for f in downloads/*.zip; do unzip "$f"; done'),
        ("give me the sha256 of every iso under /data", "find /data -type f -name '*.iso' -exec sha256sum {} +"),
        ("all mp4 files below raw, move them to out/", "find raw -type f -name '*.mp4' -exec mv {} out/ \\;"),
        ("compress each log in /var/log/app with xz", 'for f in /var/log/app/*.log; do xz "$f"; done'),
    ],
)  # fmt: skip
def test_what_is_done_to_one_is_done_to_each(engine: Engine, words: str, command: str) -> None:
    found = engine.answer(Query(words=words, cwd="/nonexistent"), limit=1)
    assert [one.command for one in found] == [command]


@pytest.mark.parametrize(
    "words",
    [
        "split each pdf here into single pages",  # page-1.pdf of each would be written over the last one's
        "sort each txt file into sorted.txt",
        "convert all pngs to jpg except the ones in keep",
        "don't gzip all the logs in old",
        "copy each csv in data to all.csv",
        "the page count over all pdfs in this folder",
    ],
)
def test_what_each_would_undo_is_left(engine: Engine, words: str) -> None:
    for one in engine.answer(Query(words=words, cwd="/nonexistent")):
        assert not one.command.startswith(("for f in", "gzip")), one.command
        assert "item." not in one.command


@pytest.mark.parametrize(
    ("command", "expected"),
    [
        ("gzip item.log", "gzip *.log"),
        ("gzip -k item.log", "gzip -k *.log"),
        ("xz item.log", 'for f in *.log; do xz "$f"; done'),
        ("convert item.log out-item.log", ""),
        ("md5sum item.log > item.log.md5", 'for f in *.log; do md5sum "$f" > "$f.md5"; done'),
        ("cp item.log old.log", ""),
        ("cp item.log old/", "cp *.log old/"),
        ("gzip item.log && rm item.log", ""),
        ("grep -c x item.log | wc -l", ""),
        ("echo 'item.log'; ls", ""),
        ("gzip item.log &", ""),
        ("gzip 'unfinished", ""),
        ("find . -name item.log -delete", ""),  # searches by itself: not once for each
    ],
)
def test_a_command_for_one_is_written_for_many(engine: Engine, command: str, expected: str) -> None:
    each = Each("", "item.log", "", "*.log", False, "")
    assert spread(command, each, {"gzip", "cp"}, engine.table) == expected


def test_a_folder_is_quoted_and_its_files_are_not(engine: Engine) -> None:
    each = Each("", "my logs/item.log", "my logs", "*.log", False, "")
    assert spread("gzip 'my logs/item.log'", each, {"gzip"}, engine.table) == "gzip 'my logs'/*.log"


def test_home_is_no_quoted_tilde(engine: Engine) -> None:
    each = Each("", "~/logs/item.log", "~/logs", "*.log", True, "")
    command = spread("gzip ~/logs/item.log", each, {"gzip"}, engine.table)
    assert command == "find ~/logs -type f -name '*.log' -exec gzip {} +"


def test_what_find_lists_is_gone_on_with(engine: Engine) -> None:
    each = Each("", "item.log", "", "*.log", False, "list the logs older than 3 days")
    found = "find . -name '*.log' -mtime +3"
    assert spread("gzip item.log", each, {"gzip"}, engine.table, found) == f"{found} -exec gzip {{}} +"
    assert spread("xz item.log", each, set(), engine.table, found) == f"{found} -exec xz {{}} \\;"
    made = '-exec sh -c \'md5sum "$1" > "${1%.log}.md5"\' _ {} \\;'
    assert spread("md5sum item.log > item.md5", each, set(), engine.table, found) == f"{found} {made}"
    assert spread("gzip item.log", each, {"gzip"}, engine.table, "ls *.log") == ""
    assert spread("gzip item.log", each, {"gzip"}, engine.table, f"{found} -delete") == ""


def test_which_commands_take_several_is_learned_from_how_they_are_written() -> None:
    seen = [
        "wc -l *.txt",
        "wc *.c",
        "wc -c a/*.py",
        "find . -name x -exec wc {} +",
        "ls | xargs -n1 file",
        "tee a.txt b.txt",
    ]
    assert several(seen) == ["wc"]


def test_what_is_in_an_archive_lies_in_no_folder() -> None:
    assert of_each(Sentence.parse("unzip only the .csv files from data.zip")) is None
    assert of_each(Sentence.parse("unzip the .zip files in data")) is not None


def test_files_that_are_left_out_are_not_the_many() -> None:
    sentence = Sentence.parse("back up the folder plans to /mnt/b with rsync, without the .iso files")
    assert of_each(sentence) is not None
    assert of_each(sentence, read(sentence).denied) is None
