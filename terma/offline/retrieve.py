"""Drafts from knowledge: a quick look at every entry by its words, a close one at the few that fit."""

from __future__ import annotations

import heapq
from collections import defaultdict
from collections.abc import Iterator, Mapping
from types import MappingProxyType

from terma.offline.assign import Filled
from terma.offline.bare_word import Seen
from terma.offline.domain import fitness
from terma.offline.draft import Context, Draft
from terma.offline.index import Entry, Index
from terma.offline.match import RELATIONS, Reading, read, weigh
from terma.offline.sentence import Sentence
from terma.offline.template import Renderer, parse, required

LITTLE = 0.3  # weight of words that say next to nothing
CLOSE = 30  # entries that get the close look
KEEP = 12


def candidates(
    sentence: Sentence, context: Context, index: Index, fixed: Mapping[int, str] = MappingProxyType({})
) -> Iterator[Draft]:
    """The best entries as drafts, filled. `fixed` are the tokens whose norm was a typo."""
    for reading in readings(sentence, context, index, fixed):
        yield draft(reading, sentence, context)


def readings(
    sentence: Sentence, context: Context, index: Index, fixed: Mapping[int, str] = MappingProxyType({})
) -> list[Reading]:
    """The KEEP best readings, best first."""
    seen = Seen.of(sentence, index)
    weights = weigh(seen, index)
    found = [
        read(index.entry(number), seen, weights, index, context, fixed) for number in _glance(sentence, index)
    ]
    found.sort(key=lambda reading: (-round(reading.score, 4), len(reading.entry.slots), reading.entry.number))
    return found[:KEEP]


def _glance(sentence: Sentence, index: Index) -> list[int]:
    """Numbers of the CLOSE entries whose words weigh most, for what their shortest phrasing asks.

    A sentence of function words and values ("what is in notes.txt") is looked up among phrasings of that kind."""
    scores: dict[int, float] = defaultdict(float)
    said = 0.0
    for token in sentence.tokens:
        norm = token.norm
        weight = index.weight.get(norm, 0.0)
        if norm in index.say and norm not in index.tools:
            said += weight
        for number in index.say.get(norm, ()):
            scores[number] += weight
        for number in index.extra.get(norm, ()):
            scores[number] += weight * 0.4
        for other in RELATIONS.get(norm, ()):
            share = weight * 0.35
            for number in index.say.get(other, ()):
                scores[number] += share
    lean = index.lean
    ranked = {number: score * (0.3 + 1.0 / (lean[number] + 0.35)) for number, score in scores.items()}
    close = heapq.nlargest(CLOSE, ranked, key=ranked.__getitem__)
    if said < LITTLE:
        close += [number for number, needs in enumerate(lean) if needs < 0.01 and number not in close]
    return close


_ANY_FILE = frozenset(("file", "path"))  # all else being equal, an entry for just this kind of file is better


def draft(reading: Reading, sentence: Sentence, context: Context) -> Draft:
    """The entry's command with its slots filled; what nothing fills is a placeholder."""
    entry = reading.entry
    values = {name: filled.value for name, filled in reading.filled.items()}
    on = set(values) | reading.modifiers
    parts = parse(entry.template(context.os), frozenset(entry.slots) | frozenset(entry.modifiers))
    values |= _obvious(entry, [slot.name for slot in required(parts, on)], reading.filled, sentence)
    renderer = Renderer(values, on)
    command = renderer.render(parts)
    missing = tuple(dict.fromkeys(renderer.missing))
    left = set(reading.left)
    accounted = frozenset(i for i in range(len(sentence.tokens)) if i not in left)
    score = (0.5 + 0.5 * reading.said) * reading.quality * 0.82 ** len(missing) * reading.verb
    score *= fitness(entry, reading.filled, sentence)
    score = min(1.0, score) * 0.999 ** sum(entry.slots.get(name) in _ANY_FILE for name in reading.filled)
    return Draft(command, entry.source, accounted, round(score, 4), missing, entry.tool)


def _obvious(entry: Entry, names: list[str], filled: dict[str, Filled], sentence: Sentence) -> dict[str, str]:
    """A directory that nobody named is this one, when the sentence says so."""
    said = {token.norm for token in sentence.tokens}
    if not said & {"here", "current", "this"}:
        return {}
    return {name: "." for name in names if name not in filled and entry.slots.get(name) == "dir"}
