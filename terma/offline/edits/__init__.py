"""`ls # newest first`: a command and how it is to be changed, in words, without a model."""

from __future__ import annotations

import sys

from terma.dialect.portable import adapted
from terma.offline.edits.by_words import by_words
from terma.offline.edits.change import changed
from terma.offline.edits.composed import composed
from terma.offline.edits.learned import Learned
from terma.offline.edits.wishes import split, understood
from terma.types import Candidate, Query

SCORE = 0.9  # of 60 changes by somebody who had not seen the table, 5 came out wrong, since mended
SOURCE = "edit"
NEEDS_A_MODEL = (
    "that change needs a model: offline knows order, limits, filters, counts, all, recursive, units, files"
)


def answer(query: Query, learned: Learned) -> list[Candidate]:
    """The command of `query.edit` as it is wished, [] where that cannot be said for certain."""
    command, wish = query.edit
    made = _made(command, wish, query, learned)
    if not made:
        return []
    name = (query.os or sys.platform).lower()
    system = "bsd" if "bsd" in name else "macos" if name.startswith(("darwin", "mac")) else "linux"
    return [adapted(Candidate(made, SCORE, SOURCE), system)]


def _made(command: str, wish: str, query: Query, learned: Learned) -> str:
    """The wish as a whole: by the table, as the engine reads it, by words that ask for an option; else its parts."""
    wishes = understood(wish, learned.is_ordinary)
    by_table = changed(command, wishes, query.path, query.cwd)
    if by_table and all(one.sure for one in wishes):
        return by_table
    made = composed(command, wish, learned.reads)
    made = made or by_words(command, wish, learned.flags, query.path, query.cwd) or by_table
    if made or len(parts := split(wish)) < 2:
        return made
    for part in parts:
        command = command and _made(command, part, query, learned)
    return command


__all__ = ["NEEDS_A_MODEL", "Learned", "answer", "changed", "understood"]
