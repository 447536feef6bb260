"""What alone is wanted is not what is left out: "only the csv files" is no `-x '*.csv'`."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from terma.offline.trust.association import Association
from terma.offline.trust.command import Simple, simples
from terma.offline.trust.facts import Facts

_REACH = 4  # tokens behind "only"
_TESTS = frozenset(("-name", "-iname", "-path"))


def not_left_out(facts: Facts, command: str, table: Association) -> bool:
    """Whether nothing that stands right behind "only" stands behind a sign that leaves it out."""
    tokens = facts.sentence.tokens
    only = {
        tokens[i].value.lower()
        for at, token in enumerate(tokens)
        if token.text.lower() == "only" and at not in facts.denied
        for i in range(at + 1, min(len(tokens), at + 1 + _REACH))
        if tokens[i].kind in ("ext", "glob") and i not in facts.denied
    }
    if not only:
        return True
    return not any(
        value in word.lower()
        for simple in simples(command)
        for word in _left_out(simple, table)
        for value in only
    )


def _left_out(simple: Simple, table: Association) -> Iterator[str]:
    """The values behind a sign that leaves them out: which options do is learned (trust/exclusion)."""
    name = f"{simple.program} {simple.sub}".strip()
    for n, (before, word) in enumerate(pairwise(simple.words)):
        sign = simple.words[n - 1] if before in _TESTS and n else before
        if sign in ("!", "-not", "--exclude", "--exclude-dir") or f"{name} {sign}" in table.excludes:
            yield word
        if word.startswith(("--exclude=", "--exclude-dir=")):
            yield word
