"""Which token of the sentence fills which slot: by type, by the words around it, and by what exists."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from terma.offline.draft import Context
from terma.offline.index import Entry, Index, cue
from terma.offline.lexicon import EXTENSIONS, LIGHT, STOP
from terma.offline.sentence import Sentence
from terma.offline.slot_types import FILE_TYPES, TEXTUAL, base_type
from terma.offline.slot_values import value_for
from terma.offline.slots import fit
from terma.offline.tokens import Token

ARTICLES = frozenset(("the", "a", "an", "my", "our", "your", "all", "new"))
THRESHOLD = 0.5
_ARGUMENTS = ("path", "glob", "url", "quoted")  # end a text in several words
# Before a value they say what it is for; other function words say less.
_WEAK = dict.fromkeys(("show", "list", "find", "count", "run", "start", "all", "file", "directory"), 0.15)
_PLACES = frozenset("to into in from as on at onto under inside within called by with named for".split())
# Never a value by themselves: they turn the meaning of what stands beside them.
FUNCTION = (
    frozenset(
        "not than more less after before until all only first last again even now when never always except "
        "both each here "
        "current other too still yet ever much many most new largest smallest newest oldest larger smaller".split()
    )
    | LIGHT
)
# Beside a word they say what it names: "the cups service", "user ann".
_NOUNS = {
    "imagename": ("image",), "process": ("process", "program"), "dir": ("directory",), "container": ("container",),
    "host": ("host", "server", "machine"), "userhost": ("host", "server"), "command": (), "text": (),
    "name": ("called",),
    "pattern": ("word", "string", "pattern", "text"), "commit": ("commit", "revision"), "value": (), "any": (),
    "file": ("file", "script"), "image": ("image",), "column": ("column", "field"), "number": (), "count": (),
    "key": (), "path": ("directory", "file"), "package": ("package", "module", "library"),
    "service": ("service", "unit"), "date": (),
}  # fmt: skip
_PATHS = FILE_TYPES | {"path", "dir"}
_PROGRAMS = frozenset(("program", "command", "package", "process", "service"))
_NEVER = frozenset("current here this working same other".split())
_CALLED = frozenset(
    ("name", "dir", "file", "path", "container", "archive", "session", "branch", "tag", "process")
)
_GENERIC = frozenset(
    "user group file directory host server machine process container image branch commit package service port line "
    "word text string pattern number column field command program script user name path size date time".split()
)
# Names that everybody uses, though they are words too.
_USUAL = {
    "branch": frozenset("main master develop dev staging trunk HEAD".split()),
    "user": frozenset("root admin nobody postgres".split()),
    "remote": frozenset(("origin", "upstream")),
    "commit": frozenset(("HEAD", "main", "master")),
    "name": frozenset(
        "january february march april june july august september october november december".split()
    ),
    "out": frozenset(("main",)),
}
_RELATIVE = frozenset("previous next other same".split())  # one among several, and no name
_RESULTS = frozenset(("out", "output", "dst", "target", "result"))


@dataclass(frozen=True, slots=True)
class Filled:
    """A slot's value and the indices of the tokens that say it."""

    value: str
    tokens: tuple[int, ...]
    score: float
    fit: float  # of the first token's kind to the slot's type, 0..1


@dataclass(frozen=True, slots=True)
class Seen:
    """A sentence prepared once for all entries: the cue words before and after each token, and what is unknown."""

    sentence: Sentence
    before: tuple[str, ...]
    after: tuple[str, ...]
    unknown: frozenset[int]  # tokens whose norm no knowledge uses
    tools: frozenset[str]  # programs that the knowledge is about

    @classmethod
    def of(cls, sentence: Sentence, index: Index) -> Seen:
        tokens = sentence.tokens
        unknown = frozenset(
            i
            for i, t in enumerate(tokens)
            if t.kind in ("word", "ident") and not t.stop and t.norm not in index.weight
        )
        return cls(
            sentence,
            tuple(_cue(tokens, i - 1, -1) for i in range(len(tokens))),
            tuple(_cue(tokens, i + 1, 0) for i in range(len(tokens))),
            unknown,
            index.tools,
        )


