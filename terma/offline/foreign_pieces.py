"""The words of a sentence of another language, each Chinese or Japanese character by itself; names as they stand."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator
from functools import lru_cache

from terma import regex as re
from terma.records import dataclass

CJK = "\u3040-\u30ff\u3400-\u9fff\uff66-\uff9f々〆ー"
_SPELT = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue", "ß": "ss", "’": "'"})
_QUOTED = re.compile(
    r"\"[^\"]*\"|`[^`]*`|“[^”]*”|„[^“”]*[“”]|«[^»]*»|「[^」]*」|『[^』]*』|(?<!\w)'[^']*'(?!\w)"
)
# What no language has words for: names with a dot, a slash, a digit or another sign in them.
_LITERAL = re.compile(
    rf"[\w.+-]*[@:/~*?$%_\\=](?:[^\s,;，。、？！「」『』“”{CJK}]|(?<=/)[{CJK}]+(?=[/.]))*"
    r"|\.?\w+(?:\.[\w-]+)+|[\w-]*\d[\w-]*%?|-+\w+|\.\w+|[A-Z]{3,}\b",
    re.ASCII,
)  # a path ends where Chinese or Japanese begins, unless it goes on behind that
# A file's name in these letters, with blanks around it; and a suffix behind them that is no kind of files.
_FILE = re.compile(rf"(?<!\S)[\w-]*[{CJK}](?:\.[A-Za-z0-9]+)+(?=$|[\s,;，。、？！])")
_GLUED = re.compile(
    rf"(?<=[{CJK}])(?:\.[A-Za-z0-9]+(?![A-Za-z0-9.]|(?:の|的)?(?:ファイル|文件))|\d[\w-]*\.[A-Za-z]\w*)",
    re.ASCII,
)
_JOINING = re.compile("[をのにはがで把在里中的从将到]")
CJK_LETTER = re.compile(f"[{CJK}]")
_LATIN = re.compile(r"[^\W\d_]{1,2}['’](?=[^\W\d_])|[^\W\d_]+(?:[-_'’][^\W\d_]+)*")  # l' and d' stand alone
_ENDINGS = re.compile(r"(?:en|em|er|es|[eansox])$")
_STEM = 4  # letters that are left of a word without its ending


@dataclass(frozen=True, slots=True)
class Piece:
    """A word, a CJK character or a literal: `key` is the word in small letters, "" for a literal."""

    text: str
    key: str


def pieces(text: str) -> Iterator[Piece]:
    """The words of a text, each CJK character by itself; signs between them are dropped."""
    at = 0
    while at < len(text):
        if quoted := _QUOTED.match(text, at):
            inner = quoted[0][1:-1]
            yield Piece(f'"{inner}"' if '"' not in inner else f"'{inner}'", "")
            at = quoted.end()
        elif (named := _FILE.match(text, at)) and not _JOINING.search(named[0]):
            yield Piece(named[0], "")
            at = named.end()
        elif glued := _GLUED.match(text, at):
            yield Piece(glued[0], glued[0])  # where its name begins is not known
            at = glued.end()
        elif (literal := _LITERAL.match(text, at)) and not (
            at and text[at - 1].isalnum() and text[at - 1].isascii()
        ):
            yield Piece(literal[0].rstrip(".,:?"), "")
            at = literal.end()
        elif CJK_LETTER.match(text, at):
            yield Piece(text[at], text[at])
            at += 1
        elif word := _LATIN.match(text, at):
            run = word[0]
            if run.isascii() or not CJK_LETTER.search(run):
                yield Piece(run, run.lower().replace("’", "'"))
                at = word.end()
            else:  # letters of both kinds without a blank between them
                end = next(i for i, letter in enumerate(run) if CJK_LETTER.match(letter))
                yield Piece(run[:end], run[:end].lower())
                at += end
        else:
            at += 1


def is_torn(word: str) -> bool:
    """Whether it is the end of a file's name whose beginning is not known: `.log` behind other letters."""
    return "." in word and word[:1] in ".0123456789"


def folded(word: str) -> str:
    """Lower case, without accents, as people type who have no such keys: ä is ae, ß is ss, é is e."""
    if word.isascii():
        return word.lower()
    if CJK_LETTER.match(word):  # a mark there makes another letter: が is no か
        return word
    bare = unicodedata.normalize("NFKD", word.lower().translate(_SPELT))
    return "".join(letter for letter in bare if not unicodedata.combining(letter))


@lru_cache(8192)
def stem(key: str) -> str:
    """A word without accents and without the ending that it may have."""
    plain = folded(key)
    bare = _ENDINGS.sub("", plain)
    return bare if len(bare) >= _STEM and plain.isascii() else plain
