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
from terma.offline.explain.read_data import data_of, is_data
from terma.offline.explain.settings import emptied
from terma.offline.explain.source import lines_of

_CUT = re.compile(r"unexpected (?:end of file|eof)|end of file unexpected", re.IGNORECASE)
_FEW = 40  # lines of a file that is shown whole


def data(case: Case) -> Iterator[str]:
    """What shows the file of values that the failure comes of."""
    place = case.evidence.place
    variable, settings = emptied(case)
    if settings:
        yield f"grep -n {quote(variable)} {quote(settings)}"
    if name := data_of(case):
        yield from _shown(case, name)
    if place and place.own and not case.script and is_setting(case, place.file):
        yield from _shown(case, place.file, number=True)
    if case.script and _CUT.search(said(case)) and len(lines_of(case, case.script)) <= _FEW:
        yield f"cat -n {quote(case.script)}"  # what is not closed may stand anywhere in it
    if re.fullmatch(r"\w+sum", case.program):
        for name in re.findall(r"(?m)^(.+): FAILED$", said(case)):
            yield f"{case.program} {quote(name)}" if case.is_regular(name) else ""


def is_setting(case: Case, name: str) -> bool:
    """Whether `name` is a file of settings or values, and no source of a program."""
    path = PurePath(name)
    plain = not path.suffix or path.suffix in (
        ".cfg",
        ".conf",
        ".ini",
        ".env",
        ".properties",
        ".rules",
        ".cnf",
    )
    return (plain and path.name not in MANIFESTS and case.is_regular(name)) or (
        is_data(case, name) and path.suffix not in (".json", ".yml", ".yaml")
    )


def _shown(case: Case, name: str, *, number: bool = False) -> Iterator[str]:
    """The whole file where it is short, else its beginning; of one that is no text in this encoding, its kind."""
    count = len(lines_of(case, name))
    if count:
        yield f"{('cat -n' if number else 'cat') if count <= _FEW else 'head'} {quote(name)}"
    elif case.bytes_of(name, 1):
        yield f"file {quote(name)}"
