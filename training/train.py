"""`make train`: learns the table of words and commands, the memory and the acceptance, and says by author what they
would have answered, every line judged by what was learned without its author."""

from __future__ import annotations

import argparse
import json
import os
import pickle
import sys
import time
from collections import defaultdict
from collections.abc import Iterable
from multiprocessing import Pool
from pathlib import Path
from typing import Any

import numpy as np

from terma.offline import tables
from terma.offline.cases.memory import Memory
from terma.offline.draft import Draft
from terma.offline.engine import need
from terma.offline.index import Index, load
from terma.offline.language import foreign
from terma.offline.plain import plain
from terma.offline.sentence import Sentence
from terma.offline.trust import accept
from terma.offline.trust import tagger as values
from terma.offline.trust.association import Association
from terma.offline.trust.facts import read
from terma.offline.trust.features import NAMES
from terma.offline.trust.pairing import Pairing
from terma.offline.trust.tagger import Tagger
from training import compile_cases, composed, measure, pairing, pairs, tagger
from training.associate import table, tokenised
from training.boost import Boost, isotonic
from training.flags import flags
from training.grafts import grafts
from training.measure import Sample
from training.pairs import Line
from training.parts import Known
from training.several import several

FOLDS = 4
CHUNK = 400  # lines that are measured at once
ONE_HAND = (
    "x"  # authors whose name begins so are one, who wrote by subject: too alike to be judged by one another
)
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


def learned(lines: list[Line], base: list[tuple]) -> Association:  # type: ignore[type-arg]
    """The table of words and commands, from knowledge and these lines."""
    own = [(_tokens(line.nl, ref), 1.0 / min(2, len(line.refs))) for line in lines for ref in line.refs[:2]]
    return Association.of(table([*base, *own]))


_SEEN: dict[tuple[str, str], tuple] = {}  # type: ignore[type-arg]


def _tokens(nl: str, ref: str) -> tuple:  # type: ignore[type-arg]
    key = (nl, ref)
    if key not in _SEEN:
        _SEEN[key] = tokenised(plain(nl), ref)
    return _SEEN[key]


def folds(lines: list[Line]) -> list[list[Line]]:
    """The lines in FOLDS parts, no author in two."""
    names = sorted({line.author for line in lines})

    def fold(line: Line) -> int:
        if line.author.startswith("tests"):  # the same hand all over: a line is as new as another
            return sum(map(ord, line.nl)) % FOLDS
        if line.author.startswith(
            ONE_HAND
        ):  # said anew by the same hand: the same command is never on both sides
            return sum(map(ord, line.refs[0] if line.refs else line.nl)) % FOLDS
        return names.index(line.author) % FOLDS

    return [[line for line in lines if fold(line) == k] for k in range(FOLDS)]


def _remembered(lines: Iterable[Line]) -> list[Line]:
    """Those that may enter the memory."""
    return [line for line in lines if not line.author.startswith("tests")]


def _pairs(lines: Iterable[Line]) -> list[tuple[str, str]]:
    """What options are learned from: two commands a line at most, and the knowledge."""
    return [*((line.nl, ref) for line in _remembered(lines) for ref in line.refs[:2]), *pairs.knowledge()]


def _options(lines: Iterable[Line], table: Association) -> Known:
    return Known.of((ref for line in lines for ref in line.refs), table)


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


def best(samples: list[Sample], scores: np.ndarray) -> dict[tuple[str, str], tuple[Sample, float]]:
    """Of each line the draft that would be inserted, with its score: unbroken, complete, the best."""
    top: dict[tuple[str, str], tuple[Sample, float]] = {}
    for sample, score in zip(samples, scores, strict=True):
        if sample.broken or sample.holes:
            continue
        key = (sample.line.author, sample.line.nl)
        if key not in top or top[key][1] < score:
            top[key] = (sample, float(score))
    return top


def table_by_author(lines: list[Line], top: dict, threshold) -> str:  # type: ignore[no-untyped-def,type-arg]
    rows: dict[str, list[int]] = defaultdict(lambda: [0, 0, 0, 0])
    for line in lines:
        for name in (line.author, "= all"):
            row = rows[name]
            row[0] += bool(line.refs)
            hit = top.get((line.author, line.nl))
            if hit and threshold(hit):
                row[1] += 1
                row[2] += hit[0].right
                row[3] += not line.refs
    out = []
    for name, (n, answered, right, idle) in sorted(rows.items()):
        out.append(f"{name:10s} n={n:4d} answered {answered:4d} right {right:4d} = {100 * right / max(1, n):5.1f} %"
                   f"  precision {100 * right / max(1, answered):5.1f} %  unanswerable answered {idle}")  # fmt: skip
    return "\n".join(out)


_LEARNED: list[
    tuple[Association, Memory, Tagger]
] = []  # without each fold, for the workers that are forked from here


def _learn(task: tuple[list[Line], list[Any]]) -> tuple[Association, Memory, Tagger]:
    """What is learned from the lines."""
    lines, base = task
    known = learned(lines, base)
    rows = compile_cases.rows(_remembered(lines), _options(lines, known), compile_cases.known_words())
    return known, Memory.of(rows, grafts(rows), flags(_pairs(lines))), Tagger.of(tagged(lines))


