"""Words that a draft leaves open are answered by an option of its program that says them: "with timestamps" is
`docker logs -t`. Which option is asked for by which words is learned (training/flags)."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from typing import Any

from terma.offline.cases.grafts import command_word, first, head_length
from terma.offline.draft import UNHEARD, Draft
from terma.offline.trust.association import keys
from terma.offline.trust.command import simples
from terma.offline.trust.facts import Facts
from terma.offline.trust.programs import LONG_OPTIONS
from terma.records import dataclass

DRAFTS = 8  # that are added to
MOST = 2  # options that are added to one
LEAST = 0.55  # how surely the words ask for the option
APART = 4  # tokens between the first and the last word of a phrase
WORTH = 0.95  # what a draft is worth that was added to, of what it was


@dataclass(frozen=True, slots=True)
class Flag:
    """`text`: the option as it is written; `phrases`: words that are all said, and how surely they ask for it."""

    text: str
    phrases: tuple[tuple[tuple[str, ...], float], ...]


@dataclass(frozen=True, slots=True)
class Flags:
    """`rows`: command word -> its options as JSON text, which is read when it is wanted."""

    rows: Mapping[str, str]

    def of(self, name: str) -> tuple[Flag, ...]:
        text = self.rows.get(name)
        return _parsed(text) if text else ()


def of(data: Mapping[str, list[list[Any]]]) -> Flags:
    """From what the memory's file holds."""
    return Flags({name: json.dumps(rows, ensure_ascii=False) for name, rows in data.items()})


@lru_cache(maxsize=128)
def _parsed(text: str) -> tuple[Flag, ...]:
    return tuple(
        Flag(option, tuple((tuple(phrase.split(",")), share) for phrase, share in phrases.items()))
        for option, phrases in json.loads(text)
    )


def flagged(drafts: Iterable[Draft], facts: Facts, known: Flags) -> Iterator[Draft]:
    """Of the likeliest drafts that leave words open, each with the options that these ask for."""
    said: dict[str, list[int]] | None = None
    for draft in sorted(drafts, key=lambda one: -one.score)[:DRAFTS]:
        head = first(draft.command) if not draft.placeholders else None
        flags = known.of(command_word(head)) if head is not None else ()
        if head is None or not flags:
            continue
        said = _said(facts) if said is None else said
        added, used = _asked(flags, draft, said)
        if not added:
            continue
        words = command_word(head).split()
        at = head.words[-1 if words[0] in LONG_OPTIONS else head_length(head) - 1].end
        yield replace(
            draft,
            command=draft.command[:at] + "".join(f" {one}" for one in added) + draft.command[at:],
            accounted=draft.accounted | used,
            score=draft.score * WORTH,
            source=draft.source if draft.source.startswith("case.") else f"case.{draft.source}",
            heard=UNHEARD,
        )


def _said(facts: Facts) -> dict[str, list[int]]:
    """Word -> where it is said; a word that is denied only as such ("not cache")."""
    found: dict[str, list[int]] = {}
    named = keys(facts)
    for i, token in enumerate(facts.sentence.tokens):
        found.setdefault(named.get(i, token.norm), []).append(i)
    return found


def _asked(flags: Sequence[Flag], draft: Draft, said: Mapping[str, list[int]]) -> tuple[list[str], set[int]]:
    """The options that the draft does not have and words that it leaves open ask for, the surest first; the tokens that
    say so."""
    parsed = simples(draft.command)
    have = set(parsed[0].options) if parsed else set()
    asked = []
    for flag in flags:
        if flag.text in have:
            continue
        best = max((_by(phrase, share, draft, said) for phrase, share in flag.phrases), default=None)
        if best is not None and best[0] >= LEAST:
            asked.append((-best[0], flag.text, best[1]))
    added: list[str] = []
    used: set[int] = set()
    for _, text, tokens in sorted(asked):
        if used.isdisjoint(tokens) and len(added) < MOST:
            added.append(text)
            used.update(tokens)
    return added, used


def _by(
    phrase: tuple[str, ...], share: float, draft: Draft, said: Mapping[str, list[int]]
) -> tuple[float, tuple[int, ...]]:
    """How surely the phrase is said by words of which the draft leaves one open, and where."""
    places = [said.get(word) for word in phrase]
    if not all(places):
        return 0.0, ()
    at = tuple(found[0] for found in places if found)
    if len(at) > 1 and max(at) - min(at) > APART:
        return 0.0, ()
    return (share, at) if any(i not in draft.accounted for i in at) else (0.0, ())


__all__ = ["Flag", "Flags", "flagged", "of"]
