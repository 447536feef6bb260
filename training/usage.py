"""`python -m training.usage`: how often our authors type each word, and which stand beside each other, for
`terma/offline/usage`. The words of the knowledge count as known, how rarely they are typed."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterable
from itertools import pairwise
from typing import Any

from terma.offline import tables
from terma.offline.language import foreign
from terma.offline.lemma import norm
from terma.offline.sentence import Sentence
from terma.offline.trust.command import simples
from terma.offline.usage import BEGINS, ENDS, NAME, heard_as
from training import pairs
from training.learned import write

SELDOM = 2  # times that a word is typed of which that is told
USUAL = 5  # times that a word is typed which is known by itself
MOST = 65535


def counted(said: Iterable[tuple[str, str]], known: Iterable[str]) -> dict[str, Any]:
    """From sentences with a command for each. `known`: sentences of whose words each counts as typed USUAL times at
    least."""
    rows = [(heard(words), values(command)) for words, command in said]
    times = Counter(word for row, _ in rows for word in row)
    for word in {word for words in known for word in heard(words)}:
        times[word] = max(times[word], USUAL)
    for word in [word for word, n in times.items() if n >= USUAL and word.isalpha()]:
        times[norm(word)] = max(times[norm(word)], USUAL)  # who types "daemonsets" knows what one is
    usual = {word for word, n in times.items() if n >= USUAL or word.startswith("<")}
    alone: Counter[str] = Counter()
    beside: Counter[tuple[str, str]] = Counter()
    for row, named in rows:
        line = [BEGINS, *(word if word in usual else NAME for word in row), ENDS]
        alone.update(line)
        beside.update(pairwise(line))
        for at, word in enumerate(row, 1):
            if word in named and line[at] != NAME:  # known by itself, but this time it names something
                alone[NAME] += 1
                beside.update(((line[at - 1], NAME), (NAME, line[at + 1])))
    words = sorted({*usual, *alone})
    number = {word: n for n, word in enumerate(words)}
    after: list[list[int]] = [[] for _ in words]
    for (one, other), n in sorted(beside.items()):
        after[number[one]] += (number[other], min(n, MOST))
    seldom = sorted(word for word, n in times.items() if SELDOM <= n < USUAL and word not in usual)
    return {
        "words": " ".join((*words, *seldom)),
        "times": [*(alone[word] or USUAL for word in words), *(times[word] for word in seldom)],
        "beside": after,
    }


def heard(words: str) -> list[str]:
    return [heard_as(token) for token in Sentence.parse(words).tokens]


def values(command: str) -> set[str]:
    """The words of a command that are no program, no subcommand and no option."""
    return {
        word.lower() for simple in simples(command) for word in simple.words[2:] if not word.startswith("-")
    }


def main() -> int:
    lines = [line for line in [*pairs.authors(), *pairs.tests()] if not line.held and not foreign(line.nl)]
    said = ((line.nl, next(iter(line.refs), "")) for line in lines)
    write(tables.USAGE, counted(said, (nl for nl, _ in pairs.knowledge())))
    return 0


if __name__ == "__main__":
    sys.exit(main())
