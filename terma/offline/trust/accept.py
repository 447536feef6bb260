"""How certain a measured draft is: a few small trees, learned from labelled lines, and what their sum has meant on
lines of authors that they had not seen."""

from __future__ import annotations

import json
import math
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from terma.offline.trust.features import NAMES

BESIDE = Path(__file__).with_name("accept.json")
Tree = tuple[
    tuple[int, float, int, int, float], ...
]  # (feature or -1, threshold, left, right, value) by number
Term = tuple[
    float, tuple[tuple[int, float, float], ...]
]  # (what it adds, (feature, least, most) of each condition)


class Untrained(ValueError):
    """The weights are of other features than the code measures: `make train` writes them anew."""


@dataclass(frozen=True, slots=True)
class Acceptance:
    """`terms`: what is added where a draft keeps to all of their bounds, for evidence that the trees value too low:
    they learn from lines few of which have a right draft. `cuts` and `meant`: the sum at which the share of right
    answers begins to be `meant`. `insert` and `close`: from which confidence on a command is inserted, or shown
    beside the sentence."""

    trees: tuple[Tree, ...]
    terms: tuple[Term, ...]
    cuts: tuple[float, ...]
    meant: tuple[float, ...]
    insert: dict[str, float]
    close: float

    @classmethod
    def of(cls, data: dict[str, Any]) -> Acceptance:
        if tuple(data["features"]) != NAMES:
            raise Untrained("the acceptance weights are of another version: run `make train`")
        trees = tuple(tuple(tuple(node) for node in tree) for tree in data["trees"])
        return cls(
            trees,
            terms_of(data["terms"]),
            tuple(data["cuts"]),
            tuple(data["meant"]),
            dict(data["insert"]),
            data["close"],
        )

    @classmethod
    def load(cls) -> Acceptance:
        """From the package. Raises OSError, Untrained, ValueError when the installation is damaged."""
        return cls.of(json.loads(BESIDE.read_bytes()))

    def total(self, features: Sequence[float]) -> float:
        """Log odds, which tell drafts apart that are equally sure."""
        return sum(_leaf(tree, features) for tree in self.trees) + added(self.terms, features)

    def confidence(self, features: Sequence[float]) -> float:
        """0..1: the share of such answers that were right."""
        return self.calibrated(self.total(features))

    def calibrated(self, total: float) -> float:
        if not self.cuts:
            return 1.0 / (1.0 + math.exp(-max(-30.0, min(30.0, total))))
        at = bisect_right(self.cuts, total)
        if at == 0:
            return self.meant[0]
        if at == len(self.cuts):
            return self.meant[-1]
        low, high = self.cuts[at - 1], self.cuts[at]
        share = (total - low) / (high - low) if high > low else 0.0
        return self.meant[at - 1] + share * (self.meant[at] - self.meant[at - 1])


def terms_of(data: Sequence[tuple[float, dict[str, tuple[float, float]]]]) -> tuple[Term, ...]:
    """Terms as they are written, (what it adds, {name of a feature: (least, most)}), by number of feature."""
    return tuple(
        (adds, tuple((NAMES.index(name), *bounds) for name, bounds in within.items()))
        for adds, within in data
    )


def added(terms: Sequence[Term], features: Sequence[float]) -> float:
    """What the terms add for a draft of these features."""
    return sum(
        adds for adds, within in terms if all(least <= features[at] <= most for at, least, most in within)
    )


def _leaf(tree: Tree, features: Sequence[float]) -> float:
    at = 0
    while True:
        feature, threshold, left, right, value = tree[at]
        if feature < 0:
            return value
        at = left if features[feature] <= threshold else right
