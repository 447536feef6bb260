"""The file of values that a stopped script names: what it holds of the value that the failure speaks of."""

from __future__ import annotations

import re
from pathlib import PurePath

from terma.offline.explain.case import Case
from terma.offline.explain.neighbours import MANIFESTS
from terma.offline.explain.source import lines_of

_ENDINGS = frozenset(
    ".yml .yaml .json .ini .cfg .conf .csv .tsv .xml .txt .list .env .properties .po .dat .log .tab .rules"
    " .toml".split()
)
_RAISED = re.compile(r"(?m)^\S*(?:Error|Exception)\b|\bException in thread|^panic:|uncaught", re.IGNORECASE)
_LITERAL = re.compile(r"[\"'`]([\w./-]{1,80}\.\w{1,10})[\"'`]")


def is_data(case: Case, name: str) -> bool:
    """Whether `name` is a text of values that is here, by its ending."""
    path = PurePath(name)
    return path.suffix in _ENDINGS and path.name not in MANIFESTS and case.is_regular(name)


def data_of(case: Case) -> str:
    """The one file of values that the source of an exception, or its command, names; "" for none or several."""
    place = case.evidence.place
    if not place or not place.own or is_data(case, place.file) or not _RAISED.search(case.evidence.flat):
        return ""
    text = "\n".join(lines_of(case, place.file))
    read = {name.removeprefix("./") for name in _LITERAL.findall(text) if is_data(case, name)}
    read |= {name.removeprefix("./") for name in case.operands if is_data(case, name)}
    return read.pop() if len(read) == 1 else ""


def told_of_data(case: Case) -> str:
    """A sentence on that file: which line holds the value that the output quotes, or only that the source names it."""
    name = data_of(case)
    if not name:
        return ""
    source = "\n".join(lines_of(case, case.evidence.place.file)) if case.evidence.place else ""
    rows = lines_of(case, name)
    for value in re.findall(r"['\"]([^'\"\n]{1,60})['\"]", case.evidence.line):
        hits = [number for number, row in enumerate(rows, 1) if value in row]
        if len(hits) == 1 and value not in source:
            return f"{value} stands in {name}, line {hits[0]}."
    return f"The source names the file {name}."
