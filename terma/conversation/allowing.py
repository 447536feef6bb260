"""What the settings allow without asking: commands on a list, and tools that only read. Never anything risky."""

from __future__ import annotations

import re
import shlex
from collections.abc import Sequence, Set
from dataclasses import dataclass
from fnmatch import fnmatchcase

from terma.dialogue import Proposal

RUN = "run_command"
# What reads a program among its arguments: of these a wildcard allows nothing, only what is spelled out.
_INTERPRETERS = set(
    "sh bash zsh fish dash ksh csh tcsh python python2 python3 perl ruby node deno bun lua php tclsh awk gawk mawk "
    "nawk sed gsed ed ex vi vim nvim emacs env xargs sudo doas su ssh nohup timeout nice ionice setsid stdbuf watch "
    "parallel eval exec source . command builtin trap time coproc script expect gdb sqlite3 psql mysql".split()
)
# Options by which a program that only looks runs another, or writes a file.
_DOES_MORE = re.compile(
    r"--?(?:\w[\w-]*-)?(?:exec\w*|ok|okdir|output|out|outfile|command|\w*-?program|pager|editor|hooks?|ext-diff|textconv"
    r"|delete|fprint\w*|fls|shell|config|config-env|pre|preprocessor|checkpoint-action|to-command|rsh|upload-pack"
    r"|receive-pack|open-files-in-pager|hostname-bin|write|in-place|fix)(?:[=-].*)?\Z"
)
_SHORT = {
    "git": "cO",
    "sort": "oT",
    "tar": "IF",
    "man": "PH",
    "rsync": "e",
    "curl": "oOKT",
    "wget": "Oe",
    "less": "oO",
}


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
    number of words; the program's name must stand there as it is. Options by which a program runs another or writes a
    file, and the arguments of interpreters, must be spelled out."""
    try:
        from terma.risk.simple import simple_commands
    except ImportError:  # without the parser nothing is sure
        return False
    simple = simple_commands(command)
    if simple is None:
        return False
    commands = [[word.text for word in words] for words in simple]
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
    more = pattern[-1] == "*"
    fixed = pattern[:-1] if more else pattern
    if len(words) < len(fixed) or (not more and len(words) > len(fixed)):
        return False
    if not all(map(fnmatchcase, words, fixed)):
        return False
    free = [word for word, one in zip(words, fixed, strict=False) if word != one] + [*words[len(fixed) :]]
    return not free or (
        words[0] not in _INTERPRETERS and not any(_does_more(words[0], word) for word in free)
    )


def _does_more(program: str, word: str) -> bool:
    """Whether a word that nobody spelled out may do more than look."""
    if word.startswith("-") and not word.startswith("--") and set(word[1:]) & set(_SHORT.get(program, "")):
        return True
    return bool(_DOES_MORE.match(word))
