"""Tables as one run of bytes. A file of them is mapped: a process holds the pages that its questions touch, and nothing
is parsed before the first. They are read by name; what was looked up lately is kept as Python's own objects.

A packed run is `terma-tables`, a line that says what it was made from, a line of JSON (part -> kind, place, length),
and the parts, each at a multiple of eight. Numbers are little-endian."""

from __future__ import annotations

import json
import mmap
import sys
from array import array
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import accumulate
from typing import Any, TypeVar, cast, overload
from zlib import crc32

_T = TypeVar("_T")
_V = TypeVar("_V")

_MAGIC = b"terma-tables 1\n"
_KEPT = 512  # values of a table that were looked up, until it forgets all of them


class Writer:
    """Collects parts under names; `bytes` of it is the packed run."""

    def __init__(self) -> None:
        self._parts: dict[str, tuple[str, bytes]] = {}

    def numbers(self, name: str, values: array[Any]) -> None:
        """An array of any type of `array`."""
        if sys.byteorder == "big":
            values = values[:]
            values.byteswap()
        self._parts[name] = (values.typecode, values.tobytes())

    def texts(self, name: str, values: Iterable[str]) -> None:
        """Texts, found by their number."""
        rows = [value.encode("utf-8", "replace") for value in values]
        self._parts[name] = ("B", b"".join(rows))
        self.numbers(f"{name}.ends", array("I", accumulate(map(len, rows))))

    def names(self, name: str, values: Iterable[str]) -> None:
        """Texts, each found by itself: its number is its place."""
        kept = list(values)
        self.texts(name, kept)
        size = 1 << (2 * len(kept) + 1).bit_length()
        slots = array("I", bytes(4 * size))
        for number, value in enumerate(kept, 1):
            slot = crc32(value.encode("utf-8", "replace")) & (size - 1)
            while slots[slot]:
                slot = (slot + 1) & (size - 1)
            slots[slot] = number
        self.numbers(f"{name}.slots", slots)

    def texts_by(self, name: str, values: Mapping[str, str]) -> None:
        self.names(name, values)
        self.texts(f"{name}.values", values.values())

    def numbers_by(self, name: str, values: Mapping[str, float]) -> None:
        self.names(name, values)
        self.numbers(f"{name}.values", array("d", values.values()))

    def lists_by(self, name: str, values: Mapping[str, Sequence[int]]) -> None:
        """Lists of numbers below 65536."""
        self.names(name, values)
        self.numbers(f"{name}.values", array("H", (number for row in values.values() for number in row)))
        self.numbers(f"{name}.counts", array("I", accumulate(map(len, values.values()))))

    def packed(self, stamp: str) -> bytes:
        """All of it. `stamp`: one line that says what it was made from."""
        places: dict[str, tuple[str, int, int]] = {}
        body = bytearray()
        for name, (code, part) in self._parts.items():
            body += bytes(-len(body) % 8)
            places[name] = (code, len(body), len(part))
            body += part
        head = _MAGIC + stamp.encode() + b"\n" + json.dumps(places, separators=(",", ":")).encode()
        return head + b" " * (-(len(head) + 1) % 8) + b"\n" + bytes(body)


class Packed:
    """The parts of a packed run, by name. Raises ValueError for what is none, KeyError for a part that it lacks."""

    def __init__(self, run: Any, stamp: str = "") -> None:
        """`run`: bytes or a mapped file. `stamp`: what it has to be made from; "" for anything."""
        if run[: len(_MAGIC)] != _MAGIC:
            raise ValueError("these are no tables")
        told = run.find(b"\n", len(_MAGIC))
        ends = run.find(b"\n", told + 1)
        if ends < 0 or (stamp and bytes(run[len(_MAGIC) : told]) != stamp.encode()):
            raise ValueError("these tables were made from something else")
        self._places: dict[str, tuple[str, int, int]] = json.loads(bytes(run[told + 1 : ends]))
        self._body = memoryview(run)[ends + 1 :]
        if any(place + size > len(self._body) for _, place, size in self._places.values()):
            raise ValueError("these tables are cut off")

    def let_go(self) -> None:
        """As the function of this name."""
        let_go(self._body)

    def numbers(self, name: str) -> memoryview[Any]:
        code, place, size = self._places[name]
        part: memoryview[Any] = self._body[place : place + size].cast(cast("Any", code))
        if sys.byteorder == "big" and part.itemsize > 1:
            turned = array(code, part.tobytes())
            turned.byteswap()
            part = memoryview(turned)
        return part

    def texts(self, name: str) -> Texts:
        return Texts(self.numbers(name), self.numbers(f"{name}.ends"))

    def names(self, name: str) -> Names:
        return Names(self.texts(name), self.numbers(f"{name}.slots"))

    def texts_by(self, name: str) -> ByName[str]:
        return ByName(self.names(name), self.texts(f"{name}.values"))

    def numbers_by(self, name: str) -> ByName[float]:
        return ByName(self.names(name), self.numbers(f"{name}.values"))

    def lists_by(self, name: str) -> ByName[Sequence[int]]:
        return ByName(self.names(name), Lists(self.numbers(f"{name}.values"), self.numbers(f"{name}.counts")))


