"""Slips of YAML that the line itself shows: no blank behind a colon, a second colon in a bare value."""

from __future__ import annotations

import re
from collections.abc import Iterator

from terma.offline.explain.case import Case
from terma.offline.explain.finding import Finding
from terma.offline.explain.source import lines_of, sed

_ENDINGS = (".yml", ".yaml")
_TOLD = re.compile(
    r"mapping values are not allowed|could not find expected ':'|did not find expected key"
    r"|cannot unmarshal !!str|expected a mapping",
    re.IGNORECASE,
)
_GLUED = re.compile(r"^(\s*(?:- )?[A-Za-z_][\w.-]*):(?![\s/:\\])(?=\S)(?!.*:\s)")
_TWICE = re.compile(r"^\s*(?:- )?[A-Za-z_][\w.-]*: ([^\s'\"\[{|>&*#][^'\"#]*: [^'\"#]*)$")


def yaml_slip(case: Case) -> Iterator[Finding]:
    """The first such line at the place that the output tells, or just before it."""
    if not _TOLD.search(case.output):
        return
    place = case.evidence.place
    path = (
        place.file
        if place and place.file.endswith(_ENDINGS)
        else next((name for name in case.operands if name.endswith(_ENDINGS) and case.exists(name)), "")
    )
    told = re.search(r"\bline (\d+)", case.output)
    at = place.line if place and place.file == path else int(told[1]) if told else 1
    lines = lines_of(case, path) if path else []
    for number in (at, at - 1):
        if not 0 < number <= len(lines):
            continue
        if _GLUED.match(lines[number - 1]):
            yield Finding(
                f"Line {number} of {path} has no blank behind its colon.",
                sed(case, path, f"{number}s/:/: /"),
            )
            return
        if twice := _TWICE.match(lines[number - 1]):
            text = re.escape(twice[1]).replace("/", "\\/").replace("\\ ", " ")
            yield Finding(
                f"Line {number} of {path} has a second colon in its value, which wants quotes.",
                sed(case, path, f'{number}s/{text}/"&"/'),
            )
            return
