"""What each word of a sentence is read as."""

from __future__ import annotations

import pytest

from terma.offline.sentence import MAX_TOKENS, Sentence
from terma.offline.tokens import Token


def only(text: str) -> Token:
    tokens = Sentence.parse(text).tokens
    assert len(tokens) == 1, tokens
    return tokens[0]


@pytest.mark.parametrize(
    ("text", "kind", "value"),
    [
        ("12", "number", "12"),
        ("1,200", "number", "1200"),
        ("3rd", "ordinal", "3"),
        ("third", "ordinal", "3"),
        ("100 MB", "size", "100M"),
        ("5kb", "size", "5k"),
        ("20 bytes", "size", "20c"),
        ("7 days", "duration", "7 days"),
        ("an hour", "duration", "1 hour"),
        ("half an hour", "duration", "30 minutes"),
        ("quarter of a day", "duration", "6 hours"),
        ("half a year", "duration", "6 months"),
        ("half a gig", "size", "512M"),
        ("ten minutes", "duration", "10 minutes"),
        ("30s", "duration", "30 seconds"),
        ("2024-05-06", "date", "2024-05-06"),
        ('"two words"', "quoted", "two words"),
        ("'it'", "quoted", "it"),
        ("“curly”", "quoted", "curly"),
        ("/var/log", "path", "/var/log"),
        ("~/x", "path", "~/x"),
        ("src/main", "path", "src/main"),
        ("notes.txt", "file", "notes.txt"),
        (".bashrc", "file", ".bashrc"),
        ("Makefile", "file", "Makefile"),
        ("*.log", "glob", "*.log"),
        ("file[0-9].c", "glob", "file[0-9].c"),
        (".py", "ext", "py"),
        ("python files", "ext", "py"),
        ("PDFs", "ext", "pdf"),
        ("u+x", "perm", "u+x"),
        ("rwxr-xr-x", "perm", "rwxr-xr-x"),
        ("https://example.org/a?b=c", "url", "https://example.org/a?b=c"),
        ("example.org", "domain", "example.org"),
        ("ann@box7", "userhost", "ann@box7"),
        ("box7:/srv", "remotepath", "box7:/srv"),
        ("10.0.0.7", "ip", "10.0.0.7"),
        (":8080", "port", "8080"),
        ("$HOME", "env", "$HOME"),
        ("old-branch", "ident", "old-branch"),
        ("server1", "ident", "server1"),
        ("v2.0", "ident", "v2.0"),
        ("--force", "flag", "--force"),
    ],
)
def test_a_value_is_read_for_what_it_is(text: str, kind: str, value: str) -> None:
    token = only(text)
    assert (token.kind, token.value) == (kind, value)


@pytest.mark.parametrize(
    ("text", "norm"),
    [
        ("folders", "directory"),
        ("removing", "delete"),
        ("printed", "show"),
        ("biggest", "largest"),
        ("stopped", "stop"),
        ("entries", "entry"),
        ("status", "status"),
        ("don't", "not"),
    ],
)
def test_words_of_one_meaning_have_one_norm(text: str, norm: str) -> None:
    assert only(text).norm == norm


def test_punctuation_ends_a_word_but_not_a_name() -> None:
    tokens = Sentence.parse("show notes.txt, then ../a.b. (quickly)").tokens
    assert [token.text for token in tokens] == ["show", "notes.txt", "then", "../a.b", "quickly"]


@pytest.mark.parametrize("end", [".", "?", "!", ",", ":", ";"])
def test_what_ends_a_sentence_behind_quotes_is_no_directory(end: str) -> None:
    said = Sentence.parse(f'list what is called "*.out"{end}')
    assert [token.text for token in said.tokens][-1] == "*.out"


@pytest.mark.parametrize(
    ("words", "marks"),
    [
        ("sort it by column 2 (;)", [";"]),
        ("fields separated by |", ["|"]),
        ("split at : and count", [":"]),
        ("replace every , with ;", [",", ";"]),
        ("do this ; then that", []),
        ("all of it (really)", []),
        ("a and b, not c!", []),
    ],
)
def test_a_mark_that_is_spoken_of_is_a_value(words: str, marks: list[str]) -> None:
    assert [token.value for token in Sentence.parse(words).tokens if token.kind == "quoted"] == marks


def test_a_dot_that_stands_alone_is_the_directory() -> None:
    assert [token.kind for token in Sentence.parse('put "a b" .').tokens][-1] == "path"


def test_a_token_knows_where_it_stands() -> None:
    raw = "find 'my file' in /srv"
    for token in Sentence.parse(raw).tokens:
        assert token.text in raw[token.start : token.end]


def test_alternatives_with_a_slash_are_words_and_no_path() -> None:
    assert [token.kind for token in Sentence.parse("files/directories").tokens] == ["word", "word"]


@pytest.mark.parametrize(
    "raw", ["", "   ", "''", "\x00\x1b[31m", "(((", "🙂🙂", "a" * 100_000, "x " * 5_000, "'" * 999]
)
def test_any_text_is_read_and_bounded(raw: str) -> None:
    assert len(Sentence.parse(raw).tokens) <= MAX_TOKENS
