"""Which lines of a text hold one of the literals that rules go by: found by their words, in one pass over all lines."""

from __future__ import annotations

import functools
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
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
    "puk community dockerc".split()
)
# What the names of a secret hold, in other languages too.
IN_NAMES = (
    *HINTS,
    *"kennw mdp contrasen clave senha parola haslo heslo jelszo wachtw senord adgangsk salasana sifre lozinka".split(),
    *"parool geslo geheim sandi schluessel jeton cle chave chiave klucz llave sandi gangswort".split(),
)
# How much of a line is read around a hint, in characters: most of a line of a megabyte is of no interest.
BEFORE, AFTER = 150, 1200
WHOLE = 600  # characters of a line that is read as a whole: cheaper than to look for each hint in it
OPENS = frozenset(":=|>-+({[,\"'\\")
_WORD = re.compile(r"[a-z0-9_-]+$")
_RUNS = re.compile(r"[a-z0-9_-]+")
CALLED = re.compile(r"""[ \t]|\.exe|\.py |["'][ ,]""")  # behind the name of a tool
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


@dataclass(frozen=True, slots=True)
class _Asks:
    """What a line has to be asked for `word`: the literals that may stand there, whether it calls a tool of that name,
    and whether the word goes on before."""

    word: str
    perhaps: tuple[str, ...]
    called: bool
    alone: bool

    def answers(self, low: str, line: str, start: int, end: int) -> list[str]:
        """The literals that stand on `line`, which is `low` from `start` to `end`."""
        found = [literal for literal in self.perhaps if literal in line]
        if self.called or self.alone:
            found += self._around(low, start, end)
        return found

    def _around(self, low: str, start: int, end: int) -> Iterator[str]:
        """What is made of the word and what stands beside it."""
        at = low.find(self.word, start, end)
        while at >= 0:
            behind = at + len(self.word)
            if self.called and (mark := CALLED.match(low, behind, end)):
                yield self.word + mark[0]
            if self.alone and STANDS_BEFORE.search(low, max(start, at - 4), at):
                yield NAMES
            at = low.find(self.word, at + 1, end)


class HotLines:
    """The lines that hold a hint, each with the line after it where a value may stand there.

    `names` are the words that may end the name of a secret. Of a long line only what is near the hint. No search leaves
    the window, so that time stays linear."""

    def __init__(self, words: Vocabulary) -> None:
        self._low = words.low
        self._found: dict[str, list[Span]] = {}  # by what stands there, in order
        self._of: dict[tuple[str, ...], list[Span]] = {}  # by what was asked for
        self._lengths = words.lengths
        starts = list(accumulate([length + 1 for length in words.lengths], initial=0))
        warm = {word: found for word, pieces in words.hot.items() if any(found := _literals(word, pieces))}
        self.names = [
            word.decode() for word, (sure, ask) in warm.items() if NAMES in sure or (ask and ask.alone)
        ]
        known: dict[tuple[bytes, ...], tuple[frozenset[str], tuple[_Asks, ...]]] = {}
        number, here = 0, list[bytes]()
        for word in filter({*warm, END}.__contains__, (*words.tokens, END)):
            if word != END:
                here.append(word)
                continue
            if here:
                if (all_here := tuple(dict.fromkeys(here))) not in known:
                    known[all_here] = _all_of([warm[each] for each in all_here])
                here.clear()
                literals, asks = known[all_here]
                if asks:
                    start, end = starts[number], starts[number + 1] - 1
                    line = self._low[start:end]
                    literals = literals.union(*[ask.answers(self._low, line, start, end) for ask in asks])
                if literals:
                    self._add(literals, number, starts[number])
            number += 1
        others = _others(self._low)
        for literal in (*_MARKS, *(literal for marks, literal in _OTHERS if marks in others)):
            if literal in self._low and (windows := list(_windows(self._low, literal, 0, len(self._low)))):
                self._found[literal] = windows

    def _add(self, literals: frozenset[str], number: int, start: int) -> None:
        length = self._lengths[number]
        after = self._lengths[number + 1] if number + 1 < len(self._lengths) else 0
        end = start + length
        if length < WHOLE and length + after < AFTER - 2:
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
        if hints not in self._of:
            windows = [self._found[hint] for hint in hints if hint in self._found]
            self._of[hints] = _joined(sorted({span for spans in windows for span in spans}))
        return self._of[hints]


_Known = tuple[frozenset[str], _Asks | None]


def _all_of(words: list[_Known]) -> tuple[frozenset[str], tuple[_Asks, ...]]:
    """What stands on each line with these words, and what it has to be asked."""
    return frozenset[str]().union(*[sure for sure, _ in words]), tuple([asks for _, asks in words if asks])


@functools.lru_cache(30_000)
def _literals(word: bytes, pieces: tuple[bytes, ...]) -> _Known:
    """What stands on each line with `word`, and what it has to be asked for more."""
    name = word.decode()
    known = [literal for piece in pieces for literal in _BY_PIECE.get(piece, ()) if _FITS[literal](name)]
    sure = {literal for literal in known if literal in name}
    ends = may_name(name) if any(hint in name for hint in IN_NAMES) else NO
    if ends == YES:
        sure.add(NAMES)
    if name.strip("_-").rpartition("-")[2] in _nouns:
        sure.add(NOUNS)
    perhaps = [literal for literal in known if not _WORD.match(literal)]
    perhaps += _BY_WORD.get(word, ())
    called = word not in _BY_WORD and is_name(word)
    asks = _Asks(name, tuple(perhaps), called, ends == ALONE) if perhaps or called or ends == ALONE else None
    return frozenset(sure), asks


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
