"""What is known of well-known programs: of what kind their operands are, and which verbs they have."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

_WITH_VERBS = {"verbs": "verb", "late verbs": "late", "targets": "target"}
TABLE = Path(__file__).with_name("programs.txt")


class Programs(NamedTuple):
    """`kinds` maps a program to its kind of operands ("files"), `verbs` to its first operands. `common` ones are looked
    for in slips of the fingers; those that go `inside` a script mean nothing alone; `unix` has words that are
    programs on every system; `phrases` are whole lines."""

    kinds: dict[str, str]
    verbs: dict[str, frozenset[str]]
    common: frozenset[str]
    inside: frozenset[str]
    unix: frozenset[str]
    phrases: frozenset[str]


@lru_cache(1)
def table() -> Programs:
    """programs.txt, read once."""
    kinds: dict[str, str] = {}
    verbs: dict[str, frozenset[str]] = {}
    sets: dict[str, set[str]] = {"common": set(), "inside": set(), "unix": set()}
    phrases: set[str] = set()
    for section in TABLE.read_text(encoding="utf-8").split("\n[")[1:]:
        kind, _, body = section.partition("]")
        lines = [line.partition("# ")[0] if line.startswith(" #") else line for line in body.splitlines()]
        if kind == "phrases":
            phrases.update(line.replace(":", "", 1) for line in lines if ":" in line)
        elif kind in sets:
            sets[kind].update(" ".join(lines).split())
        elif kind in _WITH_VERBS:
            for entry in _entries(lines):
                names, _, words = entry.partition(": ")
                for name in names.split():
                    verbs[name] = verbs.get(name, frozenset()) | frozenset(words.split())
                    kinds[name] = _WITH_VERBS[kind]
        else:
            kinds.update(dict.fromkeys(" ".join(lines).split(), kind))
    return Programs(
        kinds,
        verbs,
        frozenset(sets["common"]),
        frozenset(sets["inside"]),
        frozenset(sets["unix"]),
        frozenset(phrases),
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
    from terma.machine import carriers

    return frozenset(table().kinds) | frozenset(carriers.carriers())