def _measure(task: tuple[int, list[Line], Index, dict[str, list[Draft]]]) -> list[Sample]:
    """The drafts of the lines, measured by what was learned without their fold."""
    k, lines, index, kept = task
    known, memory, tagger = _LEARNED[k]
    return measure.samples(lines, index, known, memory, tagger, kept)


def tagged(lines: list[Line]) -> dict[str, Any]:
    """The tagger's data, from these lines."""
    own = compile_cases.fixed([line for line in lines if line.refs])
    return tagger.learn(tagger.labelled(lines, own), tagger.own(lines, own))


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
    *samples, held_samples = _measured(fit_on, held, base, index, kept, cache / "samples.pickle", args.again)
    say(begun, f"measured: {sum(map(len, samples))} drafts of {len(fit_on)} lines")
    paired_by = paired([*samples, held_samples], index)
    say(begun, "paired")
    flat = [sample for part in samples for sample in part]
    with Pool(min(os.cpu_count() or 1, FOLDS + 1)) as pool:
        models = pool.map(
            fitted,
            [[one for j, part in enumerate(samples) if j != k for one in part] for k in range(FOLDS + 1)],
            1,
        )
    scores = [scored(models[k], samples[k]) for k in range(FOLDS)]
    unseen = np.concatenate(scores)
    top = best(flat, unseen)
    people = [hit for hit in top.values() if not hit[0].line.author.startswith(("tests", ONE_HAND))]
    cuts, meant = isotonic(
        np.array([hit[1] for hit in people]),
        np.array([float(hit[0].right) for hit in people]),
        np.ones(len(people)),
    )
    data = {
        "features": list(NAMES),
        "cuts": cuts,
        "meant": [round(float(value), 4) for value in meant],
        "insert": NEED,
        "close": NEAR,
        "terms": TERMS,
        "trees": accept.NONE,
    }
    judge = accept.Acceptance.of(data)
    full = learned(fit_on, base)
    say(begun, "authors that were not learned from, one fold at a time:")
    print(table_by_author(fit_on, top, lambda hit: _inserts(judge, hit, full)))
    print(curve(top, len([line for line in fit_on if line.refs and not line.author.startswith("tests")])))
    final = models[FOLDS]
    data["trees"] = final.trees
    memory_rows = compile_cases.rows(_remembered(fit_on), _options(fit_on, full), compile_cases.known_words())
    held_scores = scored(final, held_samples)
    held_top = best(held_samples, held_scores)
    say(begun, "authors that nothing was ever learned from:")
    print(table_by_author(held, held_top, lambda hit: _inserts(judge, hit, full)))
    for sample, score in [*zip(flat, unseen, strict=True), *zip(held_samples, held_scores, strict=True)]:
        sample.score = float(score)
    (cache / "scored.pickle").write_bytes(pickle.dumps([*samples, held_samples]))
    if not args.dry:
        write(accept.BESIDE, data)
        write(
            tables.ASSOCIATION,
            {
                "rows": dict(full.rows),
                "share": dict(full.share),
                "tokens": dict(full.tokens),
                "change": dict(full.change),
                "programs": dict(full.programs),
                "usual": dict(full.usual),
                "held": dict(full.held),
                "ordinary": " ".join(sorted(full.ordinary)),
                "own": "\n".join(sorted(full.own)),
                "excludes": "\n".join(sorted(full.excludes)),
                "answers": "\n".join(sorted(full.answers)),
            },
        )
        write(
            tables.MEMORY,
            {
                "rows": memory_rows,
                "grafts": grafts(memory_rows),
                "flags": flags(_pairs(fit_on)),
                "several": several(command for _, command in _pairs(fit_on)),
            },
        )
        write(tables.PAIRING, paired_by)
        write(values.BESIDE, tagged(fit_on))
    say(begun, "done")
    return 0


def _inserts(judge: accept.Acceptance, hit: tuple[Sample, float], table: Association) -> bool:
    facts = read(Sentence.parse(plain(hit[0].line.nl)))
    return judge.calibrated(hit[1]) >= judge.insert[need(facts, hit[0].command, table)]


def curve(top: dict, lines: int) -> str:  # type: ignore[type-arg]
    """Coverage against precision, from the surest answer on."""
    hits = sorted(
        (hit for hit in top.values() if not hit[0].line.author.startswith("tests")), key=lambda hit: -hit[1]
    )
    out, right = [], 0
    for n, (sample, _) in enumerate(hits, 1):
        right += sample.right
        if n % max(1, len(hits) // 20) == 0:
            out.append(
                f"  answered {100 * n / lines:5.1f} %  right {100 * right / lines:5.1f} %"
                f"  precision {100 * right / n:5.1f} %"
            )
    return "\n".join(out)


def write(path: Path, data: object) -> None:
    path.write_text(json.dumps(data, ensure_ascii=False, separators=(",", ":")) + "\n", encoding="utf-8")
    print(f"  wrote {path.name}: {path.stat().st_size / 1e6:.2f} MB", file=sys.stderr)


def say(begun: float, text: str) -> None:
    print(f"[{time.time() - begun:5.0f} s] {text}", flush=True)


if __name__ == "__main__":
    sys.exit(main())
