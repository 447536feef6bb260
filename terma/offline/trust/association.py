"""How well each word of a sentence goes with a command: a table, learned from many pairs, of which words stand beside
which programs, subcommands and options. A word that goes with nothing in the command was not understood."""

from __future__ import annotations

import math
import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from functools import lru_cache
from typing import Any

from terma.offline import tables
from terma.offline.lexicon import STOP
from terma.offline.packed import Packed, Writer
from terma.offline.sentence import Sentence
from terma.offline.shape import kind_of
from terma.offline.tokens import Token
from terma.offline.trust.command import Simple
from terma.offline.trust.facts import Facts
from terma.records import dataclass

_PLAIN_IN_QUOTES = ("path", "glob", "file", "url")  # kinds that quotes do not change

_SMALL = 2e-4
TELLING = frozenset("not without except under below over off up down out since then only".split())


def keys(facts: Facts) -> dict[int, str]:
    """Token -> its key in the table, for the tokens that say something; words that are denied are keys of their own."""
    found: dict[int, str] = {}
    denied = facts.denied
    for i, token in enumerate(facts.sentence.tokens):
        if token.kind == "ext":
            found[i] = "." + token.value.lower()
        elif token.kind not in ("word", "ident") or (token.norm in STOP and token.norm not in TELLING):
            continue
        else:
            found[i] = ("not " if i in denied and token.norm not in STOP else "") + token.norm
    return found


def shapes(facts: Facts) -> tuple[str, ...]:
    """What kinds of values the sentence names, as keys of the table: who names a .pcap does not ask for `pdfinfo`."""
    found: dict[str, None] = {}
    for i in facts.literals:
        found.update(dict.fromkeys(kinds(facts.sentence.tokens[i])))
    return tuple(found)


def kinds(token: Token) -> tuple[str, ...]:
    """The kind of a value, and the suffix of a file's name or the scheme of an address. A path in quotes is a path."""
    kind = token.kind
    if kind == "quoted" and not re.search(r"\s", token.value):
        inner, _ = kind_of(token.value, token.value.lower())
        kind = inner if inner in _PLAIN_IN_QUOTES else kind
    scheme, found, _ = token.value.partition("://")
    if found and scheme.isalnum():
        return f"<{kind}", f"<.{scheme.lower()}://"
    name = token.value.rpartition("/")[2]
    stem, dot, suffix = name.rpartition(".")
    if kind in ("file", "path", "glob") and dot and stem and suffix.isalnum():
        return f"<{kind}", f"<.{suffix.lower()}"
    return (f"<{kind}",)


def places(simple: Simple) -> Iterator[tuple[str, str]]:
    """(where it stands, value) of each operand: behind which option, or among the operands of the program."""
    name = f"{simple.program} {simple.sub}".strip()
    valued = frozenset(simple.options)
    before = ""
    for word in simple.words[1:]:
        option, equals, value = word.partition("=")
        if equals and option in valued:
            yield f"{name} {option}", value
        elif word not in valued and (word[:1] != "-" or word[1:2].isdigit()) and word != simple.sub:
            yield (f"{name} {before}" if before else name), word
        before = word if word in valued else ""


