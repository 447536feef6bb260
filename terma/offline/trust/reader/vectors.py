"""Vectors, tables of whole numbers, and matrices that plain Python multiplies fast: a sum of its rows, each times a
number, is one sum of long integers of 32 bits a number. That is some ten times faster than number by number."""

from __future__ import annotations

import math
import sys
from array import array
from bisect import bisect_left
from collections.abc import Sequence
from operator import add, mul
from zlib import crc32

from terma.records import dataclass

Vector = list[float]
_FINE = 8191  # units of the largest number of a vector
_HALF = 1 << 31


@dataclass(frozen=True, slots=True)
class Names:
    """Numbers by name; of each name its checksum alone is kept, in order."""

    sums: Sequence[int]
    numbers: Sequence[int]

    def get(self, name: str, otherwise: int) -> int:
        key = crc32(name.encode("utf-8", "replace"))
        at = bisect_left(self.sums, key)
        return self.numbers[at] if at < len(self.sums) and self.sums[at] == key else otherwise


@dataclass(frozen=True, slots=True)
class Table:
    """Vectors by number, one byte a number of which one unit is worth `step`."""

    rows: memoryview
    size: int
    step: float

    def row(self, number: int) -> memoryview:
        return self.rows[number * self.size : (number + 1) * self.size]


class Matrix:
    """From a vector to another: `rows` holds, of each number of the first, what it adds to all of the second."""

    __slots__ = ("bias", "half", "rows", "step", "wide")

    def __init__(self, table: Table, bias: Sequence[float]) -> None:
        self.wide, self.step, self.bias = table.size, table.step, tuple(bias)
        self.half = int.from_bytes(array("I", [_HALF] * self.wide).tobytes(), sys.byteorder)
        ones = int.from_bytes(array("I", [128] * self.wide).tobytes(), sys.byteorder)
        self.rows = [_spread(table.row(i)) - ones for i in range(len(table.rows) // self.wide)]

    def __call__(self, vector: Sequence[float]) -> Vector:
        highest = max(vector)
        most = max(1e-9, highest, -min(vector))
        fine = _FINE / most
        total = self.half + sum(map(mul, [int(value * fine) for value in vector], self.rows))
        step = self.step / fine
        signed = (
            total ^ self.half
        )  # with the half of each number's span on it none borrowed from its neighbour
        sums = memoryview(signed.to_bytes(4 * self.wide, sys.byteorder)).cast("i")
        return [value * step + more for value, more in zip(sums, self.bias, strict=True)]


def _spread(row: memoryview) -> int:
    """The numbers of a row, each with 128 more, as one integer of 32 bits a number."""
    wide = bytearray(4 * len(row))
    wide[0 if sys.byteorder == "little" else 3 :: 4] = row.tobytes().translate(_MORE)
    return int.from_bytes(wide, sys.byteorder)


_MORE = bytes((byte + 128) & 0xFF for byte in range(256))  # of a signed byte


def names_of(whole: memoryview, start: int, count: int) -> Names:
    """Names as they lie there: `count` checksums in order, then their numbers."""
    end = start + 4 * count
    return Names(_numbers(whole[start:end]), _numbers(whole[end : end + 4 * count]))


def _numbers(run: memoryview) -> Sequence[int]:
    if sys.byteorder == "little":
        return run.cast("I")
    turned = array("I", bytes(run))
    turned.byteswap()
    return turned


def summed(rows: Sequence[Sequence[float]]) -> Vector:
    return list(map(sum, zip(*rows, strict=True)))


def added(one: Sequence[float], other: Sequence[float]) -> Vector:
    """Of two rows alone: the same sum in half of the time."""
    return list(map(add, one, other))


def dot(one: Sequence[float], other: Sequence[float]) -> float:
    return float(sum(map(mul, one, other)))


def normed(row: Sequence[float], gain: Sequence[float], bias: Sequence[float]) -> Vector:
    """The row with mean 0 and variance 1, then by gain and bias."""
    mean = sum(row) / len(row)
    rest = [value - mean for value in row]
    scale = 1.0 / math.sqrt(sum(map(mul, rest, rest)) / len(row) + 1e-5)
    return [value * scale * more + less for value, more, less in zip(rest, gain, bias, strict=True)]
