"""A table or a column that a script asks a database for by a name that is nearly right, by the database itself."""

from __future__ import annotations

import re

from terma.offline.explain.case import Case
from terma.offline.explain.finding import Finding
from terma.offline.explain.lookups import sqlite_names
from terma.offline.explain.near import nearest
from terma.offline.explain.source import edited, lines_of

_NONE = re.compile(r"no such (?P<kind>table|column): (?:\w+\.)?(?P<name>\w+)")
_FILE = re.compile(r"[\"'`]([\w./-]{1,80}\.\w{1,10})[\"'`]")


def stored(case: Case) -> Finding | None:
    """The line of the script that holds the name, with the one that the database has; None where nothing is near."""
    found, place = _NONE.search(case.evidence.flat), case.evidence.place
    if not found or not place or not place.own:
        return None
    rows = lines_of(case, place.file)
    files = dict.fromkeys(name for row in rows for name in _FILE.findall(row) if case.is_regular(name))
    for path in list(files)[:8]:
        tables, columns = sqlite_names(case, path)
        near = nearest(found["name"], tables if found["kind"] == "table" else columns, 2)
        lines = [number for number, row in enumerate(rows, 1) if re.search(rf"\b{found['name']}\b", row)]
        if len(near) == 1 and len(lines) == 1:
            return Finding(
                f"{path} has {near[0]}, and no {found['name']}.",
                edited(case, place.file, lines[0], found["name"], near[0]),
            )
    return None
