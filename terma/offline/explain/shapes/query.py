"""A word of a query that the database stumbles over: a keyword misspelt, a name for which it proposes another."""

from __future__ import annotations

import re
from collections.abc import Iterator

from terma.offline.explain.case import Case
from terma.offline.explain.finding import Finding
from terma.offline.explain.near import SWAP, distance
from terma.offline.explain.shapes.told import told
from terma.offline.explain.source import edited, lines_of

_KEYWORDS = tuple(
    "select from where group order by having limit offset insert into values update set delete create table drop alter"
    " join inner left outer right cross on and or not null is in like between distinct union all as case when then else"
    " end exists primary key foreign references default unique index view count sum begin commit".split()
)
_NEAR = re.compile(r"near ['\"`‘](\w+)")
_PROPOSED = re.compile(
    r"\"(?:\w+\.)?(\w+)\" does not exist[\s\S]{0,200}?(?:meant|mean)[^\"\n]*\"(?:\w+\.)?(\w+)\""
)
_LONG = 5  # letters from which on a slip other than a swap is clear


def query(case: Case) -> Iterator[Finding]:
    yield from _keyword(case)
    yield from _keyword_of_file(case)
    yield from _proposed(case)


def _keyword(case: Case) -> Iterator[Finding]:
    """The word that a syntax error points at, or the one before it, is nearly a keyword."""
    found = _NEAR.search(told(case))
    if not found or "syntax" not in case.low:
        return
    for word in case.arguments:
        at = re.search(rf"(?:(\w+)\W+)?\b({re.escape(found[1])})\b", word.value)
        if not at or " " not in word.value:
            continue
        for piece in filter(None, (at[2], at[1])):
            meant = _meant(piece)
            typed = case.command[word.start : word.end]
            if meant and len(re.findall(rf"\b{piece}\b", typed)) == 1:
                changed = re.sub(rf"\b{piece}\b", meant.upper() if piece.isupper() else meant, typed)
                yield Finding(
                    f"{piece} looks like {meant} misspelt.",
                    case.command[: word.start] + changed + case.command[word.end :],
                )
                return


def _keyword_of_file(case: Case) -> Iterator[Finding]:
    """The same in a file of statements that the command was given."""
    found = _NEAR.search(told(case))
    meant = _meant(found[1]) if found and "syntax" in case.low else ""
    if not found or not meant:
        return
    for word in case.words:
        path = word.value
        if not path.endswith(".sql") or not case.is_regular(path):
            continue
        rows = [n for n, row in enumerate(lines_of(case, path), 1) if re.search(rf"\b{found[1]}\b", row)]
        if len(rows) == 1:
            into = meant.upper() if found[1].isupper() else meant
            said = f"Line {rows[0]} of {path} says {found[1]}, which looks like {into} misspelt."
            yield Finding(said, edited(case, path, rows[0], found[1], into))


def _meant(piece: str) -> str:
    """The one keyword within a slip of `piece`; "" where it is one itself."""
    low = piece.lower()
    limit = 1.0 if len(low) >= _LONG else SWAP
    near = [one for one in _KEYWORDS if distance(low, one, limit) <= limit]
    return near[0] if len(near) == 1 and low not in _KEYWORDS else ""


def _proposed(case: Case) -> Iterator[Finding]:
    """The database says itself which name it has."""
    found = _PROPOSED.search(case.evidence.flat)
    for word in case.arguments if found else ():
        typed = case.command[word.start : word.end]
        if found and len(re.findall(rf"\b{re.escape(found[1])}\b", typed)) == 1:
            changed = re.sub(rf"\b{re.escape(found[1])}\b", found[2], typed)
            yield Finding(
                f"There is {found[2]}, and no {found[1]}.",
                case.command[: word.start] + changed + case.command[word.end :],
            )
            return
