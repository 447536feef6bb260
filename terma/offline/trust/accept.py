"""How certain a measured draft is: a few small trees, learned from labelled lines, and what their sum has meant on
lines of authors that they had not seen."""

from __future__ import annotations

import json
import math
from array import array
from bisect import bisect_right
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from terma.offline.trust.features import NAMES
from terma.records import dataclass

BESIDE = Path(__file__).with_name("accept.json")
Term = tuple[
    float, tuple[tuple[int, float, float], ...]
]  # (what it adds, (feature, least, most) of each condition)


class Untrained(ValueError):
    """The weights are of other features than the code measures: `make train` writes them anew."""


@dataclass(frozen=True, slots=True)
class Trees:
    """All nodes one behind the other, a tree's first at its root, a node's left child right behind the node, the right
    one at `right`. `feature`: -1 for a leaf; `number`: up to which value of its feature one goes left, or what the leaf
    adds."""

    roots: array[int]
    feature: array[int]
    number: array[float]
    right: array[int]

    @classmethod
    def of(cls, data: dict[str, list[Any]]) -> Trees:
        return cls(
            array("I", data["roots"]), array("b", data["feature"]), array("d", data["number"]),
            array("I", data["right"]),
        )  # fmt: skip

    def total(self, features: Sequence[float]) -> float:
        """What all trees say together."""
        feature, number, right = self.feature, self.number, self.right
        total = 0.0
        for root in self.roots:
            at = root
            while (asked := feature[at]) >= 0:
                at = at + 1 if features[asked] <= number[at] else right[at]
            total += number[at]
        return total


NONE: dict[str, list[Any]] = {"roots": [], "feature": [], "number": [], "right": []}


@dataclass(frozen=True, slots=True)
class Scale:
    """From log odds to confidence: `cuts` and `meant`, the sum at which the share of right answers begins to be
    `meant`."""

    cuts: tuple[float, ...]
    meant: tuple[float, ...]

    def of(self, total: float) -> float:
        """0..1; between two cuts by its share of the way."""
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


@dataclass(frozen=True, slots=True)
class Acceptance:
    """`terms`: what is added where a draft keeps to all of their bounds, for evidence that the trees value too low:
    they learn from lines few of which have a right draft. `insert` and `close`: from which confidence on a command is
    inserted, or shown beside the sentence."""

    trees: Trees
    terms: tuple[Term, ...]
    scale: Scale
    insert: dict[str, float]
    close: float

    @classmethod
    def of(cls, data: dict[str, Any]) -> Acceptance:
        if tuple(data["features"]) != NAMES:
            raise Untrained("the acceptance weights are of another version: run `make train`")
        return cls(
            Trees.of(data["trees"]),
            terms_of(data["terms"]),
            Scale(tuple(data["cuts"]), tuple(data["meant"])),
            dict(data["insert"]),
            data["close"],
        )

    @classmethod
    def load(cls) -> Acceptance:
        """From the package. Raises OSError, Untrained, ValueError when the installation is damaged."""
        return cls.of(json.loads(BESIDE.read_bytes()))

    def total(self, features: Sequence[float]) -> float:
        """Log odds, which tell drafts apart that are equally sure."""
        return self.trees.total(features) + added(self.terms, features)

    def confidence(self, features: Sequence[float]) -> float:
        """0..1: the share of such answers that were right."""
        return self.calibrated(self.total(features))

    def calibrated(self, total: float) -> float:
        return self.scale.of(total)


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
