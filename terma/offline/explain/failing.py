"""Which simple command of a list or pipe failed: told by the statuses of its last pipeline, then by the output."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise

from terma.offline.explain.commands import script_of
from terma.offline.explain.line import Word
from terma.shell_syntax import nodes as tree

SIGPIPE = 141


@dataclass(frozen=True, slots=True)
class Pipeline:
    """`parts` are the numbers of its simple commands; `joint` is what follows it: "&&", "||", ";", "&" or ""."""

    parts: tuple[int, ...]
    joint: str


def pipelines(line: str, words: Sequence[Word], shell: str) -> tuple[Pipeline, ...]:
    """The pipelines of `line`, whose words are `words`, as its shell reads it; () where control flow is in it."""
    script = script_of(line, shell)
    if script is None:
        return ()
    found: list[Pipeline] = []
    for statement in script.statements:
        joints = (*statement.operators, statement.terminator)
        for pipeline, joint in zip(statement.pipelines, joints, strict=True):
            parts = tuple(_part(command, words) for command in pipeline.commands)
            if pipeline.negated or pipeline.timed or -1 in parts:
                return ()
            found.append(Pipeline(parts, ";" if joint == "\n" else joint))
    if found:
        found[-1] = Pipeline(found[-1].parts, "")
    return tuple(found)


def _part(command: tree.Command, words: Sequence[Word]) -> int:
    """The number of a simple command, -1 for a group or a loop."""
    if not isinstance(command, tree.Simple):
        return -1
    return next((word.part for word in words if command.start <= word.start < command.end), -1)


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
    # `make x || exit 1`: the last one ran because the one before it failed, and what is printed is often of that one.
    before = [line for line, after in pairwise(lines) if line.joint == "||" and after in possible]
    named = [part for part in (*parts, *(part for line in before for part in line.parts)) if spoke(part)]
    if named:
        return tuple(named)
    return tuple(parts)


def _guilty(line: Pipeline, statuses: Sequence[int], status: int) -> list[int]:
    """The parts of one pipeline that ended with a failure; the last one where no statuses are known."""
    if len(statuses) != len(line.parts):
        return list(line.parts)
    bad = [part for part, code in zip(line.parts, statuses, strict=True) if code not in (0, SIGPIPE)]
    return bad or ([line.parts[-1]] if status else [])


def status_of(lines: Sequence[Pipeline], part: int, statuses: Sequence[int]) -> int | None:
    """How `part` of the last pipeline ended; None where the statuses do not tell."""
    line = next((line for line in lines if part in line.parts), None)
    if line is None or line.joint == "||" or len(line.parts) != len(statuses):
        return None
    return statuses[line.parts.index(part)]
