"""Writes the memory that the wheel carries, from sentences of our own authors alone."""

from __future__ import annotations

import json
import re
from collections import defaultdict
from collections.abc import Iterable
from functools import cache

from terma.offline.cases.induce import CLOSE, OPEN, induced, vocabulary
from terma.offline.compiler import compile_index, sources
from terma.offline.plain import plain
from terma.offline.shape import kind_of
from terma.offline.trust.command import simples
from training.pairs import Line
from training.parts import Known, marked

_AUTHORS = 2  # who have to write a word that no sentence said, before it counts as the program's own

# Kinds of words (as a sentence is read) by which somebody calls a thing of their own.
_NAMES = frozenset(("word", "ident", "file", "path", "domain", "userhost", "remotepath", "url"))
_PLAIN = re.compile(r"[\w.@:/~-]*[A-Za-z0-9][\w.@:/~-]*")  # no expansion, no pattern, no text for awk or sed


def rows(lines: Iterable[Line], known: Known, knowledge: frozenset[tuple[str, str]]) -> list[str]:
    """One row of JSON text for each line that has a command: [[template ...], [item ...]], without doubles.

    A template is kept when all that it names comes from the sentence or is the program's own (in `knowledge`, or
    written by several authors): a file, a branch or a host that one author had in mind would stand in another person's
    command."""
    kept = [line for line in lines if line.refs]
    names = fixed(kept)
    own = _own_words(kept) | knowledge
    found: dict[str, None] = {}
    for line in kept:
        nl = plain(line.nl)
        templates: list[str] = []
        items: list[str] | None = None
        for ref in line.refs[:3]:
            case = induced(nl, ref, names)
            if case is None or (items is not None and case[1] != items):
                continue
            if any(pair not in own and pair[1].lower() not in nl.lower() for pair in _named(case[0])):
                continue
            templates.append(marked(case[0], case[1], known))
            items = case[1]
        if items:
            found[json.dumps([templates, items], ensure_ascii=False, separators=(",", ":"))] = None
    return list(found)


def fixed(lines: Iterable[Line]) -> dict[str, frozenset[str]]:
    """Of each program its own words: those of the knowledge, and what its commands have though no sentence said it."""
    found = vocabulary((plain(line.nl), ref) for line in lines for ref in line.refs)
    for program, word in known_words():
        found[program] = found.get(program, frozenset()) | {word}
    return found


@cache
def known_words() -> frozenset[tuple[str, str]]:
    """(program, operand) of every command of the knowledge, its slots left out."""
    found: set[tuple[str, str]] = set()
    for _source, _tool, run, macos, linux, *_ in compile_index(sources())["entries"]:
        for text in filter(None, (run, macos, linux)):
            found |= _named(re.sub(r"\{\w+\}", "\ue003", text))
    return frozenset(found)


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
            if "\ue003" not in word and _PLAIN.fullmatch(word) and kind_of(word, word.lower())[0] in _NAMES:
                found.add((simple.program, word))
    return found
