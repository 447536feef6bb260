"""Which token of the sentence fills which slot: by type, by the words around it, and by what exists."""

from __future__ import annotations

from functools import lru_cache

from terma.offline.bare_word import PLACES, BareWord, Seen, nouns_of
from terma.offline.draft import Context
from terma.offline.index import Entry, cue
from terma.offline.lexicon import EXTENSIONS, STOP
from terma.offline.sentence import Sentence
from terma.offline.slot_types import FILE_TYPES, TEXTUAL, base_type
from terma.offline.slot_values import value_for
from terma.offline.slots import fit
from terma.offline.tokens import Token
from terma.records import dataclass

THRESHOLD = 0.5
_ARGUMENTS = ("path", "glob", "url", "quoted")  # end a text in several words
# Before a value they say what it is for; other function words say less.
_WEAK = dict.fromkeys(("show", "list", "find", "count", "run", "start", "all", "file", "directory"), 0.15)
_CALLED = frozenset(
    ("name", "dir", "file", "path", "container", "archive", "session", "branch", "tag", "process")
)
_RESULTS = frozenset(("out", "output", "dst", "target", "result"))


@dataclass(frozen=True, slots=True)
class Filled:
    """A slot's value and the indices of the tokens that say it."""

    value: str
    tokens: tuple[int, ...]
    score: float
    fit: float  # of the first token's kind to the slot's type, 0..1


def assign(
    entry: Entry, seen: Seen, context: Context, busy: frozenset[int] = frozenset(), phrase: int = 0
) -> dict[str, Filled]:
    """Slot name -> what fills it. A token fills one slot; `busy` tokens (modifiers) fill none. `phrase` is the
    phrasing that the sentence is closest to: its cue words weigh more than those of the others."""
    tokens = seen.sentence.tokens
    cues = _cues(entry.phrases[phrase])
    options: dict[str, list[tuple[float, int]]] = {}
    for name, kind in entry.slots.items():
        found = []
        for i, token in enumerate(tokens):
            if token.kind == "word" and (i in busy or (token.norm in STOP and token.text not in seen.tools)):
                continue
            score = _score(entry, name, kind, i, token, seen, context)
            if score and (cue := cues.get(name)):
                score += 0.1 * (seen.before[i] == cue[0] != "") + 0.1 * (seen.after[i] == cue[1] != "")
            if score >= THRESHOLD:
                found.append((-round(score, 3), i))
        if found:
            options[name] = sorted(found)[:4]
    used: set[int] = set(busy)
    filled: dict[str, Filled] = {}
    chosen = _best(options)
    for name, (negative, i) in sorted(chosen.items(), key=lambda item: item[1][1]):
        if i in used:
            continue
        span = _span(entry, name, i, seen, used | {other for _, other in chosen.values() if other > i})
        kind = entry.slots[name]
        if _is_target(name, kind, tokens[i]):
            filled[name] = Filled(tokens[i].value.lower(), span, -negative, 1.0)
        else:
            value = _text(seen.sentence, span) if len(span) > 1 else value_for(kind, tokens[i])
            filled[name] = Filled(value, span, -negative, fit(kind, tokens[i]))
        used.update(span)
    for name, slot in list(filled.items()):
        first = filled.get(name.rstrip("2")) or _source(entry, name, filled)
        if slot.tokens and _is_target(name, entry.slots[name], tokens[slot.tokens[0]]):
            if first is None or first is slot:
                del filled[name]
            else:
                filled[name] = Filled(f"{_stem(first.value)}.{slot.value}", slot.tokens, slot.score, 1.0)
    return filled


def _source(entry: Entry, name: str, filled: dict[str, Filled]) -> Filled | None:
    """The only other file of the command: what is turned into the result `name`."""
    others = [
        slot
        for other, slot in filled.items()
        if other != name and base_type(entry.slots[other]) in FILE_TYPES | {"path"}
    ]
    return others[0] if len(others) == 1 and name in _RESULTS else None


def _best(options: dict[str, list[tuple[float, int]]]) -> dict[str, tuple[float, int]]:
    """The choice of one token a slot, none twice, with the greatest sum; earlier slots take earlier tokens."""
    first = {name: found[0] for name, found in options.items()}
    if len({i for _, i in first.values()}) == len(first):
        return first
    best: tuple[float, dict[str, tuple[float, int]]] = (1.0, {})
    names = list(options)[:5]

    def choose(place: int, total: float, taken: dict[str, tuple[float, int]]) -> None:
        nonlocal best
        if place == len(names):
            if total < best[0] - 1e-6:
                best = (total, dict(taken))
            return
        name = names[place]
        busy = {i for _, i in taken.values()}
        for option in options[name]:
            if option[1] not in busy:
                taken[name] = option
                choose(place + 1, total + option[0], taken)
                del taken[name]
        choose(place + 1, total, taken)

    choose(0, 0.0, {})
    return best[1]


