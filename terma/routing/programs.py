"""What is known of well-known programs: of what kind their operands are, and which verbs they have."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path
from sys import intern
from typing import NamedTuple

from terma.machine import carriers

_WITH_VERBS = {"verbs": "verb", "late verbs": "late", "targets": "target"}
TABLE = Path(__file__).with_name("programs.txt")


class Programs(NamedTuple):
    """`kinds` maps a program to its kind of operands ("files"), `verbs` to its first operands. `common` ones are looked
    for in slips of the fingers; those that go `inside` a script mean nothing alone; `unix` has words that are
    programs on every system; `phrases` are whole lines, `sayings` the two words with which some sentences begin."""

    kinds: dict[str, str]
    verbs: dict[str, frozenset[str]]
    common: frozenset[str]
    inside: frozenset[str]
    unix: frozenset[str]
    phrases: frozenset[str]
    sayings: frozenset[tuple[str, str]]


@lru_cache(1)
def table() -> Programs:
    """programs.txt, read once."""
    kinds: dict[str, str] = {}
    verbs: dict[str, frozenset[str]] = {}
    sets: dict[str, set[str]] = {"common": set(), "inside": set(), "unix": set()}
    phrases: set[str] = set()
    sayings: set[tuple[str, str]] = set()
    for section in TABLE.read_text(encoding="utf-8").split("\n[")[1:]:
        kind, _, body = section.partition("]")
        lines = [line.partition("# ")[0] if line.startswith(" #") else line for line in body.splitlines()]
        if kind == "phrases":
            phrases.update(line.replace(":", "", 1) for line in lines if ":" in line)
        elif kind == "sayings":
            pairs = (entry.split(": ") for entry in _entries(lines))
            sayings.update((name, word) for name, words in pairs for word in words.split())
        elif kind in sets:
            sets[kind].update(map(intern, " ".join(lines).split()))
        elif kind in _WITH_VERBS:
            for entry in _entries(lines):
                names, _, words = entry.partition(": ")
                theirs = frozenset(map(intern, words.split()))  # one set, and one "list", for all who have it
                for name in map(intern, names.split()):
                    verbs[name] = verbs[name] | theirs if name in verbs else theirs
                    kinds[name] = _WITH_VERBS[kind]
        else:
            kinds.update(dict.fromkeys(map(intern, " ".join(lines).split()), kind))
    return Programs(
        kinds,
        verbs,
        frozenset(sets["common"]),
        frozenset(sets["inside"]),
        frozenset(sets["unix"]),
        frozenset(phrases),
        frozenset(sayings),
    )


def _entries(lines: list[str]) -> list[str]:
    """`NAME: WORD ...` with what is continued beneath it, one string each."""
    found: list[str] = []
    for line in lines:
        if ": " in line and not line.startswith(" "):
            found.append(line)
        elif found:
            found[-1] += " " + line.strip()
    return found


@lru_cache(1)
def listed() -> frozenset[str]:
    """The names of programs that people have, whether or not they are installed here."""
    lines = carriers.TABLE.read_text(encoding="utf-8").splitlines()
    carried = (name for line in lines if line and line[0] != "#" for name in carriers.names(line))
    return frozenset(table().kinds) | frozenset(map(intern, carried))
