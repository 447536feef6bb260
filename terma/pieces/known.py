"""terma's own short texts for the programs that people type most: there with or without manual pages.

The file says its format itself. Its options are those of Linux; elsewhere a page of the machine is asked before it.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

FILE = Path(__file__).with_name("everyday.txt")
_KEY = re.compile(r"(-[=!<>&|~]+$|\.\w|[-+][^\s=\[]*|[a-z][\w-]*(?==))(\[=[^\]]*\]|=\S*|\[\S*\])?$")


@dataclass(frozen=True, slots=True)
class Option:
    """`says` with `{}` where its value belongs. `takes`: a value follows; `joins`: one may be glued to it; `is_file`:
    it names a file."""

    says: str
    takes: bool = False
    joins: bool = False
    is_file: bool = False


@dataclass(slots=True)
class Entry:
    """One program or subcommand. `operands` by their places, the last for all that follow; `last` for the last of
    several; `instead`: options behind which the first of them is not there; `names`: all that it is called."""

    about: str
    options: dict[str, Option] = field(default_factory=dict)
    operands: list[str] = field(default_factory=list)
    last: str = ""
    instead: frozenset[str] = frozenset()
    names: tuple[str, ...] = ()


def entry(*words: str) -> Entry | None:
    """What is known of `git`, `commit`; None when nothing is."""
    return _table().get(" ".join(words))


def has_commands(*words: str) -> bool:
    """Whether texts for subcommands of these words are there."""
    return " ".join(words) in _parents()


@cache
def _parents() -> frozenset[str]:
    return frozenset(name.rpartition(" ")[0] for name in _table()) - {""}


@cache
def _table() -> Mapping[str, Entry]:
    table: dict[str, Entry] = {}
    current = Entry("")
    for line in FILE.read_text(encoding="utf-8").splitlines():
        if not line.strip() or line.startswith("#"):
            continue
        if line.startswith("["):
            names, _, about = line[1:].partition("] ")
            current = Entry(about.strip(), names=tuple(names.split("|")))
            for name in current.names:
                table[name] = current
            continue
        keys, _, says = line.partition("  ")
        _add(current, keys.split(), says.strip())
    return table


def _add(current: Entry, keys: list[str], says: str) -> None:
    if keys == ["_"]:
        current.operands.append(says)
    elif keys == ["_$"]:
        current.last = says
    elif keys == ["_!"]:
        current.instead = frozenset(says.split())
    else:
        names = [found for key in keys if (found := _KEY.match(key))]
        apart = len(names) < len(keys)
        for found in names:
            value = found[2] or ""
            takes = apart or value.startswith("=")
            name = found[1] if found[1][0] in "-+." else f"{found[1]}="
            is_file = "FILE" in keys or value == "=FILE"
            current.options[name] = Option(says, takes and name[-1] != "=", value.startswith("["), is_file)
