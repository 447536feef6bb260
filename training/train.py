"""`make train`: learns the table of words and commands, the memory and the acceptance, and says by author what they
would have answered, every line judged by what was learned without its author."""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections import defaultdict
from pathlib import Path

import numpy as np

from terma.offline.cases import memory as cases
from terma.offline.cases.memory import Memory
from terma.offline.index import load
from terma.offline.trust import accept, association
from terma.offline.trust.association import Association
from terma.offline.trust.features import NAMES
from training import compile_cases, composed, measure, pairs
from training.associate import table, tokenised
from training.boost import Boost, isotonic
from training.measure import Sample
from training.pairs import Line

FOLDS = 4
NEED = {"look": 0.46, "change": 0.54, "destroy": 0.57}  # what each effect needs of confidence to be inserted
NEAR = 0.3
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
    own = [(*_tokens(line.nl, ref), 1.0 / min(2, len(line.refs))) for line in lines for ref in line.refs[:2]]
    return Association.of(table([*base, *own]))


_SEEN: dict[tuple[str, str], tuple] = {}  # type: ignore[type-arg]


def _tokens(nl: str, ref: str) -> tuple:  # type: ignore[type-arg]
    from terma.offline.plain import plain

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
        return names.index(line.author) % FOLDS

    return [[line for line in lines if fold(line) == k] for k in range(FOLDS)]


def matrix(samples: list[Sample]) -> np.ndarray:
    return np.array([sample.features for sample in samples], dtype=float).reshape(len(samples), len(NAMES))


def fitted(samples: list[Sample]) -> Boost:
    weight = {"tests": 3.0, "tests2": 3.0, "tests3": 1.5, "lang": 0.5}
    y = np.array([float(sample.right) for sample in samples])
    w = np.array([weight.get(sample.line.author, 1.0) for sample in samples])
    return Boost().fit(matrix(samples), y, w)


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
    rows = defaultdict(lambda: [0, 0, 0, 0])
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


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--cache", default=".cache/train", help="where drafts are kept between runs")
    parser.add_argument("--dry", action="store_true", help="say the figures, write nothing")
    args = parser.parse_args()
    begun = time.time()
    cache = Path(args.cache)
    cache.mkdir(parents=True, exist_ok=True)
    index = load()
    lines = [*pairs.authors(), *pairs.tests(), *composed.lines()]
    fit_on, held = [line for line in lines if not line.held], [line for line in lines if line.held]
    kept = measure.drafts(lines, index, cache / "drafts.pickle")
    say(begun, f"{len(lines)} lines, {len({line.author for line in lines})} authors, drafts made")
    base = [(*tokenised(nl, command), 0.5) for nl, command in pairs.knowledge()]
    samples: list[list[Sample]] = []
    for k, part in enumerate(folds(fit_on)):
        rest = [line for line in fit_on if line not in set(part)]
        memory = Memory.of(
            compile_cases.rows(line for line in rest if line.own and not line.author.startswith("tests"))
        )
        samples.append(measure.samples(part, index, learned(rest, base), memory, kept))
        say(begun, f"fold {k}: {len(part)} lines, {len(samples[-1])} drafts, {len(memory.rows)} cases")
    flat = [sample for part in samples for sample in part]
    scores = []
    for k in range(FOLDS):
        model = fitted([sample for j, part in enumerate(samples) for sample in part if j != k])
        scores.append(scored(model, samples[k]))
    unseen = np.concatenate(scores)
    top = best(flat, unseen)
    people = [hit for hit in top.values() if not hit[0].line.author.startswith("tests")]
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
        "trees": [],
    }
    judge = accept.Acceptance.of(data)
    say(begun, "authors that were not learned from, one fold at a time:")
    print(table_by_author(fit_on, top, lambda hit: _inserts(judge, hit)))
    print(curve(top, len([line for line in fit_on if line.refs and not line.author.startswith("tests")])))
    final = fitted(flat)
    tree0 = [[-1, 0.0, 0, 0, final.bias]]
    data["trees"] = [
        [[int(n[0]), round(n[1], 5), int(n[2]), int(n[3]), round(n[4], 5)] for n in tree]
        for tree in [tree0, *final.trees]
    ]
    full = learned(fit_on, base)
    memory_rows = compile_cases.rows(
        line for line in fit_on if line.own and not line.author.startswith("tests")
    )
    held_samples = measure.samples(held, index, full, Memory.of(memory_rows), kept)
    held_top = best(held_samples, scored(final, held_samples))
    say(begun, "authors that nothing was ever learned from:")
    print(table_by_author(held, held_top, lambda hit: _inserts(judge, hit)))
    (cache / "last.json").write_text(json.dumps([
        [s.line.author, s.line.nl, s.command, s.source, s.right, list(s.broken), s.holes, float(v), s.line.refs,
            list(s.features), s.line.held]
        for s, v in [*zip(flat, unseen, strict=True), *zip(held_samples, scored(final, held_samples), strict=True)]
    ], ensure_ascii=False))  # fmt: skip
    if not args.dry:
        _write(accept.BESIDE, data)
        _write(
            association.BESIDE,
            {
                "rows": dict(full.rows),
                "share": dict(full.share),
                "tokens": dict(full.tokens),
                "change": dict(full.change),
                "programs": dict(full.programs),
                "usual": dict(full.usual),
            },
        )
        _write(cases.BESIDE, {"rows": memory_rows})
    say(begun, "done")
    return 0


def _inserts(judge: accept.Acceptance, hit: tuple[Sample, float]) -> bool:
    from terma.offline.trust.command import effect

    return judge.calibrated(hit[1]) >= judge.insert[effect(hit[0].command)]


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


def _write(path: Path, data: object) -> None:
    path.write_text(json.dumps(data, ensure_ascii=False, separators=(",", ":")) + "\n", encoding="utf-8")
    print(f"  wrote {path.name}: {path.stat().st_size / 1e6:.2f} MB", file=sys.stderr)


def say(begun: float, text: str) -> None:
    print(f"[{time.time() - begun:5.0f} s] {text}", flush=True)


if __name__ == "__main__":
    sys.exit(main())
