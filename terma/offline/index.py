"""The compiled knowledge in memory: compact, read in one piece, made again when its sources changed."""

from __future__ import annotations

import contextlib
import json
import mmap
import os
from array import array
from collections.abc import Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from sys import intern
from typing import Any

from terma.offline.packed import Packed, Writer
from terma.records import dataclass

BESIDE = Path(__file__).with_name("index.bin")  # written into the wheel by hatch_build.py
CACHED = "offline-index.bin"


@dataclass(frozen=True, slots=True)
class Entry:
    """One intent as compiled: `phrases` of norms and `{name:type}`, `modifiers` name -> phrases of norms."""

    number: int
    source: str
    tool: str
    run: str
    macos: str
    linux: str
    phrases: tuple[tuple[str, ...], ...]
    modifiers: dict[str, tuple[tuple[str, ...], ...]]
    also: frozenset[str]
    slots: dict[str, str]  # name -> type
    before: dict[str, frozenset[str]]  # slot -> words that stand before it ("" = none)
    after: dict[str, frozenset[str]]
    words: frozenset[str]  # every norm of every phrasing

    def template(self, system: str) -> str:
        """The run line for `system` ("macos" or "linux")."""
        return (self.macos if system == "macos" else self.linux) or self.run


@dataclass(frozen=True, slots=True)
class Index:
    """`say`: norm -> numbers of entries that say it; `extra`: that only explain it; `weight`: norm -> 0..1.

    Entries stay JSON text until one is wanted: a thousand small objects would cost megabytes. Of a file only the
    weights, which every word of a sentence is looked up in, and the tools are read at once; the rest is mapped."""

    rows: Sequence[str]
    lean: Sequence[float]  # the weight of words that an entry's shortest phrasing asks for
    say: Mapping[str, Sequence[int]]
    extra: Mapping[str, Sequence[int]]
    weight: dict[str, float]
    tools: frozenset[str]

    def entry(self, number: int) -> Entry:
        return _entry(number, self.rows[number])

    @classmethod
    def of(cls, data: dict[str, Any]) -> Index:
        """From the data that compile_index gives."""
        say, extra = (
            {intern(norm): array("H", numbers) for norm, numbers in data[key].items()}
            for key in ("say", "extra")
        )
        weight = {intern(norm): float(value) for norm, value in data["weight"].items()}
        return cls(
            tuple(map(_row, data["entries"])),
            array("f", data["lean"]),
            say,
            extra,
            weight,
            frozenset(data["tools"]),
        )

    @classmethod
    def mapped(cls, run: Packed) -> Index:
        """From a file of `packed`. Raises KeyError for one that lacks a part."""
        norms, weights = run.texts("weight"), run.numbers("weight.values")
        return cls(
            run.texts("rows"),
            run.numbers("lean"),
            run.lists_by("say"),
            run.lists_by("extra"),
            dict(zip(map(intern, norms), weights, strict=True)),
            frozenset(run.texts("tools")),
        )


@lru_cache(maxsize=192)
def _entry(number: int, row: str) -> Entry:
    source, tool, run, macos, linux, phrases, modifiers, also, slots = json.loads(row)
    split = tuple(tuple(intern(word) for word in text.split()) for text in phrases)
    before: dict[str, set[str]] = {}
    after: dict[str, set[str]] = {}
    words: set[str] = set()
    for items in split:
        for place, item in enumerate(items):
            if item[0] != "{":
                words.add(item)
                continue
            name, _, _kind = item[1:-1].partition(":")
            before.setdefault(name, set()).add(cue(items, place - 1, -1))
            after.setdefault(name, set()).add(cue(items, place + 1, 0))
    return Entry(
        number, source, tool, run, macos, linux, split,
        {name: tuple(tuple(text.split()) for text in texts) for name, texts in modifiers.items()},
        frozenset(also), slots,
        {name: frozenset(cues) for name, cues in before.items()},
        {name: frozenset(cues) for name, cues in after.items()},
        frozenset(words),
    )  # fmt: skip


