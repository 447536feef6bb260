"""Columns are separated as the suffix of the file says, unless the sentence names another separator."""

from __future__ import annotations

import pytest

from terma.offline.draft import Draft
from terma.offline.sentence import Sentence
from terma.offline.separators import separated


def written(command: str, words: str = "column 2") -> str:
    return separated(Draft(command, "test", frozenset()), Sentence.parse(words)).command


@pytest.mark.parametrize(
    ("command", "as_the_file_is"),
    [
        ("awk '{s += $3} END {print s}' wages.csv", "awk -F, '{s += $3} END {print s}' wages.csv"),
        ("awk '{print $2}' genes.tsv", r"awk -F'\t' '{print $2}' genes.tsv"),
        ("cut -d' ' -f2 genes.tsv", "cut -f2 genes.tsv"),
        ("cut -d ' ' -f2 wages.csv", "cut -d, -f2 wages.csv"),
        ("tail -n +2 wages.csv | cut -f2 | sort -u", "tail -n +2 wages.csv | cut -d, -f2 | sort -u"),
        ("sort -k2 wages.csv", "sort -t, -k2 wages.csv"),
        ("column -t genes.tsv", r"column -s$'\t' -t genes.tsv"),
        ("cut -f2 < wages.csv", "cut -d, -f2 < wages.csv"),
    ],
)
def test_the_suffix_says_what_separates(command: str, as_the_file_is: str) -> None:
    assert written(command) == as_the_file_is
    assert written(as_the_file_is) == as_the_file_is


@pytest.mark.parametrize(
    ("command", "words"),
    [
        ("cut -d' ' -f2 wages.csv", "second field of wages.csv, separated by spaces"),
        ("awk '!seen[$0]++' wages.csv", "each line once"),
        ("sort wages.csv", "sort it"),
        ("awk '{print $2}' notes.txt", "second word"),
        ("cut -d: -f2 wages.csv", "column 2"),
        ("jq . a.json | awk '{print $2}' # wages.csv", "column 2"),
        ("awk '{print $2} wages.csv", "unfinished"),
    ],
)
def test_what_is_no_column_or_was_said_otherwise_stays(command: str, words: str) -> None:
    assert written(command, words) == command
