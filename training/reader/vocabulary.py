"""What the reader knows by name, and sentences and commands as its numbers."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from terma.offline.trust.reader.model import BEGIN, OTHER, REPEATED, UNKNOWN, written_as
from terma.offline.trust.reader.units import MOST_RUNS, MOST_UNITS, Said, Unit, runs

SEEN_WORD, SEEN_TEXT, SEEN_PAIR, SEEN_PROGRAM, SEEN_OUT = 2, 3, 3, 2, 3
FIRST = 3  # rows before it are kept for what has no name
BEGINS, ENDS = 1, 2  # items


class Pair(NamedTuple):
    """A sentence with the log odds of each token that it is a value, and a command."""

    said: list[Said]
    tags: tuple[float, ...]
    units: list[Unit]


class Row(NamedTuple):
    """A pair in numbers; of each unit, the beginning and the end among them: its item, the token that it repeats (from
    1 on), whether it is joined to the one before, and what it is written as (-1: cannot be)."""

    said: list[int]
    units: list[int]
    links: list[int]
    joined: list[int]
    wanted: list[int]


class Items(NamedTuple):
    """Of each item the row of its name, of its text beside its program, of its program; and its runs of letters."""

    rows: Any
    pairs: Any
    progs: Any
    runs: Any


@dataclass
class Vocabulary:
    """Rows by name."""

    words: dict[str, int]
    texts: dict[str, int]
    pairs: dict[str, int]
    progs: dict[str, int]
    outs: dict[str, int]
    _said: dict[Said, int] = field(default_factory=dict)
    _units: dict[tuple[str, str], int] = field(default_factory=dict)

    @classmethod
    def of(cls, pairs: Iterable[Pair], drafted: Iterable[Pair] = ()) -> Vocabulary:
        words: Counter[str] = Counter()
        texts: Counter[str] = Counter()
        beside: Counter[str] = Counter()
        progs: Counter[str] = Counter()
        outs: Counter[str] = Counter()
        for one in pairs:
            words.update(said.name for said in one.said)
            texts.update(unit.text for unit in one.units)
            beside.update(_pair(unit) for unit in one.units)
            progs.update(unit.program for unit in one.units)
            outs.update(map(written_as, one.units))
        for unit in (unit for one in drafted for unit in one.units if unit.token < 0):
            texts[unit.text] += 0.1  # type: ignore[assignment]
            beside[_pair(unit)] += 0.1  # type: ignore[assignment]
        found = _numbered(texts, SEEN_TEXT)
        found[BEGIN] = len(found) + FIRST
        return cls(
            _numbered(words, SEEN_WORD), found, _numbered(beside, SEEN_PAIR), _numbered(progs, SEEN_PROGRAM),
            _numbered(outs, SEEN_OUT, 1),
        )  # fmt: skip

    def sizes(self) -> dict[str, int]:
        """Rows of each table."""
        return {
            "word": len(self.words) + FIRST, "text": len(self.texts) + FIRST + 1, "pair": len(self.pairs) + FIRST,
            "prog": len(self.progs) + FIRST, "out": len(self.outs) + 1,
        }  # fmt: skip

    def numbered(self, one: Pair) -> Row:
        units = [self._unit(unit) for unit in one.units]
        whole = len(one.units) < MOST_UNITS
        return Row(
            [self._said.setdefault(said, len(self._said) + 1) for said in one.said],
            [BEGINS, *units, ENDS],
            [0, *(unit.token + 1 for unit in one.units), 0],
            [0, *(int(unit.joined) for unit in one.units), 0],
            [-1, *(self.outs.get(written_as(unit), -1) for unit in one.units), 0 if whole else -1],
        )

    def _unit(self, unit: Unit) -> int:
        text = "" if unit.token >= 0 and unit.text not in self.texts else unit.text
        return self._units.setdefault((text, unit.program), len(self._units) + ENDS + 1)

    def items(self, device: str) -> tuple[Items, Items]:
        """Of the words and of the units that were numbered so far, as tensors."""
        said, units = list(self._said), list(self._units)
        end = self.texts[BEGIN] + 1
        of_words = Items(
            [0, *(self.words.get(one.name, UNKNOWN) for one in said)], [], [],
            [[], *(runs(one.letters) for one in said)],
        )  # fmt: skip
        of_units = Items(
            [0, self.texts[BEGIN], end, *(self.texts.get(t, OTHER) if t else REPEATED for t, _ in units)],
            [0, 0, 0, *(self.pairs.get(f"{p} {t}", 0) if t else 0 for t, p in units)],
            [0, 0, 0, *(self.progs.get(p, UNKNOWN) for _, p in units)],
            [[], [], [], *(runs(t.lstrip("-=")) for t, _ in units)],
        )
        return _tensors(of_words, device), _tensors(of_units, device)


def _pair(unit: Unit) -> str:
    return f"{unit.program} {unit.text}"


def _numbered(counts: Counter[str], least: float, first: int = FIRST) -> dict[str, int]:
    return {
        name: number
        for number, name in enumerate(sorted(name for name, n in counts.items() if n >= least), first)
    }


def _tensors(items: Items, device: str) -> Items:
    import torch

    make: Callable[[Sequence[Any]], Any] = lambda rows: torch.tensor(rows, dtype=torch.long, device=device)  # noqa: E731
    near = [[*row, *[0] * (MOST_RUNS - len(row))] for row in items.runs]
    return Items(make(items.rows), make(items.pairs), make(items.progs), make(near))
