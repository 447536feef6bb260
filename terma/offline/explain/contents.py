"""What a command printed of the files that it was to show: their content, and no message of its own."""

from __future__ import annotations

import re

from terma.offline.explain.case import Case

# What prints what it reads. A line that an interpreter or a compiler prints of its file may be a message all the same.
_SHOWS = frozenset(
    "cat tac nl head tail less more bat batcat grep egrep fgrep zgrep rg sed awk gawk mawk cut sort uniq column fold fmt"
    " rev tee paste strings".split()
)
_SAYS = frozenset(("echo", "printf"))
_MOST = 1 << 18  # bytes of one file that are compared


def spoken(case: Case) -> str:
    """The output without the lines that stand so in a file which the command was to show, or in the words of an echo."""
    held = set(_held(case))
    if not held and not _programs(case) & _SHOWS:
        return case.output
    rows = case.output.split("\n")
    kept = [row for row in rows if row.strip() and row.strip() not in held and not _found(case, row)]
    return "\n".join([*kept, ""]) if len(kept) < sum(bool(row.strip()) for row in rows) else case.output


def _programs(case: Case) -> set[str]:
    return {case.program_of(part) for part in {word.part for word in case.words}}


def _held(case: Case) -> list[str]:
    """The lines that the command was told to print."""
    lines: list[str] = []
    for word in case.words:
        program = case.program_of(word.part)
        if program in _SHOWS and case.is_file(word.value):
            lines += case.read(word.value, _MOST).splitlines()
        elif program in _SAYS:
            lines += word.value.split("\\n")
    return [line.strip() for line in lines if line.strip()]


def _found(case: Case, row: str) -> bool:
    """Whether `row` is what a search found in a file, which it names before it."""
    if not _programs(case) & {"grep", "egrep", "fgrep", "zgrep", "rg"}:
        return False
    named = re.match(r"([^:\n]+)[:-](?:\d+[:-])?", row)
    return bool(named) and case.is_file(named[1])  # type: ignore[index]
