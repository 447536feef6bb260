"""A person's own recipes: files in the knowledge's format beside their settings, which the engine knows as its own.

A file that others may write is left out: what stands in it comes onto a prompt. They are read again when one changed.
"""

from __future__ import annotations

import json
from array import array
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from terma import paths, reading
from terma.added import check_own
from terma.errors import TermaError
from terma.offline.index import Index
from terma.records import dataclass

if TYPE_CHECKING:
    from terma.offline.engine import Engine

OWN = "recipe."  # what the source of a candidate begins with
MAX_BYTES = 256 * 1024  # of one file
MAX_FILES = 100
MAX_ENTRIES = 2_000

Stamp = tuple[tuple[str, int, int, int], ...]


@dataclass(frozen=True, slots=True)
class Found:
    """`rows` as the compiler makes them; `errors`: what is left out and why, a line each."""

    rows: tuple[list[Any], ...] = ()
    errors: tuple[str, ...] = ()


def folder() -> Path:
    """Where they lie, whether it is there or not."""
    return paths.config_dir() / "recipes"


def files() -> list[Path]:
    """The files, sorted."""
    return sorted(folder().glob("[!._]*.toml"))[:MAX_FILES]


def stamp() -> Stamp:
    """Another one when a file was added, changed or taken away."""
    found = []
    for path in files():
        try:
            info = path.stat()
        except OSError:
            continue
        found.append((path.name, info.st_mtime_ns, info.st_size, info.st_mode))
    return tuple(found)


def read() -> Found:
    """All of them. Never raises for what stands in a file."""
    from terma.offline.compiler import compile_index

    rows: dict[str, list[Any]] = {}
    errors: list[str] = []
    for path in files():
        try:
            check_own(path.parent)
            check_own(path)
            if not reading.is_regular(path) or path.stat().st_size > MAX_BYTES:
                raise TermaError(f"{path.name} is no file of less than {MAX_BYTES // 1024} KB")
            for row in compile_index([path], errors)["entries"]:
                rows.setdefault(row[0], _with_program(row, path.stem))
        except TermaError as error:
            errors.append(error.message)
        except Exception as error:  # of the wrong type, say: it costs this file alone
            errors.append(f"{path.name}: {type(error).__name__}: {error}")
    return Found(tuple([OWN + row[0], *row[1:]] for row in list(rows.values())[:MAX_ENTRIES]), tuple(errors))


def _with_program(row: list[Any], family: str) -> list[Any]:
    """A file of ours is named by its program; one of a person's may have any name."""
    from terma.offline.trust.command import simples

    if row[1] == family:
        row[1] = next((one.program for one in simples(row[2])), "") or "sh"
    return row


class Recipes:
    """The engine with the recipes of now."""

    def __init__(self) -> None:
        self._kept: tuple[Stamp, Engine | None] = ((), None)

    def beside(self, engine: Engine) -> Engine:
        """`engine`, with the recipes where there are any."""
        now = stamp()
        if not now:
            return engine
        if self._kept[0] != now:
            found = read().rows
            self._kept = (now, replace(engine, index=merged(engine.index, found)) if found else engine)
        return self._kept[1] or engine


def merged(index: Index, rows: tuple[list[Any], ...]) -> Index:
    """The index with more entries. A word that only they say tells as much as one can."""
    from terma.offline.compiler import needs, postings

    more, first = postings(list(rows)), len(index.rows)
    weight = {norm: 1.0 if told > 0.1 else told for norm, told in more["weight"].items()} | index.weight
    lean = array("f", index.lean)
    lean.extend(min(needs(text, weight) for text in row[5]) for row in rows)
    say, extra = dict(index.say), dict(index.extra)
    for known, added in ((say, more["say"]), (extra, more["extra"])):
        for norm, numbers in added.items():
            known[norm] = array("H", (*known.get(norm, ()), *(first + number for number in numbers)))
    texts = tuple(json.dumps(row, ensure_ascii=False, separators=(",", ":")) for row in rows)
    return Index((*index.rows, *texts), lean, say, extra, weight, index.tools | {row[1] for row in rows})
