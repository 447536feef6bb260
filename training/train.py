"""`make train`: learns the table of words and commands, the memory and the acceptance, and says by author what they
would have answered, every line judged by what was learned without its author."""

from __future__ import annotations

import argparse
import os
import pickle
import sys
import time
from collections.abc import Iterable
from multiprocessing import Pool
from pathlib import Path
from typing import Any

import numpy as np

from terma.offline import tables
from terma.offline.cases.memory import Memory
from terma.offline.draft import Draft
from terma.offline.index import Index, load
from terma.offline.language import foreign
from terma.offline.trust import accept
from terma.offline.trust import tagger as values
from terma.offline.trust.association import Association
from terma.offline.trust.features import NAMES
from terma.offline.trust.pairing import Pairing
from terma.offline.trust.tagger import Tagger
from training import composed, measure, pairing, pairs, usage
from training.associate import tokenised
from training.boost import Boost, isotonic
from training.folds import FOLDS, ONE_HAND, folds
from training.learned import learned, memory, tagged, write
from training.measure import Sample
from training.pairs import Line
from training.report import curve, inserts, say, table_by_author

CHUNK = 400  # lines that are measured at once
# What each effect needs of confidence to be inserted; "unasked" is a change that no word of the sentence asks for: of
# those between 0.54 and 0.7 58 % were right, and one in twenty answered who only wanted to look. Of answers that look,
# 69 in 100 between 0.54 and 0.58 were right when read by eye, and 80 from there on (docs/engine.md).
NEED = {"look": 0.58, "change": 0.58, "destroy": 0.62, "unasked": 0.7}
NEAR = 0.3  # confidence from which a command is shown beside the sentence
MANY = 1e9
TERMS: tuple[tuple[float, dict[str, tuple[float, float]]], ...] = (
    # chosen on scores of authors that were not learned from: docs/engine.md has what each costs and brings
    # an entry of the knowledge that explains every word, ahead of all others, with nothing against it
    (0.8, {"knowledge": (1, 1), "prior": (0.82, 1), "coverage": (0.97, 1), "lead": (0.05, MANY), "unfit": (0, 1),
           "bare": (0, 0), "unknown": (0, 0), "run": (0, 1), "foreign": (0, 0), "steps": (0, 1)}),
    (-0.2, {"case": (1, 1)}),  # a remembered case stands on one person's words
)  # fmt: skip


def matrix(samples: list[Sample]) -> np.ndarray:
    return np.array([sample.features for sample in samples], dtype=float).reshape(len(samples), len(NAMES))


def fitted(samples: list[Sample]) -> Boost:
    weight = {"tests": 3.0, "tests2": 3.0, "tests3": 1.5}
    y = np.array([float(sample.right) for sample in samples])
    w = np.array([weight.get(sample.line.author, 1.0) for sample in samples])
    return Boost(matrix(samples), y, w)


def scored(model: Boost, samples: list[Sample]) -> np.ndarray:
    """What the trees and the terms say of each draft."""
    terms = accept.terms_of(TERMS)
    more = np.array([accept.added(terms, one.features) for one in samples])
    return np.asarray(model.predict(matrix(samples)) + more)


def best(samples: Iterable[Sample]) -> dict[tuple[str, str], tuple[Sample, float]]:
    """Of each line the draft that would be inserted, with its score: unbroken, complete, the best."""
    top: dict[tuple[str, str], tuple[Sample, float]] = {}
    for sample in samples:
        if sample.broken or sample.holes:
            continue
        key = (sample.line.author, sample.line.nl)
        if key not in top or top[key][1] < sample.score:
            top[key] = (sample, sample.score)
    return top


_LEARNED: list[
    tuple[Association, Memory, Tagger]
] = []  # without each fold, for the workers that are forked from here


def _learn(task: tuple[list[Line], list[Any]]) -> tuple[Association, Memory, Tagger]:
    """What is learned from the lines."""
    lines, base = task
    known = learned(lines, base)
    own = memory(lines, known)
    return known, Memory.of(own["rows"], own["grafts"], own["flags"]), Tagger.of(tagged(lines))


def _measure(task: tuple[int, list[Line], Index, dict[str, list[Draft]]]) -> list[Sample]:
    """The drafts of the lines, measured by what was learned without their fold."""
    k, lines, index, kept = task
    known, memory, tagger = _LEARNED[k]
    return measure.samples(lines, index, known, memory, tagger, kept)


def _measured(
    fit_on: list[Line],
    held: list[Line],
    base: list[Any],
    index: Index,
    kept: dict[str, list[Draft]],
    cache: Path,
    again: bool,
) -> list[list[Sample]]:
    """Of each fold, and last of the authors in held.txt, the measured drafts; kept in `cache`."""
    if again:
        found: list[list[Sample]] = pickle.loads(cache.read_bytes())  # noqa: S301 our own file
        said = measure.verdicts()
        for sample in (one for part in found for one in part):
            sample.right = measure.is_right(sample.line, sample.command, said)
        return found
    parts = folds(fit_on)
    rests = [[line for j, other in enumerate(parts) if j != k for line in other] for k in range(FOLDS)]
    cores = os.cpu_count() or 1
    with Pool(min(cores, FOLDS + 1)) as pool:
        _LEARNED[:] = pool.map(_learn, [(rest, base) for rest in (*rests, fit_on)], 1)
    tasks = [
        (k, lines, index, {line.nl: kept[line.nl] for line in lines if line.nl in kept})
        for k, part in enumerate([*parts, held])
        for lines in (part[at : at + CHUNK] for at in range(0, len(part), CHUNK))
    ]
    with Pool(cores) as pool:
        measured = pool.map(_measure, tasks, 1)
    found = [[] for _ in range(FOLDS + 1)]
    for (k, *_), samples in zip(tasks, measured, strict=True):
        found[k] += samples
    cache.write_bytes(pickle.dumps(found))
    return found  # fmt: skip


