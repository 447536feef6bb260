"""Phrase rules over tokens: a sentence is read from left to right, at each place by the longest rule that fits."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Generic, TypeVar

from terma import regex as re
from terma.offline.sentence import Sentence
from terma.offline.tokens import Token
from terma.records import dataclass

Frame = TypeVar("Frame")

# Between two words of a phrase these carry nothing.
ARTICLES = frozenset("the a an its their my your our any these those this".split())

_PATHLIKE = re.compile(r"[~.]{0,2}/[^\s]*\Z|[\w.-]+/[\w./-]*\Z|~\Z")
_NAME_KINDS = frozenset(("file", "glob", "quoted", "ext", "ident", "env", "domain"))
_VALUE_KINDS = frozenset(
    ("quoted", "path", "file", "glob", "ident", "number", "env", "ext", "url", "userhost")
)


def is_path(token: Token) -> bool:
    """Whether it can only be a path: it holds a slash, or is `~`, or a variable."""
    if token.kind in ("path", "env"):
        return True
    return token.kind in ("quoted", "glob") and bool(_PATHLIKE.match(token.value))


def _is_file(token: Token) -> bool:
    return token.kind in ("file", "domain", "env") or (
        token.kind in ("path", "quoted") and " " not in token.value
    )


def _is_name(token: Token) -> bool:
    return token.kind in _NAME_KINDS and not is_path(token)


def _is_string(token: Token) -> bool:
    return token.kind in _VALUE_KINDS or (token.kind == "word" and not token.stop)


def _is_bare(token: Token) -> bool:
    return token.kind in ("ident", "word", "file", "quoted", "path") and not token.stop


SLOTS: dict[str, Callable[[Token], bool]] = {
    "num": lambda t: t.kind == "number" and t.value.lstrip("-").isdigit(),
    "number": lambda t: t.kind == "number",
    "ord": lambda t: t.kind == "ordinal",
    "size": lambda t: t.kind == "size",
    "dur": lambda t: t.kind == "duration",
    "date": lambda t: t.kind == "date",
    "perm": lambda t: (
        t.kind == "perm" or (t.kind == "number" and re.fullmatch(r"[0-7]{3,4}", t.value) is not None)
    ),
    "path": is_path,
    "file": _is_file,
    "name": _is_name,
    "ext": lambda t: (
        t.kind == "ext"
        or (t.kind in ("glob", "quoted") and re.fullmatch(r"\*?\.\w{1,8}", t.value) is not None)
    ),
    "glob": lambda t: t.kind == "glob",
    "str": _is_string,
    "bare": _is_bare,
    "quoted": lambda t: t.kind == "quoted",
    "word": lambda t: t.kind in ("word", "ident"),
}


@dataclass(frozen=True, slots=True)
class Element:
    """One place of a phrase: a set of words, a typed slot that is captured, or a group of alternatives."""

    words: frozenset[str]
    slots: tuple[str, ...]
    optional: bool
    group: tuple[tuple[Element, ...], ...] = ()

    def fits(self, token: Token, low: str) -> bool:
        if self.slots and any(SLOTS[slot](token) for slot in self.slots):
            return True
        return (low in self.words or token.norm in self.words) and token.kind != "quoted"


Phrase = tuple[Element, ...]


@dataclass(frozen=True, slots=True)
class Match:
    """A phrase found: tokens `start:end`, and what its slots caught, in order."""

    start: int
    end: int
    slots: tuple[Token, ...]

    def __getitem__(self, index: int) -> Token:
        return self.slots[index]

    @property
    def value(self) -> str:
        return self.slots[0].value if self.slots else ""


Handler = Callable[[Frame, Match], "bool | None"]


class Rules(Generic[Frame]):
    """A set of phrases and what each does to a frame. A handler that returns False refuses its phrase."""

    def __init__(self, macros: dict[str, str]) -> None:
        self._macros = macros
        self._by_word: dict[str, list[tuple[Phrase | str, Handler[Frame]]]] = {}
        self._by_slot: list[tuple[Phrase | str, Handler[Frame]]] = []

    def on(self, *patterns: str) -> Callable[[Handler[Frame]], Handler[Frame]]:
        """Register phrases: `a|b` alternatives, `x?` optional, `#slot` typed, `$macro`, `(x y|z)` groups."""

        def register(handler: Handler[Frame]) -> Handler[Frame]:
            for pattern in map(self._plain, patterns):
                if opening := _OPENING.match(pattern):
                    for word in dict.fromkeys(opening[0].split("|")):
                        self._by_word.setdefault(word, []).append((pattern, handler))
                else:
                    self._add(_phrase(pattern), handler)
            return handler

        return register

    def _plain(self, pattern: str) -> str:
        """The pattern without macros. What begins with a word is read when that word comes: most never do."""
        return _MACRO.sub(lambda m: self._macros[m[1]], pattern) if "$" in pattern else pattern

    def _add(self, elements: Phrase, handler: Handler[Frame]) -> None:
        """Index a phrase by what it may begin with; leading groups and optional places are opened up."""
        if not elements:
            return
        first, rest = elements[0], elements[1:]
        if first.optional:
            self._add(rest, handler)
        if first.group:
            for choice in first.group:
                self._add(choice + rest, handler)
        else:
            if first.slots:
                self._by_slot.append((elements, handler))
            for word in first.words:
                self._by_word.setdefault(word, []).append((elements, handler))

    def joined(self, *others: Rules[Frame]) -> Rules[Frame]:
        """These rules and the others', the earlier ones winning ties."""
        for other in others:
            for word, rules in other._by_word.items():
                self._by_word.setdefault(word, []).extend(rules)
            self._by_slot.extend(other._by_slot)
        return self

    def read(self, sentence: Sentence, frame: Frame) -> set[int]:
        """Let every phrase found act on `frame`; returns the indices of the tokens that phrases consumed."""
        tokens = sentence.tokens
        lows = [t.text.lower() for t in tokens]
        used: set[int] = set()
        at = 0
        while at < len(tokens):
            end = self._step(tokens, lows, at, frame)
            if end > at:
                used.update(range(at, end))
                at = end
            else:
                at += 1
        return used

    def _step(self, tokens: tuple[Token, ...], lows: list[str], at: int, frame: Frame) -> int:
        here, low = tokens[at], lows[at]
        rules: list[tuple[Phrase | str, Handler[Frame]]] = []
        if here.kind != "quoted":
            rules += self._by_word.get(low, ())
            if here.norm != low:
                rules += self._by_word.get(here.norm, ())
        rules += self._by_slot
        found: list[tuple[int, int, Match, Handler[Frame]]] = []
        for order, (phrase, handler) in enumerate(rules):
            elements = _phrase(phrase) if isinstance(phrase, str) else phrase
            hit = _match(elements, tokens, lows, at, (), True)
            if hit is not None:
                found.append((-hit[0], order, Match(at, hit[0], hit[1]), handler))
        found.sort(key=lambda item: item[:2])
        for _, _, match, handler in found:
            if handler(frame, match) is not False:
                return match.end
        return at


