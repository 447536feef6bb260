"""`ls # newest first`: a command and how it is to be changed, in words, without a model."""

from __future__ import annotations

import sys
from collections.abc import Callable

from terma.dialect.portable import adapted
from terma.offline.edits.change import changed
from terma.offline.edits.wishes import understood
from terma.types import Candidate, Query

SCORE = 0.9  # of 60 changes by somebody who had not seen the table, 5 came out wrong, since mended
SOURCE = "edit"
NEEDS_A_MODEL = (
    "that change needs a model: offline knows order, limits, filters, counts, all, recursive, units, files"
)


def answer(query: Query, is_ordinary: Callable[[str], bool]) -> list[Candidate]:
    """The command of `query.edit` as it is wished, [] where that cannot be said for certain. `is_ordinary`: whether
    people say a word without naming anything by it."""
    command, wish = query.edit
    made = changed(command, understood(wish, is_ordinary), query.path, query.cwd)
    if not made:
        return []
    name = (query.os or sys.platform).lower()
    system = "bsd" if "bsd" in name else "macos" if name.startswith(("darwin", "mac")) else "linux"
    return [adapted(Candidate(made, SCORE, SOURCE), system)]


__all__ = ["NEEDS_A_MODEL", "answer", "changed", "understood"]