_PARTS: list[list[Sample]] = []  # of each fold, for the workers that are forked from here


def _pair(task: tuple[int, Index]) -> tuple[dict[str, Any], list[tuple[float, ...]]]:
    """Vectors learned without a fold, and its drafts' features with them; the last "fold" are the held authors."""
    k, index = task
    data = pairing.learn(*measure.examples((part for j, part in enumerate(_PARTS[:FOLDS]) if j != k), index))
    measure.pair(_PARTS[k], Pairing.of(data))
    return data, [one.features for one in _PARTS[k]]


def paired(parts: list[list[Sample]], index: Index) -> dict[str, Any]:
    """Complete the features of all drafts, each by vectors that its fold had no part in; returns the vectors learned
    from all folds."""
    _PARTS[:] = parts
    with Pool(min(os.cpu_count() or 1, FOLDS + 1)) as pool:
        found = pool.map(_pair, [(k, index) for k in range(FOLDS + 1)], 1)
    for part, (_, rows) in zip(parts, found, strict=True):
        for one, features in zip(part, rows, strict=True):
            one.features = features
    return found[FOLDS][0]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--cache", default=".cache/train", help="where drafts are kept between runs")
    parser.add_argument(
        "--again", action="store_true", help="only verdicts are new: take the drafts as measured last time"
    )
    parser.add_argument("--dry", action="store_true", help="say the figures, write nothing")
    args = parser.parse_args()
    begun = time.time()
    cache = Path(args.cache)
    cache.mkdir(parents=True, exist_ok=True)
    index = load()
    lines = [*pairs.authors(), *pairs.tests(), *composed.lines()]
    fit_on, held = (
        [line for line in lines if not line.held and not foreign(line.nl)],
        [line for line in lines if line.held],
    )
    kept = measure.drafts(lines, index, cache / "drafts.pickle")
    say(begun, f"{len(lines)} lines, {len({line.author for line in lines})} authors, drafts made")
    base = [(tokenised(nl, command), 0.5) for nl, command in pairs.knowledge()]
    parts = _measured(fit_on, held, base, index, kept, cache / "samples.pickle", args.again)
    say(begun, f"measured: {sum(map(len, parts))} drafts of {len(lines)} lines")
    paired_by = paired(parts, index)
    say(begun, "paired")
    final = _scored(parts)
    say(begun, "weighed")
    full = learned(fit_on, base)
    data = _acceptance(parts, final)
    _tell(begun, parts, (fit_on, held), accept.Acceptance.of({**data, "trees": accept.NONE}), full)
    (cache / "scored.pickle").write_bytes(pickle.dumps(parts))
    if not args.dry:
        write(accept.BESIDE, data)
        write(tables.ASSOCIATION, full.data())
        write(tables.MEMORY, memory(fit_on, full))
        write(tables.PAIRING, paired_by)
        write(values.BESIDE, tagged(fit_on))
        usage.main()
    say(begun, "done")
    return 0


def _scored(parts: list[list[Sample]]) -> Boost:
    """Give each draft its log odds, by trees that its fold had no part in; returns the trees of all folds, which
    scored the authors in held.txt."""
    rests = [
        [one for j, part in enumerate(parts[:FOLDS]) if j != k for one in part] for k in range(FOLDS + 1)
    ]
    with Pool(min(os.cpu_count() or 1, FOLDS + 1)) as pool:
        models = pool.map(fitted, rests, 1)
    for model, part in zip(models, parts, strict=True):
        for sample, score in zip(part, scored(model, part), strict=True):
            sample.score = float(score)
    return models[FOLDS]


def _acceptance(parts: list[list[Sample]], final: Boost) -> dict[str, Any]:
    """The data of `accept.Acceptance.of`: what a score means is told by people who were not learned from."""
    top = best(sample for part in parts[:FOLDS] for sample in part)
    people = [hit for hit in top.values() if not hit[0].line.author.startswith(("tests", ONE_HAND))]
    cuts, meant = isotonic(
        np.array([hit[1] for hit in people]),
        np.array([float(hit[0].right) for hit in people]),
        np.ones(len(people)),
    )
    return {
        "features": list(NAMES),
        "cuts": cuts,
        "meant": [round(float(value), 4) for value in meant],
        "insert": NEED,
        "close": NEAR,
        "terms": TERMS,
        "trees": final.trees,
    }


def _tell(
    begun: float,
    parts: list[list[Sample]],
    lines: tuple[list[Line], list[Line]],
    judge: accept.Acceptance,
    table: Association,
) -> None:
    fit_on, held = lines
    top = best(sample for part in parts[:FOLDS] for sample in part)
    say(begun, "authors that were not learned from, one fold at a time:")
    print(table_by_author(fit_on, top, lambda hit: inserts(judge, hit, table)))
    print(curve(top, len([line for line in fit_on if line.refs and not line.author.startswith("tests")])))
    say(begun, "authors that nothing was ever learned from:")
    print(table_by_author(held, best(parts[FOLDS]), lambda hit: inserts(judge, hit, table)))


if __name__ == "__main__":
    sys.exit(main())
