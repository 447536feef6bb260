"""How well a command says what a sentence asks for, by a small learned model of commands: it reads the sentence in
context, then the command unit by unit, and says of each how much it was to be expected there. What it says is close
to a log probability: `learn` takes care that it need not be divided by all that could be said."""

from __future__ import annotations

import json
import math
import mmap
from array import array
from collections.abc import Sequence
from dataclasses import field
from operator import mul
from pathlib import Path
from typing import Any, NamedTuple

from terma.offline.packed import let_go
from terma.offline.tokens import Token
from terma.offline.trust.reader.layers import Block, Head, attended, headed
from terma.offline.trust.reader.units import MOST_TOKENS, MOST_UNITS, Said, Unit, runs, said, units
from terma.offline.trust.reader.vectors import (
    Matrix,
    Names,
    Table,
    Vector,
    added,
    dot,
    names_of,
    normed,
    summed,
)
from terma.records import dataclass

BESIDE = Path(__file__).with_name("weights.bin")
NOTHING = (0.0, 0.0, 0.0)  # of a command that was not read
LEAST = -14.0  # log odds of what was not to be expected at all
SURE = 6.0  # what the tags of a sentence are divided by
UNKNOWN = REPEATED = 1  # the row of a word that was never seen, of a value of the sentence
OTHER = 2  # the row of another text that was never seen
BEGIN = "\n"  # the name of what stands before the first unit


class _Heard(NamedTuple):
    """A sentence as it was read: of each layer of commands what its heads see of the tokens, and of each token what
    points to it and what a unit gains that repeats it."""

    known: list[list[Head]]
    pointers: list[Vector]
    links: list[Vector]


class _Read(NamedTuple):
    """A command up to a unit: of each layer its keys and values so far, and what is known behind the unit."""

    layers: tuple[tuple[tuple[Vector, ...], tuple[Vector, ...]], ...]
    last: Vector


