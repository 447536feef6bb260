"""The words that the engine knows without any knowledge file: lemmas, synonyms, function words, extensions.

They stand in lexicon.txt. Sentences and the phrasings of knowledge pass through the same maps, so a map need only be
consistent."""

from __future__ import annotations

from pathlib import Path

BESIDE = Path(__file__).with_name("lexicon.txt")


def _sections(text: str) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    rows: list[str] = []
    for line in text.splitlines():
        if line[:1] == "[":
            rows = found.setdefault(line.strip("[]"), [])
        elif line and line[0] != "#":
            rows.append(line)
    return found


_FOUND = _sections(BESIDE.read_text(encoding="utf-8"))


def _words(name: str) -> frozenset[str]:
    return frozenset(word for row in _FOUND[name] for word in row.split())


def _read_as(name: str) -> dict[str, str]:
    """Word -> what it is read as, in the order of the file."""
    parted = (row.partition(": ") for row in _FOUND[name])
    return {word: value for value, _, words in parted for word in words.split()}


def _size(unit: str) -> tuple[str, int]:
    letter, size = unit.split()
    return letter, int(size)


STOP = _words("stop")
LIGHT = _words("light")
CONTRACTIONS = _read_as("contractions")
IRREGULAR = _read_as("irregular")
NOT_PLURAL = _words("not plural")
E_VERBS = _words("e verbs")
SYNONYMS = _read_as("synonyms")
RELATED = tuple(
    (one, other)
    for one, _, others in (row.partition(": ") for row in _FOUND["related"])
    for other in others.split()
)
NUMBERS = {word: int(value) for word, value in _read_as("numbers").items()}
ORDINALS = {word: int(value) for word, value in _read_as("ordinals").items()}
SIZE_UNITS = {word: _size(unit) for word, unit in _read_as("size units").items()}
TIME_UNITS = _read_as("time units")
UNIT_SECONDS = {unit: int(seconds) for unit, seconds in _read_as("unit seconds").items()}
EXTENSIONS = _words("extensions")
JUDGEMENT = _words("judgement")
LANGUAGES = _read_as("languages")
FILE_NOUNS = _words("file nouns")
FILE_NAMES = _words("file names")
TLDS = _words("tlds")
HYPHENATED = _words("hyphenated")
SLASH_WORDS = _words("slash words")
