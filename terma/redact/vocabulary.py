"""The different words of a text: most of what is looked for in it is ruled out by them, in a fraction of the time."""

from __future__ import annotations

import functools
import re
from collections.abc import Iterable, Iterator, Sequence

END = b"\0"  # of a line, among words
_WORDS, _LETTERS = (
    bytes(byte if byte in kept else 32 for byte in range(256)).replace(b"\n", END)
    for kept in (b"abcdefghijklmnopqrstuvwxyz0123456789_-\n", b"abcdefghijklmnopqrstuvwxyz")
)
_RUN = re.compile(rb"[a-z]+")
_PLAIN = re.compile(rb"[a-z_-]{1,24}\Z")  # of such words most come again
START = 3  # letters by which pieces are looked up
LENGTHY = 15
_LENGTHY = re.compile(rf"[a-z0-9_-]{{{LENGTHY},}}+")
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
        _plain.clear()
        _any_piece.cache_clear()
    return piece


@functools.cache
def _any_piece() -> re.Pattern[bytes]:
    """Of words in which a piece stands: what most words do not hold is ruled out by one search. A piece with another
    in it adds nothing, and those that begin alike share the letters they begin with."""
    shortest: dict[bytes, list[bytes]] = {}  # by their first two letters
    for piece in sorted(_pieces - {b""}, key=len):
        parts = ((part, at) for at in range(len(piece)) for part in shortest.get(piece[at : at + 2], ()))
        if not any(piece.startswith(part, at) for part, at in parts):
            shortest.setdefault(piece[:2], []).append(piece)
    found = (_atoms(piece.decode()) for pieces in shortest.values() for piece in pieces)
    return re.compile(one_of(found).encode())


def _atoms(piece: str) -> list[str]:
    """The letters of `piece` as patterns: where it begins or ends with a space, a run of letters begins or ends."""
    letters = list(piece.strip())
    if piece[0] == " ":
        letters[0] += f"(?<![a-z]{letters[0]})"
    return [*letters, "(?![a-z])"] if piece[-1] == " " else letters


def one_of(rows: Iterable[Sequence[str]]) -> str:
    """A pattern for one of `rows`, each in its parts: those that begin alike share the parts they begin with, so that
    it says no after a letter or two."""
    by_first: dict[str, list[Sequence[str]]] = {}
    for row in rows:
        by_first.setdefault(row[0] if row else "", []).append(row[1:])
    branches = [first + (one_of(rest) if first else "") for first, rest in by_first.items()]
    return branches[0] if len(branches) == 1 else f"(?:{'|'.join(branches)})"


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

    __slots__ = ("hot", "lengths", "lengthy", "low", "pieces", "strict", "tokens", "words")

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
        self.hot: dict[bytes, tuple[bytes, ...]] = {}
        if len(_plain) > REMEMBERED:
            _plain.clear()
        new = self.words - _plain
        warm = set(filter(_any_piece().search, new)).union(new & _names)
        _plain.update(filter(_PLAIN.match, new - warm))
        for word in warm:
            pieces = _remembered(word) if len(word) <= 24 else _pieces_in(word)
            if pieces or word in _names:
                self.hot[word] = pieces
        self.pieces = frozenset(piece for pieces in self.hot.values() for piece in pieces) | {b""}

    def places(self, words: set[bytes]) -> Iterator[int]:
        """Where one of `words`, some of `lengthy`, stands in `strict` as a word, in one pass: a log has hundreds."""
        names = {word.decode() for word in words}
        for run in _LENGTHY.finditer(self.strict if names else ""):
            if run[0] in names:
                yield run.start()


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
