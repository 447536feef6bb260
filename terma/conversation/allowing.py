"""What the settings allow without asking: commands on a list, and tools that only read. Never anything risky."""

from __future__ import annotations

import shlex
from collections.abc import Sequence, Set
from dataclasses import dataclass
from fnmatch import fnmatchcase

from terma.dialogue import Proposal

RUN = "run_command"


@dataclass(frozen=True, slots=True)
class Allowance:
    """`allow` is the list of the settings, which counts with `yes` alone; `readers` are the names of tools that only
    read, which count where the person lets them read freely."""

    allow: Sequence[str] = ()
    yes: bool = False
    readers: Set[str] = frozenset()
    read_freely: bool = False

    async def __call__(self, proposal: Proposal) -> bool:
        """Whether nobody needs to be asked about this proposal."""
        if proposal.risk.level != "low":
            return False
        if proposal.tool == RUN:
            return self.yes and covers(self.allow, proposal.command)
        return self.read_freely and proposal.tool in self.readers


def covers(patterns: Sequence[str], command: str) -> bool:
    """Whether every simple command of the line matches one of `patterns`, and the line is nothing more than that: no
    redirection to a file, no substitution, no variable, no loop.

    A pattern is words as in a shell. `*` and `?` stand for characters of one word, and a last word that is `*` for any
    number of words; the program's name must stand there as it is."""
    try:
        from terma.risk.simple import simple_commands
    except ImportError:  # without the parser nothing is sure
        return False
    commands = simple_commands(command)
    if commands is None:
        return False
    wanted = [split for pattern in patterns if (split := _split(pattern))]
    return all(any(_matches(pattern, words) for pattern in wanted) for words in commands)


def _split(pattern: str) -> list[str]:
    try:
        words = shlex.split(pattern)
    except ValueError:
        return []
    return words if words and not any(mark in words[0] for mark in "*?[") else []


def _matches(pattern: Sequence[str], words: Sequence[str]) -> bool:
    if pattern[0] != words[0]:
        return False
    if pattern[-1] == "*":
        fixed = pattern[:-1]
        return len(words) >= len(fixed) and all(map(fnmatchcase, words, fixed))
    return len(words) == len(pattern) and all(map(fnmatchcase, words, pattern))
