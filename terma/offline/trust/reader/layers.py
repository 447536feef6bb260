"""The layers of a reader: how a unit takes of others, and how it is worked on by itself."""

from __future__ import annotations

import math
from collections.abc import Sequence
from operator import mul
from typing import NamedTuple

from terma.offline.trust.reader.vectors import Matrix, Vector, dot, normed


class Block(NamedTuple):
    """What one layer is made of; the last three are of layers that look at the sentence as well."""

    around: Matrix  # queries, keys and values in one
    out: Matrix
    wide: Matrix
    narrow: Matrix
    norms: tuple[tuple[Sequence[float], Sequence[float]], ...]
    asks: Matrix | None = None
    known: Matrix | None = None
    told: Matrix | None = None

    @classmethod
    def of(cls, name: str, matrices: dict[str, Matrix], plain: dict[str, list[float]]) -> Block:
        around, out, wide, narrow = (
            matrices[f"{name}.{part}"] for part in ("around", "out", "wide", "narrow")
        )
        norms = [
            (plain[f"{name}.{n}.g"], plain[f"{name}.{n}.b"])
            for n in ("n1", "n2", "n3")
            if f"{name}.{n}.g" in plain
        ]
        asks, known, told = (matrices.get(f"{name}.{part}") for part in ("asks", "known", "told"))
        return cls(around, out, wide, narrow, tuple(norms), asks, known, told)

    def fed(self, row: Vector) -> Vector:
        """What a unit gains by itself."""
        return self.narrow([value if value > 0 else 0.0 for value in self.wide(normed(row, *self.norms[1]))])


class Head(NamedTuple):
    """What one head sees of some units: the part of each key that is its own, and each number of all values."""

    keys: list[Vector]
    columns: list[tuple[float, ...]]


def headed(keys: Sequence[Vector], values: Sequence[Vector], heads: int) -> list[Head]:
    """Units as each head sees them, made once for all that look at them."""
    wide = len(keys[0]) // heads
    columns = list(zip(*values, strict=True))
    starts = range(0, len(columns), wide)
    return [Head([key[at : at + wide] for key in keys], columns[at : at + wide]) for at in starts]


def attended(asks: Vector, known: Sequence[Head]) -> Vector:
    """What a unit takes of others, each head by its part of the numbers."""
    found: Vector = []
    wide = len(asks) // len(known)
    less = 1.0 / math.sqrt(wide)
    for number, head in enumerate(known):
        mine = asks[number * wide : (number + 1) * wide]
        near = [dot(mine, key) * less for key in head.keys]
        top = max(near)
        shares = [math.exp(value - top) for value in near]
        whole = sum(shares)
        found += [sum(map(mul, shares, column)) / whole for column in head.columns]
    return found
