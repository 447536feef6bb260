"""`python -m training.reader`, behind `make train`: learns the reader of commands and the second look that goes with
it, and says how many lines are right at which precision without it and with it. A reader is learned without each fold,
and one from all of them, which is kept; each is cached, so that a run may be broken off. Needs torch beside what `make
train` needs, which keeps the drafts."""

from __future__ import annotations

import argparse
import os
import pickle
import sys
from multiprocessing import Pool
from pathlib import Path

from terma.offline.index import Index, load
from terma.offline.trust import second_look
from terma.offline.trust.accept import Acceptance
from terma.offline.trust.reader import model
from terma.offline.trust.reader.model import Reader
from terma.offline.trust.reader.units import MOST_TOKENS, said, units
from terma.offline.trust.tagger import Tagger
from training import pairs
from training.folds import FOLDS
from training.learned import tagged, write
from training.measure import Sample, grouped
from training.reader import second
from training.reader.reads import reads, tokens_of
from training.reader.vocabulary import Pair

REFERENCES = 2  # of a line that are learned from

_parts: list[list[Sample]] = []  # of each fold, for the workers that are forked from here


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--cache", default=".cache/train", help="where `make train` keeps its drafts")
    parser.add_argument("--rounds", type=int, default=28)
    parser.add_argument("--device", default="", help="cpu or cuda; the best there is otherwise")
    parser.add_argument("--folds", type=int, default=FOLDS, help="of how many folds drafts are read")
    parser.add_argument("--dry", action="store_true", help="say the figures, write nothing")
    args = parser.parse_args()
    cache = Path(args.cache)
    try:
        parts: list[list[Sample]] = pickle.loads((cache / "scored.pickle").read_bytes())  # noqa: S301 our own file
    except OSError:
        print(f"No drafts in {cache}: run `python -m training.train --dry` first.", file=sys.stderr)
        return 1
    _parts[:] = parts
    wanted = [FOLDS, *range(args.folds)]
    with Pool(min(os.cpu_count() or 1, len(wanted))) as pool:
        pool.starmap(_learn, [(k, cache, args.rounds, args.device) for k in wanted], 1)
    index = load()
    judge = Acceptance.load()
    read = {k: second.Part.of(parts[k], judge, _readers(k, index, cache)) for k in wanted}
    held = read.pop(FOLDS)
    data, told = second.fitted(list(read.values()), held, judge)
    for line in told:
        print(line)
    if not args.dry:
        model.BESIDE.write_bytes((cache / f"reader{FOLDS}.bin").read_bytes())
        write(second_look.BESIDE, data)
    return 0


def _learn(k: int, cache: Path, rounds: int, device: str) -> None:
    """The reader without fold k (FOLDS: of all folds) and its tagger, kept in the cache."""
    kept, tags = cache / f"reader{k}.bin", cache / f"reader{k}.tagger"
    if kept.exists() and tags.exists():
        return
    from training.reader.learn import learn

    index = load()
    rest = [one for j, part in enumerate(_parts[:FOLDS]) if j != k for one in part]
    lines = [line for line, _ in grouped(rest)]
    data = tagged(lines)
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
    tokens = tokens_of(nl, index)[:MOST_TOKENS]
    return Pair(said(tokens), tagger.tags(tokens), units(command, tokens))


def _readers(k: int, index: Index, cache: Path) -> second.Reads:
    """What the reader says of drafts that has not seen fold k."""
    reader = Reader.of((cache / f"reader{k}.bin").read_bytes())
    tagger = Tagger.of(pickle.loads((cache / f"reader{k}.tagger").read_bytes()))  # noqa: S301 our own file
    return reads(reader, tagger, index)


if __name__ == "__main__":
    sys.exit(main())
