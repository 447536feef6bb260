"""What is worked out once for a sentence: what its words ask for, and what the table of words and commands tells of
each command that is held against them."""

from __future__ import annotations

from dataclasses import field
from typing import NamedTuple

from terma.offline.index import Index
from terma.offline.lexicon import LIGHT, STOP
from terma.offline.trust.association import Association, keys, shapes, values_of
from terma.offline.trust.command import Simple, simples, tokens
from terma.offline.trust.facts import Facts
from terma.offline.trust.pairing import said
from terma.offline.trust.tagger import Tagger
from terma.records import dataclass

FAR = -3.0
_NEUTRAL = frozenset("show list find all file directory system machine content name whole entire".split())


class Seen(NamedTuple):
    """What the table of words and commands tells of one command: what it says, how well each telling word goes with
    it and which go with nothing in it, how likely each of its tokens is asked for, how many nobody ever saw."""

    parsed: tuple[Simple, ...]
    says: tuple[str, ...]
    fits: dict[int, float]
    unfit: tuple[int, ...]
    asked: list[float]
    unseen: int


@dataclass(frozen=True, slots=True)
class Asked:
    """What is measured once for a sentence. `seen`: by command, for it is asked of all drafts, and of the likeliest
    again."""

    facts: Facts
    keys: dict[int, str]
    change: float
    unknown: int
    likely: dict[str, float]
    words: tuple[str, ...]  # the keys with the kinds of values
    said: tuple[tuple[int, str], ...]
    fixed: int
    foreign: float
    tags: tuple[float, ...]  # of each token the log odds that it is a value
    own: frozenset[str]  # words that are a program's own: as in Tagger
    seen: dict[str, Seen] = field(default_factory=dict, compare=False)


def asked(facts: Facts, table: Association, index: Index, fixed: int, tagger: Tagger) -> Asked:
    named = keys(facts)
    words = (*named.values(), *shapes(facts))
    unknown = sum(
        not table.knows(key) and facts.sentence.tokens[i].norm not in index.weight for i, key in named.items()
    )
    foreign = sum(not token.text.isascii() for token in facts.sentence.tokens)
    return Asked(
        facts,
        named,
        table.changes(words),
        unknown,
        table.likely(words),
        words,
        said(facts),
        fixed,
        float(foreign),
        tagger.tags(facts.sentence.tokens),
        tagger.own,
    )


def seen(about: Asked, command: str, table: Association) -> Seen:
    """What `table` tells of the command, looked at once for a sentence."""
    found = about.seen.get(command)
    if found is None:
        parsed = simples(command)
        flat = [word for simple in parsed for word in simple.words]
        says = tokens(command, values_of(about.facts.sentence, flat))
        asked_for = [value for token in says if (value := table.asked(token, about.words)) is not None]
        unseen = sum(token not in table.tokens for token in says)
        found = about.seen[command] = Seen(parsed, says, *fits(about, says, flat, table), asked_for, unseen)
    return found


def fits(
    about: Asked, said: tuple[str, ...], flat: list[str], table: Association
) -> tuple[dict[int, float], tuple[int, ...]]:
    """How well each telling word goes with the command, and which go with nothing in it."""
    fits: dict[int, float] = {}
    literal = {word.lower() for word in flat}
    joined = " ".join(flat).lower()
    for i, key in about.keys.items():
        token = about.facts.sentence.tokens[i]
        low = token.text.lower()
        if (
            key.startswith(".")
            or low in literal
            or (len(low) > 4 and low in joined and token.norm not in LIGHT)
        ) and not key.startswith("not "):
            continue
        fit = table.fit(key, said)
        if fit is None and key.startswith("not "):
            fit = table.fit(key[4:], said)
            fit = None if fit is None else min(fit, 0.5)
        if fit is None:
            fit = FAR / 2
        elif token.norm in _NEUTRAL:
            fit = max(fit, 0.0)
        elif token.norm in LIGHT or token.norm in STOP:
            fit = max(fit, FAR / 3)
        fits[i] = max(FAR, min(3.0, fit))
    return fits, tuple(i for i, fit in fits.items() if fit < -0.3)
