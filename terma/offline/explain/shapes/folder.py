"""A folder was given where the program reads files, and its manual has an option that goes into folders."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from terma.machine import manual
from terma.offline.explain.case import Case
from terma.offline.explain.finding import Finding
from terma.offline.explain.shapes.told import named, placed_option, told

_FOLDER = re.compile(
    r"(?:is|it's|not|are) (?:an? )?director|director\w+ (?:skipped|ignored|omitted)|EISDIR", re.IGNORECASE
)
# The head of an entry, of one spelling or two, and a text that speaks of recursion.
_ENTRY = re.compile(r"^[ \t]*(-[A-Za-z]|--[a-z-]+)(?:[, ]+(--?[A-Za-z][\w-]*))?((?:.*\n){1,3})", re.MULTILINE)


def folder(case: Case) -> Iterator[Finding]:
    """`pigz logs` where logs is a folder and the manual says `-r --recursive`."""
    path = case.program_file
    if (
        not path
        or not _FOLDER.search(told(case))
        or not any(case.is_dir(one) and named(case, one) for one in case.operands)
    ):
        return
    option = _recursive(manual.page(case.program, Path(path)))
    if option and option not in case.args:
        yield Finding(f"{case.program} goes into folders with {option}.", placed_option(case, option))


def _recursive(page: str) -> str:
    """The option whose entry speaks of recursion: by its name, or in its first lines."""
    for hit in _ENTRY.finditer(page):
        if "--recursive" in (hit[1], hit[2]) or (hit[1] in ("-r", "-R") and "recurs" in hit[3].lower()):
            return hit[1]
    return ""