_ARTICLES = frozenset(("the", "a", "an", "my", "our", "your", "all", "new"))


def cue(items: tuple[str, ...], place: int, step: int) -> str:
    while step and 0 <= place < len(items) and items[place] in _ARTICLES:
        place += step
    if not 0 <= place < len(items):
        return ""
    return items[place] if items[place][0] != "{" else "{}"


def _row(entry: list[Any]) -> str:
    return json.dumps(entry, ensure_ascii=False, separators=(",", ":"))


def packed(data: dict[str, Any], key: str = "") -> bytes:
    """The index as a file, from the data that compile_index gives. `key`: what it was made from."""
    writer = Writer()
    writer.texts("rows", map(_row, data["entries"]))
    writer.numbers("lean", array("f", data["lean"]))
    writer.lists_by("say", data["say"])
    writer.lists_by("extra", data["extra"])
    writer.texts("weight", data["weight"])
    writer.numbers("weight.values", array("d", data["weight"].values()))
    writer.texts("tools", data["tools"])
    return writer.packed(key)


def load() -> Index:
    """The wheel's own index, else the cached one for these sources, else a new one (cached when it can be)."""
    found = _from_file(BESIDE, "")
    if found is not None:
        return found
    from terma.offline.compiler import compile_index, sources, stamp

    paths = sources()
    key = stamp(paths)
    cache = cache_file(CACHED)
    if cache:
        found = _from_file(cache, key) or (_from_file(cache, key) if compile_apart() else None)
        if found is not None:
            return found
    return Index.of(compile_index(paths, []))


def compile_to_cache() -> bool:
    """Compile the knowledge, pack the tables, and write into the cache what it does not hold as it is now. False when
    there is no place for them."""
    from terma.offline import tables
    from terma.offline.compiler import compile_index, sources, stamp

    paths = sources()
    key, index, learned = stamp(paths), cache_file(CACHED), cache_file(tables.CACHED)
    if index is None or learned is None:
        return False
    with contextlib.suppress(
        OSError, ValueError, KeyError
    ):  # no tables, or broken ones: the engine does without
        if not tables.holds(learned, tables.stamp()):
            _store(learned, tables.packed(tables.stamp()))
    if _from_file(index, key) is not None:
        return True
    return _store(index, packed(compile_index(paths, []), key))


def compile_apart() -> bool:
    """Compile in a process of its own: what that takes in memory, the agent would keep for its whole life. False, and
    at once, where nothing can be kept."""
    if not _can_keep():
        return False
    import subprocess
    import sys

    flags = ["-I"] if sys.flags.isolated else []
    try:
        done = subprocess.run(
            [sys.executable, *flags, "-m", "terma.offline", "--compile"],
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
            timeout=300, check=False,  # on a machine that has much else to do
        )  # fmt: skip
    except (OSError, subprocess.SubprocessError):
        return False
    return done.returncode == 0


def _from_file(path: Path, key: str) -> Index | None:
    try:
        with path.open("rb") as file:
            return Index.mapped(Packed(mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ), key))
    except (OSError, ValueError, KeyError, TypeError, AttributeError, OverflowError):
        return None


def _can_keep() -> bool:
    import tempfile

    file = cache_file(CACHED)
    if file is None:
        return False
    try:
        file.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        with tempfile.TemporaryFile(dir=file.parent):
            return True
    except OSError:
        return False


def cache_file(name: str) -> Path | None:
    """Where what was compiled is kept, None where there is no place for it."""
    try:
        from terma.paths import cache_dir

        return cache_dir() / name
    except (ImportError, OSError, RuntimeError):
        return None


def _store(path: Path, data: bytes) -> bool:
    from terma.paths import write_atomic

    try:
        write_atomic(path, data)
    except OSError:
        if os.environ.get("TERMA_DEBUG"):
            raise
        return False
    return True
