"""The lexicon of a language: its words and phrases in English, and patterns with places that say where things stand."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from terma import regex as re
from terma.offline.foreign_pieces import CJK, folded, pieces, stem
from terma.records import dataclass

_LETTERS = re.compile(f"[{CJK}]+\\Z")
PLACE = re.compile(r"[{<](\d)[}>]")


@dataclass(frozen=True, slots=True)
class Pattern:
    """A phrase with places: stems and, for a place, its number; `needs`, its stems. The last word in a place of `names`
    is a name or a text (`<1>`), and stays as it was typed."""

    parts: tuple[str | int, ...]
    needs: frozenset[str]
    english: str
    names: frozenset[int]


@dataclass(frozen=True, slots=True)
class Lexicon:
    """`phrases` by their keys, the longest being `longest` keys; `bare`, without accents; `stems`, without accents and
    endings; `patterns`, those that say most first; `endings`, how else
    their ends may be said."""

    phrases: dict[tuple[str, ...], str]
    bare: dict[tuple[str, ...], str]
    stems: dict[tuple[str, ...], str]
    patterns: tuple[Pattern, ...]
    endings: dict[tuple[str, ...], tuple[str, ...]]
    longest: int

    @classmethod
    def parse(cls, text: str, forms: Callable[[str], Iterable[str]] = lambda phrase: (phrase,)) -> Lexicon:
        """Lines `phrase / another = english`, <1> in the English where {1} is a name; # begins a comment. `forms`: how
        else a phrase, or the end of a pattern, may be said. Raises ValueError for any other line."""
        phrases: dict[tuple[str, ...], str] = {}
        inflected: dict[tuple[str, ...], str] = {}
        patterns: dict[tuple[str | int, ...], Pattern] = {}
        endings: dict[tuple[str, ...], tuple[str, ...]] = {}
        for line in text.splitlines():
            said = line.partition("#")[0].strip()
            if not said:
                continue
            foreign, equals, english = (part.strip() for part in said.partition("="))
            names = frozenset(int(place[1]) for place in re.finditer(r"<(\d)>", english))
            if not equals:
                raise ValueError(f"no = in {line!r}")
            for phrase in foreign.split(" / "):
                if PLACE.search(phrase):
                    parts = tuple(_parts(phrase))
                    needs = frozenset(part for part in parts if isinstance(part, str))
                    patterns.setdefault(parts, Pattern(parts, needs, english, names))
                    end = phrase[phrase.rindex("}") + 1 :]
                    endings |= {_keys(spelt): _keys(end) for spelt in forms(end) if spelt != end}
                else:
                    phrases.setdefault(_keys(phrase), english)
                    if english:
                        for spelt in forms(phrase):
                            inflected.setdefault(_keys(spelt), english)
        phrases = inflected | phrases
        bare: dict[tuple[str, ...], str] = {}
        stems: dict[tuple[str, ...], str] = {}
        for keys, english in phrases.items():
            if keys and _LETTERS.match(keys[0]):
                continue  # neither accents nor endings
            bare.setdefault(tuple(map(folded, keys)), english)
            stems.setdefault(tuple(map(stem, keys)), english)
        first = sorted(
            patterns.values(),
            key=lambda one: (-sum(isinstance(part, str) for part in one.parts), len(one.parts)),
        )
        return cls(phrases, bare, stems, tuple(first), endings, max(map(len, phrases), default=1))

    def find(self, keys: tuple[str, ...]) -> str | None:
        """What the phrase is in English; None when the lexicon holds it in no form."""
        if (found := self.phrases.get(keys)) is None and (
            found := self.bare.get(tuple(map(folded, keys)))
        ) is None:
            found = self.stems.get(tuple(map(stem, keys)))
        return found


def _keys(phrase: str) -> tuple[str, ...]:
    if _LETTERS.match(phrase):
        return tuple(phrase)
    return tuple(piece.key for piece in pieces(phrase))


def _parts(phrase: str) -> Iterator[str | int]:
    at = 0
    for place in PLACE.finditer(phrase):
        yield from (stem(piece.key) for piece in pieces(phrase[at : place.start()]))
        yield int(place[1])
        at = place.end()
    yield from (stem(piece.key) for piece in pieces(phrase[at:]))
