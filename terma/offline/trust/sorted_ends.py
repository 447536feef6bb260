"""Which end of a list comes first, and what lies between two columns: "the smallest first" is no `ls -S`, "columns 2 to
4" are three."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise

from terma import regex as re
from terma.offline.draft import Context
from terma.offline.trust.command import Simple, simples
from terma.offline.trust.facts import Facts

# What is said to stand at an end: by what, and whether it is the greater end (the greatest, the latest).
_ENDS = {
    **dict.fromkeys(("largest", "biggest", "heaviest"), ("size", True)),
    **dict.fromkeys(("smallest", "lightest"), ("size", False)),
    **dict.fromkeys(("newest", "latest", "youngest"), ("time", True)),
    **dict.fromkeys(("oldest", "earliest"), ("time", False)),
}
_FIRST = frozenset(("first", "top", "beginning"))
_LAST = frozenset(("last", "bottom", "end"))
_REACH = 4  # words between "the oldest" and "at the bottom"
_TURNS = frozenset(("tac", "sort", "tail"))  # behind `ls` they make another order of it


def right_end_first(facts: Facts, command: str, _: Context) -> bool:
    """Whether what is to come first comes first in a list of `ls`."""
    wanted = dict(_wanted([token.text.lower() for token in facts.sentence.tokens]))
    if not wanted:
        return True
    parsed = simples(command)
    if any(simple.program in _TURNS for simple in parsed):
        return True
    return all(
        wanted.get(key, greatest) == greatest for simple in parsed for key, greatest in _shown_first(simple)
    )


def _wanted(texts: Sequence[str]) -> Iterator[tuple[str, bool]]:
    for i, text in enumerate(texts):
        if text in _ENDS:
            kind, greater = _ENDS[text]
            behind = texts[i + 1 : i + 1 + _REACH]
            place = next((word for word in behind if word in _FIRST | _LAST or word in _ENDS), "")
            if place in _FIRST | _LAST:
                yield kind, greater == (place in _FIRST)


def _shown_first(simple: Simple) -> Iterator[tuple[str, bool]]:
    if simple.program == "ls":
        greatest = "-r" not in simple.options and "--reverse" not in simple.options
        if "-S" in simple.options or "--sort=size" in simple.words:
            yield "size", greatest
        elif "-t" in simple.options or "--sort=time" in simple.words:
            yield "time", greatest


_TO = frozenset(("to", "through", "thru", "until", "till"))
_PRINTED = re.compile(r"\$(\d+)")


def all_between(facts: Facts, command: str, _: Context) -> bool:
    """Whether of "columns A to B" those between are taken as well."""
    tokens = facts.sentence.tokens
    spans = [
        (int(one.text), int(other.text))
        for (one, middle), (_middle, other) in pairwise(pairwise(tokens))
        if middle.text.lower() in _TO and one.text.isdigit() and other.text.isdigit()
    ]
    parsed = simples(command)
    return not any(
        last > first + 1 and [first, last] in _taken(simple) for first, last in spans for simple in parsed
    )


def _taken(simple: Simple) -> list[list[int]]:
    """The columns that it prints, one by one; [] where they are a range or not told so."""
    if simple.program == "cut":
        lists = [word.split(",") for word in simple.operands]
        return [[int(part) for part in one] for one in lists if all(part.isdigit() for part in one)]
    if simple.program in ("awk", "gawk", "mawk"):
        return [[int(number) for number in _PRINTED.findall(word)] for word in simple.operands]
    return []
