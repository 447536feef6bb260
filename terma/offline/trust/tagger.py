"""Which tokens of a sentence are values that its command repeats (`web` in "logs of the container web"), told from the
token and the words around it. The weights are those of a logistic regression that training/tagger learns."""

from __future__ import annotations

import base64
import json
import re
import sys
from array import array
from bisect import bisect_left
from collections.abc import Mapping, Sequence
from dataclasses import field
from pathlib import Path
from typing import Any
from zlib import crc32

from terma.offline.tokens import Token
from terma.offline.trust.command import Simple
from terma.offline.trust.ordinary import value_parts
from terma.records import dataclass

BESIDE = Path(__file__).with_name("tagger.json")
SCALE = 100  # units of a weight that make 1
_AROUND = 2  # tokens on each side that are looked at
_SHORT = 3  # letters up to which a value has to stand alone
_WORDS = ("word", "ident")  # the verifier holds all other kinds to the sentence, in every unit
_SURE = 6.0  # log odds beyond which nothing is told


@dataclass(frozen=True, slots=True)
class Weights:
    """Units of log odds by sign. Of a sign its checksum alone is kept, in order: a tenth of the memory of a dict."""

    sums: array[int] = field(default_factory=lambda: array("I"))
    units: array[int] = field(default_factory=lambda: array("h"))

    @classmethod
    def of(cls, data: Mapping[str, str]) -> Weights:
        sums, units = array("I", base64.b64decode(data["sums"])), array("h", base64.b64decode(data["units"]))
        if sys.byteorder == "big":
            sums.byteswap()
            units.byteswap()
        return cls(sums, units)

    def get(self, sign: str) -> int | None:
        key = crc32(sign.encode("utf-8", "replace"))
        at = bisect_left(self.sums, key)
        return self.units[at] if at < len(self.sums) and self.sums[at] == key else None


def packed(weights: Mapping[str, int]) -> dict[str, str]:
    """Weights as they are written: for training/tagger."""
    rows = sorted((crc32(sign.encode("utf-8", "replace")), unit) for sign, unit in weights.items())
    sums, units = array("I", [key for key, _ in rows]), array("h", [unit for _, unit in rows])
    if sys.byteorder == "big":
        sums.byteswap()
        units.byteswap()
    return {
        "sums": base64.b64encode(sums.tobytes()).decode(),
        "units": base64.b64encode(units.tobytes()).decode(),
    }


@dataclass(frozen=True, slots=True)
class Tagger:
    """`own`: "program TAB word" for words that the program has by itself, though people say them too (`kubectl` and
    `pods`)."""

    weights: Weights = field(default_factory=Weights)
    own: frozenset[str] = frozenset()

    @classmethod
    def of(cls, data: dict[str, Any]) -> Tagger:
        return cls(Weights.of(data["weights"]), frozenset(data["own"].split("\n")))

    @classmethod
    def load(cls) -> Tagger:
        """From the package; one that knows nothing where the file is missing or of another version."""
        try:
            return cls.of(json.loads(BESIDE.read_bytes()))
        except (OSError, ValueError, KeyError):
            return cls()

    def tags(self, tokens: Sequence[Token]) -> tuple[float, ...]:
        """Of each token the log odds that it is a value."""
        weights = self.weights
        said = [_name(token, weights) for token in tokens]
        return tuple(
            max(-_SURE, min(_SURE, sum(weights.get(sign) or 0 for sign in signs(tokens, said, i)) / SCALE))
            for i in range(len(tokens))
        )


@dataclass(frozen=True, slots=True)
class Repeats:
    """What a command repeats of its sentence: short values stand alone in it, longer ones anywhere."""

    text: str
    parts: frozenset[str]

    @classmethod
    def of(cls, command: str) -> Repeats:
        low = command.lower()
        return cls(low, frozenset(re.split(r"[^\w.+-]+", low)) | frozenset(re.split(r"\W+", low)))

    def has(self, token: Token) -> bool:
        return any(
            form in self.text if len(form) > _SHORT else form in self.parts
            for form in (token.text.lower(), token.value.lower())
        )


def against(
    tags: Sequence[float],
    tokens: Sequence[Token],
    parsed: Sequence[Simple],
    own: frozenset[str],
    names: Mapping[str, Any],
) -> tuple[float, float, float, float]:
    """What a command's values have against the tags: how surely values were lost, and how surely words stand in it that
    are no values; in all, and the worst of each. `names`: of things that are here."""
    there = Repeats.of(" ".join(word for simple in parsed for word in (*simple.words, *simple.writes)))
    whole = {token.value for token in tokens if token.kind not in ("word", "ident")}
    named = {part for simple in parsed for part in value_parts(simple, whole)}
    lost, odd = [], []
    quoted = {token.text.lower() for token in tokens if token.kind == "quoted"}
    for odds, token in zip(tags, tokens, strict=True):
        low = token.text.lower()
        if odds > 0:
            if token.kind in _WORDS and not there.has(token):
                lost.append(odds)
        elif (
            token.kind in _WORDS
            and token.text in named
            and token.text not in names
            and low not in quoted
            and not any(f"{simple.program}\t{low}" in own for simple in parsed)
        ):
            odd.append(-odds)
    return sum(lost), max(lost, default=0.0), sum(odd), max(odd, default=0.0)


def _name(token: Token, weights: Weights) -> str:
    """What a token is called in signs: its norm, or for what was seldom seen and for values the kind alone."""
    if token.kind == "word":
        return token.norm if token.stop or weights.get(f"is {token.norm}") is not None else "?"
    return "<" + token.kind + ">"


def signs(tokens: Sequence[Token], said: Sequence[str], i: int) -> list[str]:
    """What speaks for or against the token being a value. `said`: the tokens by name ("?": seldom seen)."""
    token = tokens[i]

    def at(n: int) -> str:
        return said[n] if 0 <= n < len(said) else "^" if n < 0 else "$"

    kind = token.kind
    shape = _shape(token.text)
    name = said[i]
    left, right = at(i - 1), at(i + 1)
    found = ["", f"kind {kind}", f"shape {kind} {shape}", f"is {name}"]
    for step in range(1, _AROUND + 1):
        found += (f"{-step} {at(i - step)}", f"+{step} {at(i + step)}")
    found += (
        f"-1 {left} {kind} {shape}", f"+1 {right} {kind} {shape}", f"-2 {at(i - 2)} {left}", f"+2 {right} {at(i + 2)}",
        f"around {left} {right}", f"-1 {left} is {name}", f"+1 {right} is {name}",
    )  # fmt: skip
    if kind == "word":
        found += (f"ends {token.text[-3:].lower()}", f"left {min(i, 3)}", f"of {min(len(tokens), 6)}")
    return found


def _shape(text: str) -> str:
    return "".join((
        "A" if text[:1].isupper() else "a" if text[:1].islower() else "0",
        "A" if any(map(str.isupper, text[1:])) else "",
        "0" if any(map(str.isdigit, text)) else "",
        "-" if not text.isalnum() else "",
    ))  # fmt: skip
