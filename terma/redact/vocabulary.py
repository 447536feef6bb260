"""The different words of a text: most of what is looked for in it is ruled out by them, in a fraction of the time."""

from __future__ import annotations

import functools
import re

_WORDS, _LETTERS = (
    bytes(byte if byte in kept else 32 for byte in range(256))
    for kept in (b"abcdefghijklmnopqrstuvwxyz0123456789_-\n", b"abcdefghijklmnopqrstuvwxyz")
)
_RUN = re.compile(rb"[a-z]+")
_DIGIT = re.compile(rb"[0-9]")
LONG = 40  # letters in a run: in a longer one each piece is searched for, not each part of it looked up
REMEMBERED = 30_000  # words, of at most 24 characters and no digits

_pieces: set[bytes] = {b""}
_lengths: list[int] = []
_names: set[bytes] = set()
_plain: set[bytes] = set()  # words that were met before and are of no interest


def piece_of(literal: str) -> bytes:
    """The longest run of letters in `literal`, with a space where it ends within it: a text that holds `literal`, in
    any case, has this in its `pieces` once it is looked for."""
    low = literal.lower().encode()
    runs = [b" " * (run.start() > 0) + run[0] + b" " * (run.end() < len(low)) for run in _RUN.finditer(low)]
    return max(runs, key=len, default=b"")


def look_for(literal: str) -> bytes:
    """The piece of `literal`, which every text is asked for from now on."""
    piece = piece_of(literal)
    _pieces.add(piece)
    _lengths[:] = sorted({len(each) for each in _pieces if each})
    _plain.clear()
    return piece


def look_for_name(word: str) -> None:
    """Every text is asked for this word from now on."""
    _names.add(word.encode())
    _plain.clear()


def is_name(word: bytes) -> bool:
    """Whether it was looked for by `look_for_name`."""
    return word in _names


class Vocabulary:
    """Of `text`, in lower case (`low`, as long as `text`): `words` are its different runs of ASCII letters, digits, _
    and -, `mapped` is the text with a space for all else but line ends, `hot` the words in which something that is
    looked for may stand, each with its pieces, and `pieces` those of all. `plain`: no letter of it became
    an ASCII one."""

    __slots__ = ("hot", "low", "mapped", "pieces", "plain", "words")

    def __init__(self, text: str) -> None:
        self.plain = "\u0130" not in text and "\u212a" not in text
        self.low = text.replace(
            "\u0130", "i"
        ).lower()  # the one character whose lower case is longer than itself
        self.mapped = self.low.encode("ascii", "replace").translate(_WORDS)
        self.words = frozenset(self.mapped.split())
        self.hot: dict[bytes, tuple[bytes, ...]] = {}
        if len(_plain) > REMEMBERED:
            _plain.clear()
        for word in self.words - _plain:
            pieces = _remembered(word) if len(word) <= 24 else _pieces_in(word)
            if pieces or word in _names:
                self.hot[word] = pieces
            elif len(word) <= 24 and not _DIGIT.search(word):
                _plain.add(word)
        self.pieces = frozenset(piece for pieces in self.hot.values() for piece in pieces) | {b""}


def _pieces_in(word: bytes) -> tuple[bytes, ...]:
    found: set[bytes] = set()
    for run in word.translate(_LETTERS).split():
        row = b" %b " % run
        if len(row) > LONG:
            found.update(piece for piece in _pieces if piece and piece in row)
        else:
            parts = {row[at : at + length] for length in _lengths for at in range(len(row) - length + 1)}
            found |= parts & _pieces
    return tuple(found)


_remembered = functools.lru_cache(REMEMBERED)(_pieces_in)