@lru_cache(maxsize=512)
def _cues(items: tuple[str, ...]) -> dict[str, tuple[str, str]]:
    """Slot -> the words before and after it in one phrasing."""
    return {
        item[1:].partition(":")[0]: (cue(items, place - 1, -1), cue(items, place + 1, 0))
        for place, item in enumerate(items)
        if item[0] == "{"
    }


def _is_target(name: str, kind: str, token: Token) -> bool:
    """`convert a.png to jpg`: the second file is the first with another extension."""
    if base_type(kind) not in FILE_TYPES | {"path"} or (not name.endswith("2") and name not in _RESULTS):
        return False
    return token.kind in ("ext", "word", "ident") and token.value.lower() in EXTENSIONS


def _stem(name: str) -> str:
    head, dot, _ = name.rpartition(".")
    return head if dot and not head.endswith("/") else name


def _score(entry: Entry, name: str, kind: str, i: int, token: Token, seen: Seen, context: Context) -> float:
    score = fit(kind, token)
    if _is_target(name, kind, token) and seen.before[i] in ("to", "as", "into"):
        return 0.7
    if not score or (name.startswith("expr") and not _computes(i, seen)):
        return 0.0
    before, after = entry.before.get(name, frozenset()), entry.after.get(name, frozenset())
    left, right = seen.before[i], seen.after[i]
    cued = False
    if left in before and left not in ("", "{}"):
        score += _WEAK.get(left, 0.3) if left not in STOP else 0.2 if left in PLACES else 0.1
        cued = True
    if right in after and right not in ("", "{}"):
        score += 0.1 if right in STOP else 0.3
        cued = True
    nouns = nouns_of(kind)
    if (not cued or left in STOP) and (left in nouns or right in nouns):
        score += 0.28
        cued = True
    if left == "called" and not cued and base_type(kind) in _CALLED and not _claimed(entry, left):
        score += 0.25
        cued = True
    if (left in before and left == "") or (right in after and right == ""):
        score += 0.06
    if token.kind == "flag" and i and not seen.sentence.tokens[i - 1].stop:
        score -= 0.3  # an option belongs to the word before it
    in_tree = seen.before[i] == "directory" or seen.after[i] in ("directory", "tree", "hierarchy")
    if in_tree and base_type(kind) in FILE_TYPES and token.kind in ("path", "quoted"):
        return score - 0.7  # a directory is no file
    if token.kind in ("word", "ident"):
        return BareWord(entry, name, kind, i, token, seen, context, cued).score(score)
    return score


def _claimed(entry: Entry, cue: str) -> bool:
    return any(cue in cues for cues in entry.before.values())


def _computes(i: int, seen: Seen) -> bool:
    """Whether an expression may start here: it holds a digit soon, and nothing that is no arithmetic."""
    token = seen.sentence.tokens[i]
    return token.kind in ("number", "ident", "quoted") and any(c.isdigit() for c in token.value)


def _span(entry: Entry, name: str, i: int, seen: Seen, used: set[int]) -> tuple[int, ...]:
    """The tokens of a value in several words: only free text has them, up to the next cue word or the end."""
    tokens = seen.sentence.tokens
    kind = base_type(entry.slots[name])
    if kind not in TEXTUAL or tokens[i].kind == "quoted":
        return (i,)
    after = entry.after.get(name, frozenset())
    if "" not in after and after <= {"{}"}:
        return (i,)
    if kind in ("pattern", "replacement", "word", "value", "any"):
        return (i,)
    end = i + 1
    while end < len(tokens) and end not in used and (kind != "text" or tokens[end].kind not in _ARGUMENTS):
        if tokens[end].norm in after:
            return tuple(range(i, end))
        end += 1
    return tuple(range(i, end)) if "" in after else (i,)


def _text(sentence: Sentence, span: tuple[int, ...]) -> str:
    text = sentence.raw[sentence.tokens[span[0]].start : sentence.tokens[span[-1]].end]
    after = sentence.raw[sentence.tokens[span[-1]].end :]
    for opens, closes in _BRACKETS:  # a bracket that the text opens belongs to it: Ann Lee <ann@example.com>
        if after[:1] == closes and text.count(opens) > text.count(closes):
            return text + closes
    return text


_BRACKETS = (("<", ">"), ("(", ")"), ("[", "]"), ("{", "}"))
