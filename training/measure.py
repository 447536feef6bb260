"""Every draft of every line, measured by the product's own code: what the acceptance is fitted to and judged by."""

from __future__ import annotations

import json
import os
import pickle
from collections.abc import Iterable
from dataclasses import dataclass
from multiprocessing import Pool
from pathlib import Path

from terma.offline import generators
from terma.offline.cases.memory import Memory
from terma.offline.draft import Context, Draft
from terma.offline.engine import MOST_MEASURED, understood
from terma.offline.index import Index
from terma.offline.language import foreign
from terma.offline.sentence import Sentence
from terma.offline.trust.association import Association
from terma.offline.trust.features import measure
from training.equal import equal
from training.pairs import Line

PATH = os.environ.get("PATH", "")


@dataclass
class Sample:
    """One draft of one line: its features, whether it is right, what it breaks, what it does."""

    line: Line
    command: str
    source: str
    features: tuple[float, ...]
    right: bool
    broken: tuple[str, ...]
    holes: bool


def verdicts() -> dict[tuple[str, str], bool]:
    """What a person said of answers to our own authors that are right in another form: training/judged.jsonl."""
    found: dict[tuple[str, str], bool] = {}
    for text in Path(__file__).with_name("judged.jsonl").read_text(encoding="utf-8").splitlines():
        row = json.loads(text)
        found[row["nl"], " ".join(row["answer"].split())] = row["right"]
    return found


def is_right(line: Line, command: str, said: dict[tuple[str, str], bool]) -> bool:
    return bool(line.refs) and (
        equal(command, list(line.refs)) or said.get((line.nl, " ".join(command.split())), False)
    )


def context() -> Context:
    return Context(cwd="", path=PATH)


def drafts(lines: Iterable[Line], index: Index, cache: Path) -> dict[str, list[Draft]]:
    """What knowledge and grammar draft for each sentence; kept in `cache`, since no fold changes it."""
    try:
        kept: dict[str, list[Draft]] = pickle.loads(cache.read_bytes())  # noqa: S301 our own file
    except (OSError, pickle.UnpicklingError, EOFError, AttributeError):
        kept = {}
    missing = sorted({line.nl for line in lines} - set(kept))
    if missing:
        with Pool(initializer=_begin, initargs=(index,)) as pool:
            kept |= dict(zip(missing, pool.imap(_drafts, missing, 50), strict=True))
        cache.write_bytes(pickle.dumps(kept))
    return kept


_index: list[Index] = []  # of a worker


def _begin(index: Index) -> None:
    _index.append(index)


def _drafts(nl: str) -> list[Draft]:
    sentence, fixed = understood(nl, _index[0])
    return list(generators.drafts(sentence, context(), _index[0], fixed)) if sentence.tokens else []


def samples(
    lines: Iterable[Line], index: Index, table: Association, memory: Memory, kept: dict[str, list[Draft]]
) -> list[Sample]:
    from terma.offline.engine import weighed_drafts
    from terma.offline.trust.facts import read
    from terma.offline.trust.features import asked

    found: list[Sample] = []
    said = verdicts()
    for line in lines:
        sentence, fixed = understood(line.nl, index)
        if not sentence.tokens or foreign(line.nl):
            continue
        here = context()
        own = [*kept.get(line.nl, ()), *memory.drafts(sentence, here)]
        ranked = weighed_drafts(sentence, own, here, index)[:MOST_MEASURED]
        about = asked(read(Sentence.parse(line.nl)), table, index, len(fixed))
        for measured in measure(about, ranked, here, index, table):
            draft = measured.one.draft
            found.append(
                Sample(line, draft.command, draft.source, measured.features, is_right(line, draft.command, said),
                       measured.broken, bool(draft.placeholders))
            )  # fmt: skip
    return found
