"""What is asked of the outcome: did it arrive, whose code is it, may I write there, is it elsewhere, may I force it."""

from __future__ import annotations

import os
import posixpath
import re

from terma.offline.explain.case import SHELL_ONLY, Case
from terma.offline.explain.evidence import Weight
from terma.offline.explain.neighbours import elsewhere

UNKNOWN = "That is not known from here"
_DONE = re.compile(
    r"\b(?:creat|copi|wrote|writ|install|remov|delet|sent|updat|mov|download|upload|sav|built|compil|push|pull|clon|extract|add|applied|renam)\w*",
    re.IGNORECASE,
)
_MISSING = re.compile(
    r"no such|not found|does(?:n't| not) exist|cannot|can't|could not|unable|missing", re.IGNORECASE
)
# What is said of a whole, and not of one of several things.
_WHOLLY = re.compile(r"\brejected\b|\babort(?:ed|ing)\b|\bnothing (?:was|to|has been)\b", re.IGNORECASE)
_REFUSED = re.compile(
    r"fail|reject|denied|refus|cannot|can't|could not|couldn't|not |unable|error|abort|no such", re.IGNORECASE
)


def done(case: Case, asked: str) -> str | None:
    """What the output says was done before it failed, else the line that says that it was not."""
    rows = [
        line.strip()
        for line, weight in zip(case.evidence.lines, case.evidence.weights, strict=True)
        if weight < Weight.NOTE and _DONE.search(line)
    ]
    if rows:
        return f"Before it failed it said: “{rows[0]}”" + (
            f", and {len(rows) - 1} lines like it." if len(rows) > 1 else "."
        )
    return None


def arrived(case: Case, asked: str) -> str | None:
    """Whether what was to be done was done, as far as the output tells."""
    if said := done(case, asked):
        return said
    line = case.evidence.line
    if case.status and line and _REFUSED.search(line):
        return f"Not as far as its output tells: “{line}”."
    return ended(case)


def never_started(case: Case) -> str:
    """That the shell refused the one command of the line before it ran, "" where that is not sure.

    A function speaks as its shell does, so the program has to be a file of PATH, or the one that was not found."""
    rows = [line for line in case.output.splitlines() if line.strip()]
    own = rf"-?(?:{re.escape(case.failure.shell or 'sh')}|sh|dash)(?:: (?:line )?\d+)?: "
    if (
        len({word.part for word in case.words}) != 1
        or not rows
        or not all(re.match(own, row) for row in rows)
    ):
        return ""
    lost = re.search(
        rf"(?:{re.escape(case.program)}: (?:command )?not found|not found: {re.escape(case.program)})$",
        rows[0],
    )
    if not lost and (not case.program_file or case.program in SHELL_ONLY):
        return ""
    return f"No: the shell refused the line, so {case.program} was never started."


def turned_away(case: Case) -> str:
    """That all of it was refused, where the line that decides says so; "" where it does not."""
    line = case.evidence.line
    return f"Not as far as its output tells: “{line}”." if case.status and _WHOLLY.search(line) else ""


def ended(case: Case) -> str:
    """What the status alone tells of what was done."""
    if case.status == 0 and not case.evidence.line:
        return "As far as its status tells, it did: 0, which means success."
    return f"{UNKNOWN}: its output does not say what was done before it ended with status {case.status}."


def took(case: Case, asked: str) -> str | None:
    """How long it ran; on what it spent that, nobody looked."""
    if not case.failure.duration:
        return f"{UNKNOWN}: neither how long it ran nor what it spent that on was told."
    return (
        f"It ran for {case.failure.duration / 1_000_000:.1f} s; what it spent that on is not known from here."
    )


def is_there(case: Case, asked: str) -> str | None:
    """Whether the one path that the failing lines repeat is there; None where they repeat none or several."""
    told = [path for path in case.operands if path in case.about_command]
    if len(told) != 1 or "://" in told[0]:
        return None
    return f"{told[0]} is there." if case.exists(told[0]) else f"{told[0]} is not there."


def whose_code(case: Case, asked: str) -> str | None:
    """Whether the place is in a file of the person's own."""
    place = case.evidence.place
    if place is None:
        return f"{UNKNOWN}: the output names no place in a file."
    inside = "a file of your own" if place.own else "a file of a library"
    return f"It happened at {place}, in {inside}."


def lies_elsewhere(case: Case, asked: str = "") -> str | None:
    """Where else a file is that the output misses."""
    gone = next(
        (
            v
            for v in case.operands
            if not case.exists(v)
            and not v.isdigit()
            and _MISSING.search(case.output)
            and v.rpartition("/")[2] in case.output
            and len(v) > 2
        ),
        "",
    )
    if not gone:
        return None
    name = gone.rpartition("/")[2]
    here = [name] if name != gone and case.exists(name) else []
    found = here + elsewhere(case, name) or [name for name in (case.near_path(gone),) if name]
    if found:
        return f"There is {' and '.join(found[:3])}."
    return f"No file of that name lies in this folder, nor in those below it: {gone}."


def may_write(case: Case, asked: str) -> str | None:
    """Who owns what the output names, and whether this person may write there."""
    for path in named_paths(case):
        place = path
        while place and not case.exists(place):
            place = posixpath.dirname(place) or ("." if not path.startswith("/") else "/")
        owner = case.owner(place)
        if owner:
            mode = case.at(place).stat().st_mode & 0o7777
            may = "you may write" if os.access(case.at(place), os.W_OK) else "you may not write"
            may = (
                may
                if os.access(case.at(place), os.R_OK)
                else may.replace("not write", "not read it, nor write")
            )
            return f"{place} belongs to {owner} and has mode {mode:03o}: {may} to it."
    return None


def named_paths(case: Case) -> list[str]:
    """The paths that the failing lines name, then those that were typed."""
    told = re.findall(r"['\"‘`]?((?:~|\.{1,2})?/[\w./+-]+|[\w+-]+(?:/[\w.+-]+)+)", case.about_command)
    quoted = [name for name in case.evidence.names if "/" in name]
    typed = [
        value for value in (*case.operands, *(word.value for word in case.words[:1])) if case.exists(value)
    ]
    return list(dict.fromkeys([*quoted, *told, *typed]))[:8]


def forced(case: Case, asked: str) -> str | None:
    """To force is to let one side win, whatever the other has."""
    lost = "what the other side has and you have not" if case.program == "git" else "what stands in its way"
    return f"Not without a look: forcing it throws away {lost}."
