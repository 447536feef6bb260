"""A sentence of another language as the English one that the engine reads: phrase by phrase, from the language's
lexicon (`languages/NAME.txt`), whose phrases may have places and so say where things stand in English."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path

from terma import regex as re
from terma.records import dataclass

FOLDER = Path(__file__).parent / "languages"
MOST = 40  # pieces of a sentence; a longer one is not read
DEEP = 4  # phrases with places within one another

_PLACE = re.compile(r"[{<](\d)[}>]")
_SPELT = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue", "ß": "ss", "’": "'"})
_QUOTED = re.compile(
    r"\"[^\"]*\"|`[^`]*`|“[^”]*”|„[^“”]*[“”]|«[^»]*»|「[^」]*」|『[^』]*』|(?<!\w)'[^']*'(?!\w)"
)
# What no language has words for: names with a dot, a slash, a digit or another sign in them.
_LITERAL = re.compile(
    r"[\w.+-]*[@:/~*?$%_\\=][^\s,;，。、？！「」『』“”]*|\.?\w+(?:\.[\w-]+)+|[\w-]*\d[\w-]*%?|-+\w+|\.\w+|[A-Z]{3,}\b",
    re.ASCII,
)
_CJK = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uff66-\uff9f々〆ー]")
_LATIN = re.compile(r"[^\W\d_]{1,2}['’](?=[^\W\d_])|[^\W\d_]+(?:[-_'’][^\W\d_]+)*")  # l' and d' stand alone
_ENDINGS = re.compile(r"(?:en|em|er|es|[eansox])$")
_STEM = 4  # letters that are left of a word without its ending


@dataclass(frozen=True, slots=True)
class Piece:
    """A word, a CJK character or a literal: `key` is the word in small letters, "" for a literal."""

    text: str
    key: str


@dataclass(frozen=True, slots=True)
class Translated:
    """The English words, and the words of the sentence that the lexicon does not hold: they stand as they were."""

    text: str
    unknown: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Pattern:
    """A phrase with places: keys and, for a place, its number. The last word in a place of `names` is a name or a text
    (`<1>`), and stays as it was typed."""

    parts: tuple[str | int, ...]
    english: str
    names: frozenset[int]


@dataclass(frozen=True, slots=True)
class Lexicon:
    """`phrases` by their keys, the longest being `longest` keys; `bare`, without accents; `stems`, without accents and
    endings; `patterns`, those that say most first."""

    phrases: dict[tuple[str, ...], str]
    bare: dict[tuple[str, ...], str]
    stems: dict[tuple[str, ...], str]
    patterns: tuple[Pattern, ...]
    longest: int

    @classmethod
    def parse(cls, text: str) -> Lexicon:
        """Lines `phrase / another = english`, <1> in the English where {1} is a name; # begins a comment. Raises
        ValueError for any other line."""
        phrases: dict[tuple[str, ...], str] = {}
        patterns: list[Pattern] = []
        for line in text.splitlines():
            said = line.partition("#")[0].strip()
            if not said:
                continue
            foreign, equals, english = said.partition("=")
            names = frozenset(int(place[1]) for place in re.finditer(r"<(\d)>", english))
            if not equals:
                raise ValueError(f"no = in {line!r}")
            for phrase in foreign.split(" / "):
                if _PLACE.search(phrase):
                    patterns.append(Pattern(tuple(_parts(phrase)), english.strip(), names))
                else:
                    phrases.setdefault(tuple(piece.key for piece in pieces(phrase)), english.strip())
        bare: dict[tuple[str, ...], str] = {}
        stems: dict[tuple[str, ...], str] = {}
        for keys, english in phrases.items():
            bare.setdefault(tuple(map(folded, keys)), english)
            stems.setdefault(tuple(map(_stem, keys)), english)
        patterns.sort(key=lambda one: (-sum(isinstance(part, str) for part in one.parts), len(one.parts)))
        return cls(phrases, bare, stems, tuple(patterns), max(map(len, phrases), default=1))

    def find(self, keys: tuple[str, ...]) -> str | None:
        """What the phrase is in English; None when the lexicon holds it in no form."""
        if (found := self.phrases.get(keys)) is None and (
            found := self.bare.get(tuple(map(folded, keys)))
        ) is None:
            found = self.stems.get(tuple(map(_stem, keys)))
        return found


@cache
def lexicon(language: str) -> Lexicon | None:
    """The lexicon of a language by its English name; None when there is none."""
    file = FOLDER / f"{language.lower()}.txt"
    return Lexicon.parse(file.read_text(encoding="utf-8")) if language.isalpha() and file.is_file() else None


def translate(text: str, language: str) -> Translated | None:
    """The sentence in English, as far as the lexicon goes. None for a language without a lexicon, and for what is too
    long to be one sentence."""
    own = lexicon(language)
    found = list(pieces(text))
    if own is None or not found or len(found) > MOST * (3 if _CJK.search(text) else 1):
        return None
    english, unknown = _read(found, own, DEEP)
    return Translated(" ".join(english.split()), tuple(unknown))


def pieces(text: str) -> Iterator[Piece]:
    """The words of a text, each CJK character by itself; signs between them are dropped."""
    at = 0
    while at < len(text):
        if quoted := _QUOTED.match(text, at):
            inner = quoted[0][1:-1]
            yield Piece(f'"{inner}"' if '"' not in inner else f"'{inner}'", "")
            at = quoted.end()
        elif (literal := _LITERAL.match(text, at)) and not (
            at and text[at - 1].isalnum() and text[at - 1].isascii()
        ):
            yield Piece(literal[0].rstrip(".,:?"), "")
            at = literal.end()
        elif _CJK.match(text, at):
            yield Piece(text[at], text[at])
            at += 1
        elif word := _LATIN.match(text, at):
            run = word[0]
            if run.isascii() or not _CJK.search(run):
                yield Piece(run, run.lower().replace("’", "'"))
                at = word.end()
            else:  # letters of both kinds without a blank between them
                end = next(i for i, letter in enumerate(run) if _CJK.match(letter))
                yield Piece(run[:end], run[:end].lower())
                at += end
        else:
            at += 1


def folded(word: str) -> str:
    """Lower case, without accents, as people type who have no such keys: ä is ae, ß is ss, é is e."""
    if word.isascii():
        return word.lower()
    bare = unicodedata.normalize("NFKD", word.lower().translate(_SPELT))
    return "".join(letter for letter in bare if not unicodedata.combining(letter))


def _stem(key: str) -> str:
    plain = folded(key)
    bare = _ENDINGS.sub("", plain)
    return bare if len(bare) >= _STEM and plain.isascii() else plain


def _parts(phrase: str) -> Iterator[str | int]:
    at = 0
    for place in _PLACE.finditer(phrase):
        yield from (piece.key for piece in pieces(phrase[at : place.start()]))
        yield int(place[1])
        at = place.end()
    yield from (piece.key for piece in pieces(phrase[at:]))


def _read(found: Sequence[Piece], own: Lexicon, deep: int) -> tuple[str, list[str]]:
    """English and unknown words: the first pattern all of whose places are known, else word for word."""
    plain = _word_for_word(found, own)
    if deep and len(found) > 1:
        for pattern in own.patterns:
            for places in _matches(pattern.parts, found, own):
                inner = {
                    number: _named(run, own, deep - 1)
                    if number in pattern.names
                    else _read(run, own, deep - 1)
                    for number, run in places.items()
                }
                unknown = [word for _, words in inner.values() for word in words]
                if len(unknown) <= len(plain[1]):
                    cut = _PLACE.split(pattern.english)  # every second one is a place's number
                    cut[1::2] = [inner[int(number)][0] for number in cut[1::2]]
                    return "".join(cut), unknown
    return plain


def _named(found: Sequence[Piece], own: Lexicon, deep: int) -> tuple[str, list[str]]:
    """`die Datei test` with its last word as it was typed."""
    if not found[-1].text.isascii():
        return _read(found, own, deep)
    before, unknown = _read(found[:-1], own, deep) if found[:-1] else ("", [])
    return f"{before} {found[-1].text}", unknown


def _word_for_word(found: Sequence[Piece], own: Lexicon) -> tuple[str, list[str]]:
    words: list[str] = []
    unknown: list[str] = []
    at = 0
    while at < len(found):
        for length in range(min(own.longest, len(found) - at), 0, -1):
            run = found[at : at + length]
            english = own.find(tuple(piece.key for piece in run)) if all(piece.key for piece in run) else None
            if english is not None:
                words.append(english)
                at += length
                break
        else:
            piece = found[at]
            if piece.key:
                unknown.append(piece.text)
            words.append(piece.text)
            at += 1
    return " ".join(words), unknown


def _matches(
    parts: Sequence[str | int], found: Sequence[Piece], own: Lexicon
) -> Iterator[dict[int, Sequence[Piece]]]:
    """Every way in which the pattern is the whole of `found`, the shortest places first."""
    if not parts:
        if not found:
            yield {}
        return
    first, rest = parts[0], parts[1:]
    if isinstance(first, str):
        if found and found[0].key and _stem(found[0].key) == _stem(first):
            yield from _matches(rest, found[1:], own)
        return
    for length in range(1, len(found) - len(rest) + 1):
        for tail in _matches(rest, found[length:], own):
            yield {first: found[:length]} | tail
