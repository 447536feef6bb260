"""Sentences about files and text become the commands that an experienced person types."""

from __future__ import annotations

import random
import string
import subprocess
import tomllib
from pathlib import Path

import pytest

from terma import registry
from terma.offline import grammar
from terma.offline.draft import Context, Draft
from terma.offline.grammar import files, text
from terma.offline.sentence import Sentence

DATA = Path(__file__).parents[2] / "data" / "grammar_sentences.toml"
SENTENCES = tomllib.loads(DATA.read_text(encoding="utf-8"))["sentence"]


def read(sentence: str) -> list[Draft]:
    parsed, context = Sentence.parse(sentence), Context()
    found = [*text.candidates(parsed, context), *files.candidates(parsed, context)]
    return sorted(found, key=lambda draft: -draft.score)


@pytest.mark.parametrize("case", SENTENCES, ids=lambda case: case["say"])
def test_the_sentence_becomes_the_command(case: dict[str, str]) -> None:
    found = read(case["say"])
    assert found, "the grammar does not understand it"
    assert found[0].command == case["run"]


def test_the_engine_finds_both_readers() -> None:
    readers = {
        module.__name__ for module in registry.modules(grammar.__name__) if hasattr(module, "candidates")
    }
    assert {files.__name__, text.__name__} <= readers


def test_there_are_enough_sentences() -> None:
    assert len(SENTENCES) >= 120


@pytest.mark.parametrize("case", SENTENCES, ids=lambda case: case["say"])
def test_the_command_is_well_formed(case: dict[str, str]) -> None:
    checked = subprocess.run(["bash", "-n", "-c", case["run"]], capture_output=True, check=False)
    assert checked.returncode == 0, checked.stderr


@pytest.mark.parametrize(
    ("sentence", "wrong"),
    [
        ("delete all log files on the moon", "-delete"),
        ("delete all log files unless I say so", "-delete"),
        ("remove files in /srv/cache with strange colours", "-delete"),
        ("delete the lines with secret from app.conf", "rm"),
        ("remove all files that have not been opened in a purple way", "rm"),
        ("delete everything", "-delete"),
        ("delete all files", "-delete"),
    ],
)
def test_nothing_is_deleted_on_a_reading_that_leaves_words_out(sentence: str, wrong: str) -> None:
    assert all(wrong not in draft.command for draft in read(sentence))


@pytest.mark.parametrize(
    ("age", "test"),
    [
        ("older than 25 days", "-mtime +25"),
        ("modified more than 25 days ago", "-mtime +25"),
        ("modified less than 25 days ago", "-mtime -25"),
        ("modified in the last 25 days", "-mtime -25"),
        ("not modified in the last 25 days", "-mtime +25"),
        ("accessed within the last 3 hours", "-amin -180"),
        ("changed more than 10 minutes ago", "-mmin +10"),
        ("older than 2 weeks", "-mtime +14"),
        ("newer than 3 days", "-mtime -3"),
        ("larger than 10 MB", "-size +10M"),
        ("smaller than 512 bytes", "-size -512c"),
        ("of at least 5 MB", "-size +4M"),
    ],
)
def test_the_direction_of_an_age_or_size_is_kept(age: str, test: str) -> None:
    assert test in read(f"delete all tmp files {age} in /var/cache")[0].command


def tree(root: Path) -> None:
    for name, body in {
        "a.txt": "one\ntwo\n",
        "b.log": "x error\ny\n",
        "sub/c.txt": "two\nfoo\n",
        "sub/deep/d.log": "error\n",
        "sub/e.md": "",
        "spare.txt": "k\n",
        "it's.txt": "q\n",
    }.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(body, encoding="utf-8")


@pytest.mark.parametrize(
    ("sentence", "lines"),
    [
        ("locate everything whose name ends with .log", {"./b.log", "./sub/deep/d.log"}),
        ("list txt files only in the current directory except spare.txt", {"./a.txt", "./it's.txt"}),
        ("find empty files under sub", {"sub/e.md"}),
        ("how many txt files are there", {"4"}),
        ("which files under sub contain error", {"sub/deep/d.log"}),
        ("list all folders that contain log files", {".", "./sub/deep"}),
        ("show lines that contain foo in sub/c.txt", {"foo"}),
        ("sort a.txt backwards and keep only the first 1 line", {"two"}),
        ("show lines common to a.txt and sub/c.txt", {"two"}),
        ("how many lines in b.log contain error", {"1"}),
        ('find files named "it\'s.txt"', {"./it's.txt"}),
    ],
)
def test_the_command_finds_what_was_asked(tmp_path: Path, sentence: str, lines: set[str]) -> None:
    tree(tmp_path)
    command = read(sentence)[0].command
    ran = subprocess.run(["bash", "-c", command], cwd=tmp_path, capture_output=True, text=True, check=True)
    assert set(ran.stdout.splitlines()) == lines, command


@pytest.mark.parametrize(
    ("sentence", "left"),
    [
        ("delete all log files in sub", {"a.txt", "b.log", "c.txt", "e.md", "spare.txt", "it's.txt"}),
        ("get rid of txt files other than spare.txt", {"b.log", "d.log", "e.md", "spare.txt"}),
        (
            "rename all log files to old",
            {"a.txt", "b.old", "c.txt", "d.log", "e.md", "spare.txt", "it's.txt"},
        ),
    ],
)
def test_the_command_leaves_what_was_not_meant(tmp_path: Path, sentence: str, left: set[str]) -> None:
    tree(tmp_path)
    subprocess.run(["bash", "-c", read(sentence)[0].command], cwd=tmp_path, check=True)
    assert {path.name for path in tmp_path.rglob("*") if path.is_file()} == left


def test_no_sentence_raises() -> None:
    dice = random.Random(5)
    words = [
        *" ".join(case["say"] for case in SENTENCES).split(),
        "'",
        '"',
        "$(x)",
        "\x1b[0n",
        "\u202e",
        "*",
        "|",
        "-",
    ]
    for _ in range(400):
        read(" ".join(dice.choices(words, k=dice.randint(0, 25))))
        read("".join(dice.choices(string.printable, k=60)))


@pytest.mark.parametrize("hostile", ["'; rm -rf ~ #", "$(touch x)", "`id`", "a\nb", "--help"])
def test_a_value_cannot_leave_its_quotes(tmp_path: Path, hostile: str) -> None:
    (tmp_path / "f.txt").write_text("safe\n", encoding="utf-8")
    for draft in read(f'show lines containing "{hostile}" in f.txt'):
        subprocess.run(
            ["bash", "-c", draft.command], cwd=tmp_path, capture_output=True, check=False, timeout=5
        )
        assert sorted(p.name for p in tmp_path.iterdir()) == ["f.txt"]
