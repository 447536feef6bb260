"""Writes the memory that the wheel carries, from sentences of our own authors alone."""

from __future__ import annotations

import json
import re
from collections import defaultdict
from collections.abc import Iterable

from terma.offline.cases.induce import CLOSE, OPEN, induced, vocabulary
from terma.offline.engine import plain
from terma.offline.trust.command import simples
from training.pairs import Line

_AUTHORS = 2  # who have to write a word that no sentence said, before it counts as the program's own

# What could be the name of a file, a host, a branch, a port: no mode (`a+r`), no variable, no text for awk or sed.
_NAME = re.compile(r"[\w.@:/~-]*(?:[A-Za-z]|\d{3})[\w.@:/~-]*")


def rows(lines: Iterable[Line]) -> list[str]:
    """One row of JSON text for each line that has a command: [[template ...], [item ...]], without doubles.

    A template is kept when all that it names comes from the sentence or is the program's own: a file, a branch or a
    host that one author had in mind would stand in another person's command."""
    kept = [line for line in lines if line.refs]
    fixed = vocabulary((plain(line.nl), ref) for line in kept for ref in line.refs)
    own = _own_words(kept)
    found: dict[str, None] = {}
    for line in kept:
        nl = plain(line.nl)
        templates: list[str] = []
        items: list[str] | None = None
        for ref in line.refs[:3]:
            case = induced(nl, ref, fixed)
            if case is None or (items is not None and case[1] != items) or not _named(case[0]) <= own:
                continue
            templates.append(case[0])
            items = case[1]
        if items:
            found[json.dumps([templates, items], ensure_ascii=False, separators=(",", ":"))] = None
    return list(found)


def _own_words(lines: Iterable[Line]) -> set[tuple[str, str]]:
    """(program, operand) as several authors write them though the sentence does not: `git log HEAD`, `du .`."""
    authors: dict[tuple[str, str], set[str]] = defaultdict(set)
    for line in lines:
        said = plain(line.nl).lower()
        for ref in line.refs:
            for pair in _named(ref):
                if pair[1].lower() not in said:
                    authors[pair].add(line.author)
    return {pair for pair, names in authors.items() if len(names) >= _AUTHORS}


def _named(command: str) -> set[tuple[str, str]]:
    """The operands of each program in a command or template that hold a name and no value of the sentence."""
    found = set()
    for simple in simples(re.sub(f"{OPEN}[^{CLOSE}]*{CLOSE}", "\ue003", command)):
        for word in (*simple.operands, *simple.writes):
            if "\ue003" not in word and _NAME.fullmatch(word):
                found.add((simple.program, word))
    return found
