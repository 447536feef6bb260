"""A pattern that matches no file here, where one with another ending, nearly the same, does, or the same in another
folder."""

from __future__ import annotations

import re
from collections.abc import Iterator

from terma.offline.explain.case import Case
from terma.offline.explain.finding import Finding
from terma.offline.explain.line import quote
from terma.offline.explain.lookups import folders
from terma.offline.explain.near import nearest
from terma.offline.explain.shapes.told import named, replaced

_NOTHING = re.compile(
    r"no such file|no match|cannot (?:stat|open|access)|not found|no files?\b|did not match", re.IGNORECASE
)

_DEEP = 3  # folders down in which the files are looked for


def unmatched(case: Case) -> Iterator[Finding]:
    """`cp data/*.json out/`, where data holds only `.jsn` files."""
    if not _NOTHING.search(case.output):
        return
    for word in case.arguments:
        found = re.fullmatch(r"((?:[^*?\[\]]*/)?)\*\.(\w+)", word.value)
        if not found or not (named(case, word.value) or word.value in case.output):
            continue
        endings = {name.rpartition(".")[2] for name in case.listing(found[1] or ".") if "." in name[1:]}
        near = [] if found[2] in endings else nearest(found[2], endings, 2)
        if len(near) == 1:
            pattern = f"{quote(found[1]) if found[1] else ''}*.{near[0]}"
            yield Finding(
                f"There are files that end in .{near[0]}.", replaced(case, word.start, word.end, pattern)
            )
            return
        homes = [one for one in folders(case, ".", _DEEP) if one != "." and _holds(case, one, found[2])]
        if found[1] and not _holds(case, found[1], found[2]) and len(homes) == 1:
            pattern = f"{quote(homes[0])}/*.{found[2]}"
            yield Finding(
                f"The files that end in .{found[2]} lie in {homes[0]}.",
                replaced(case, word.start, word.end, pattern),
            )
            return


def _holds(case: Case, folder: str, ending: str) -> bool:
    """Whether a file of `folder` itself has this ending."""
    return any(name.endswith(f".{ending}") and name[0] != "." for name in case.listing(folder)[:400])
