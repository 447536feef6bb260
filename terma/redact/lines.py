"""Which lines of a text hold one of the literals that rules go by: found by their words, in one pass over all lines."""

from __future__ import annotations

import functools
import re
from collections.abc import Callable, Iterator, Sequence, Set
from functools import partial
from itertools import accumulate

from terma.redact.names import ALONE, NO, YES, may_name
from terma.redact.names import BEFORE as STANDS_BEFORE
from terma.redact.vocabulary import END, Vocabulary, is_name, look_for, look_for_name

Span = tuple[int, int]
NAMES = "\0name"  # asked for like a literal: lines with a word that may end the name of a secret
NOUNS = "\0noun"  # as NAMES, of a word that people call a secret
# What every such word holds.
HINTS = tuple(
    "pass pwd pswd psk secret token key auth cred bearer jwt sess _pat basic pw salt pepper pin otp "
    "puk community".split()
)
# How much of a line is read around a hint, in characters: most of a line of a megabyte is of no interest.
BEFORE, AFTER = 150, 1200
OPENS = frozenset(":=|>-+({[,\"'\\")
_WORD = re.compile(r"[a-z0-9_-]+$")
_RUNS = re.compile(r"[a-z0-9_-]+")
_ASCII = bytes(range(128))
_BY_PIECE: dict[bytes, list[str]] = {}
_BY_WORD: dict[bytes, list[str]] = {}  # literals that hold a whole word too short for a piece: ` -p `
_OTHERS: list[tuple[str, str]] = []  # of other letters, each with those: most texts hold none of them
_MARKS: list[str] = []  # of signs or digits alone
_nouns: set[str] = set()
_FITS: dict[str, Callable[[str], bool]] = {}  # how a word looks in which a literal stands, or a part of it


def look_for_lines(literal: str) -> None:
    """Every text's lines with `literal`, in lower case, can be asked for from now on."""
    piece = look_for(literal)
    if not piece:
        _look_for_marks(literal)
        return
    _BY_PIECE.setdefault(piece, []).append(literal)
    letters = piece.decode().strip()
    run = next(run for run in _RUNS.finditer(literal) if letters in run[0])
    opens, ends = run.start() > 0, run.end() < len(literal)
    how = (
        str.__eq__
        if opens and ends
        else str.startswith
        if opens
        else str.endswith
        if ends
        else str.__contains__
    )
    _FITS[literal] = partial(_holds, how, run[0])


def _look_for_marks(literal: str) -> None:
    """As `look_for_lines`, of a literal without two letters in a row that a word could be known by. A run that opens
    it is a whole word, too: `u: ` is not looked for in `menu: `."""
    if others := _others(literal):
        _OTHERS.append((others, literal))
        return
    for run in _RUNS.finditer(literal):
        if run.end() < len(literal) and (run.start() > 0 or not run[0].isdigit()):
            look_for_name(run[0])
            _BY_WORD.setdefault(run[0].encode(), []).append(literal)
            return
    _MARKS.append(literal)


def _others(text: str) -> str:
    """What of `text` is not ASCII."""
    return "" if text.isascii() else text.encode("utf-8", "replace").translate(None, _ASCII).decode()


def _holds(how: Callable[[str, str], bool], part: str, word: str) -> bool:
    return how(word, part)


def look_for_nouns(words: tuple[str, ...]) -> None:
    """Every text's lines with one of `words`, by itself or behind a hyphen, can be asked for as NOUNS."""
    _nouns.update(words)
    for word in words:
        look_for(word)


