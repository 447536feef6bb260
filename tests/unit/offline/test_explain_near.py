"""Names that are near a word: its slips, and what it is the beginning of."""

from __future__ import annotations

import pytest

from terma.offline.explain.near import begins, meant


@pytest.mark.parametrize(
    ("word", "found"),
    [
        ("star", ["start", "startup", "starting"]),
        ("start", ["startup", "starting"]),
        ("s", []),
        ("", []),
        ("tart", []),
        ("starts", []),
    ],
)
def test_a_beginning_finds_the_names_that_go_on_the_shortest_first(word: str, found: list[str]) -> None:
    assert begins(word, ["starting", "stop", "start", "startup", "start"]) == found


def test_no_more_are_given_than_asked_for() -> None:
    assert begins("st", ["sta", "stb", "stc", "std"], 2) == ["sta", "stb"]


def test_slips_come_before_beginnings() -> None:
    assert meant("statu", ["statutes", "status"]) == ["status", "statutes"]
