"""Writes the memory that the wheel carries, from sentences of our own authors alone."""

from __future__ import annotations

import json
from collections.abc import Iterable

from terma.offline.cases.induce import induced, vocabulary
from terma.offline.engine import plain
from training.pairs import Line


def rows(lines: Iterable[Line]) -> list[str]:
    """One row of JSON text for each line that has a command: [[template ...], [item ...]], without doubles."""
    kept = [line for line in lines if line.refs]
    fixed = vocabulary((plain(line.nl), ref) for line in kept for ref in line.refs)
    found: dict[str, None] = {}
    for line in kept:
        nl = plain(line.nl)
        templates: list[str] = []
        items: list[str] | None = None
        for ref in line.refs[:3]:
            case = induced(nl, ref, fixed)
            if case is None or (items is not None and case[1] != items):
                continue
            templates.append(case[0])
            items = case[1]
        if items:
            found[json.dumps([templates, items], ensure_ascii=False, separators=(",", ":"))] = None
    return list(found)