class HotLines:
    """The lines that hold a hint, each with the line after it where a value may stand there.

    Of a long line only what is near the hint. No search leaves the window, so that time stays linear."""

    def __init__(self, words: Vocabulary) -> None:
        self._low = words.low
        self._found: dict[str, list[Span]] = {}
        self._lengths = words.lengths
        starts = list(accumulate([length + 1 for length in words.lengths], initial=0))
        self._warm = {
            word: found for word, pieces in words.hot.items() if any(found := _literals(word, pieces))
        }
        sure = functools.cache(self._sure)
        number, here = 0, set[bytes]()
        for word in filter({*self._warm, END}.__contains__, (*words.tokens, END)):
            if word != END:
                here.add(word)
                continue
            if here:
                known, asks = sure(frozenset(here))
                literals = self._literals_of(asks, starts[number], starts[number + 1] - 1) if asks else known
                if literals:
                    self._add(literals, number, starts[number])
                here.clear()
            number += 1
        others = _others(self._low)
        for literal in (*_MARKS, *(literal for marks, literal in _OTHERS if marks in others)):
            if literal in self._low and (windows := list(_windows(self._low, literal, 0, len(self._low)))):
                self._found[literal] = windows

    def _sure(self, words: frozenset[bytes]) -> tuple[frozenset[str], frozenset[bytes]]:
        """What stands on each line with these `words`, and all of them where the line has to be asked for more."""
        found: set[str] = set()
        asks = False
        for word in words:
            sure, perhaps, alone = self._warm[word]
            found.update(sure)
            asks = asks or bool(perhaps) or alone
        return frozenset(found), words if asks else frozenset()

    def _literals_of(self, words: frozenset[bytes], start: int, end: int) -> set[str]:
        """What stands on the line from `start` to `end`, which has these `words`."""
        found: set[str] = set()
        line = ""
        for word in words:
            sure, perhaps, alone = self._warm[word]
            found.update(sure)
            if perhaps or alone:
                line = line or self._low[start:end]
                found.update([literal for literal in perhaps if literal in line])
                if alone and NAMES not in found and _goes_on(line, word.decode()):
                    found.add(NAMES)
        return found

    def _add(self, literals: Set[str], number: int, start: int) -> None:
        length = self._lengths[number]
        after = self._lengths[number + 1] if number + 1 < len(self._lengths) else 0
        end = start + length
        if length < BEFORE and length + after < AFTER - 2:
            stop = -1 if end >= len(self._low) else _line_after(self._low, start, end, len(self._low))
            window = (start, len(self._low) if stop < 0 else stop)
            for literal in literals:
                self._found.setdefault(literal, []).append(window)
        else:
            for literal in literals:
                for each in {NAMES: HINTS, NOUNS: tuple(_nouns)}.get(literal, (literal,)):
                    self._found.setdefault(literal, []).extend(_windows(self._low, each, start, end))

    def hold(self, hints: tuple[str, ...]) -> bool:
        """Whether one of `hints` stands anywhere."""
        return not self._found.keys().isdisjoint(hints)

    def of(self, hints: tuple[str, ...]) -> list[Span]:
        """Those that hold one of `hints`, in order."""
        return _joined(sorted([span for hint in hints for span in self._near(hint)]))

    def _near(self, hint: str) -> Sequence[Span]:
        return self._found.get(hint, ())


@functools.lru_cache(30_000)
def _literals(word: bytes, pieces: tuple[bytes, ...]) -> tuple[tuple[str, ...], tuple[str, ...], bool]:
    """What stands on each line with `word`, which may be a tool's name, what may, and whether the word ends a name
    where another stands before it."""
    name = word.decode()
    known = [literal for piece in pieces for literal in _BY_PIECE.get(piece, ()) if _FITS[literal](name)]
    sure = [literal for literal in known if literal in name]
    ends = may_name(name) if any(hint in name for hint in HINTS) else NO
    if ends == YES:
        sure.append(NAMES)
    if name.strip("_-").rpartition("-")[2] in _nouns:
        sure.append(NOUNS)
    perhaps = [literal for literal in known if not _WORD.match(literal)]
    if word in _BY_WORD:
        perhaps += _BY_WORD[word]
    elif is_name(word):
        perhaps += [name + mark for mark in (" ", "\t", ".exe", ".py ", '" ', "' ", '",', "',")]
    return tuple(sure), tuple(perhaps), ends == ALONE


def _goes_on(line: str, word: str) -> bool:
    """Whether `word` stands on `line` behind another part of its name."""
    at = line.find(word)
    while at >= 0:
        if STANDS_BEFORE.search(line, max(0, at - 4), at):
            return True
        at = line.find(word, at + 1)
    return False


def _windows(low: str, hint: str, first: int, last: int) -> Iterator[Span]:
    """Around each `hint` between `first` and `last`."""
    at = low.find(hint, first, last)
    while at >= 0:
        limit = min(at + AFTER, len(low))
        start = low.rfind("\n", max(0, at - BEFORE), at) + 1 or max(0, at - BEFORE)
        end = low.find("\n", at, limit)
        after = _line_after(low, start, end, limit) if end >= 0 else limit
        yield start, limit if after < 0 else after
        at = low.find(hint, end if end >= 0 else max(at + 1, limit - BEFORE), last)


def _line_after(low: str, start: int, end: int, limit: int) -> int:
    """The end of the line after the one of `start` to `end`, or `end` when that leaves nothing open."""
    line = low[start:end]
    last = line[-1:] if line[-1:] not in " \t\r" else line.rstrip()[-1:]
    if last in OPENS or "name" in line or "key:" in line or "assw" in line:
        return low.find("\n", end + 1, limit)
    return end


def _joined(ranges: list[Span]) -> list[Span]:
    merged: list[Span] = []
    for start, end in ranges:
        if merged and start <= merged[-1][1] + 1:
            merged[-1] = (merged[-1][0], max(end, merged[-1][1]))
        else:
            merged.append((start, end))
    return merged
