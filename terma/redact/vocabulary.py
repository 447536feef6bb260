"""The different words of a text: most of what is looked for in it is ruled out by them, in a fraction of the time."""

from __future__ import annotations

import functools
import re

END = b"\0"  # of a line, among words
_WORDS, _LETTERS = (
    bytes(byte if byte in kept else 32 for byte in range(256)).replace(b"\n", END)
    for kept in (b"abcdefghijklmnopqrstuvwxyz0123456789_-\n", b"abcdefghijklmnopqrstuvwxyz")
)
_HEX = b"0123456789abcdef-_"
_RUN = re.compile(rb"[a-z]+")
_LENGTHY_RUN = re.compile(r"[a-z0-9_-]{15,}")
_DIGIT = re.compile(rb"[0-9]")
_sums: list[bytes] = []  # what a sum in hexadecimal may hold of the pieces
START = 3  # letters by which pieces are looked up
LENGTHY = 15
LONG = 40  # letters in a run: in a longer one each piece is searched for, not each part of it looked up
REMEMBERED = 30_000  # words, of at most 24 characters and no digits

_pieces: set[bytes] = {b""}
_starts: dict[bytes, list[bytes]] = {}  # pieces by their first START letters
_short: list[bytes] = []  # those that have fewer
_names: set[bytes] = set()
_plain: set[bytes] = set()  # words that were met before and are of no interest


def piece_of(literal: str) -> bytes:
    """The longest run of letters in `literal`, with a space where it ends within it: a text that holds `literal`, in
    any case, has this in its `pieces` once it is looked for."""
    low = literal.lower().encode()
    runs = [b" " * (run.start() > 0) + run[0] + b" " * (run.end() < len(low)) for run in _RUN.finditer(low)]
    longest = max(runs, key=len, default=b"")
    return longest if len(longest.strip()) > 1 else b""  # every other word has one letter


def look_for(literal: str) -> bytes:
    """The piece of `literal`, which every text is asked for from now on."""
    piece = piece_of(literal)
    if piece not in _pieces:
        _pieces.add(piece)
        if 0 < len(piece) < START:
            _short.append(piece)
        elif piece:
            _starts.setdefault(piece[:START], []).append(piece)
        if not piece.strip().strip(_HEX):
            _sums.append(piece.strip())
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
    and -, `tokens` all of them in order with END behind each line, `lengths` those of the lines, `hot` the words in
    which something that is looked for may stand, each with its pieces, `pieces` those of all, and `lengthy` the words
    of LENGTHY characters or more. `strict` is `low` without the letters that became ASCII ones: a pattern for ASCII
    does not see those, so that words are read with and without them."""

    __slots__ = ("_places", "hot", "lengths", "lengthy", "low", "pieces", "strict", "tokens", "words")

    def __init__(self, text: str) -> None:
        # The one character whose lower case is longer than itself.
        self.low = self.strict = text.replace("\u0130", "i").lower()
        mapped = _mapped(self.low)
        self.lengths = list(map(len, mapped.split(END)))
        if "\u0130" in text or "\u212a" in text:
            self.strict = text.replace("\u0130", "?").replace("\u212a", "?").lower()
            both = zip(mapped.split(END), _mapped(self.strict).split(END), strict=True)
            mapped = END.join([b"%b %b" % rows for rows in both])
        self.tokens = mapped.replace(END, b" %b " % END).split()
        self.words = frozenset(self.tokens) - {END}
        self.lengthy = [word for word in self.words if len(word) >= LENGTHY]
        self._places: dict[str, list[int]] | None = None
        self.hot: dict[bytes, tuple[bytes, ...]] = {}
        if len(_plain) > REMEMBERED:
            _plain.clear()
        for word in self.words - _plain:
            if len(word) > 7 and not word.translate(None, _HEX) and not any([part in word for part in _sums]):
                continue
            pieces = _remembered(word) if len(word) <= 24 else _pieces_in(word)
            if pieces or word in _names:
                self.hot[word] = pieces
            elif len(word) <= 24 and not _DIGIT.search(word):
                _plain.add(word)
        self.pieces = frozenset(piece for pieces in self.hot.values() for piece in pieces) | {b""}

    def places(self, word: bytes) -> list[int]:
        """Where `word`, one of `lengthy`, stands in `strict`. All are found at once, when the first is asked for: a
        text may have thousands."""
        if self._places is None:
            self._places = {}
            for run in _LENGTHY_RUN.finditer(self.strict):
                self._places.setdefault(run[0], []).append(run.start())
        return self._places.get(word.decode(), [])


def _mapped(low: str) -> bytes:
    """`low` with a space for all but the characters of words, and END for each line's end."""
    return low.encode("ascii", "replace").translate(_WORDS)


def _pieces_in(word: bytes) -> tuple[bytes, ...]:
    runs = word.translate(_LETTERS).split()
    if len(runs) == 1:
        return _pieces_of_run(runs[0])
    found: set[bytes] = set()
    for run in runs:
        found.update(_pieces_of_run(run))
    return tuple(found)


@functools.lru_cache(REMEMBERED)
def _pieces_of_run(run: bytes) -> tuple[bytes, ...]:
    """Of letters alone: sums and identifiers are made of few different ones."""
    row = b" %b " % run
    if len(row) > LONG:
        return tuple(piece for piece in _pieces if piece and piece in row)
    starts = _starts.get
    found = [piece for piece in _short if piece in row]
    for at in range(len(row) - START + 1):
        for piece in starts(row[at : at + START], ()):
            if row.startswith(piece, at):
                found.append(piece)
    return tuple(set(found))


_remembered = functools.lru_cache(REMEMBERED)(_pieces_in)
