"""Sentences of other languages, put into English from a lexicon: what they become, and what the engine says to them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from terma.offline import Engine
from terma.offline.japanese import forms
from terma.offline.language import foreign
from terma.offline.lexicon_file import Lexicon
from terma.offline.translate import FOLDER, lexicon, translate
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
        ("Commits von heute", "German", "commits of today"),
        ("neuer branch heute", "German", "create branch heute"),  # a name stays as it was typed
        ("remplace jour par mois dans plan.txt", "French", "replace jour with mois in plan.txt"),
        ("copia a.txt a /tmp", "Spanish", "copy a.txt to /tmp"),
        ("把a.txt复制到/tmp", "Chinese", "copy a.txt to /tmp"),
        ("notes.txt を /tmp に移動", "Japanese", "move notes.txt to /tmp"),
        (
            "a.txtを/tmpにコピーしてください",
            "Japanese",
            "copy a.txt to /tmp",
        ),  # a path ends where Japanese begins
        ("b.txtを消したい", "Japanese", "delete b.txt"),  # a verb in another form than the lexicon's
        ("shopフォルダを/mntにコピーして", "Japanese", "copy folder shop to /mnt"),
        ("在~/文档/a里找.log文件", "Chinese", "find .log files in ~/文档/a"),
        ("wie ist die IP-Adresse von example.org", "German", "is the ip address of example.org"),
    ],
)
def test_words_and_their_order(words: str, language: str, english: str) -> None:
    found = translate(words, language)
    assert found is not None
    assert found.text == english


def test_a_file_named_in_other_letters_is_not_all_files_of_its_kind(engine: Engine) -> None:
    asked = (
        "显示 日志.log 第100到120行",
        "显示日志.log第100到120行",
        "メモ.txt の最初の5行",
        "スキャン1.jpgをpngに変換",
    )
    for words in asked:
        for one in engine.answer(Query(words=words, cwd="/nonexistent", path=measure.PATH)):
            assert "*." not in one.command, words
            assert " 1.jpg" not in one.command, words
    assert "日志.log" in translate("显示 日志.log 第100到120行", "Chinese").text  # type: ignore[union-attr]
    assert translate("删除所有.tmp文件", "Chinese").text == "delete all .tmp files"  # type: ignore[union-attr]


def test_japanese_verbs_are_known_in_every_form_of_a_request() -> None:
    for verb, asked in (
        ("消す", "消して 消した 消します 消したい 消しておいて 消してほしい"),
        ("書く", "書いて 書いた 書きます"),
        ("読む", "読んで 読んだ 読みたい"),
        ("作る", "作って 作りたい"),
        ("見る", "見て 見たい 見ます"),
        ("コピー", "コピーする コピーして コピーしたい"),
    ):
        assert set(asked.split()) <= set(forms(verb))
    assert list(forms("大きい")) == ["大きい"]  # no verb


@pytest.mark.parametrize(
    ("words", "named"),
    [
        ("reinicia nginx", "nginx"),  # a program's name
        ("logs del contenedor tienda", "tienda"),  # a noun names it
        ("shopフォルダを作って", "shop"),  # Latin letters beside others
        ("创建分支feature", "feature"),
    ],
)
def test_a_name_is_no_strange_word(engine: Engine, words: str, named: str) -> None:
    answers = engine.answer(Query(words=words, cwd="/nonexistent", path=measure.PATH))
    assert answers
    assert named in answers[0].command.split()


def test_what_the_lexicon_does_not_hold_is_told_and_is_no_value(engine: Engine) -> None:
    found = translate("lösche den ordner und den quatsch", "German")
    assert found is not None
    assert found.unknown == ("quatsch",)
    for words in (
        "lösche alles quatsch",
        "zeig mir den inhalt der quatschigen dateien",
        "supprime truc",
        "lösche quatschige ordner",
    ):
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