def _match(
    elements: Phrase,
    tokens: tuple[Token, ...],
    lows: list[str],
    at: int,
    caught: tuple[Token, ...],
    first: bool = False,
) -> tuple[int, tuple[Token, ...]] | None:
    """Where the rest of a phrase ends and what it caught; optional places are taken where they can be."""
    if not elements:
        return at, caught
    element, rest = elements[0], elements[1:]
    if element.group:
        for choice in element.group:
            hit = _match(choice + rest, tokens, lows, at, caught)
            if hit is not None:
                return hit
    else:
        place = at
        while place < len(tokens):
            if element.fits(tokens[place], lows[place]):
                more = (*caught, tokens[place]) if element.slots else caught
                hit = _match(rest, tokens, lows, place + 1, more)
                if hit is not None:
                    return hit
            if first or lows[place] not in ARTICLES:
                break
            place += 1
    return _match(rest, tokens, lows, at, caught) if element.optional and not first else None


_MACRO = re.compile(r"\$(\w+)")
_OPENING = re.compile(r"[^\s#|()?]+(?:\|[^\s#|()?]+)*(?=\s|\Z)")  # words, one of which has to be there
_PARTS = re.compile(r"\(([^()]*)\)(\??)|(\S+)")


@cache
def _phrase(pattern: str) -> Phrase:
    """`a|b` alternatives, `x?` optional, `#slot`, `(x y|z)` a group of phrases; groups do not nest."""
    found = []
    for match in _PARTS.finditer(pattern):
        if match[3] is not None:
            found.append(_element(match[3]))
            continue
        choices = match[1].split("|")
        if all(" " not in choice.strip() for choice in choices):
            found.append(_element("|".join(choice.strip() for choice in choices) + match[2]))
        else:
            group = tuple(_phrase(choice) for choice in choices)
            found.append(Element(frozenset(), (), bool(match[2]), group))
    return tuple(found)


@cache
def _element(word: str) -> Element:
    """One place of a phrase; phrases share them, for memory."""
    optional = word.endswith("?")
    parts = word.rstrip("?").split("|")
    slots = tuple(part[1:] for part in parts if part.startswith("#"))
    return Element(frozenset(part for part in parts if not part.startswith("#")), slots, optional)
