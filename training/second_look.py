"""`python -m training.second_look`: the second look alone anew, beside an acceptance and a reader that stay.

It is learned from people who came later than both, so that what the first look and the reader say of their lines is
what they say of anybody's. Each line is drafted by a memory without its author; lines of `--also` are in no memory."""

from __future__ import annotations

import argparse
import json
import os
import sys
import time
from collections.abc import Iterable
from multiprocessing import Pool
from pathlib import Path

from terma.offline.cases.memory import Memory
from terma.offline.draft import Draft
from terma.offline.index import Index, load
from terma.offline.language import foreign
from terma.offline.trust import second_look
from terma.offline.trust.accept import Acceptance
from terma.offline.trust.association import Association
from terma.offline.trust.pairing import Pairing
from terma.offline.trust.reader.model import Reader
from terma.offline.trust.tagger import Tagger
from training import composed, measure, pairs
from training.folds import FOLDS, folds
from training.learned import memory, write
from training.measure import Sample
from training.pairs import Line
from training.reader import second
from training.reader.reads import reads
from training.report import say

# Authors whose names begin so came when the acceptance, the tables and the reader had been learned.
LATER = ("p9", "p10", "p11", "p12", "p13")
CHUNK = 200  # lines that are measured at once

_MEMORIES: list[Memory] = []  # without each part, for the workers that are forked from here


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "--also", nargs="*", default=[], metavar="FILE", help="further lines, one JSON object each"
    )
    parser.add_argument(
        "--only", nargs="*", default=LATER, metavar="NAME", help="how the authors' names begin"
    )
    parser.add_argument("--cache", default=".cache/train", help="where drafts are kept between runs")
    parser.add_argument("--dry", action="store_true", help="say the figures, write nothing")
    args = parser.parse_args()
    begun = time.time()
    everybody = [*pairs.authors(), *pairs.tests(), *composed.lines()]
    everybody = [line for line in everybody if not foreign(line.nl)]
    known = [line for line in everybody if not line.held]
    parts = folds([line for line in known if line.author.startswith(tuple(args.only))])
    also = folds(list(further(args.also)))
    held = [line for line in everybody if line.held and line.author.startswith(tuple(args.only))]
    rests = [[line for line in known if line not in set(part)] for part in parts]
    asked = [[*part, *more] for part, more in zip(parts, also, strict=True)]
    with Pool(os.cpu_count()) as pool:
        _MEMORIES[:] = pool.map(remembering, [*rests, known], 1)
    say(begun, "remembered")
    samples = _measured([*asked, held], Path(args.cache))
    say(begun, f"measured: {sum(map(len, samples))} drafts")
    reading = reads(Reader.load(), Tagger.load(), load())
    judge = Acceptance.load()
    found = [second.Part.of(part, judge, reading) for part in samples]
    data, told = second.fitted(found[:FOLDS], found[FOLDS], judge)
    for line in told:
        print(line)
    if not args.dry:
        write(second_look.BESIDE, data)
    return 0


def further(files: Iterable[str]) -> Iterable[Line]:
    for name in files:
        for text in Path(name).read_text(encoding="utf-8").splitlines():
            row = json.loads(text)
            if row.get("lang", "en") == "en" and not foreign(row["nl"]):
                yield Line(row.get("author", Path(name).stem), row["nl"], tuple(row["refs"]), False)


def remembering(lines: list[Line]) -> Memory:
    own = memory(lines, Association.load())
    return Memory.of(own["rows"], own["grafts"], own["flags"], own["several"])


def _measured(parts: list[list[Line]], cache: Path) -> list[list[Sample]]:
    """The drafts of each part, measured by a memory without it, with the log odds that the acceptance gives them."""
    cache.mkdir(parents=True, exist_ok=True)
    index = load()
    kept = measure.drafts([line for part in parts for line in part], index, cache / "drafts.pickle")
    tasks = [
        (k, lines, index, {line.nl: kept[line.nl] for line in lines})
        for k, part in enumerate(parts)
        for lines in (part[at : at + CHUNK] for at in range(0, len(part), CHUNK))
    ]
    with Pool(os.cpu_count()) as pool:
        measured = pool.map(_of_part, tasks, 1)
    found: list[list[Sample]] = [[] for _ in parts]
    for (k, *_), samples in zip(tasks, measured, strict=True):
        found[k] += samples
    return found


def _of_part(task: tuple[int, list[Line], Index, dict[str, list[Draft]]]) -> list[Sample]:
    k, lines, index, kept = task
    found = measure.samples(lines, index, Association.load(), _MEMORIES[k], Tagger.load(), kept)
    if (pairing := Pairing.load()) is not None:
        measure.pair(found, pairing)
    judge = Acceptance.load()
    for sample in found:
        sample.score = judge.total(sample.features)
    return found


if __name__ == "__main__":
    sys.exit(main())
