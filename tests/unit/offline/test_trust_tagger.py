"""Which words of a sentence are values: learned from lines, told for new ones, and held against commands."""

from __future__ import annotations

import pytest

from terma.offline.plain import plain
from terma.offline.sentence import Sentence
from terma.offline.trust.command import simples
from terma.offline.trust.tagger import Tagger, Weights, against, packed
from training.pairs import Line
from training.tagger import labelled, learn, own

SHIPPED = Tagger.load()


def tags(tagger: Tagger, words: str) -> dict[str, float]:
    tokens = Sentence.parse(plain(words)).tokens
    return dict(zip([token.text for token in tokens], tagger.tags(tokens), strict=True))


def line(words: str, command: str) -> Line:
    return Line("somebody", words, (command,), False)


NAMED = [line(f"restart the service {name} now", f"systemctl restart {name}") for name in
         ("web", "mail", "shop", "db", "cache", "queue", "proxy", "search")]  # fmt: skip


def test_what_stands_in_the_place_of_values_is_one() -> None:
    learned = Tagger.of(learn(labelled(NAMED, {})))
    found = tags(learned, "restart the service harbour now")
    assert found["harbour"] > 0
    assert all(odds < 0 for word, odds in found.items() if word != "harbour")


@pytest.mark.parametrize(
    ("words", "value"),
    [("pods in namespace lantern", "lantern"), ("delete the branch called sorted", "sorted"),
     ("how many lines has notes.txt", "notes.txt"), ("remove the container old", "old")],
)  # fmt: skip
def test_a_value_is_told_by_what_surrounds_it(words: str, value: str) -> None:
    assert tags(SHIPPED, words)[value] > 0


@pytest.mark.parametrize(
    ("words", "word"),
    [("how much does this folder take", "take"), ("show all files here", "here"), ("which user is logged in", "user"),
     ("list everything sorted by size", "sorted"), ("what is running right now", "running")],
)  # fmt: skip
def test_an_ordinary_word_is_none(words: str, word: str) -> None:
    assert tags(SHIPPED, words)[word] < 0


def test_a_value_that_a_command_lost_is_held_against_it() -> None:
    tokens = Sentence.parse("logs of web in shop").tokens
    odds = tuple(3.0 if token.text in ("web", "shop") else -3.0 for token in tokens)
    lost, worst, odd, _ = against(odds, tokens, simples("kubectl logs web"), frozenset(), {})
    assert (lost, worst, odd) == (3.0, 3.0, 0)
    assert against(odds, tokens, simples("kubectl logs web -n shop"), frozenset(), {})[0] == 0


def test_a_word_that_is_no_value_is_held_against_a_command_unless_it_is_the_programs_own_or_a_thing_here() -> (
    None
):
    tokens = Sentence.parse("show pods").tokens
    odds = (-3.0, -3.0)
    parsed = simples("kubectl get pods")
    assert against(odds, tokens, parsed, frozenset(), {})[2] == 3.0
    assert against(odds, tokens, parsed, frozenset(("kubectl\tpods",)), {})[2] == 0
    assert against(odds, tokens, parsed, frozenset(), {"pods": True})[2] == 0


def test_words_of_programs_that_people_say_are_kept() -> None:
    lines = [line("show pods", "kubectl get pods")] * 3
    assert own(lines, {"kubectl": frozenset(("pods", "nodes"))}) == {"kubectl\tpods"}


def test_without_a_file_nothing_is_told() -> None:
    assert set(tags(Tagger(), "restart the service web").values()) == {0}


def test_weights_are_found_by_their_sign_after_they_were_written() -> None:
    said = {f"sign {number}": number - 50 for number in range(100)}
    weights = Weights.of(packed(said))
    assert {sign: weights.get(sign) for sign in said} == said
    assert weights.get("another sign") is None
    assert Weights().get("sign 1") is None


@pytest.mark.parametrize(
    ("words", "command"),
    [
        ('lines of wares.log with the characters "the"', "grep the wares.log"),
        ('link "/crates/a/one.txt" as "/crates/two"', "ln -s /crates/a/one.txt /crates/two"),
    ],
)
def test_what_is_quoted_is_no_ordinary_word(words: str, command: str) -> None:
    tokens = Sentence.parse(words).tokens
    odds = tuple(-3.0 if token.kind == "word" else 3.0 for token in tokens)
    assert against(odds, tokens, simples(command), frozenset(), {})[2] == 0
