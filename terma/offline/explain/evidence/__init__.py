"""An output taken apart by shapes alone: the decisive line, its place, names, values, proposals, advice."""

from __future__ import annotations

import re
from collections.abc import Callable

from terma.offline.explain.evidence import named
from terma.offline.explain.evidence.model import Evidence, Place, Weight
from terma.offline.explain.evidence.places import best, places, relative
from terma.offline.explain.evidence.tidy import tidy
from terma.offline.explain.evidence.weigh import decisive, is_help, placed_lines, weigh

__all__ = ["Evidence", "Place", "Weight", "extract"]

_TRACED = re.compile(r"^\s*Traceback \(most recent call last\)|^\s*File \".*\", line \d+", re.MULTILINE)


def extract(
    output: str,
    speakers: frozenset[str] = frozenset(),
    cwd: str = "",
    columns: int = 0,
    exists: Callable[[str], bool] = lambda name: False,
    runs: Callable[[str], bool] = lambda name: False,
    subject: str = "",
) -> Evidence:
    """`output` is plain text; `speakers` are the programs of the command, `exists` and `runs` look files and programs up,
    `subject` is the one file that the command read."""
    lines = tidy(output, columns)
    found = places(lines, exists)
    if subject and not any(
        one.file.endswith(subject) for one in found
    ):  # else a bare "line 1" is of what it read
        found = places(lines, exists, subject)
    placed = placed_lines(lines, found)
    weights = tuple(weigh(line, index in placed, speakers) for index, line in enumerate(lines))
    traced = bool(_TRACED.search(output))
    chosen = decisive(lines, weights, traced)
    kept = [one for one in found if weights[one.index] != Weight.LOGGED or one.index == (chosen or (-1,))[0]]
    place = best(kept, chosen[0], traced) if chosen else None
    return Evidence(
        lines=tuple(lines),
        weights=weights,
        decisive=chosen,
        places=tuple(relative(one, cwd) for one in found),
        place=relative(place, cwd) if place else None,
        names=named.quoted(
            line for line, weight in zip(lines, weights, strict=True) if weight > Weight.NOISE
        ),
        values=named.values(
            line for line, weight in zip(lines, weights, strict=True) if not is_help(line, weight)
        ),
        suggested=named.suggested("\n".join(lines)),
        advised=named.advised(lines, runs),
    )
