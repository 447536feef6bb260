"""How well one entry explains a sentence, and how much of the entry the sentence says."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache

from terma.offline.asking import is_question
from terma.offline.assign import Filled, assign
from terma.offline.bare_word import Seen, nouns_of
from terma.offline.draft import Context
from terma.offline.index import Entry, Index
from terma.offline.intent import ACTIONS
from terma.offline.lexicon import LIGHT, RELATED, STOP
from terma.offline.opposites import opposed
from terma.offline.tokens import Token
from terma.offline.trust.command import effect
from terma.records import dataclass

_ASKING = frozenset(("what", "which", "who", "where", "when", "why", "is", "are", "do", "does", "how", "be"))
SHOWING = frozenset(("show", "list", "find", "get", "tell", "check", "name", "extract", "compute", "count"))
_EITHER = frozenset(("what", "which"))
VALUE = 1.2  # the weight of a number, path or quoted text that nothing may ignore
UNKNOWN = 1.0
STOP_WEIGHT = 0.04
SLOT = 0.8  # what a slot of a phrasing counts among its words


@lru_cache(maxsize=4096)
def _destroys(run: str) -> bool:
    return effect(run) == "destroy"


def _relations() -> Mapping[str, frozenset[str]]:
    found: dict[str, set[str]] = {}
    for one, other in RELATED:
        found.setdefault(one, set()).add(other)
        found.setdefault(other, set()).add(one)
    return {word: frozenset(others) for word, others in found.items()}


RELATIONS = _relations()


@dataclass(frozen=True, slots=True)
class Reading:
    """One entry as a reading of the sentence. `covered` and `said` are 0..1; `left` are unexplained tokens."""

    entry: Entry
    filled: dict[str, Filled]
    modifiers: frozenset[str]
    covered: float
    said: float
    left: tuple[int, ...]
    phrase: int
    quality: float  # how directly the explained tokens are explained
    verb: float  # less than 1 when the entry does something else than the sentence's first verb

    @property
    def score(self) -> float:
        return self.covered * (0.5 + 0.5 * self.said) * self.verb


def weigh(seen: Seen, index: Index) -> tuple[float, ...]:
    """What each token counts: function words next to nothing, values and unknown words most."""
    return tuple(_weight(i, token, seen, index) for i, token in enumerate(seen.sentence.tokens))


def _weight(i: int, token: Token, seen: Seen, index: Index) -> float:
    if token.kind == "word" and token.norm in STOP:
        return STOP_WEIGHT
    if token.kind not in ("word", "ident"):
        return VALUE
    if i in seen.unknown:
        return UNKNOWN
    return index.weight.get(token.norm, 0.8)


def read(
    entry: Entry,
    seen: Seen,
    weights: tuple[float, ...],
    index: Index,
    context: Context,
    fixed: Mapping[int, str],
) -> Reading:
    """Fill the entry from the sentence and measure it. `fixed` maps tokens with a typo to the word meant."""
    norms = [fixed.get(i, token.norm) for i, token in enumerate(seen.sentence.tokens)]
    on, busy = _modifiers(entry, norms)
    present = set(norms)
    spoken = _spoken(entry, present, index)
    filled = assign(entry, seen, context, busy, _closest(spoken)) if entry.slots else {}
    explained = {i: 1.0 for i in busy}
    tokens = seen.sentence.tokens
    for slot in filled.values():
        for place, i in enumerate(slot.tokens):
            explained[i] = _value_credit(
                tokens[i], i in seen.unknown, slot, place, index.weight.get(norms[i], 1.0)
            )
    nouns = {noun for name in filled for noun in nouns_of(entry.slots[name])}
    spoken = _with_slots(entry, spoken, filled)
    best = _closest(spoken)
    said = spoken[best][0] / spoken[best][1] if spoken[best][1] else 0.0
    phrase = frozenset(entry.phrases[best])
    tool = frozenset((entry.tool, *entry.source.partition(".")[0].split("-")))
    strict = _destroys(entry.run)  # its qualifiers must stand together in one phrasing
    total = gained = reached = 0.0
    left = []
    for i, weight in enumerate(weights):
        credit = explained.get(i)
        if credit is None:
            credit = _credit(norms[i], entry, phrase, tool, strict)
            if tokens[i].kind not in ("word", "ident") and credit < 0.85:
                credit = 0.0  # a value counts when a slot takes it or a phrasing has it to the letter
            if credit < 0.85 and norms[i] in nouns:
                credit = 0.85
            if i in fixed:
                credit *= 0.85
        total += weight
        gained += weight * credit
        if credit < 0.5 and weight > STOP_WEIGHT:
            left.append(i)
        else:
            reached += weight
    covered, quality = (gained / total if total else 0.0), (min(1.0, gained / reached) if reached else 0.0)
    verb = 0.0 if opposed(entry, phrase, seen.sentence, filled) else _verb(tokens, norms, left)
    asks = entry.phrases[best][0] in _ASKING
    if asks and norms[0] in ACTIONS and norms[0] not in SHOWING and not is_question(seen.sentence):
        verb *= 0.8  # "what has X open" is not "open X"
    return Reading(entry, filled, on, covered, said, tuple(left), best, quality, verb)


def _verb(tokens: tuple[Token, ...], norms: list[str], left: list[int]) -> float:
    """An entry that has no word for what is to be done does something else."""
    first = next((i for i, token in enumerate(tokens) if not token.stop), -1)
    return 0.75 if first in left and norms[first] in ACTIONS else 1.0


def _value_credit(token: Token, unknown: bool, slot: Filled, place: int, weight: float) -> float:
    """A value that is plainly one explains itself; a dictionary word taken for a name, or prose, does so less."""
    if place:
        if token.kind in ("word", "ident"):
            return 0.9 if unknown or slot.score >= slot.fit + 0.28 else max(0.4, 0.9 - weight)
        return 0.6
    if token.kind != "word":
        return min(1.0, 0.5 + 0.55 * slot.fit) if token.kind != "ident" else 1.0
    if unknown:
        return 1.0
    return 0.95 if slot.score >= 0.75 else 0.75


def _credit(norm: str, entry: Entry, phrase: frozenset[str], tool: frozenset[str], strict: bool) -> float:
    if norm in phrase or norm in tool:
        return 1.0
    if norm in entry.words:
        return 0.93 if not strict or norm in ACTIONS else 0.4
    if norm in entry.also:
        return 0.85
    related = RELATIONS.get(norm)
    if related:
        if related & phrase:
            return 0.72
        if related & entry.words:
            return 0.62
    if norm in ("show", "list", "find"):
        return 0.72  # what a question asks for is what commands do
    if norm in ("current", "here", "all", "file", "system", "machine"):
        return 0.6
    return 0.45 if norm in LIGHT else 0.0


def _spoken(entry: Entry, present: set[str], index: Index) -> list[tuple[float, float]]:
    """For each phrasing: the weight of its words that the sentence says, and of all its words."""
    weight_of = index.weight.get
    found = []
    for items in entry.phrases:
        total = gained = 0.0
        lean = all(item[0] == "{" or item in STOP for item in items)  # then its function words say it
        for item in items:
            if item[0] == "{":
                continue
            weight = (0.4 if lean else STOP_WEIGHT) if item in STOP else weight_of(item, 0.5)
            total += weight
            if (
                lean
                and item in _ASKING
                and item not in present
                and not (item in _EITHER and not _EITHER.isdisjoint(present))
            ):
                total += 2.0
            if item in present or (lean and item in _EITHER and not _EITHER.isdisjoint(present)):
                gained += weight
            elif (related := RELATIONS.get(item)) and not related.isdisjoint(present):
                gained += weight * 0.6
        found.append((gained, total))
    return found


def _closest(spoken: list[tuple[float, float]]) -> int:
    """The phrasing whose words are said best; of two that are said in full, the one that says more."""
    values = [(gained / total if total else 0.0) + 0.002 * min(total, 5.0) for gained, total in spoken]
    return values.index(max(values))


def _with_slots(
    entry: Entry, spoken: list[tuple[float, float]], filled: Mapping[str, Filled]
) -> list[tuple[float, float]]:
    """The same weights with those of the slots: a slot that is filled is said."""
    found = []
    for items, (gained, total) in zip(entry.phrases, spoken, strict=True):
        names = [item[1:].partition(":")[0] for item in items if item[0] == "{"]
        said = sum(name in filled for name in names)
        found.append((gained + SLOT * said, total + SLOT * len(names)))
    return found


def _modifiers(entry: Entry, norms: list[str]) -> tuple[frozenset[str], frozenset[int]]:
    """Modifiers whose phrase stands in the sentence (function words between its words do not count)."""
    on: set[str] = set()
    busy: set[int] = set()
    content = [(i, norm) for i, norm in enumerate(norms) if norm not in STOP]
    words = [norm for _, norm in content]
    for name, phrases in entry.modifiers.items():
        for phrase in phrases:
            wanted = [norm for norm in phrase if norm not in STOP]
            if (
                all(norm in LIGHT for norm in wanted)
                and len(wanted) < len(phrase)
                and _find(norms, [*phrase]) < 0
            ):
                continue  # "and everything below" is not said by any "all"
            place = _find(words, wanted)
            if place >= 0:
                on.add(name)
                busy.update(i for i, _ in content[place : place + len(wanted)])
    return frozenset(on), frozenset(busy)


def _find(words: list[str], wanted: list[str]) -> int:
    size = len(wanted)
    if not size:
        return -1
    for place in range(len(words) - size + 1):
        if words[place] == wanted[0] and words[place : place + size] == wanted:
            return place
    return -1
