"""The gate that every rule's explanation passes: what it says beyond the message must have grounds in the evidence.

A rule knows what its message mostly means, and hands over what it claims of this failure as data: of which thing, read
from which lines. Each claim is held against the output, the command and the script that ran; one that does not hold
takes the rule's whole explanation along, and the decisive line is quoted instead."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum

from terma.offline.explain.case import Case
from terma.offline.explain.evidence import Weight
from terma.offline.explain.source import lines_of

NEAR = 3  # lines between what a claim was read from and a line that decides


class Kind(StrEnum):
    """What is claimed."""

    TYPED = "typed"  # the value was written in the command, or in the script that ran
    VARIABLE = "variable"  # a variable of the command is at fault
    PATTERN = "pattern"  # a pattern of the command, which the shell writes out, is at fault
    TOLD = "told"  # the output says it where it says what went wrong


@dataclass(frozen=True, slots=True)
class Claim:
    """That `kind` is true of `value`; `at` are the lines of the evidence (their indices) that it was read from."""

    kind: Kind
    value: str = ""
    at: tuple[int, ...] = ()


def hold(case: Case, claims: Iterable[Claim]) -> bool:
    """Whether nothing here speaks against one of `claims`."""
    return all(_holds(case, claim) for claim in claims)


def without_guess(text: str) -> str:
    """`text` where no command was proved: that a word looks misspelt is not said without the one that was meant."""
    return re.sub(r"[;,] (?:it|and it|the \w+ \w+) looks misspelt\.$", ".", text)


def has_variable(case: Case) -> bool:
    """Whether a variable, an argument or what a command prints is put into the command or the script that ran; True
    where that cannot be read."""
    written = _written(case)
    return not written or bool(re.search(r"\$[\w{(?@*#]", written))


def has_pattern(case: Case) -> bool:
    """Whether a pattern stands in the command or the script that ran; True where that cannot be read."""
    written = _written(case)
    return not written or bool(re.search(r"[*?\[]", written))


def lines_with(case: Case, text: str) -> tuple[int, ...]:
    """The lines of the evidence that hold a row of `text`, or lie in one."""
    rows = [row for row in map(str.strip, text.split("\n")) if row]
    return tuple(
        index
        for index, line in enumerate(map(str.strip, case.evidence.lines))
        if line and any(line in row or row in line for row in rows)
    )


def _holds(case: Case, claim: Claim) -> bool:
    if claim.kind == Kind.TYPED:
        name = claim.value.strip(".'\"")
        return not name or _was_typed(case, name)
    if claim.kind == Kind.VARIABLE:
        return has_variable(case)
    if claim.kind == Kind.PATTERN:
        return has_pattern(case)
    return _is_told(case, claim.at)


def _is_told(case: Case, at: tuple[int, ...]) -> bool:
    """Whether one of the lines decides, lies by one that does, or weighs more than a remark."""
    found = case.evidence
    return not at or any(
        found.weights[index] > Weight.NOTE or any(abs(index - other) <= NEAR for other in found.decisive)
        for index in at
    )


def _was_typed(case: Case, name: str) -> bool:
    """Whether `name` stands in the command, or where terma cannot read: in a function, a variable, another script. A
    letter or a mark may stand among others, as those of options do."""
    written, bare = _written(case), name.lstrip("-")
    whole = rf"(?<![\w./]){re.escape(bare)}(?![\w/]|\.\w)" if len(bare) > 1 else re.escape(bare)
    return not written or bool(re.search(whole, written)) or "$" in written or not _is_known(case)


def _is_known(case: Case) -> bool:
    """Whether the program is a file of PATH or a word of the shell's own, and no function of the person's."""
    return bool(case.program_file) or case.installed(case.program)


def _written(case: Case) -> str:
    """The command, and the scripts that it names; "" where another script speaks, which cannot be read."""
    scripts = [word.value for word in case.words if case.is_file(word.value)]
    if not scripts and not re.match(rf"-?{re.escape(case.failure.shell)}: ", case.evidence.line):
        return ""
    return "\n".join([case.command, *(row for script in scripts for row in lines_of(case, script))])