def let_go(part: memoryview[Any]) -> None:
    """Hold no page of the mapped file that `part` is of until it is touched again: the disk cache has it. What is not
    mapped stays, and so does all where a system has no such call."""
    mapped = part.obj
    if isinstance(mapped, mmap.mmap) and hasattr(mmap, "MADV_DONTNEED"):
        mapped.madvise(mmap.MADV_DONTNEED)


class Texts(Sequence[str]):
    """Texts by their number; none is kept."""

    def __init__(self, run: memoryview, ends: memoryview) -> None:
        self._run, self._ends = run, ends

    def __len__(self) -> int:
        return len(self._ends)

    @overload
    def __getitem__(self, number: int) -> str: ...
    @overload
    def __getitem__(self, number: slice) -> list[str]: ...
    def __getitem__(self, number: int | slice) -> str | list[str]:
        if isinstance(number, slice):
            return [self[each] for each in range(*number.indices(len(self)))]
        return str(self.raw(number if number >= 0 else number + len(self)), "utf-8")

    def raw(self, number: int) -> memoryview:
        """A text in UTF-8. IndexError behind the last."""
        return self._run[self._ends[number - 1] if number else 0 : self._ends[number]]


class Lists(Sequence[Sequence[int]]):
    """Lists of numbers by their number."""

    def __init__(self, run: memoryview, ends: memoryview) -> None:
        self._run, self._ends = run, ends

    def __len__(self) -> int:
        return len(self._ends)

    def __getitem__(self, number: Any) -> Any:
        return self._run[self._ends[number - 1] if number else 0 : self._ends[number]]


class Names(Mapping[str, int]):
    """Each name with its number. As a set of names it is one that is asked with `in`."""

    def __init__(self, texts: Texts, slots: memoryview) -> None:
        self._texts, self._slots = texts, slots
        self._seen: dict[str, int] = {}  # -1: no such name

    def find(self, name: str) -> int:
        """Its number, -1 for a name that is not there."""
        found = self._seen.get(name)
        if found is None:
            if len(self._seen) >= _KEPT:
                self._seen.clear()
            found = self._seen[name] = self._look(name)
        return found

    def _look(self, name: str) -> int:
        wanted, slots, last = name.encode("utf-8", "replace"), self._slots, len(self._slots) - 1
        slot = crc32(wanted) & last
        while number := slots[slot]:
            if self._texts.raw(number - 1) == wanted:
                return int(number) - 1
            slot = (slot + 1) & last
        return -1

    def __getitem__(self, name: str) -> int:
        found = self.find(name)
        if found < 0:
            raise KeyError(name)
        return found

    @overload
    def get(self, name: str, /) -> int | None: ...
    @overload
    def get(self, name: str, default: int | _T, /) -> int | _T: ...
    def get(self, name: str, default: Any = None, /) -> Any:
        found = self.find(name)
        return default if found < 0 else found

    def __contains__(self, name: object) -> bool:
        return isinstance(name, str) and self.find(name) >= 0

    def __iter__(self) -> Iterator[str]:
        return iter(self._texts)

    def __len__(self) -> int:
        return len(self._texts)


class ByName(Mapping[str, _V]):
    """Each name with its value."""

    def __init__(self, names: Names, values: Sequence[_V] | memoryview) -> None:
        self._names, self._values = names, values
        self._seen: dict[str, _V | None] = {}  # None: no such name

    def _find(self, name: str) -> _V | None:
        try:
            return self._seen[name]
        except KeyError:
            number = self._names.find(name)
            if len(self._seen) >= _KEPT:
                self._seen.clear()
            found = self._seen[name] = cast("_V", self._values[number]) if number >= 0 else None
            return found

    def __getitem__(self, name: str) -> _V:
        found = self._find(name)
        if found is None:
            raise KeyError(name)
        return found

    @overload
    def get(self, name: str, /) -> _V | None: ...
    @overload
    def get(self, name: str, default: _V | _T, /) -> _V | _T: ...
    def get(self, name: str, default: Any = None, /) -> Any:
        try:
            found = self._seen[name]  # nine of ten, and a question asks two thousand times
        except KeyError:
            found = self._find(name)
        return default if found is None else found

    def __contains__(self, name: object) -> bool:
        return name in self._names

    def __iter__(self) -> Iterator[str]:
        return iter(self._names)

    def __len__(self) -> int:
        return len(self._names)
