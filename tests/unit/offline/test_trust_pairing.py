"""Words and pieces of commands, paired by vectors: how they are learned, written, read and used."""

from __future__ import annotations

import numpy as np
import pytest

from terma.offline.sentence import Sentence
from terma.offline.trust.command import simples
from terma.offline.trust.facts import read
from terma.offline.trust.pairing import NOTHING, Pairing, paired, said
from training import pairing as training

SAYS = {"show": "cat", "count": "wc", "remove": "rm", "copy": "cp", "sort": "sort", "compare": "diff"}


def examples(times: int = 12) -> list[training.Example]:
    """Each word with its program, right; and with each of the other programs, wrong."""
    found = []
    for n, (word, program) in enumerate([*SAYS.items()] * times):
        words = ((word, False), ("<file", True))
        found += [
            training.Example(n, words, (other, f"{other} <file"), other == program) for other in SAYS.values()
        ]
    return found


@pytest.fixture(scope="module")
def learned() -> Pairing:
    return Pairing.of(training.learn(examples(60)))


@pytest.mark.parametrize(("word", "program"), SAYS.items())
def test_what_belongs_together_is_paired(learned: Pairing, word: str, program: str) -> None:
    sums = {
        other: learned.measure(((word, False), ("<file", True)), (other, f"{other} <file"))[0]
        for other in SAYS.values()
    }
    assert max(sums, key=sums.__getitem__) == program


def test_a_word_that_nothing_answers_costs(learned: Pairing) -> None:
    alone = learned.measure((("show", False),), ("cat",))
    more = learned.measure((("show", False), ("compare", False)), ("cat",))
    assert more[1] < alone[1]
    assert more[3] < more[4] or more[3] == more[1] - more[4]


def test_a_word_or_piece_that_was_never_seen_is_known_by_its_letters(learned: Pairing) -> None:
    like = learned.measure((("shows", False),), ("cat",))[1]
    other = learned.measure((("removes", False),), ("cat",))[1]
    assert like > other


def test_nothing_to_pair_says_nothing(learned: Pairing) -> None:
    assert learned.measure((), ("cat",)) == NOTHING
    assert learned.measure((("show", False),), ()) == NOTHING


def test_the_derivatives_are_those_of_the_loss() -> None:
    """One number of each kind moved a little: the loss moves as its slope says."""
    learner = training._Learner(examples(2), training.Counter(), 3)
    learner.p = {name: value.astype(np.float64) for name, value in learner.p.items()}
    rows = np.arange(24)
    lines = np.repeat(np.arange(4), 6)

    def loss() -> float:
        totals: list[np.ndarray] = []
        begun = learner._blame

        def seen(total: np.ndarray, y: np.ndarray, which: np.ndarray) -> np.ndarray:
            totals.append(total)
            return begun(total, y, which)

        learner._blame = seen  # type: ignore[method-assign]
        learner.rng = np.random.default_rng(1)  # the same numbers are dropped each time
        learner._slopes(rows, lines)
        learner._blame = begun  # type: ignore[method-assign]
        total, y = totals[0], learner.y[rows]
        value = float(np.mean(np.logaddexp(0, total) - y * total))
        for line in range(4):
            of = lines == line
            powers = np.exp(total[of] - total[of].max())
            value -= training.RANK / 4 * float(np.log((powers * y[of]).sum() / powers.sum()))
        value += (
            training.SHRINK
            / 2
            * sum(float((learner.p[name] ** 2).sum()) for name in ("words", "pieces", "programs", "letters"))
        )
        return value

    learner.rng = np.random.default_rng(1)
    slopes = learner._slopes(rows, lines)
    for name, slope in slopes.items():
        at = np.unravel_index(int(np.abs(slope).argmax()), slope.shape)
        before = learner.p[name][at]
        learner.p[name][at] = before + 1e-5
        higher = loss()
        learner.p[name][at] = before - 1e-5
        lower = loss()
        learner.p[name][at] = before
        assert (higher - lower) / 2e-5 == pytest.approx(float(slope[at]), rel=2e-2), name


def test_a_value_is_repeated_and_its_place_is_a_piece() -> None:
    facts = read(Sentence.parse("count the lines of a.txt"))
    words, pieces = paired(facts, said(facts), simples("wc -l a.txt"), "wc -l a.txt")
    assert ("<.txt", True) in words
    assert "wc -l" in pieces
    assert any(piece.startswith("wc") and piece.endswith("<.txt") for piece in pieces)
