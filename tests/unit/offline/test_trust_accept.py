"""The terms of the acceptance: evidence that counts only within its bounds."""

from __future__ import annotations

import pytest

from terma.offline.trust.accept import Acceptance, Trees, added, terms_of
from terma.offline.trust.features import NAMES

TERMS = terms_of([(0.8, {"knowledge": (1, 1), "prior": (0.8, 1)}), (-0.2, {"case": (1, 1)})])


def features(**said: float) -> list[float]:
    return [said.get(name, 0.0) for name in NAMES]


@pytest.mark.parametrize(
    ("said", "adds"),
    [
        ({"knowledge": 1, "prior": 0.9}, 0.8),
        ({"knowledge": 1, "prior": 0.8}, 0.8),
        ({"knowledge": 1, "prior": 0.79}, 0.0),
        ({"prior": 0.9}, 0.0),
        ({"case": 1, "prior": 0.9}, -0.2),
    ],
)
def test_a_term_counts_only_where_all_its_bounds_hold(said: dict[str, float], adds: float) -> None:
    assert added(TERMS, features(**said)) == pytest.approx(adds)


def test_a_term_of_no_feature_is_refused() -> None:
    with pytest.raises(ValueError, match="not in tuple"):
        terms_of([(1.0, {"nonsense": (0, 1)})])


def test_what_is_shipped_adds_nothing_for_a_draft_that_leaves_a_word_unknown() -> None:
    shipped = Acceptance.load()
    clear = {"knowledge": 1.0, "prior": 0.9, "coverage": 1.0, "lead": 0.5}
    assert added(shipped.terms, features(**clear)) > 0
    assert added(shipped.terms, features(**clear, unknown=1.0)) == 0


def test_trees_are_walked_to_the_left_up_to_the_bound() -> None:
    # f0 <= 1 ? (f1 <= 0 ? 1 : 2) : 4, and a tree of one leaf
    trees = Trees.of(
        {
            "roots": [0, 5],
            "feature": [0, 1, -1, -1, -1, -1],
            "number": [1.0, 0.0, 1.0, 2.0, 4.0, 10.0],
            "right": [4, 3, 0, 0, 0, 0],
        }
    )
    assert [trees.total(row) for row in ([0, 0], [1, 0.1], [1.1, 0])] == [11, 12, 14]
