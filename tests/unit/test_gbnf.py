"""The grammar that bounds a small model: what may be said, that it is whole, and how large it gets."""

from __future__ import annotations

import re

from terma.suggest.gbnf import MAX_BYTES, Vocabulary, grammar, literals

WORDS = 'find files named "big report.txt" over 100M in ~/Documents'
SENT = f"Data\nfind . -size +100M\n\nWords: {WORDS}"


def rules(text: str) -> dict[str, str]:
    return dict(re.fullmatch(r"([a-z0-9]+) ::= (.+)", line).groups() for line in text.splitlines())  # type: ignore[union-attr, misc]


def test_programs_options_and_the_words_are_all_that_it_lets_through():
    made = rules(grammar(Vocabulary({"find": ["-name", "-size"], "wc": ["-l"]}), WORDS, SENT))
    assert made["p0"].startswith('"find" ')
    assert made["o0"] == '"-name" | "-size"'
    assert made["o1"] == '"-l"'
    values = made["value"].split(" | ")
    assert {"\"'big report.txt'\"", '"100M"', '"~/Documents"', '"."'} <= set(values)
    assert made["root"] == "line | reason"


def test_every_rule_that_is_named_is_there():
    vocabulary = Vocabulary({"git": ["--all"], "ls": []}, {"git": ["log", "diff"]}, ["find . -size +100M"])
    made = rules(grammar(vocabulary, WORDS, SENT))
    named = {
        name
        for said in made.values()
        for name in re.findall(r"\b[a-z]+\d*\b", re.sub(r'"(?:\\.|[^"\\])*"', "", said))
    }
    assert named - {"n"} <= set(made)
    assert made["s0"] == '"log" | "diff"'


def test_a_command_that_was_not_sent_is_not_in_it():
    vocabulary = Vocabulary({}, {}, ["find . -size +100M", "curl -u me:hunter2 https://example.org"])
    made = grammar(vocabulary, WORDS, SENT)
    assert "find . -size +100M" in made
    assert "hunter2" not in made


def test_what_would_end_a_string_of_the_grammar_is_escaped():
    made = grammar(Vocabulary({"echo": ()}), "say a\\b", "Words: say a\\b")
    assert "\"'a\\\\b'\"" in made


def test_nothing_known_is_no_grammar():
    assert grammar(Vocabulary(), "do it", "Words: do it") == ""


def test_it_stays_within_bounds():
    options = [f"--option-{'x' * 60}-{number}" for number in range(500)]
    made = grammar(Vocabulary({f"program{number}": options for number in range(100)}), WORDS * 50, SENT)
    assert made
    assert len(made.encode()) <= MAX_BYTES


def test_literals_are_what_a_shell_reads_as_one_word():
    assert literals("delete *.tmp, and it's old; keep 'my notes.txt'") == [
        "'my notes.txt'", "delete", "'*.tmp'", "and", "'it'\\''s'", "old", "keep", "my", "notes.txt",
    ]  # fmt: skip
