"""Looks at the data that a program choked on: the one file of values that a stopped script reads, the file whose
checksum does not hold."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import PurePath

from terma.offline.explain.case import Case
from terma.offline.explain.line import quote
from terma.offline.explain.looks.named import said
from terma.offline.explain.neighbours import MANIFESTS
from terma.offline.explain.source import lines_of

_DATA = frozenset(
    ".yml .yaml .json .ini .cfg .conf .csv .tsv .xml .txt .list .env .properties .po .dat .log .tab .rules".split()
)
_RAISED = re.compile(r"(?m)^\S*(?:Error|Exception)\b|\bException in thread|^panic:|uncaught", re.IGNORECASE)
_CUT = re.compile(r"unexpected (?:end of file|eof)|end of file unexpected", re.IGNORECASE)
_LITERAL = re.compile(r"[\"'`]([\w./-]{1,80}\.\w{1,10})[\"'`]")
_FEW = 40  # lines of a file that is shown whole


def data(case: Case) -> Iterator[str]:
    """What shows the file of values that the failure comes of."""
    place = case.evidence.place
    if place and place.own and not _is_data(case, place.file) and _RAISED.search(case.evidence.flat):
        text = "\n".join(lines_of(case, place.file))
        read = {name for name in _LITERAL.findall(text) if _is_data(case, name)}
        read |= {name for name in case.operands if _is_data(case, name)}
        if len(read) == 1:
            yield from _shown(case, read.pop())
    if case.script and _CUT.search(said(case)) and len(lines_of(case, case.script)) <= _FEW:
        yield f"cat -n {quote(case.script)}"  # what is not closed may stand anywhere in it
    if re.fullmatch(r"\w+sum", case.program):
        for name in re.findall(r"(?m)^(.+): FAILED$", said(case)):
            yield f"{case.program} {quote(name)}" if case.is_regular(name) else ""


def _is_data(case: Case, name: str) -> bool:
    """Whether `name` is a text of values that is here, by its ending."""
    path = PurePath(name)
    return path.suffix in _DATA and path.name not in MANIFESTS and case.is_regular(name)


def _shown(case: Case, name: str) -> Iterator[str]:
    """The whole file where it is short, else its beginning; of one that is no text in this encoding, its kind."""
    count = len(lines_of(case, name))
    if count:
        yield f"{'cat' if count <= _FEW else 'head'} {quote(name)}"
    elif case.bytes_of(name, 1):
        yield f"file {quote(name)}"
