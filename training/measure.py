"""Every draft of every line, measured by the product's own code: what the acceptance is fitted to and judged by."""

from __future__ import annotations

import json
import os
import pickle
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from multiprocessing import Pool
from pathlib import Path

from terma.offline import generators
from terma.offline.cases.flags import flagged
from terma.offline.cases.grafts import completed
from terma.offline.cases.memory import Memory
from terma.offline.draft import Context, Draft
from terma.offline.engine import MOST_MEASURED
from terma.offline.index import Index
from terma.offline.intent import ACTIONS
from terma.offline.language import foreign
from terma.offline.sentence import Sentence
from terma.offline.shortlist import Shortlist
from terma.offline.trust.asked import asked
from terma.offline.trust.association import Association, places
from terma.offline.trust.command import simples
from terma.offline.trust.facts import read
from terma.offline.trust.features import Alone, compared, measure
from terma.offline.trust.flow import ends
from terma.offline.trust.pairing import Pairing, paired, said
from terma.offline.trust.tagger import Tagger
from terma.offline.understood import understood
from terma.offline.usage import Usage
from training.equal import equal
from training.pairing import Example
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
    alone: Alone  # what `features` are made of, once there are vectors to pair by
    score: float = 0.0  # log odds, by an acceptance that has not seen the line's author


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


def context(line: Line, known: Association) -> Context:
    """Where the line is asked: for two of three the files are there whose bare names the command works on, beside a few
    others, as they are with people; for the third nothing is."""
    lot = sum(map(ord, line.nl))
    names: dict[str, bool] = {}
    if lot % 3:
        names = {name: False for name in _OTHERS[lot % 5 :: 5]} | dict.fromkeys(_files(line, known), False)
        if _FOLDERS & set(line.nl.lower().split()):
            names = dict.fromkeys(names, True)
    return Context(cwd="", path=PATH, _names=names)


_OTHERS = "src docs data notes build backup config images logs report scripts old list log test".split()
_FOLDERS = frozenset("folder folders directory directories dir dirs subfolder".split())


def _files(line: Line, known: Association) -> set[str]:
    """The words of the sentence that a command of the line has where files usually stand, but for what it makes."""
    said = {token.text for token in Sentence.parse(line.nl).tokens if token.kind in ("word", "ident")}
    return {
        value
        for ref in line.refs[:1]
        for simple in simples(ref)
        if simple.program not in ("mkdir", "touch", "ln", "grep", "rg")
        for place, value in places(simple)
        if value in said - ACTIONS and value not in ends(simple)[1] and known.of_files(place) > 0.5
    }


def drafts(lines: Iterable[Line], index: Index, cache: Path) -> dict[str, list[Draft]]:
    """What knowledge and grammar draft for each sentence; kept in `cache`, since no fold changes it."""
    try:
        kept: dict[str, list[Draft]] = pickle.loads(cache.read_bytes())  # noqa: S301 our own file
    except (OSError, pickle.UnpicklingError, EOFError, AttributeError):
        kept = {}
    missing = {line.nl: line for line in lines if line.nl not in kept}
    if missing:
        with Pool(initializer=_begin, initargs=(index,)) as pool:
            kept |= dict(zip(missing, pool.imap(_drafts, missing.values(), 50), strict=True))
        cache.write_bytes(pickle.dumps(kept))
    return kept


_index: list[Index] = []  # of a worker


_known: list[Association] = []  # the table as it was before: which places are of files


@cache
def usage() -> Usage:
    """What people type, by which a slip is told."""
    return Usage.load()


def _begin(index: Index) -> None:
    _index.append(index)
    _known.append(Association.load())


def _drafts(line: Line) -> list[Draft]:
    sentence, fixed = understood(line.nl, _index[0], usage())
    here = context(line, _known[0])
    return list(generators.drafts(sentence, here, _index[0], fixed)) if sentence.tokens else []


def samples(
    lines: Iterable[Line],
    index: Index,
    table: Association,
    memory: Memory,
    tagger: Tagger,
    kept: dict[str, list[Draft]],
) -> list[Sample]:
    from terma.offline.engine import weighed_drafts

    found: list[Sample] = []
    judged = verdicts()
    before, chosen = Association.load(), Shortlist.load()
    for line in lines:
        sentence, fixed = understood(line.nl, index, usage())
        if not sentence.tokens or foreign(line.nl):
            continue
        here = context(line, before)
        about = asked(read(sentence), table, index, len(fixed), tagger)
        own = [*kept.get(line.nl, ()), *memory.drafts(about.facts, here, about.tags)]
        own += completed(own, sentence, about.tags, memory.grafts)
        own += flagged(own, about.facts, memory.flags)
        ranked = chosen.of(weighed_drafts(sentence, own, here, index), about, table, MOST_MEASURED)
        for measured in measure(about, ranked, here, index, table, None):
            draft = measured.one.draft
            found.append(
                Sample(line, draft.command, draft.source, measured.features, is_right(line, draft.command, judged),
                       measured.broken, bool(draft.placeholders), measured.alone)
            )  # fmt: skip
    return found


def examples(parts: Iterable[list[Sample]], index: Index) -> tuple[list[Example], list[str]]:
    """What the vectors are learned from: the drafts of these lines and their references; and the drafts' pieces."""
    found: list[Example] = []
    drafted: list[str] = []
    for number, (line, rows) in enumerate(grouped(one for part in parts for one in part)):
        found += [Example(number, one.alone.words, one.alone.pieces, one.right) for one in rows]
        for one in rows:
            drafted += one.alone.pieces
        sentence, _ = understood(line.nl, index, usage())
        facts = read(sentence)
        for ref in line.refs[:2]:
            found.append(Example(number, *paired(facts, said(facts), simples(ref), ref), True))
    return found, drafted


def grouped(samples: Iterable[Sample]) -> list[tuple[Line, list[Sample]]]:
    """The drafts by line."""
    found: dict[tuple[str, str], tuple[Line, list[Sample]]] = {}
    for one in samples:
        found.setdefault((one.line.author, one.line.nl), (one.line, []))[1].append(one)
    return list(found.values())


def pair(samples: Iterable[Sample], pairing: Pairing) -> None:
    """Complete the features of the drafts by these vectors."""
    for _, rows in grouped(samples):
        for one, features in zip(rows, compared([one.alone for one in rows], pairing), strict=True):
            one.features = features
