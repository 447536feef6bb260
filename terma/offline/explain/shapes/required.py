"""What the output says is required and was not given: an option, an operand, a variable, with a place for its value.

The value is the person's to fill in: it stands as {name}, as every placeholder does."""

from __future__ import annotations

import re
from collections.abc import Iterator

from terma.offline.explain.case import Case
from terma.offline.explain.finding import Finding
from terma.offline.explain.shapes.told import told

_Q = r"['\"`‘’”]"
_REQUIRED = tuple(
    re.compile(pattern)
    for pattern in (
        r"the following (?:required )?arguments (?:are required|were not provided):\s*"
        r"(?P<names>[^\n]+(?:\n +[<-][^\n]+)*)",
        r"[Mm]issing (?:required )?(?:option|argument|parameter|flag)s?:? "
        rf"{_Q}?(?P<names>--?[\w-]+|<?[A-Z][A-Z_-]+>?)",
        rf"[Rr]equired (?:option|flag|argument)(?:\(s\)|s)? {_Q}(?P<names>--?[\w-]+|[\w-]+)(?:[ =]<\w+>)?{_Q}"
        r" (?:is |was |were )?not",
        rf"(?:option|flag|argument) {_Q}?(?P<names>--[\w-]+){_Q}? is (?:required|missing|mandatory)",
    )
)
_NAME = re.compile(r"--?[A-Za-z][\w-]*|<?[A-Za-z][\w-]*>?")
_MOST = 2  # of more the person wants to read the usage
_USAGE = re.compile(r"(?im)^\s*usage: +(?P<form>\S.*)$")


def required(case: Case) -> Iterator[Finding]:
    """`job.py in.txt` -> `job.py in.txt --out {out}`, where the output calls --out required."""
    text = told(case)
    for pattern in _REQUIRED:
        if not (hit := pattern.search(text) or pattern.search(case.evidence.flat)):
            continue
        names = _names(case, hit)
        if names and len(names) <= _MOST:
            yield Finding("", case.append(" ".join(names)))
        return
    yield from _of_usage(case)


def _names(case: Case, hit: re.Match[str]) -> list[str]:
    """What is appended for each required name; [] where one was typed already or is a choice of several."""
    found = []
    for part in re.split(r",\s*|\n\s*", hit["names"].strip()):
        name = _NAME.match(part)
        bare = name.group().strip("<>-") if name else ""
        if not bare or "|" in part or any(word.partition("=")[0].strip("-") == bare for word in case.args):
            return []
        option = part.startswith("-") or "flag" in hit.group().lower()
        place = f"{{{bare.replace('-', '_').lower()}}}"
        found.append(f"{'-' if re.match(r'-[A-Za-z]$', part) else '--'}{bare} {place}" if option else place)
    return found


def _of_usage(case: Case) -> Iterator[Finding]:
    """A script prints nothing but its usage, and one of the names in it is not filled."""
    rows = [row for row in case.evidence.flat.splitlines() if row.strip()]
    hit = _USAGE.search(rows[-1]) if rows and len(rows) <= _MOST else None
    if not hit or any(word.startswith("-") for word in case.args):
        return
    words = hit["form"].split()
    names = [word for word in words[1:] if re.fullmatch(r"<[\w-]+>|[A-Z][A-Z\d_-]*", word)]
    called = words[0].rpartition("/")[2] in (case.program, case.speaker)
    if called and len(names) == len(words) - 1 and len(names) - len(case.args) == 1 and case.args:
        yield Finding("", case.append(f"{{{names[-1].strip('<>').lower()}}}"))
