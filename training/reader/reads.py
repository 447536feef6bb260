"""What a reader says of drafts."""

from __future__ import annotations

from multiprocessing import Pool

from terma.offline.index import Index
from terma.offline.tokens import Token
from terma.offline.trust import second_look
from terma.offline.trust.reader.model import Reader
from terma.offline.trust.tagger import Tagger
from terma.offline.understood import understood
from training.measure import usage
from training.reader import second

_at_work: list[tuple[Reader, Tagger, Index]] = []  # of a worker
_read: dict[str, tuple[Token, ...]] = {}


def tokens_of(nl: str, index: Index) -> tuple[Token, ...]:
    """The tokens of a sentence, its slips mended: read once for all of its drafts."""
    if nl not in _read:
        _read[nl] = understood(nl, index, usage())[0].tokens
    return _read[nl]


def reads(reader: Reader, tagger: Tagger, index: Index) -> second.Reads:
    """What the reader says of the drafts of each line, by as many workers as there are cores."""

    def of(lines: list[second.Asked]) -> list[list[second_look.Read]]:
        with Pool(initializer=_begin, initargs=(reader, tagger, index)) as pool:
            return pool.map(_of_line, lines, 50)

    return of


def _begin(reader: Reader, tagger: Tagger, index: Index) -> None:
    _at_work.append((reader, tagger, index))


def _of_line(line: second.Asked) -> list[second_look.Read]:
    reader, tagger, index = _at_work[0]
    words, here, commands = line
    tokens = tokens_of(words, index)
    return reader.measure(*second_look.as_read(tokens, tagger.tags(tokens), here), commands)
