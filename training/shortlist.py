"""`python -m training.shortlist`: which of a sentence's drafts are worth measuring, learned from people who came later
than the tables. Each line is drafted by a memory without its author; lines of `--also` are in no memory."""

from __future__ import annotations

import argparse
import math
import os
import sys
import time
from collections.abc import Sequence
from dataclasses import replace
from multiprocessing import Pool
from typing import NamedTuple

from terma.offline import generators, shortlist
from terma.offline.cases.flags import flagged
from terma.offline.cases.grafts import completed
from terma.offline.cases.memory import Memory
from terma.offline.engine import Engine, weighed_drafts
from terma.offline.language import foreign
from terma.offline.trust.asked import asked
from terma.offline.trust.facts import read
from terma.offline.understood import understood
from training import composed, measure, pairs
from training.folds import FOLDS, folds
from training.learned import write
from training.pairs import Line
from training.report import say
from training.second_look import further, remembering

LATER = ("p14",)
MOST = 12
ROUNDS, RATE, STIFF = 300, 0.05, 1e-3  # Adam's steps, their size, and how dear weights are

_ENGINES: list[Engine] = []


class Drafted(NamedTuple):
    """The drafts of a line: what is seen of each, and which are right."""

    author: str
    rows: list[tuple[float, ...]]
    right: list[bool]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--also", nargs="*", default=[], metavar="FILE", help="further lines, in no memory")
    parser.add_argument(
        "--only", nargs="*", default=LATER, metavar="NAME", help="how the authors' names begin"
    )
    parser.add_argument("--every", type=int, default=2, help="one line of so many is taken")
    parser.add_argument("--dry", action="store_true", help="say the figures, write nothing")
    args = parser.parse_args()
    begun = time.time()
    known = [line for line in (*pairs.authors(), *pairs.tests(), *composed.lines()) if not line.held]
    known = [line for line in known if not foreign(line.nl)]
    parts = folds([line for line in known if line.author.startswith(tuple(args.only))])
    rests = [[line for line in known if line not in set(part)] for part in parts if part]
    base = Engine.load()
    with Pool(os.cpu_count()) as pool:
        memories: list[Memory] = pool.map(remembering, rests, 1)
    say(begun, "remembered")
    _ENGINES[:] = [*(replace(base, memory=memory) for memory in memories), base]
    tasks = [(k, line) for k, part in enumerate(part for part in parts if part) for line in part if line.refs]
    tasks += [(len(memories), line) for line in further(args.also) if line.refs]
    with Pool(os.cpu_count()) as pool:
        drafted = [one for one in pool.map(_drafted, tasks[:: args.every], 20) if any(one.right)]
    say(begun, f"drafted: {len(drafted)} lines with a right one")
    names = sorted({one.author for one in drafted})
    found = {most: 0 for most in (1, 6, MOST)}
    for k in range(FOLDS):
        apart = set(names[k::FOLDS])
        weights = learned([one for one in drafted if one.author not in apart])
        for one in drafted:
            if one.author in apart:
                order = sorted(range(len(one.rows)), key=lambda n: -_worth(weights, one.rows[n]))
                for most in found:
                    found[most] += any(one.right[n] for n in order[:most])
    for most, count in found.items():
        print(
            f"a right one among the first {most}: {100 * count / len(drafted):.1f} % (by people not learned from)"
        )
    if not args.dry:
        weights = [round(weight, 5) for weight in learned(drafted)]
        write(shortlist.BESIDE, {"features": list(shortlist.MEASURED), "weights": weights})
    return 0


def _worth(weights: Sequence[float], row: Sequence[float]) -> float:
    return math.fsum(weight * value for weight, value in zip(weights, row, strict=True))


def _drafted(task: tuple[int, Line]) -> Drafted:
    k, line = task
    engine = _ENGINES[k]
    sentence, fixed = understood(line.nl, engine.index, engine.usage)
    if not sentence.tokens:
        return Drafted(line.author, [], [])
    here = measure.context(line, engine.table)
    about = asked(read(sentence), engine.table, engine.index, len(fixed), engine.tagger)
    drafts = [
        *generators.drafts(sentence, here, engine.index, fixed),
        *engine.memory.drafts(about.facts, here, about.tags),
    ]
    drafts += completed(drafts, sentence, about.tags, engine.memory.grafts)
    drafts += flagged(drafts, about.facts, engine.memory.flags)
    weighed = weighed_drafts(sentence, drafts, here, engine.index)
    right = [measure.is_right(line, one.draft.command, measure.verdicts()) for one in weighed]
    return Drafted(line.author, shortlist.features(weighed, about, engine.table), right)


def learned(drafted: Sequence[Drafted]) -> list[float]:
    """The weights by which a right draft of a line is likelier than the others of it (softmax), by Adam; of features as
    they are."""
    import numpy

    everything = numpy.array([row for one in drafted for row in one.rows])
    scale = everything.std(0) + 1e-6
    lines = [(numpy.array(one.rows) / scale, numpy.array(one.right)) for one in drafted if not all(one.right)]
    weights = mean = spread = numpy.zeros(everything.shape[1])
    for step in range(1, ROUNDS + 1):
        slope = STIFF * weights
        for rows, right in lines:
            worth = rows @ weights
            share = numpy.exp(worth - worth.max())
            among = share * right
            slope = slope + rows.T @ (share / share.sum() - among / among.sum()) / len(lines)
        mean = 0.9 * mean + 0.1 * slope
        spread = 0.99 * spread + 0.01 * slope * slope
        weights = weights - RATE * (mean / (1 - 0.9**step)) / (numpy.sqrt(spread / (1 - 0.99**step)) + 1e-8)
    return [float(weight) for weight in weights / scale]


if __name__ == "__main__":
    sys.exit(main())
