"""Which of a sentence's drafts are measured: all are looked at by what costs little, and the likeliest few are kept."""

from __future__ import annotations

import json
from collections.abc import Sequence
from math import log1p
from pathlib import Path

from terma.offline.rank import Weighed
from terma.offline.scoring import is_known
from terma.offline.trust.asked import Asked, seen
from terma.offline.trust.association import Association
from terma.records import dataclass

BESIDE = Path(__file__).with_name("shortlist.json")
UNLIKELY = -12.0  # log odds of a program that goes with no word of the sentence
UNRANKED = 99  # place of a draft that no case gives
NAMES = (
    "case", "grammar", "score", "coverage", "prior", "left", "lost", "lacks",
    "alike", "votes", "apart", "missed", "edits", "kin",
    "fit_sum", "fit_mean", "fit_worst", "unfit", "unfit_share", "asked_mean", "asked_worst", "unasked", "unseen",
    "likely", "likelier", "holes", "pieces", "commands", "place", "score_covered", "case_score",
)  # fmt: skip
_AHEAD = ("score", "coverage", "prior", "alike", "fit_sum", "fit_mean", "asked_mean", "unasked", "likely")
MEASURED = (*NAMES, *(f"ahead_{name}" for name in _AHEAD))
_AT = tuple(NAMES.index(name) for name in _AHEAD)


@dataclass(frozen=True, slots=True)
class Shortlist:
    """`weights`: of each of MEASURED; their sum says which draft of a sentence is likelier than which."""

    weights: tuple[float, ...]

    @classmethod
    def load(cls) -> Shortlist:
        """From the package. Raises OSError, ValueError, KeyError when the installation is damaged."""
        data = json.loads(BESIDE.read_bytes())
        if tuple(data["features"]) != MEASURED:
            raise ValueError("the shortlist is of another version: run `python -m training.shortlist`")
        return cls(tuple(data["weights"]))

    def of(self, drafts: Sequence[Weighed], about: Asked, table: Association, most: int) -> list[Weighed]:
        """The `most` likeliest drafts, those first that somebody wrote for just these words; in the order of priors.
        What cannot be run here takes half of the places at most, where something else can be."""
        rows = features(drafts, about, table)
        worth = [sum(map(_product, self.weights, row)) for row in rows]
        order = sorted(range(len(drafts)), key=lambda n: (not is_known(drafts[n].draft), -worth[n]))
        lacking = [n for n in order if not drafts[n].here]
        late = set(lacking[most // 2 :])
        order.sort(key=lambda n: n in late)
        return sorted((drafts[n] for n in order[:most]), key=lambda one: -one.prior)


def _product(weight: float, value: float) -> float:
    return weight * value


def features(drafts: Sequence[Weighed], about: Asked, table: Association) -> list[tuple[float, ...]]:
    """What is seen of each draft, in the order of MEASURED; the last of them is how far it is behind the best."""
    alike = sorted((one.draft.score for one in drafts if one.draft.source.startswith("case.")), reverse=True)
    places = {score: place for place, score in reversed(list(enumerate(alike)))}
    rows = [_of_one(one, about, table, places) for one in drafts]
    if not rows:
        return []
    best = [max(row[at] for row in rows) for at in _AT]
    return [(*row, *(row[at] - top for at, top in zip(_AT, best, strict=True))) for row in rows]


def _of_one(one: Weighed, about: Asked, table: Association, places: dict[float, int]) -> tuple[float, ...]:
    draft = one.draft
    parsed, pieces, fitting, unfit, asked, unseen = seen(about, draft.command, table)
    fit = list(fitting.values())
    likely = about.likely.get(parsed[0].program, UNLIKELY) if parsed else UNLIKELY
    case = float(draft.source.startswith("case."))
    return (
        case, float(draft.source.startswith("grammar.")), draft.score, one.coverage, one.prior, float(len(one.left)),
        float(one.lost), float(bool(one.lacks)), *draft.evidence,
        sum(fit), sum(fit) / len(fit) if fit else 0.0, min(fit, default=0.0), float(len(unfit)),
        len(unfit) / max(1, len(fit)), sum(asked) / len(asked) if asked else 0.0, min(asked, default=0.0),
        float(sum(value < 0.5 for value in asked) + unseen), float(unseen), likely,
        float(min(20, sum(value > likely for value in about.likely.values()))), float(len(draft.placeholders)),
        float(len(pieces)), float(len(parsed)),
        log1p(places.get(draft.score, UNRANKED) if case else UNRANKED), draft.score * one.coverage, case * draft.score,
    )  # fmt: skip