@dataclass(frozen=True, slots=True)
class Association:
    """`rows`: word -> "token\\tweight ..." as text (a row is read when it is wanted); `share`: word -> how common.
    `tokens`: command token -> how common; `change`: word -> log odds that its command changes something.
    `programs`: word -> "program\tlog lift ..." as text; `usual`: program -> log of how common, less what a word that it
    never stands with costs; `held`: place in a command -> "kind\tcount ..." of the values seen there; `ordinary`:
    words that hardly a command repeats as a value; `own`: "program\tword" of those that are the program's own;
    `excludes`: signs by which programs leave something out (see trust/exclusion); `answers`: simple commands, values
    aside, that answered questions (see trust/answering)."""

    rows: Mapping[str, str]
    share: Mapping[str, float]
    tokens: Mapping[str, float]
    change: Mapping[str, float]
    programs: Mapping[str, str]
    usual: Mapping[str, float]
    held: Mapping[str, str]
    ordinary: Collection[str]
    own: Collection[str]
    excludes: Collection[str]
    answers: Collection[str]

    @classmethod
    def of(cls, data: dict[str, Any]) -> Association:
        return cls(
            data["rows"], data["share"], data["tokens"], data["change"], data["programs"], data["usual"],
            data["held"], frozenset(data["ordinary"].split()), frozenset(data["own"].split("\n")),
            frozenset(data["excludes"].split("\n")), frozenset(data["answers"].split("\n")),
        )  # fmt: skip

    def data(self) -> dict[str, Any]:
        """As `of` reads it."""
        return {
            "rows": dict(self.rows), "share": dict(self.share), "tokens": dict(self.tokens),
            "change": dict(self.change), "programs": dict(self.programs), "usual": dict(self.usual),
            "held": dict(self.held), "ordinary": " ".join(sorted(self.ordinary)), "own": "\n".join(sorted(self.own)),
            "excludes": "\n".join(sorted(self.excludes)), "answers": "\n".join(sorted(self.answers)),
        }  # fmt: skip

    @classmethod
    def load(cls) -> Association:
        """From the package; an empty table (nothing is known of any word) where the file is missing."""
        try:
            return cls.read(tables.opened())
        except (OSError, ValueError, KeyError):
            return cls({}, {}, {}, {}, {}, {}, {}, frozenset(), frozenset(), frozenset(), frozenset())

    @classmethod
    def read(cls, run: Packed) -> Association:
        """From packed tables. Raises KeyError, ValueError."""
        return cls(
            run.texts_by("word.rows"), run.numbers_by("word.share"), run.numbers_by("word.tokens"),
            run.numbers_by("word.change"), run.texts_by("word.programs"), run.numbers_by("word.usual"),
            run.texts_by("word.held"), run.names("word.ordinary"), run.names("word.own"),
            run.names("word.excludes"), run.names("word.answers"),
        )  # fmt: skip

    @staticmethod
    def write(data: Mapping[str, Any], writer: Writer) -> None:
        """The data of `of` into tables to be packed."""
        for name in ("rows", "programs", "held"):
            writer.texts_by(f"word.{name}", data[name])
        for name in ("share", "tokens", "change", "usual"):
            writer.numbers_by(f"word.{name}", data[name])
        writer.names("word.ordinary", data["ordinary"].split())
        for name in ("own", "excludes", "answers"):
            writer.names(f"word.{name}", data[name].split("\n"))

    def fit(self, word: str, tokens: Iterable[str]) -> float | None:
        """Log odds that the word belongs with the command that says `tokens`; None for a word never seen."""
        row = self.row(word)
        if row is None:
            return None
        best = max((row.get(token, 0.0) for token in tokens), default=0.0)
        return math.log((best + _SMALL) / (self.share.get(word, 0.0) + _SMALL))

    def stands(self, word: str, token: str) -> float:
        """How often the command token is said by this word, 0..1."""
        row = self.row(word)
        return row.get(token, 0.0) if row else 0.0

    def asked(self, token: str, words: Iterable[str]) -> float | None:
        """Log odds that the sentence with `words` asks for the command token; None for a token never seen."""
        share = self.tokens.get(token)
        if share is None:
            return None
        best = 0.0
        for word in words:
            row = self.row(word)
            if row and token in row:  # Bayes: t(word | token) · p(token) / p(word)
                best = max(best, min(1.0, row[token] * share / max(self.share.get(word, 1.0), 1e-6)))
        return math.log((best + _SMALL) / (share + _SMALL))

    def changes(self, words: Iterable[str]) -> float:
        """Log odds that a sentence of these words asks for a change."""
        return sum(self.change.get(word, 0.0) for word in words)

    def likely(self, words: Iterable[str]) -> dict[str, float]:
        """Program -> log share of sentences with these words that it answers, 0 for the likeliest."""
        scores: dict[str, float] = {}
        for word in words:
            text = self.programs.get(word)
            if text:
                for program, lift in _lifts(text).items():
                    scores[program] = scores.get(program, 0.0) + lift
        found = {program: lift + self.usual.get(program, -9.0) for program, lift in scores.items()}
        top = max(found.values(), default=0.0)
        return {program: value - top for program, value in found.items()}

    def holds(self, place: str, token: Token) -> float:
        """Log odds that a value of this kind stands at the place; 0 where nothing is known of it."""
        text = self.held.get(place)
        if text is None:
            return 0.0
        counts, usual = _counts(text), _counts(self.held[""])
        lift = 0.0
        for kind in kinds(token):
            share = (usual.get(kind, 0) + 1.0) / (usual["<"] + 1.0)
            lift += math.log((counts.get(kind, 0) + 2.0 * share) / (counts["<"] + 2.0) / share)
        return lift

    def of_files(self, place: str) -> float:
        """The share of the values seen at the place that were files, paths or globs; 0 where nothing is known of it."""
        counts = _counts(self.held.get(place, ""))
        whole = counts.get("<", 0)
        return sum(counts.get(kind, 0) for kind in ("<file", "<path", "<glob")) / whole if whole else 0.0

    def knows(self, word: str) -> bool:
        return word in self.rows

    def row(self, word: str) -> dict[str, float] | None:
        """Command token -> how often the word stands for it; None for a word never seen."""
        text = self.rows.get(word)
        return None if text is None else _parsed(text)


@lru_cache(maxsize=256)
def _parsed(text: str) -> dict[str, float]:
    parts = text.split("\t")
    return {parts[i]: int(parts[i + 1]) / 1000 for i in range(0, len(parts) - 1, 2)}


@lru_cache(maxsize=512)
def _counts(text: str) -> dict[str, int]:
    parts = text.split("\t")
    return {parts[i]: int(parts[i + 1]) for i in range(0, len(parts) - 1, 2)}


@lru_cache(maxsize=256)
def _lifts(text: str) -> dict[str, float]:
    parts = text.split("\t")
    return {parts[i]: int(parts[i + 1]) / 10 for i in range(0, len(parts) - 1, 2)}


def values_of(sentence: Sentence, words: Iterable[str]) -> frozenset[str]:
    """Words of a command that came from the sentence as they stand."""
    texts = {form for token in sentence.tokens for form in (token.text, token.value)}
    long = [text for text in texts if len(text) > 3]
    return frozenset(
        word
        for word in words
        if word in texts or any(text in word for text in long) or word.strip("'\"") in texts
    )
