"""The subcommand of one command, held against all that its program has here: `git has no subcommand undo`."""

from __future__ import annotations

import re

from terma.grounding.budget import Budget
from terma.grounding.words import wants_next
from terma.machine.completions import mentions
from terma.machine.notation import Options
from terma.machine.subcommands import PROGRAMS, added
from terma.risk.model import Call

_WORD = re.compile(r"[a-z][a-z0-9-]+")


def unknown_subcommand(call: Call, file: str, path: str, cwd: str, budget: Budget) -> str:
    """`undo` of `git undo`, where the program at `file` certainly has no subcommand of that name, and neither a plug-in
    nor an alias of the person's adds it; "" else."""
    if call.name not in PROGRAMS:
        return ""
    word = _first(call, budget.options(call.name, file))
    if not _WORD.fullmatch(word):
        return ""
    known = budget.subcommands(call.name, file)
    if not known or word in known or added(call.name, word, path, cwd):
        return ""
    # git's completions know the programs of other packages, and its own folder is the whole truth
    return "" if call.name != "git" and mentions(call.name, (), word) else word


def _first(call: Call, known: Options | None) -> str:
    """The first word that is no option and no option's value; "" where that cannot be told."""
    words = iter(call.args)
    for word in words:
        if word.dynamic or word.globs:
            return ""
        if not word.text.startswith("-"):
            return word.text
        if known is None:
            return ""
        if wants_next(word.text, known):
            next(words, None)
    return ""
