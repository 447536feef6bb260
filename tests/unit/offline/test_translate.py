"""Sentences of other languages, put into English from a lexicon: what they become, and what the engine says to them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from terma.offline import Engine
from terma.offline.language import foreign
from terma.offline.translate import FOLDER, Lexicon, lexicon, translate
from terma.offline.trust.command import effect
from terma.types import Query
from training import measure

SENTENCES = Path(__file__).parents[3] / "training/sentences"
LANGUAGES = {
    "de": "German", "fr": "French", "es": "Spanish", "pt": "Portuguese", "zh": "Chinese", "ja": "Japanese",
}  # fmt: skip
EFFECTS = ("look", "change", "destroy")


@pytest.fixture(scope="module")
def engine() -> Engine:
    return Engine.load()


def test_each_lexicon_is_read() -> None:
    assert {file.stem for file in FOLDER.glob("*.txt")} == {name.lower() for name in LANGUAGES.values()}
    for name in LANGUAGES.values():
        own = lexicon(name)
        assert own is not None
        assert len(own.phrases) > 200
        assert own.patterns
    assert lexicon("Korean") is None
    assert translate("아무것도 아니다", "Korean") is None


@pytest.mark.parametrize("name", LANGUAGES.values())
def test_a_phrase_is_one_thing_in_english(name: str) -> None:
    said: dict[str, set[str]] = {}
    for line in (FOLDER / f"{name.lower()}.txt").read_text(encoding="utf-8").splitlines():
        phrases, _, english = line.partition("#")[0].partition("=")
        for phrase in filter(None, map(str.strip, phrases.split(" / "))):
            said.setdefault(phrase, set()).add(english.strip())
    assert {phrase: found for phrase, found in said.items() if len(found) > 1} == {}


def test_accents_tell_words_apart_where_they_are_typed() -> None:
    assert [(found := translate(words, "Spanish")) and found.text for words in ("está", "esta")] == [
        "is",
        "this",
    ]


def test_a_broken_line_of_a_lexicon_is_told() -> None:
    with pytest.raises(ValueError, match="no = in 'haus house'"):
        Lexicon.parse("datei = file\nhaus house\n")


@pytest.mark.parametrize(
    ("words", "language", "english"),
    [
        ("Benenne ENTWURF.md in brief.md um", "German", "rename ENTWURF.md to brief.md"),
        ("groesse von daten.csv", "German", "size of daten.csv"),
        ("größe von daten.csv", "German", "size of daten.csv"),
        ("lösche den Branch heute", "German", "delete the branch today"),
        ("neuer branch heute", "German", "create branch heute"),  # a name stays as it was typed
        ("remplace jour par mois dans plan.txt", "French", "replace jour with mois in plan.txt"),
        ("copia a.txt a /tmp", "Spanish", "copy a.txt to /tmp"),
        ("把a.txt复制到/tmp", "Chinese", "copy a.txt to /tmp"),
        ("notes.txt を /tmp に移動", "Japanese", "move notes.txt to /tmp"),
    ],
)
def test_words_and_their_order(words: str, language: str, english: str) -> None:
    found = translate(words, language)
    assert found is not None
    assert found.text == english


def test_what_the_lexicon_does_not_hold_is_told_and_is_no_value(engine: Engine) -> None:
    found = translate("lösche den ordner und den quatsch", "German")
    assert found is not None
    assert found.unknown == ("quatsch",)
    for words in ("lösche alles quatsch", "zeig mir den inhalt der quatschigen dateien", "supprime truc"):
        assert not any(
            "qu" in one.command or "truc" in one.command for one in engine.answer(Query(words=words))
        )


@pytest.mark.parametrize("code", LANGUAGES)
def test_our_own_sentences_are_answered_and_none_does_more_than_it_was_asked(
    engine: Engine, code: str
) -> None:
    rows = [
        json.loads(line) for line in (SENTENCES / f"{code}1.jsonl").read_text(encoding="utf-8").splitlines()
    ]
    right, worse = 0, []
    for row in rows:
        answers = engine.answer(Query(words=row["nl"], cwd="/nonexistent", path=measure.PATH))
        if not answers:
            continue
        if not row["refs"]:
            worse.append((row["nl"], answers[0].command))
            continue
        line = measure.Line("", row["nl"], tuple(row["refs"]), False)
        right += measure.is_right(line, answers[0].command, {})
        allowed = max(EFFECTS.index(effect(ref)) for ref in row["refs"])
        if EFFECTS.index(effect(answers[0].command)) > allowed:
            worse.append((row["nl"], answers[0].command))
    assert right >= 0.5 * len(rows)
    assert worse == []


def test_a_language_is_told_by_its_words() -> None:
    for code, name in LANGUAGES.items():
        rows = [
            json.loads(line)
            for line in (SENTENCES / f"{code}1.jsonl").read_text(encoding="utf-8").splitlines()
        ]
        assert sum(foreign(row["nl"]) == name for row in rows) >= 0.8 * len(rows)
        assert sum(foreign(row["nl"]) in (name, "") for row in rows) >= 0.96 * len(rows)
