"""How well each word of a sentence goes with a command: a table, learned from many pairs, of which words stand beside
which programs, subcommands and options. A word that goes with nothing in the command was not understood."""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

from terma.offline.lexicon import STOP
from terma.offline.sentence import Sentence
from terma.offline.trust.facts import Facts

BESIDE = Path(__file__).with_name("association.json")
_SMALL = 2e-4
_TELLING = frozenset("not without except under below over off up down out since then only".split())


def keys(facts: Facts) -> dict[int, str]:
    """Token -> its key in the table, for the tokens that say something; words that are denied are keys of their own."""
    found: dict[int, str] = {}
    denied = facts.denied
    for i, token in enumerate(facts.sentence.tokens):
        if token.kind == "ext":
            found[i] = "." + token.value.lower()
        elif token.kind not in ("word", "ident") or (token.norm in STOP and token.norm not in _TELLING):
            continue
        else:
            found[i] = ("not " if i in denied and token.norm not in STOP else "") + token.norm
    return found


@dataclass(frozen=True, slots=True)
class Association:
    """`rows`: word -> "token\\tweight ..." as text (a row is read when it is wanted); `share`: word -> how common.
    `tokens`: command token -> how common; `change`: word -> log odds that its command changes something.
    `programs`: word -> "program\tlog lift ..." as text; `usual`: program -> log of how common, less what a word that it
    never stands with costs."""

    rows: Mapping[str, str]
    share: Mapping[str, float]
    tokens: Mapping[str, float]
    change: Mapping[str, float]
    programs: Mapping[str, str]
    usual: Mapping[str, float]

    @classmethod
    def of(cls, data: dict[str, Any]) -> Association:
        return cls(
            data["rows"], data["share"], data["tokens"], data["change"], data["programs"], data["usual"]
        )

    @classmethod
    def load(cls) -> Association:
        """From the package; an empty table (nothing is known of any word) where the file is missing."""
        try:
            return cls.of(json.loads(BESIDE.read_bytes()))
        except (OSError, ValueError, KeyError):
            return cls({}, {}, {}, {}, {}, {})

    def fit(self, word: str, tokens: Iterable[str]) -> float | None:
        """Log odds that the word belongs with the command that says `tokens`; None for a word never seen."""
        row = self._row(word)
        if row is None:
            return None
        best = max((row.get(token, 0.0) for token in tokens), default=0.0)
        return math.log((best + _SMALL) / (self.share.get(word, 0.0) + _SMALL))

    def asked(self, token: str, words: Iterable[str]) -> float | None:
        """Log odds that the sentence with `words` asks for the command token; None for a token never seen."""
        share = self.tokens.get(token)
        if share is None:
            return None
        best = 0.0
        for word in words:
            row = self._row(word)
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

    def knows(self, word: str) -> bool:
        return word in self.rows

    def _row(self, word: str) -> dict[str, float] | None:
        text = self.rows.get(word)
        return None if text is None else _parsed(text)


@lru_cache(maxsize=1024)
def _parsed(text: str) -> dict[str, float]:
    parts = text.split("\t")
    return {parts[i]: int(parts[i + 1]) / 1000 for i in range(0, len(parts) - 1, 2)}


@lru_cache(maxsize=1024)
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
