"""Which simple command of a list or pipe failed: told by the statuses of its last pipeline, then by the output."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

_OPERATOR = re.compile(r"&&|\|\||\|&|[|;&\n]")
_GROUPED = re.compile(
    r"(?:^|[;&|\n(])\s*(?:if|for|while|until|case|select|function|\{|\(|\[\[|time|coproc|!)(?=[\s(]|$)|\(\)"
)
SIGPIPE = 141


@dataclass(frozen=True, slots=True)
class Pipeline:
    """`parts` are the numbers of its simple commands; `joint` is what follows it: "&&", "||", ";", "&" or ""."""

    parts: tuple[int, ...]
    joint: str


def pipelines(plain: str) -> tuple[Pipeline, ...]:
    """The pipelines of `plain`, a command line with its quotes blanked out; () where control flow makes it no list."""
    if _GROUPED.search(plain) or "(" in plain or ")" in plain:
        return ()
    text = re.sub(r"\d*[<>]&\d*-?|&>>?|>\|", lambda hit: " " * len(hit.group()), plain).rstrip("; \n")
    found: list[Pipeline] = []
    parts = [0]
    for number, operator in enumerate(_OPERATOR.findall(text), 1):
        if operator not in ("|", "|&"):
            found.append(Pipeline(tuple(parts), ";" if operator == "\n" else operator))
            parts = []
        parts.append(number)
    return (*found, Pipeline(tuple(parts), ""))


def last_run(lines: Sequence[Pipeline], status: int, statuses: Sequence[int]) -> list[Pipeline]:
    """The pipelines that may have been the last to run, given how the whole ended."""
    possible = []
    for index, line in enumerate(lines):
        later = [one.joint for one in lines[index:-1]]
        skipped = all(joint == "&&" for joint in later) if status else all(joint == "||" for joint in later)
        if skipped and (not statuses or len(statuses) == len(line.parts)):
            possible.append(line)
    return possible


def failing(
    lines: Sequence[Pipeline], status: int, statuses: Sequence[int], spoke: Callable[[int], bool]
) -> tuple[int, ...]:
    """The parts that may have failed, likeliest first; () when nothing tells. `spoke`: the output names its program."""
    possible = last_run(lines, status, statuses)
    parts = [part for line in possible for part in _guilty(line, statuses, status)]
    named = [part for part in parts if spoke(part)]
    if named:
        return tuple(named)
    return tuple(parts)


def _guilty(line: Pipeline, statuses: Sequence[int], status: int) -> list[int]:
    """The parts of one pipeline that ended with a failure; the last one where no statuses are known."""
    if len(statuses) != len(line.parts):
        return list(line.parts)
    bad = [part for part, code in zip(line.parts, statuses, strict=True) if code not in (0, SIGPIPE)]
    return bad or ([line.parts[-1]] if status else [])
