"""A sentence of another language as the English one that the engine reads: phrase by phrase, from the language's
lexicon (`languages/NAME.txt`), whose phrases may have places and so say where things stand in English."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from itertools import islice
from pathlib import Path

from terma.offline import japanese
from terma.offline.foreign_pieces import CJK_LETTER, Piece, is_torn, pieces, stem
from terma.offline.lexicon_file import PLACE, Lexicon, Pattern
from terma.records import dataclass

FOLDER = Path(__file__).parent / "languages"
MOST = 40  # pieces of a sentence; a longer one is not read
MOST_WAYS = 12  # in which a pattern may be the whole of a sentence that are looked at
DEEP = 4  # phrases with places within one another
Read = tuple[str, list[str]]  # the English, and the words that the lexicon does not hold


@dataclass(frozen=True, slots=True)
class Translated:
    """The English words, and the words of the sentence that the lexicon does not hold: they stand as they were."""

    text: str
    unknown: tuple[str, ...]


@cache
def lexicon(language: str) -> Lexicon | None:
    """The lexicon of a language by its English name; None when there is none."""
    file = FOLDER / f"{language.lower()}.txt"
    if not (language.isalpha() and file.is_file()):
        return None
    text = file.read_text(encoding="utf-8")
    return Lexicon.parse(text, japanese.forms) if language == "Japanese" else Lexicon.parse(text)


def translate(text: str, language: str) -> Translated | None:
    """The sentence in English, as far as the lexicon goes. None for a language without a lexicon, and for what is too
    long to be one sentence."""
    own = lexicon(language)
    found = list(pieces(text)) if own is None else [part for one in pieces(text) for part in _apart(one, own)]
    other = bool(CJK_LETTER.search(text))  # letters in which no name of a file or program is written
    if own is None or not found or len(found) > MOST * (3 if other else 1):
        return None
    english, unknown = _Reading(own).whole(found)
    if other:
        unknown = [word for word in unknown if not word.isascii() or is_torn(word)]
    return Translated(" ".join(english.split()), tuple(unknown))


def _apart(piece: Piece, own: Lexicon) -> Iterator[Piece]:
    """`IP-Adresse`, `a-t-il`: the parts of a compound whose last is a noun that is known, or all of whose are."""
    parts = [Piece(part, part.lower()) for part in piece.text.split("-") if part] if piece.key else []
    known = [own.find((part.key,)) is not None for part in parts]
    if (
        len(parts) > 1
        and own.find((piece.key,)) is None
        and (all(known) or (known[-1] and parts[-1].text[0].isupper()))
    ):
        yield from parts
    else:
        yield piece


def _without_talk(found: Sequence[Piece], own: Lexicon) -> Sequence[Piece]:
    """Without what says nothing at either end: "bitte", "ください"."""
    begin, end = 0, len(found)
    while (length := _talk(found[begin:end], own, first=True)) and length < end - begin:
        begin += length
    while (length := _talk(found[begin:end], own, first=False)) and length < end - begin:
        end -= length
    return found[begin:end]


def _talk(found: Sequence[Piece], own: Lexicon, first: bool) -> int:
    """How many pieces at that end are a phrase which is nothing in English."""
    for length in range(min(own.longest, len(found)), 0, -1):
        run = found[:length] if first else found[-length:]
        if all(piece.key for piece in run):
            english = own.phrases.get(tuple(piece.key for piece in run))
            if english is not None:
                return 0 if english else length
    return 0


class _Reading:
    """Of one sentence: what was read of each part of it is kept, for many patterns ask for the same."""

    def __init__(self, own: Lexicon) -> None:
        self._own = own
        self._found: dict[tuple[tuple[str, ...], int], tuple[int, Read] | None] = {}

    def whole(self, found: Sequence[Piece]) -> Read:
        """As a phrase or a pattern has it, with or without the talk at its ends; else word for word."""
        bare = _without_talk(found, self._own)
        if (phrase := self._own.find(tuple(piece.key for piece in bare))) is not None:
            return phrase, []
        runs = (bare, found, self._as_in_the_lexicon(bare))
        ways = [way for run in runs if (way := self._by_pattern(run, DEEP)) is not None]
        if ways:
            return min(ways, key=lambda way: way[0])[1]
        return _word_for_word(bare, self._own)

    def _as_in_the_lexicon(self, found: Sequence[Piece]) -> Sequence[Piece]:
        """Its end as the patterns have it: 消して as 消す."""
        for at in range(len(found)):
            if (end := self._own.endings.get(tuple(piece.key for piece in found[at:]))) is not None:
                return [*found[:at], *(Piece(key, key) for key in end)]
        return found

    def _read(self, found: Sequence[Piece], deep: int) -> Read:
        """As the first pattern has it all of whose places are known, else word for word."""
        way = self._by_pattern(found, deep)
        return way[1] if way else _word_for_word(found, self._own)

    def _by_pattern(self, found: Sequence[Piece], deep: int) -> tuple[int, Read] | None:
        key = tuple(piece.text for piece in found), deep
        if key not in self._found:
            self._found[key] = self._looked_for(found, deep) if deep and len(found) > 1 else None
        return self._found[key]

    def _looked_for(self, found: Sequence[Piece], deep: int) -> tuple[int, Read] | None:
        """The number of the first pattern that leaves no more words unknown than there are, with what it makes of them;
        None where none is the whole of it."""
        stems = [stem(piece.key) if piece.key else "" for piece in found]
        there = set(stems)
        most = len(_word_for_word(found, self._own)[1])
        for number, pattern in enumerate(self._own.patterns):
            if not pattern.needs <= there:
                continue
            for places in islice(_matches(pattern.parts, stems, 0), MOST_WAYS):
                inner = {
                    place: self._named(found[start:end], deep - 1)
                    if place in pattern.names
                    else self._read(found[start:end], deep - 1)
                    for place, (start, end) in places.items()
                }
                unknown = [word for _, words in inner.values() for word in words]
                if len(unknown) <= most:
                    return number, (_written(pattern, inner), unknown)
        return None

    def _named(self, found: Sequence[Piece], deep: int) -> Read:
        """`die Datei test` with its last word as it was typed."""
        if not found[-1].text.isascii():
            return self._read(found, deep)
        before, unknown = self._read(found[:-1], deep) if found[:-1] else ("", [])
        return f"{before} {found[-1].text}", unknown


def _written(pattern: Pattern, inner: dict[int, Read]) -> str:
    cut = PLACE.split(pattern.english)  # every second one is a place's number
    cut[1::2] = [inner[int(number)][0] for number in cut[1::2]]
    return "".join(cut)


def _word_for_word(found: Sequence[Piece], own: Lexicon) -> Read:
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
    parts: Sequence[str | int], stems: Sequence[str], at: int
) -> Iterator[dict[int, tuple[int, int]]]:
    """Every way in which the pattern is all that stands from `at` on, as the beginning and end of each place; the
    shortest places first."""
    if not parts:
        if at == len(stems):
            yield {}
        return
    first, rest = parts[0], parts[1:]
    if isinstance(first, str):
        if at < len(stems) and stems[at] == first:
            yield from _matches(rest, stems, at + 1)
        return
    for end in range(at + 1, len(stems) - len(rest) + 1):
        for tail in _matches(rest, stems, end):
            yield {first: (at, end)} | tail
