"""Which token of the sentence fills which slot: by type, by the words around it, and by what exists."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from terma.offline.draft import Context
from terma.offline.index import Entry
from terma.offline.lexicon import LIGHT, STOP
from terma.offline.sentence import Sentence, Token
from terma.offline.slots import TEXTUAL, base_type, fit, value_for

ARTICLES = frozenset(("the", "a", "an", "my", "our", "your", "all", "new"))
THRESHOLD = 0.5
# Before a value they say what it is for; other function words say less.
_PLACES = frozenset("to into in from as on at onto under inside within called by with named for".split())
# Never a value by themselves: they turn the meaning of what stands beside them.
_FUNCTION = frozenset(
    "not than more less after before until all only first last again even now when never always except both each here "
    "current other too still yet ever much many most old new largest smallest newest oldest larger smaller".split()
) | LIGHT
_HERE = frozenset(("here", "current"))


@dataclass(frozen=True, slots=True)
class Filled:
    """A slot's value and the indices of the tokens that say it."""

    value: str
    tokens: tuple[int, ...]
    score: float


@dataclass(frozen=True, slots=True)
class Seen:
    """A sentence prepared once for all entries: the cue words before and after each token, and what is unknown."""

    sentence: Sentence
    before: tuple[str, ...]
    after: tuple[str, ...]
    unknown: frozenset[int]  # tokens whose norm no knowledge uses

    @classmethod
    def of(cls, sentence: Sentence, known: Callable[[str], bool]) -> Seen:
        tokens = sentence.tokens
        unknown = frozenset(
            i for i, t in enumerate(tokens) if t.kind in ("word", "ident") and not t.stop and not known(t.norm)
        )
        return cls(
            sentence,
            tuple(_cue(tokens, i - 1, -1) for i in range(len(tokens))),
            tuple(_cue(tokens, i + 1, 0) for i in range(len(tokens))),
            unknown,
        )


def _cue(tokens: tuple[Token, ...], i: int, step: int) -> str:
    while step and 0 <= i < len(tokens) and tokens[i].norm in ARTICLES:
        i += step
    if not 0 <= i < len(tokens):
        return ""
    return tokens[i].norm if tokens[i].kind in ("word", "ident") else "{}"


def assign(entry: Entry, seen: Seen, context: Context, busy: frozenset[int] = frozenset()) -> dict[str, Filled]:
    """Slot name -> what fills it. A token fills one slot; `busy` tokens (modifiers) fill none."""
    options: list[tuple[float, int, int, str]] = []
    tokens = seen.sentence.tokens
    for order, (name, kind) in enumerate(entry.slots.items()):
        for i, token in enumerate(tokens):
            if token.kind == "word" and (token.norm in STOP or i in busy):
                continue
            score = _score(entry, name, kind, i, token, seen, context)
            if score >= THRESHOLD:
                options.append((-round(score, 3), order, i, name))
    options.sort()
    filled: dict[str, Filled] = {}
    used: set[int] = set(busy)
    for negative, _, i, name in options:
        if name in filled or i in used:
            continue
        span = _span(entry, name, i, seen, used)
        kind = entry.slots[name]
        value = _text(seen.sentence, span) if len(span) > 1 else value_for(kind, tokens[i])
        filled[name] = Filled(value, span, -negative)
        used.update(span)
    return filled


def _score(entry: Entry, name: str, kind: str, i: int, token: Token, seen: Seen, context: Context) -> float:
    score = fit(kind, token)
    if not score:
        return 0.0
    before, after = entry.before.get(name, frozenset()), entry.after.get(name, frozenset())
    left, right = seen.before[i], seen.after[i]
    cued = False
    if left in before and left not in ("", "{}"):
        score += (0.2 if left in _PLACES else 0.1) if left in STOP else 0.3
        cued = True
    if right in after and right not in ("", "{}"):
        score += 0.1 if right in STOP else 0.3
        cued = True
    if (left in before and left == "") or (right in after and right == ""):
        score += 0.06
    if token.kind in ("word", "ident"):
        return _named(score, entry, i, token, seen, context, kind, cued)
    return score


def _named(
    score: float, entry: Entry, i: int, token: Token, seen: Seen, context: Context, kind: str, cued: bool
) -> float:
    """A bare word is a value only with evidence: nobody knows it otherwise, or a name like it exists."""
    if i in seen.unknown or token.kind == "ident":
        score += 0.2
    elif token.norm in _FUNCTION:
        score -= 0.25 if cued else 0.5
    if i == 0 and token.kind == "word":
        score -= 0.3
    if token.norm in entry.words:
        score -= 0.35
    elif token.norm in entry.also:
        score -= 0.1
    if token.text[:1].isupper() and i > 0:
        score += 0.15
    base = base_type(kind)
    if base in ("file", "path", "dir", "archive", "image"):
        exists = context.names().get(token.text)
        if exists is not None:
            score += 0.35 if exists == (base == "dir") or base == "path" else 0.1
        elif not cued and i not in seen.unknown and token.kind == "word":
            score -= 0.2
    return score


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
    while end < len(tokens) and end not in used:
        if tokens[end].norm in after:
            return tuple(range(i, end))
        end += 1
    return tuple(range(i, end)) if "" in after else (i,)


def _text(sentence: Sentence, span: tuple[int, ...]) -> str:
    return sentence.raw[sentence.tokens[span[0]].start : sentence.tokens[span[-1]].end]


def here(token: Token) -> bool:
    """Whether the token says the current directory, which every command means anyway."""
    return token.norm in _HERE
