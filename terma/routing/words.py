"""What single words say: grammar, questions, politeness, plain English, other languages."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path

from terma import regex as re

TABLE = Path(__file__).with_name("words.txt")
_COMPOUND = re.compile(
    r"(?:my|new|old|test|tmp|log|some)(?:file|dir|folder|log|list|data|script|app|project|repo)\d*"
)
_ENDINGS = ("s", "es", "ed", "d", "ing", "er", "ly", "ies")


@lru_cache(1)
def groups() -> dict[str, frozenset[str]]:
    """The groups of words.txt by name."""
    found: dict[str, set[str]] = {}
    group: set[str] = set()
    for line in TABLE.read_text(encoding="utf-8").splitlines():
        text = line.partition("#")[0].strip()
        if text.startswith("["):
            group = found.setdefault(text.strip("[]"), set())
        else:
            group.update(text.split())
    return {name: frozenset(words) for name, words in found.items()}


@lru_cache(1)
def _series() -> tuple[frozenset[str], ...]:
    section = TABLE.read_text(encoding="utf-8").partition("\n[series]")[2].partition("\n[")[0]
    return tuple(frozenset(line.split()) for line in section.splitlines()[1:] if line)


def in_a_row(row: Sequence[str]) -> bool:
    """Whether the words of `row`, two at least, are of one series and all different: `this that`, `one two three`."""
    if len(row) < 2 or row[0] not in groups()["series"] or len(set(row)) < len(row):
        return False
    return any(series.issuperset(row) for series in _series())


def is_a(group: str, word: str) -> bool:
    """Whether `word` (any case) belongs to `group`; an apostrophe may be the typographer's."""
    return word.lower().replace("’", "'") in groups()[group]


@lru_cache(4096)
def is_english(word: str) -> bool:
    """Whether `word` is plain English as words.txt knows it, in one of its regular forms."""
    low = word.lower()
    known = groups()["english"]
    if low in known:
        return True
    for ending in _ENDINGS:
        if low.endswith(ending) and len(low) - len(ending) >= 3:
            stem = low[: -len(ending)]
            if stem in known or stem + "e" in known or stem + "y" in known or stem[:-1] in known:
                return True
    return False


def names_a_file(word: str) -> bool:
    """Whether people call files or directories like that: `names`, `todo`, `logfile`."""
    low = word.lower()
    return low in groups()["naming"] or bool(_COMPOUND.fullmatch(low))