def _cue(tokens: tuple[Token, ...], i: int, step: int) -> str:
    while step and 0 <= i < len(tokens) and tokens[i].norm in ARTICLES:
        i += step
    if not 0 <= i < len(tokens):
        return ""
    return tokens[i].norm if tokens[i].kind in ("word", "ident") else "{}"


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
        score += _WEAK.get(left, 0.3) if left not in STOP else 0.2 if left in _PLACES else 0.1
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
        return _named(score, entry, name, i, token, seen, context, kind, cued)
    return score


def _claimed(entry: Entry, cue: str) -> bool:
    return any(cue in cues for cues in entry.before.values())


@lru_cache(maxsize=256)
def nouns_of(kind: str) -> tuple[str, ...]:
    """The nouns that say what a value of this type is."""
    base = base_type(kind)
    return _NOUNS.get(base, (base,))


def _computes(i: int, seen: Seen) -> bool:
    """Whether an expression may start here: it holds a digit soon, and nothing that is no arithmetic."""
    token = seen.sentence.tokens[i]
    return token.kind in ("number", "ident", "quoted") and any(c.isdigit() for c in token.value)


def _named(
    score: float,
    entry: Entry,
    name: str,
    i: int,
    token: Token,
    seen: Seen,
    context: Context,
    kind: str,
    cued: bool,
) -> float:
    """A bare word is a value only with evidence: nobody knows it otherwise, or a name like it exists."""
    left, right = seen.before[i], seen.after[i]
    base = base_type(kind)
    plain = token.kind == "word"
    unknown = i in seen.unknown
    exists = context.names().get(token.text) if base in _PATHS else None
    if exists is not None:
        return score + (0.4 if exists == (base == "dir") or base == "path" else 0.1)
    if left == "called":
        return score + 0.2
    if plain and token.text.lower() in _RELATIVE and base not in TEXTUAL:
        return 0.0
    if (
        plain
        and base != "key"
        and token.norm in _GENERIC
        and (left == "current" or not {left, right} & set(nouns_of(kind)))
    ):
        return 0.0  # "the current user": a noun for such things is no value
    if (
        plain
        and len(token.text) > 5
        and token.text.endswith("ly")
        and not {left, right} & set(nouns_of(kind))
    ):
        return 0.0  # "safely" says how, not what
    if token.text in _USUAL.get(base, ()):
        return score + 0.35
    if plain and base in FILE_TYPES and not {left, right} & set(nouns_of(kind)):
        return 0.0  # nobody calls a file like that without saying so
    if plain and "command" in (base, name) and unknown and not context.has_program(token.text):
        return 0.0
    if plain and base in ("env", "var") and not token.text.isupper() and "variable" not in (left, right):
        return 0.0
    if (
        unknown
        or not plain
        or (base in _PROGRAMS and (token.text in seen.tools or context.has_program(token.text)))
    ):
        score += 0.2
    elif token.text.lower() in FUNCTION:
        score -= 0.25 if cued else 0.5
    if i == 0 and plain:
        score -= 0.3
    if plain and token.text.lower() in _NEVER and base in _PATHS:
        return 0.0
    if plain and token.norm == entry.tool and base not in _PROGRAMS | TEXTUAL:
        return 0.0  # "the docker container web": the tool is not the value
    if token.norm in entry.words or token.norm == entry.tool:
        score -= 0.35
    elif token.norm in entry.also:
        score -= 0.1
    if token.text[:1].isupper() and i > 0:
        score += 0.15
    if plain and not cued:
        score -= 0.2 if base in _PATHS | TEXTUAL else 0.1
    if (
        plain
        and base == "path"
        and left not in _PLACES | {"under", "of"}
        and not {left, right} & set(nouns_of(kind))
    ):
        score -= 0.3
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
