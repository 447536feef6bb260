"""What the settings allow without asking: commands on a list, and tools that only read. Never anything risky."""

from __future__ import annotations

import asyncio
import re
import shlex
from collections.abc import Sequence, Set
from dataclasses import dataclass
from fnmatch import fnmatchcase
from typing import TYPE_CHECKING

from terma.conversation import repositories
from terma.conversation.harmless import only_reads, programs
from terma.dialogue import Proposal

if TYPE_CHECKING:
    from terma.risk.simple import SimpleWord

RUN = "run_command"
GIT = "git"
_MOVES = {"cd", "pushd", "popd"}
_WILD = "*?["
# Quotes protect a blank or a wildcard in a word in all shells, a backslash or an operator only in some (an unquoted
# wildcard is asked about anyway).
_TO_ALL_SHELLS = re.compile(r"[\w ./=:,@%+~*?\[\]{}-]*")


@dataclass(frozen=True, slots=True)
class Allowance:
    """`allow` is the list of the settings, which counts with `yes` alone; `readers` are the names of tools that only
    read, which count where the person lets them read freely. `shell` is the name of the shell that runs commands."""

    allow: Sequence[str] = ()
    yes: bool = False
    readers: Set[str] = frozenset()
    read_freely: bool = False
    shell: str = ""

    async def __call__(self, proposal: Proposal) -> bool:
        """Whether nobody needs to be asked about this proposal."""
        if proposal.risk.level != "low":
            return False
        if proposal.tool != RUN:
            return self.read_freely and proposal.tool in self.readers
        commands = covered(self.allow, proposal.command, self.shell) if self.yes else None
        if commands is None:
            return False
        if not any(map(_runs_git, commands)):
            return True
        directory = (proposal.where or {}).get("directory", "")
        return await asyncio.to_thread(repositories.run_nothing, directory)


def covers(patterns: Sequence[str], command: str, shell: str = "") -> bool:
    """Whether `command` may be entered on another machine: as `covered`, without git, which runs what the repository
    there says, and without words that are one to some shells alone: nobody knows which shell stands there."""
    commands = covered(patterns, command, shell)
    return commands is not None and not any(
        _runs_git(words) or not all(map(_TO_ALL_SHELLS.fullmatch, words)) for words in commands
    )


def covered(patterns: Sequence[str], command: str, shell: str = "") -> list[tuple[str, ...]] | None:
    """The simple commands of the line, where each matches one of `patterns` and the line is nothing more than that: no
    redirection to a file, no substitution, no variable, no loop; else None. `shell` reads it, "" when nobody knows.

    A pattern is words as in a shell. `*` and `?` stand for characters of one word, and a last word that is `*` for any
    number of words; the program's name must stand there as it is. What is not spelled out must be words that the shell
    hands on as they are, and that harmless.toml knows to be harmless."""
    try:
        from terma.risk.simple import simple_commands
    except ImportError:  # without the parser nothing is sure
        return None
    found = simple_commands(command, shell)
    wanted = [split for pattern in patterns if (split := _split(pattern))]
    if found is None or not all(any(_matches(pattern, words) for pattern in wanted) for words in found):
        return None
    commands = [tuple(word.text for word in words) for words in found]
    moves = any(words[0] in _MOVES for words in commands)
    return None if moves and any(map(_runs_git, commands)) else commands


def _runs_git(words: Sequence[str]) -> bool:
    """Also behind what was spelled out as a whole: `sudo git status`."""
    looked_at = words[:1] if words[0] in programs() else words
    return any(word.rpartition("/")[2] == GIT for word in looked_at)


def _split(pattern: str) -> list[str]:
    try:
        words = shlex.split(pattern)
    except ValueError:
        return []
    return words if words and not any(mark in words[0] for mark in _WILD) else []


def _matches(pattern: Sequence[str], words: Sequence[SimpleWord]) -> bool:
    if pattern[0] != words[0].text or words[0].expands:
        return False
    more = pattern[-1] == "*"
    fixed = pattern[:-1] if more else pattern
    if len(words) < len(fixed) or (not more and len(words) > len(fixed)):
        return False
    if not all(fnmatchcase(word.text, one) for word, one in zip(words, fixed, strict=False)):
        return False
    spelled = [
        word.text == one and not any(mark in one for mark in _WILD)
        for word, one in zip(words, fixed, strict=False)
    ]
    free = [word for word, out in zip(words, spelled, strict=False) if not out] + [*words[len(fixed) :]]
    if not free:
        return True
    return not any(map(_unknown, free)) and only_reads([word.text for word in words])


def _unknown(word: SimpleWord) -> bool:
    """Whether the program may get something else than stands there. `~/src` stays one path, and is no option."""
    home = word.tilde and (word.text == "~" or word.text.startswith("~/"))
    return word.glob or word.brace or word.expansion or (word.tilde and not home)
