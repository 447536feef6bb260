"""A second look at a sentence whose best draft is neither sure nor hopeless: the reader reads the likeliest drafts, and
trees that know what it said of them decide. What is clear without it costs nothing more."""

from __future__ import annotations

import json
from collections.abc import Container, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from terma.offline.tokens import Token
from terma.offline.trust import accept
from terma.offline.trust.accept import Scale, Trees, Untrained
from terma.offline.trust.features import NAMES
from terma.offline.trust.reader.model import SURE, Reader
from terma.records import dataclass

try:  # hashlib brings OpenSSL: 3 MB that the agent need not hold
    from _blake2 import blake2b
except ImportError:
    from hashlib import blake2b

BESIDE = Path(__file__).with_name("second_look.json")
READ = ("whole", "mean", "worst")
MORE = (*NAMES, "total", *READ, *(f"ahead_{name}" for name in READ))
Read = tuple[float, float, float]


@dataclass(frozen=True, slots=True)
class Judged:
    """A draft as the acceptance left it: its log odds, what it is worth, and what it was measured by."""

    command: str
    features: tuple[float, ...]
    total: float
    confidence: float


@dataclass(frozen=True, slots=True)
class SecondLook:
    """`low`, `high`: between which confidences of the best draft it is taken; `most`: how many drafts are read;
    `longest`: of so many tokens at most were nearly all sentences that it was learned from."""

    reader: Reader
    trees: Trees
    scale: Scale
    low: float
    high: float
    most: int
    longest: int

    @classmethod
    def of(cls, data: dict[str, Any], reader: Reader) -> SecondLook:
        if tuple(data["features"]) != MORE:
            raise Untrained("the second look is of another version: run `python -m training.reader`")
        scale = Scale(tuple(data["cuts"]), tuple(data["meant"]))
        return cls(
            reader, Trees.of(data["trees"]), scale, data["low"], data["high"], data["most"], data["longest"]
        )

    @classmethod
    def load(cls) -> SecondLook | None:
        """From the package; None where the acceptance was trained anew and this was not, or never. Raises OSError,
        ValueError, KeyError when the installation is damaged."""
        try:
            data = json.loads(BESIDE.read_bytes())
        except FileNotFoundError:
            return None
        return cls.of(data, Reader.load()) if data["beside"] == stamp() else None

    def taken(self, drafts: Sequence[Judged]) -> list[int]:
        """Which drafts are to be read, the likeliest first; none where the first look was clear."""
        return likeliest([(one.total, one.confidence) for one in drafts], self.low, self.high, self.most)

    def look(self, tokens: Sequence[Token], tags: Sequence[float], drafts: Sequence[Judged]) -> list[Judged]:
        """The drafts that can be inserted, judged anew; none that was not read stands before one that was."""
        at = self.taken(drafts)
        if not at or len(tokens) > self.longest:
            return list(drafts)
        read = self.reader.measure(tokens, tags, [drafts[n].command for n in at])
        rows = widened([(drafts[n].features, drafts[n].total) for n in at], read)
        totals = dict(zip(at, map(self.trees.total, rows), strict=True))
        least = min(totals.values())
        found = []
        for n, one in enumerate(drafts):
            total = totals.get(n, min(one.total, least))
            confidence = (
                min(one.confidence, self.scale.of(total)) if n not in totals else self.scale.of(total)
            )
            found.append(Judged(one.command, one.features, total, confidence))
        return found


def as_read(
    tokens: Sequence[Token], tags: Sequence[float], here: Container[str]
) -> tuple[list[Token], list[float]]:
    """The tokens and their tags as they are read where things of the names `here` are there: such a word is a file's
    name, and surely a value."""
    things = [token.kind == "word" and token.text in here for token in tokens]
    return (
        [
            replace(token, kind="file") if thing else token
            for token, thing in zip(tokens, things, strict=True)
        ],
        [SURE if thing else tag for tag, thing in zip(tags, things, strict=True)],
    )


def likeliest(drafts: Sequence[tuple[float, float]], low: float, high: float, most: int) -> list[int]:
    """Of drafts as (log odds, confidence): the numbers of the likeliest, where the best is between the bounds."""
    at = sorted(range(len(drafts)), key=lambda n: -drafts[n][0])[:most]
    return at if at and low <= drafts[at[0]][1] < high else []


def widened(
    drafts: Sequence[tuple[tuple[float, ...], float]], read: Sequence[Read]
) -> list[tuple[float, ...]]:
    """The features of drafts, their totals and what was read of them, and how far each is ahead of the others."""
    rows = []
    for n, ((features, total), mine) in enumerate(zip(drafts, read, strict=True)):
        others = [one for k, one in enumerate(read) if k != n]
        ahead = (mine[i] - max((one[i] for one in others), default=mine[i]) for i in range(len(READ)))
        rows.append((*features, total, *mine, *ahead))
    return rows


def stamp() -> str:
    """What tells the acceptance that this was trained beside."""
    return blake2b(accept.BESIDE.read_bytes(), digest_size=12).hexdigest()
