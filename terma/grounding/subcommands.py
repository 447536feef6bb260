"""The subcommand of one command, held against all that its program has here: `git has no subcommand undo`."""

from __future__ import annotations

import re

from terma.grounding.budget import Budget
from terma.grounding.words import wants_next
from terma.machine.completions import mentions
from terma.machine.nested import PROGRAMS as NESTED
from terma.machine.notation import Options
from terma.machine.subcommands import OWN, PROGRAMS, added, has
from terma.risk.model import Call

_WORD = re.compile(r"[a-z][a-z0-9-]+")


def unknown_subcommand(call: Call, file: str, path: str, cwd: str, budget: Budget) -> str:
    """`git undo` of `git undo x`, where the program at `file` certainly has no subcommand of that name, and neither a
    plug-in nor an alias of the person's adds it; `git remote rename-url` for one within another; "" else."""
    if call.name not in PROGRAMS:
        return ""
    word = _first(call, budget.options(call.name, file))
    if not _WORD.fullmatch(word):
        return ""
    known = budget.subcommands(call.name, file)
    if not known or added(call.name, word, path, cwd):
        return ""
    if has(call.name, known, word):
        return _within(call, word, file, budget)
    if (call.name not in OWN and mentions(call.name, (), word)) or budget.hides(call.name, file, (word,)):
        return ""
    return f"{call.name} {word}"


def _within(call: Call, sub: str, file: str, budget: Budget) -> str:
    """The word right behind the subcommand `sub`, where that has subcommands of its own and not this one."""
    texts = [word.text for word in call.args]
    at = texts.index(sub) + 1
    if call.name not in NESTED or at >= len(texts) or call.args[at].dynamic or not _WORD.fullmatch(texts[at]):
        return ""
    known = budget.subcommands(call.name, file, sub)
    if not known or has(call.name, known, texts[at]):
        return ""
    if call.name not in OWN | {"ip"} and mentions(call.name, (sub,), texts[at]):
        return ""
    if budget.hides(call.name, file, (sub, texts[at])):
        return ""
    return f"{call.name} {sub} {texts[at]}"


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
