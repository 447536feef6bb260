"""The second look: which drafts of which lines are read, and the trees that decide by what was read of them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from terma.offline.trust import second_look
from terma.offline.trust.accept import Acceptance, Scale
from terma.offline.trust.association import Association
from terma.offline.trust.second_look import MORE, Read, likeliest, widened
from training.boost import Boost, isotonic
from training.folds import ONE_HAND
from training.measure import Sample, context, grouped

LOW, HIGH, MOST = 0.1, 0.96, 3
IN_USE = 0.3  # what LOW is in use: a draft with less was right after a second look in none of 1,486 lines
LONGEST = 13  # words: 99 of 100 lines are no longer, and of longer ones no more are right with a second look
PRECISIONS = (0.9, 0.85, 0.8, 0.75)
Asked = tuple[
    str, frozenset[str], list[str]
]  # a sentence, the names of things where it is asked, and its drafts
Reads = Callable[[list[Asked]], list[list[Read]]]
Best = list[tuple[Sample, float]]  # of each line the draft that comes first, with its confidence


@dataclass
class Part:
    """The lines of a fold: of each the drafts that can be inserted, the likeliest first, and the features of those that
    are read. `lines`: how many have an answer."""

    lines: int
    drafts: list[list[Sample]]
    rows: list[list[tuple[float, ...]]]

    @classmethod
    def of(cls, samples: list[Sample], judge: Acceptance, reads: Reads) -> Part:
        lines = grouped(samples)
        could = [[one for one in drafts if not (one.broken or one.holes)] for _, drafts in lines]
        drafts = [sorted(rows, key=lambda one: -one.score) for rows in could if rows]
        chosen = [[rows[n] for n in _read(rows, judge)] for rows in drafts]
        known = Association.load()
        asked = [
            (rows[0].line.nl, frozenset(context(rows[0].line, known).names()), [one.command for one in rows])
            for rows in chosen
            if rows
        ]
        found = iter(reads(asked))
        wide = [
            widened([(one.features, one.score) for one in rows], next(found)) if rows else []
            for rows in chosen
        ]
        return cls(sum(bool(line.refs) for line, _ in lines), drafts, wide)

    def read(self) -> Iterable[tuple[Sample, tuple[float, ...]]]:
        """The drafts that are read."""
        for drafts, rows in zip(self.drafts, self.rows, strict=True):
            yield from zip(drafts, rows, strict=False)

    def looked(self, look: Boost) -> Best:
        """Of each line that is read the best draft, with its log odds."""
        flat = [row for rows in self.rows for row in rows]
        totals = iter(look.predict(np.array(flat)) if flat else ())
        found = []
        for drafts, rows in zip(self.drafts, self.rows, strict=True):
            if rows:
                found.append(max(((one, float(next(totals))) for one, _ in zip(drafts, rows, strict=False)),
                                 key=lambda hit: hit[1]))  # fmt: skip
        return found

    def clear(self, judge: Acceptance) -> Best:
        """Of each line that is not read the best draft, with its confidence."""
        return [
            (drafts[0], judge.calibrated(drafts[0].score))
            for drafts, rows in zip(self.drafts, self.rows, strict=True)
            if not rows
        ]

    def without(self, judge: Acceptance) -> Best:
        """Of each line the best draft of the first look."""
        return [(drafts[0], judge.calibrated(drafts[0].score)) for drafts in self.drafts]


def _read(drafts: list[Sample], judge: Acceptance) -> list[int]:
    if len(drafts[0].line.nl.split()) > LONGEST:
        return []
    return likeliest([(one.score, judge.calibrated(one.score)) for one in drafts], LOW, HIGH, MOST)


def fitted(folds: Sequence[Part], held: Part, judge: Acceptance) -> tuple[dict[str, Any], list[str]]:
    """The data of `second_look.SecondLook.of`, and what it does for authors that were not learned from."""
    models = [_boost([part for j, part in enumerate(folds) if j != k]) for k in range(len(folds))]
    final = _boost(folds)
    looked = [hit for part, look in zip(folds, models, strict=True) for hit in part.looked(look)]
    people = [hit for hit in looked if not hit[0].line.author.startswith(("tests", ONE_HAND))]
    cuts, meant = isotonic(
        np.array([total for _, total in people]), np.array([float(one.right) for one, _ in people]),
        np.ones(len(people)),
    )  # fmt: skip
    scale = Scale(tuple(cuts), tuple(meant))
    told = []
    for name, parts, hits in (
        ("folds", folds, looked),
        ("held", [held], held.looked(final)),
    ):
        before = [hit for part in parts for hit in part.without(judge)]
        after = [hit for part in parts for hit in part.clear(judge)]
        after += [(one, scale.of(total)) for one, total in hits]
        lines = sum(part.lines for part in parts)
        told += [f"{name:6s}without  {_shares(before, lines)}", f"{name:6s}with     {_shares(after, lines)}"]
    data = {
        "features": list(MORE), "beside": second_look.stamp(), "low": IN_USE, "high": HIGH, "most": MOST,
        "longest": LONGEST,
        "cuts": cuts, "meant": [round(value, 4) for value in meant], "trees": final.trees,
    }  # fmt: skip
    return data, told


def _boost(parts: Sequence[Part]) -> Boost:
    read = [each for part in parts for each in part.read()]
    return Boost(
        np.array([row for _, row in read]),
        np.array([float(one.right) for one, _ in read]),
        np.ones(len(read)),
    )


def _shares(hits: Best, lines: int) -> str:
    """How many of the lines are right at each precision, in percent, the surest first."""
    best = sorted(hits, key=lambda hit: -hit[1])
    right = np.cumsum([one.right for one, _ in best])
    precision = right / np.arange(1, len(best) + 1)
    found = [
        f"{100 * max([0, *right[precision >= least]]) / lines:.1f} at {least:.0%}" for least in PRECISIONS
    ]
    return f"{lines} lines: " + ", ".join(found)
