"""A line that went into a folder before it failed: what failed, and what would mend it, is of that folder."""

from __future__ import annotations

import os
from dataclasses import replace

from terma.offline.explain.case import Case


def where_it_failed(case: Case) -> Case:
    """`case` without the `cd` before the part that failed, in the folder that it led to: where the shell is there
    now."""
    folder, rest = _behind_cd(case)
    return Case(replace(case.failure, command=rest, cwd=folder, stands="")) if folder else case


def _behind_cd(case: Case) -> tuple[str, str]:
    first = [word for word in case.words if word.part == 0]
    lines, now = case.pipelines, case.failure.stands
    went = len(first) == len(("cd", "FOLDER")) and first[0].value == "cd" and not first[1].after
    if not (went and now and case.part and case.blamed and lines[:1] and lines[0].joint == "&&"):
        return "", ""
    start = next(word.start for word in case.words if word.part == lines[1].parts[0])
    there = os.path.realpath(case.at(first[1].value)) == os.path.realpath(now)
    return (now, case.command[start:]) if there else ("", "")
