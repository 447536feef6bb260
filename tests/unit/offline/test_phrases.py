"""Phrases of the grammar: what they begin with is known at once, the rest is read when that word comes."""

from __future__ import annotations

import pytest

from terma.offline.grammar import match
from terma.offline.grammar.match import Match, Rules
from terma.offline.sentence import Sentence


def heard(pattern: str, words: str, macros: dict[str, str] | None = None) -> list[int]:
    """Where `pattern` was found in the sentence: the ends of what it covered."""
    rules: Rules[list[int]] = Rules(macros or {})

    @rules.on(pattern)
    def found(frame: list[int], hit: Match) -> None:
        frame.append(hit.end)

    ends: list[int] = []
    rules.read(Sentence.parse(words), ends)
    return ends


@pytest.mark.parametrize(
    ("pattern", "words", "ends"),
    [
        ("blank|empty lines", "show empty lines", [3]),
        ("blank|blank lines", "show blank lines", [3]),  # once, though it is there twice
        ("the? newest", "show newest", [2]),  # what may be missing opens to what follows
        ("(in order|sorted) by size", "list sorted by size", [4]),
        ("$kinds files", "list hidden files", [3]),
        ("empty lines", "lines that are empty", []),
    ],
)
def test_a_phrase_is_found_by_what_it_may_begin_with(pattern: str, words: str, ends: list[int]) -> None:
    assert heard(pattern, words, {"kinds": "hidden|empty"}) == ends


def test_a_phrase_is_read_when_its_first_word_comes(monkeypatch: pytest.MonkeyPatch) -> None:
    read: list[str] = []
    monkeypatch.setattr(
        match, "_phrase", lambda pattern, how=match._phrase: read.append(pattern) or how(pattern)
    )
    assert heard("blank lines of #file", "show empty lines") == [] and read == []
    assert heard("blank lines", "show blank lines") == [3] and set(read) == {"blank lines"}