@dataclass(slots=True)
class Reader:
    """The weights. `tables`: vectors of words, texts, places and the like; `names`: their numbers."""

    size: int
    heads: int
    tables: dict[str, Table]
    names: dict[str, Names]
    matrices: dict[str, Matrix]
    listens: list[Block]
    reads: list[Block]
    plain: dict[str, list[float]]
    _seen: dict[tuple[str, str], Sequence[float]] = field(default_factory=dict)

    @classmethod
    def load(cls) -> Reader:
        """From the package; its tables are mapped. Raises OSError, ValueError, KeyError when the installation is
        damaged."""
        with BESIDE.open("rb") as file:
            return cls.of(mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ))

    @classmethod
    def of(cls, data: bytes | mmap.mmap) -> Reader:
        """A line of JSON that says what is where, and the bytes."""
        ends = data.find(b"\n")
        head: dict[str, Any] = json.loads(data[:ends])
        whole = memoryview(data)[ends + 1 :]
        tables = {
            name: Table(whole[start : start + count * size].cast("b"), size, step)
            for name, (start, count, size, step) in head["tables"].items()
        }
        plain = head["plain"]
        matrices = {name: Matrix(tables.pop(name), plain[name]) for name in head["matrices"]}
        names = {name: names_of(whole, *place) for name, place in head["names"].items()}
        listens = [Block.of(f"enc.{n}", matrices, plain) for n in range(head["listens"])]
        reads = [Block.of(f"dec.{n}", matrices, plain) for n in range(head["reads"])]
        return cls(head["size"], head["heads"], tables, names, matrices, listens, reads, plain)

    def let_go(self) -> None:
        """Hold no page of the tables until they are looked at again."""
        let_go(self.tables["out"].rows)  # one file holds them all

    def measure(
        self, tokens: Sequence[Token], tags: Sequence[float], commands: Sequence[str]
    ) -> list[tuple[float, float, float]]:
        """Of each command: all of it, its mean unit, its worst unit. `tags`: of each token the log odds that it is a
        value."""
        tokens = tokens[:MOST_TOKENS]
        if not tokens:
            return [NOTHING] * len(commands)
        heard = self._hear(said(tokens), tags)
        kept: dict[tuple[Unit, ...], _Read] = {}
        return [self._measured(units(command, tokens), heard, kept) for command in commands]

    def _measured(
        self, command: list[Unit], heard: _Heard, kept: dict[tuple[Unit, ...], _Read]
    ) -> tuple[float, float, float]:
        found = []
        for n in range(len(command) + 1):
            key = tuple(command[:n])
            read = kept.get(key)
            if read is None:
                before = kept[key[:-1]] if n else None
                read = kept[key] = self._step(command[n - 1] if n else None, n, before, heard)
            found.append(self._expected(command[n] if n < len(command) else None, n, read.last, heard))
        return sum(found), sum(found) / len(found), min(found)

    def _expected(self, unit: Unit | None, n: int, last: Vector, heard: _Heard) -> float:
        """Log odds that this unit (None: the end) comes behind what was read."""
        chances = []
        number = 0 if unit is None else self.names["outs"].get(written_as(unit), -1)
        if number >= 0 and (unit is not None or n < MOST_UNITS):
            row = self.tables["out"].row(number)
            chances.append(self.plain["out"][number] + self.tables["out"].step * sum(map(mul, last, row)))
        if unit is not None and unit.token >= 0:
            asks = self.matrices["pqj" if unit.joined else "pq"](last)
            chances.append(dot(asks, heard.pointers[unit.token]) / math.sqrt(self.size))
        if not chances:
            return LEAST
        top = max(chances)
        return float(max(LEAST, top + math.log(sum(math.exp(value - top) for value in chances))))

    def _hear(self, sentence: list[Said], tags: Sequence[float]) -> _Heard:
        rows = []
        for n, one in enumerate(sentence):
            parts = [self._row("word", self.names["words"].get(one.name, UNKNOWN)), self._row("spos", n)]
            tag = tags[n] / SURE if n < len(tags) else 0.0
            parts.append([tag * value for value in self.plain["tag"]])
            rows.append(summed([*parts, *self._spelled("srun", one.letters)]))
        for block in self.listens:
            parts = [block.around(normed(row, *block.norms[0])) for row in rows]
            size = self.size
            seen = headed([p[size : 2 * size] for p in parts], [p[2 * size :] for p in parts], self.heads)
            rows = [
                added(row, block.out(attended(part[:size], seen)))
                for row, part in zip(rows, parts, strict=True)
            ]
            rows = [added(row, block.fed(row)) for row in rows]
        rows = [normed(row, self.plain["sn.g"], self.plain["sn.b"]) for row in rows]
        known = []
        for block in self.reads:
            assert block.known is not None
            pairs = [block.known(row) for row in rows]
            keys, values = [p[: self.size] for p in pairs], [p[self.size :] for p in pairs]
            known.append(headed(keys, values, self.heads))
        link, point = self.matrices["link"], self.matrices["pk"]
        return _Heard(known, [point(row) for row in rows], [link(row) for row in rows])

    def _step(self, unit: Unit | None, n: int, before: _Read | None, heard: _Heard) -> _Read:
        """What is known behind one more unit (None: where the command begins)."""
        repeats = unit is not None and unit.token >= 0
        joined = unit is not None and unit.joined
        parts = [self._unit(unit), self._row("cpos", n), self._row("join", joined + 2 * repeats)]
        if unit is not None and repeats:
            parts.append(heard.links[unit.token])
        row = summed(parts)
        layers = []
        size = self.size
        for at, block in enumerate(self.reads):
            assert block.asks is not None and block.told is not None
            part = block.around(normed(row, *block.norms[0]))
            old = before.layers[at] if before else ((), ())
            keys, values = (*old[0], part[size : 2 * size]), (*old[1], part[2 * size :])
            row = added(row, block.out(attended(part[:size], headed(keys, values, self.heads))))
            asks = block.asks(normed(row, *block.norms[2]))
            row = added(row, block.told(attended(asks, heard.known[at])))
            row = added(row, block.fed(row))
            layers.append((keys, values))
        return _Read(tuple(layers), normed(row, self.plain["dn.g"], self.plain["dn.b"]))

    def _unit(self, unit: Unit | None) -> Sequence[float]:
        """The vector of a unit by itself (None: of the beginning)."""
        if unit is None:
            return summed([self._row("text", self.names["texts"].get(BEGIN, OTHER)), self._row("prog", 0)])
        text = unit.text
        number = self.names["texts"].get(text, 0)
        if not number and unit.token >= 0:
            text = ""
        key = (text, unit.program)
        found = self._seen.get(key)
        if found is None:
            if len(self._seen) > _MOST_SEEN:
                self._seen.clear()
            parts = [self._row("text", number or (OTHER if text else REPEATED))]
            parts.append(self._row("prog", self.names["progs"].get(unit.program, UNKNOWN)))
            pair = self.names["pairs"].get(f"{unit.program} {text}", 0) if text else 0
            parts += [self._row("pair", pair)] if pair else []
            whole = summed([*parts, *self._spelled("crun", text.lstrip("-="))])
            found = self._seen[key] = array("d", whole)  # a quarter of a list's memory
        return found

    def _row(self, table: str, number: int) -> Vector:
        step = self.tables[table].step
        return [value * step for value in self.tables[table].row(number)]

    def _spelled(self, table: str, letters: str) -> list[Vector]:
        near = runs(letters)
        if not near:
            return []
        share = self.tables[table].step / math.sqrt(len(near))
        rows = map(self.tables[table].row, near)
        return [[value * share for value in map(sum, zip(*rows, strict=True))]]


_MOST_SEEN = 1024  # units whose vectors are kept


def written_as(unit: Unit) -> str:
    """A unit as the model writes it: with the space before it, or without."""
    return ("" if unit.joined else " ") + unit.text
