"""What a draft lost is added to it as remembered commands say such values."""

from __future__ import annotations

import json

import pytest

from terma.offline.cases import grafts
from terma.offline.cases.grafts import completed
from terma.offline.cases.parts import part, slot
from terma.offline.draft import Draft
from terma.offline.sentence import Sentence
from training.grafts import grafts as learned

NAMESPACE = [f" -n {slot('0', 't')}", False, ["word"], {"in": 0.8}]
PORT = [f" -p {slot('0', 'v')}", True, ["number"], {"port": 0.9}]
FILE = [f" > {slot('0', 't')}", False, ["file"], {"to": 0.5, "into": 0.4}]
KNOWN = grafts.of({"kubectl get": [NAMESPACE], "ssh": [PORT], "*": [FILE]})


def said(words: str, command: str, *values: str) -> list[str]:
    sentence = Sentence.parse(words)
    tags = [4.0 if token.text in values else -4.0 for token in sentence.tokens]
    draft = Draft(command, "case.x", frozenset())
    return [one.command for one in completed([draft], sentence, tags, KNOWN)]


def test_an_option_with_the_value_stands_behind_the_command() -> None:
    assert said("pods in harbour", "kubectl get pods", "harbour") == ["kubectl get pods -n harbour"]


def test_an_option_that_stands_ahead_of_operands_does() -> None:
    assert said("log in to box9 port 2222", "ssh box9", "box9", "2222") == ["ssh -p 2222 box9"]


def test_what_is_written_goes_behind_everything() -> None:
    found = said("sorted names of a.txt into b.txt", "cut -f1 a.txt | sort", "a.txt", "b.txt")
    assert found == ["cut -f1 a.txt | sort > b.txt"]


@pytest.mark.parametrize(
    ("words", "command", "values"),
    [
        ("pods in harbour", "kubectl get pods -n harbour", ("harbour",)),  # nothing is lost
        ("pods of harbour", "kubectl get pods", ("harbour",)),  # no word says what it is for
        ("pods in harbour", "docker ps", ("harbour",)),  # another program
        ("pods in harbour", "kubectl get pods -n other", ("harbour",)),  # it has that option
        ("in ash in elm in oak", "kubectl get pods", ("ash", "elm", "oak")),  # too much is lost
    ],
)  # fmt: skip
def test_nothing_is_added(words: str, command: str, values: tuple[str, ...]) -> None:
    assert said(words, command, *values) == []


def test_a_value_is_quoted_for_its_place() -> None:
    sentence = Sentence.parse('pods in "two words"')
    tags = [4.0 if token.kind == "quoted" else -4.0 for token in sentence.tokens]
    known = grafts.of({"kubectl get": [[f" -n {slot('0', 't')}", False, ["quoted"], {"in": 0.8}]]})
    found = completed([Draft("kubectl get pods", "case.x", frozenset())], sentence, tags, known)
    assert [one.command for one in found] == ["kubectl get pods -n 'two words'"]


def test_pieces_are_learned_from_the_memorys_rows() -> None:
    def row(kind: str) -> str:
        template = f"kubectl get {kind}{part((), ' -n ' + slot('3', 't'))}"
        return json.dumps([[template], [kind, "of", "in", f"{{word|{kind}1||in|"]])

    kinds = ("pods", "nodes", "jobs", "events")
    others = [json.dumps([["ls"], ["list", word]]) for word in "abcdefghijklmnopqrst"]
    found = learned([*map(row, kinds), *others])
    assert list(found) == ["kubectl get"]
    ((text, front, _, cues),) = found["kubectl get"]
    assert (text, front) == (f" -n {slot('0', 't')}", False)
    assert cues["in"] > 0.5
