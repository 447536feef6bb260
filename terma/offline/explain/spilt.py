"""A piece of a program's own text that ran out of it, since it was not quoted: `jq .a f.json | length`, where length is
a word of jq's and no program."""

from __future__ import annotations

import re

from terma.offline.explain.case import NO_PROGRAM, Case
from terma.offline.explain.finding import Finding
from terma.offline.explain.program_text import holds

_CODE = re.compile(r"[.\[\]{}$@]")


def spilt(case: Case) -> Finding | None:
    """The piece back in the text of the program before the pipe, all of it in quotes."""
    if case.ended != NO_PROGRAM or case.installed(case.program):
        return None
    line = next((one for one in case.pipelines if case.part in one.parts), None)
    before = [part for part in line.parts if part < case.part] if line else []
    if not before:
        return None
    missing = case.program
    other = Case(case.failure)
    other.turn_to(before[-1])
    texts = [
        word for word in other.arguments
        if not word.value.startswith("-") and _CODE.search(word.value) and not other.exists(word.value)
    ]  # fmt: skip
    if len(texts) != 1 or not holds(other, missing):
        return None
    mine = [word for word in case.words if word.part == case.part]
    last = max(word.end for word in other.words if word.part == before[-1])
    tail = case.command[mine[0].start : mine[-1].end]
    text = f"{texts[0].value} | {tail}"
    if "'" in text:
        return None
    start = case.command[: texts[0].start]
    fix = f"{start}'{text}'{case.command[texts[0].end : last]}{case.command[mine[-1].end :]}"
    return Finding(f"{missing} is a word of {other.program}'s: its text has to be quoted whole.", fix)
