"""Stretches of a sentence that stand in its command as they were said."""

from __future__ import annotations

import re
from collections.abc import Iterator

from terma.offline.draft import Context
from terma.offline.trust.command import simples
from terma.offline.trust.facts import Facts


def prose(facts: Facts, command: str, context: Context) -> bool:
    """No stretch of the sentence's own prose stands in the command as a value."""
    own = {name for simple in simples(command) for name in (simple.program, simple.sub)}
    for _, run in copied_runs(facts, command):
        told = [i for i in run if facts.sentence.tokens[i].text not in own]
        if len(told) >= 3 and not _quoted_in(facts, run):
            return False
    return True


def _quoted_in(facts: Facts, run: tuple[int, ...]) -> bool:
    before = facts.sentence.raw[: facts.sentence.tokens[run[0]].start].rstrip()
    return before.endswith((":", "'", '"', "“"))


def copied_runs(facts: Facts, command: str) -> Iterator[tuple[str, tuple[int, ...]]]:
    """Stretches of unquoted words of the sentence that stand in one word of the command, or in words that follow."""
    tokens = facts.sentence.tokens
    flat = " ".join(word for simple in simples(command) for word in simple.words)
    i = 0
    while i < len(tokens):
        j = i
        if tokens[i].kind in ("word", "ident"):
            while (
                j + 1 < len(tokens) and tokens[j + 1].kind in ("word", "ident") and _in(facts, i, j + 1, flat)
            ):
                j += 1
        if j > i:
            yield flat, tuple(range(i, j + 1))
        i = max(j, i) + 1


def _in(facts: Facts, i: int, j: int, flat: str) -> bool:
    text = facts.sentence.raw[facts.sentence.tokens[i].start : facts.sentence.tokens[j].end]
    return bool(re.search(rf"(?<![\w-]){re.escape(text)}(?![\w-])", flat))
