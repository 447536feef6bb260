"""A person's own recipe said in its own words: whatever stands at its places is what was meant."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import takewhile

from terma import regex as re
from terma.offline.draft import Context, Draft
from terma.offline.index import Entry, Index
from terma.offline.plain import plain
from terma.offline.recipes import OWN
from terma.offline.sentence import Sentence
from terma.offline.slot_values import value_for
from terma.offline.slots import fit
from terma.offline.template import Renderer, parse
from terma.offline.tokens import Token

_ARTICLES = frozenset(("the", "a", "an", "my", "our"))
_COUNTED = frozenset(("number", "count", "port", "size", "lines", "column", "field"))
_PLACE = re.compile(r"\{(\w+)(?::(\w+))?\}")


def said(words: str, index: Index) -> bool:
    """Whether they are a phrasing of a recipe, in whatever language."""
    return any(True for _ in _matches(words, index))


def drafts(words: str, sentence: Sentence, context: Context, index: Index) -> Iterator[Draft]:
    """A draft for each recipe of which the words are one of its phrasings, articles aside. `sentence` is what the
    engine read of them; every word of it is accounted for."""
    for entry, values in _matches(words, index):
        yield _draft(entry, values, sentence, context)


def _matches(words: str, index: Index) -> Iterator[tuple[Entry, dict[str, str]]]:
    last = len(index.rows)
    own = sum(
        1 for _ in takewhile(lambda row: row.startswith(f'["{OWN}'), reversed(index.rows))
    )  # they stand last
    rows = range(last - own, last)
    tokens = [one for one in Sentence.parse(plain(words)).tokens if one.norm not in _ARTICLES] if rows else []
    for entry in map(index.entry, rows):
        for phrase in entry.phrases:
            wanted = [word for word in phrase if word not in _ARTICLES]
            values = _values(wanted, tokens, entry) if len(wanted) == len(tokens) else None
            if values is not None:
                yield entry, values
                break


def _values(wanted: Sequence[str], said: Sequence[Token], entry: Entry) -> dict[str, str] | None:
    """What stands at the places of the phrase; None where another word stands between."""
    found: dict[str, str] = {}
    for word, token in zip(wanted, said, strict=True):
        place = _PLACE.fullmatch(word)
        if not place:
            if token.norm != word or token.kind == "quoted":
                return None
            continue
        kind = place[2] or entry.slots.get(place[1], "")
        if kind in _COUNTED and not re.search(r"\d", token.text):
            return None
        found[place[1]] = value_for(kind, token) if fit(kind, token) else token.text
    return found


def _draft(entry: Entry, values: dict[str, str], sentence: Sentence, context: Context) -> Draft:
    renderer = Renderer(values, frozenset(values))
    command = renderer.render(
        parse(entry.template(context.os), frozenset(entry.slots) | frozenset(entry.modifiers))
    )
    every = frozenset(range(len(sentence.tokens)))
    return Draft(command, entry.source, every, 1.0, tuple(dict.fromkeys(renderer.missing)), entry.tool)
