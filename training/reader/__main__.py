"""`python -m training.reader`: what a reader would add to the acceptance. Learns one reader without each fold and one
for the held authors (kept in the cache, so that a run may be broken off), measures every draft by a reader that has not
seen its author, and says how many lines are right at which precision without it and with it. Needs torch beside what
`make train` needs, and the drafts that `python -m training.train --dry` keeps."""

from __future__ import annotations

import argparse
import os
import pickle
import sys
from collections.abc import Iterable
from multiprocessing import Pool
from pathlib import Path

import numpy as np

from terma.offline.engine import understood
from terma.offline.index import Index, load
from terma.offline.sentence import Token
from terma.offline.trust import accept
from terma.offline.trust.reader.model import Reader
from terma.offline.trust.reader.units import MOST_TOKENS, said, units
from terma.offline.trust.tagger import Tagger
from training import pairs, train
from training.boost import Boost
from training.measure import Sample, grouped
from training.reader.vocabulary import Pair

PRECISIONS = (0.9, 0.85, 0.8, 0.75)
REFERENCES = 2  # of a line that are learned from

Read = tuple[float, float, float]
_parts: list[list[Sample]] = []  # of each fold, for the workers that are forked from here
_at_work: list[tuple[Reader, Tagger, Index]] = []  # of a worker


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--cache", default=".cache/train", help="where `make train` keeps its drafts")
    parser.add_argument("--rounds", type=int, default=28)
    parser.add_argument("--device", default="", help="cpu or cuda; the best there is otherwise")
    args = parser.parse_args()
    cache = Path(args.cache)
    try:
        parts: list[list[Sample]] = pickle.loads((cache / "samples.pickle").read_bytes())  # noqa: S301 our own file
    except OSError:
        print(f"No drafts in {cache}: run `python -m training.train --dry` first.", file=sys.stderr)
        return 1
    index = load()
    _parts[:] = parts
    with Pool(min(os.cpu_count() or 1, train.FOLDS + 1)) as pool:
        pool.starmap(_learn, [(k, cache, args.rounds, args.device) for k in range(train.FOLDS + 1)], 1)
    read = [_measured(k, part, index, cache) for k, part in enumerate(parts)]
    train.paired(parts, index)
    plain = [train.matrix(part) for part in parts]
    more = [np.hstack([x, _columns(part, rows)]) for x, part, rows in zip(plain, parts, read, strict=True)]
    for name, columns in (("without", plain), ("with", more)):
        for line in _figures(parts, columns):
            print(f"{name:8s} {line}")
    return 0


def _learn(k: int, cache: Path, rounds: int, device: str) -> None:
    """The reader without fold k (FOLDS: of all folds) and its tagger, kept in the cache."""
    kept, tags = cache / f"reader{k}.bin", cache / f"reader{k}.tagger"
    if kept.exists() and tags.exists():
        return
    from training.reader.learn import learn

    index = load()
    rest = [one for j, part in enumerate(_parts[: train.FOLDS]) if j != k for one in part]
    lines = [line for line, _ in grouped(rest)]
    data = train.tagged(lines)
    tagger = Tagger.of(data)
    right = [(line.nl, ref) for line in lines for ref in line.refs[:REFERENCES]]
    known = [_pair(nl, command, index, tagger) for nl, command in [*right, *pairs.knowledge()]]
    drafted = [_pair(one.line.nl, one.command, index, tagger) for one in rest]
    print(f"reader {k}: {len(known)} pairs", flush=True)
    learned = learn(
        [one for one in known if one.said], drafted, rounds, device,
        tell=lambda text: print(f"reader {k}: {text}", flush=True),
    )  # fmt: skip
    kept.write_bytes(learned)
    tags.write_bytes(pickle.dumps(data))


def _pair(nl: str, command: str, index: Index, tagger: Tagger) -> Pair:
    tokens = _tokens(nl, index)[:MOST_TOKENS]
    return Pair(said(tokens), tagger.tags(tokens), units(command, tokens))


_read: dict[str, tuple[Token, ...]] = {}


def _tokens(nl: str, index: Index) -> tuple[Token, ...]:
    """The tokens of a sentence, its slips mended: read once for all of its drafts."""
    if nl not in _read:
        _read[nl] = understood(nl, index)[0].tokens
    return _read[nl]


def _measured(k: int, part: list[Sample], index: Index, cache: Path) -> list[Read]:
    """Of each draft what the reader says that has not seen its author."""
    reader = Reader.of((cache / f"reader{k}.bin").read_bytes())
    tagger = Tagger.of(pickle.loads((cache / f"reader{k}.tagger").read_bytes()))  # noqa: S301 our own file
    lines = [(line.nl, [one.command for one in rows]) for line, rows in grouped(part)]
    found: dict[int, Read] = {}
    with Pool(initializer=_begin, initargs=(reader, tagger, index)) as pool:
        for (_, rows), scores in zip(grouped(part), pool.imap(_of_line, lines, 50), strict=True):
            found |= {id(one): score for one, score in zip(rows, scores, strict=True)}
    return [found[id(one)] for one in part]


def _begin(reader: Reader, tagger: Tagger, index: Index) -> None:
    _at_work.append((reader, tagger, index))


def _of_line(line: tuple[str, list[str]]) -> list[Read]:
    reader, tagger, index = _at_work[0]
    tokens = _tokens(line[0], index)
    return reader.measure(tokens, tagger.tags(tokens), line[1])


def _columns(part: list[Sample], rows: Iterable[Read]) -> np.ndarray:
    """What was read of each draft, and how far it is ahead of the best other draft of its line."""
    read = np.array(list(rows))
    at = {id(one): n for n, one in enumerate(part)}
    ahead = np.zeros_like(read)
    for _, drafts in grouped(part):
        here = np.array([at[id(one)] for one in drafts])
        for n in range(len(here) if len(here) > 1 else 0):
            ahead[here[n]] = read[here[n]] - np.delete(read[here], n, 0).max(0)
    return np.hstack([read, ahead])


def _figures(parts: list[list[Sample]], columns: list[np.ndarray]) -> Iterable[str]:
    """The lines of all folds and of the held authors: how many are right at each precision, in percent of all."""
    terms = accept.terms_of(train.TERMS)
    scores = []
    for k, part in enumerate(parts):
        learned = [j for j in range(train.FOLDS) if j != k]
        flat = [one for j in learned for one in parts[j]]
        model = Boost(np.vstack([columns[j] for j in learned]), np.array([float(one.right) for one in flat]),
                      np.ones(len(flat)))  # fmt: skip
        more = np.array([accept.added(terms, one.features) for one in part])
        scores.append(model.predict(columns[k]) + more)
    folds = [one for part in parts[: train.FOLDS] for one in part]
    yield "folds " + _shares(folds, np.concatenate(scores[: train.FOLDS]))
    yield "held  " + _shares(parts[train.FOLDS], scores[train.FOLDS])


def _shares(samples: list[Sample], scores: np.ndarray) -> str:
    lines = {(one.line.author, one.line.nl) for one in samples if one.line.refs}
    best = sorted(train.best(samples, scores).values(), key=lambda hit: -hit[1])
    right = np.cumsum([hit[0].right for hit in best])
    precision = right / np.arange(1, len(best) + 1)
    found = [
        f"{100 * max([0, *right[precision >= least]]) / max(1, len(lines)):.1f} at {least:.0%}"
        for least in PRECISIONS
    ]
    return f"{len(lines)} lines: " + ", ".join(found)


if __name__ == "__main__":
    sys.exit(main())
