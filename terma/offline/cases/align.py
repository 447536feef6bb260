"""Which value of the sentence stands where a remembered one stood, and how much of both sentences is the same."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import pairwise, permutations

from terma.offline.cases.forms import kin
from terma.offline.cases.parts import optional
from terma.offline.cases.place import is_open, place_of
from terma.offline.lexicon import STOP
from terma.offline.match import RELATIONS
from terma.offline.tokens import Token
from terma.offline.trust.facts import Facts, is_literal
from terma.records import dataclass

SURE = 0.08  # what one of a token's log odds of being a value is worth beside how well its kind fits
MOST = 4  # slots that are tried in every order; more are filled in order
_UNLIKE = 0.0
_PLACES = frozenset(
    "to into onto from as in on under at of for with by called named - -> than since until before after over below "
    "above".split()
)


@dataclass(frozen=True, slots=True)
class Item:
    """A word of a remembered sentence (`norm`), or a value (`kind` not empty) with what stood beside it."""

    norm: str
    kind: str = ""
    example: str = ""
    role: str = ""
    left: str = ""
    right: str = ""

    @classmethod
    def read(cls, text: str) -> Item:
        if text[:1] != "{":
            return cls(text)
        kind, example, role, left, right = text[1:].split("|", 4)
        return cls("", kind, example, role, left, right)


@dataclass(frozen=True, slots=True)
class Aligned:
    """`values`: item number -> token index. `alike` is 0..1; `missed` the weight of remembered words that are not
    said; `edits` how many values are others; `kin` the worst fit of a value (1: of the same kind, or none). `place`:
    the token that names where to work, -1 for none."""

    values: dict[int, int]
    place: int
    used: frozenset[int]
    alike: float
    missed: float
    edits: int
    kin: float


def align(
    items: tuple[Item, ...],
    facts: Facts,
    weigh: Callable[[str], float],
    template: str = "",
    tags: Sequence[float] = (),
) -> Aligned | None:
    """The sentence laid beside the case; None where a value of either has no place in the other. `tags`: of each token
    the log odds that it is a value."""
    tags = tags or (0.0,) * len(facts.sentence.tokens)
    may, cues, placed = optional(template)
    tokens = facts.sentence.tokens
    words: dict[str, int] = {}
    for item in items:
        if not item.kind:
            words[item.norm] = words.get(item.norm, 0) + 1
    filled = _filled(items, facts, words, may, tags)
    if filled is None:
        return None
    values, quality = filled
    used = set(values.values())
    place = place_of(facts, used, words, weigh) if placed and is_open(template, values) else -1
    used |= {place} - {-1}
    if sum(i not in used and tokens[i].norm not in words for i in facts.literals) > SPARE:
        return None
    said = gained = 0.0
    met: dict[str, float] = {}
    for i, token in enumerate(tokens):
        if i in used:
            continue
        weight = weigh(token.norm)
        credit = 1.0 if token.norm in words else _related(token.norm, words)
        said += weight
        gained += weight * credit
        if credit >= 0.5:
            used.add(i)
        if credit:
            met[token.norm] = credit
    wanted = missed = 0.0
    present = {token.norm for i, token in enumerate(tokens) if i not in values.values()}
    for item in items:
        if item.kind or (item.norm in cues and item.norm not in present):
            continue
        weight = weigh(item.norm)
        wanted += weight
        missed += weight * (1.0 - (1.0 if item.norm in present else _related(item.norm, present)))
    slots = 0.5 * len(values)
    total = said + wanted + 2 * slots
    alike = (gained + (wanted - missed) + 2 * slots * quality) / total if total else 0.0
    edits = sum(tokens[t].text != items[n].example for n, t in values.items())
    worst = min((kin(items[n].kind, tokens[t].kind) for n, t in values.items()), default=1.0)
    return Aligned(values, place, frozenset(used), alike, missed, edits, worst)


SPARE = 2  # values of the sentence that a case may leave to options of its program


def _filled(
    items: tuple[Item, ...], facts: Facts, words: dict[str, int], may: frozenset[int], tags: Sequence[float]
) -> tuple[dict[int, int], float] | None:
    """What fills the slots; where not all can be filled, those that `may` be missing are."""
    found = _fill(items, facts, words, frozenset(), tags)
    if found is not None or not may:
        return found
    for one in sorted(may):
        found = _fill(items, facts, words, frozenset((one,)), tags)
        if found is not None:
            return found
    return _fill(items, facts, words, may, tags) if len(may) > 1 else None


def _related(norm: str, words: dict[str, int] | set[str]) -> float:
    related = RELATIONS.get(norm)
    return 0.6 if related and any(word in words for word in related) else 0.0


def _fill(
    items: tuple[Item, ...],
    facts: Facts,
    words: dict[str, int],
    without: frozenset[int],
    tags: Sequence[float],
) -> tuple[dict[int, int], float] | None:
    slots = [n for n, item in enumerate(items) if item.kind and n not in without]
    if not slots:
        return {}, 1.0
    tokens = facts.sentence.tokens
    scores = {
        n: {
            i: score + SURE * tags[i]
            for i in range(len(tokens))
            if (score := _score(items[n], i, facts, words)) > 0.3
        }
        for n in slots
    }
    if any(not found for found in scores.values()):
        return None
    best: tuple[float, dict[int, int]] = (-1.0, {})
    literals = {i for found in scores.values() for i in found if is_literal(tokens[i])}
    named = {i for found in scores.values() for i in found if tags[i] > 0} - literals
    pool = sorted(
        {i for found in scores.values() for i in sorted(found, key=found.__getitem__, reverse=True)[:5]}
    )
    if len(slots) <= MOST and len(pool) <= 7:
        for chosen in permutations(pool, len(slots)):
            total = 0.0
            for n, i in zip(slots, chosen, strict=True):
                fit = scores[n].get(i)
                if fit is None:
                    break
                total += fit
            else:
                total += 0.12 * sum(a < b for a, b in pairwise(chosen))
                total -= 0.4 * len(literals - set(chosen))
                total -= SURE * sum(tags[i] for i in named.difference(chosen))
                if total > best[0]:
                    best = (total, dict(zip(slots, chosen, strict=True)))
    else:
        taken: dict[int, int] = {}
        for n in slots:
            free = {i: s - 0.02 * abs(i - n) for i, s in scores[n].items() if i not in taken.values()}
            if not free:
                return None
            taken[n] = max(free, key=free.__getitem__)
        best = (sum(scores[n][i] for n, i in taken.items()), taken)
    if not best[1]:
        return None
    return best[1], max(0.0, min(1.0, sum(scores[n][i] for n, i in best[1].items()) / len(slots) / 1.2))


def _score(item: Item, i: int, facts: Facts, words: dict[str, int]) -> float:
    token = facts.sentence.tokens[i]
    if token.kind == "word" and token.norm in STOP:
        return _UNLIKE
    fit = kin(item.kind, token.kind)
    role = facts.roles.get(i, "")
    if fit == 0.0 or (item.role and role and item.role != role):
        return _UNLIKE
    left = facts.sentence.tokens[i - 1].norm if i else ""
    right = facts.sentence.tokens[i + 1].norm if i + 1 < len(facts.sentence.tokens) else ""
    cued = 0.0
    if left and left == item.left:
        cued = 0.25 if left in _PLACES else 0.2
    if right and right == item.right:
        cued += 0.15
    if token.kind == "word" and token.text != item.example:
        if token.norm in words:
            return _UNLIKE
        fit -= 0.25 if not cued else 0.0
    if item.example and _suffix(item.example) != _suffix(token.text) and token.kind in ("file", "path"):
        fit -= 0.2 if _suffix(item.example) and _suffix(token.text) else 0.05
    return fit + cued


def _suffix(text: str) -> str:
    name = text.rpartition("/")[2]
    stem, dot, suffix = name.rpartition(".")
    if not dot or not stem:
        return ""
    return ("tar." if stem.endswith(".tar") else "") + suffix.lower()


__all__ = ["Aligned", "Item", "Token", "align"]
