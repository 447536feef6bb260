"""A question that only says which command ("and the second?"): what is asked of it is what was asked before."""

from __future__ import annotations

from dataclasses import replace

from terma.agent.chat.deeds.asked import About, Asked, asked, selects
from terma.agent.chat.deeds.record import Record
from terma.agent.chat.deeds.words import NAME, read

_OF_ONE: frozenset[About] = frozenset(
    ("status", "meaning", "duration", "when", "who", "why", "why_ours", "explain")
)
_OF_SOME: frozenset[About] = frozenset(("failed", "worked", "list", "count"))  # one of those that were told
_PLACES = frozenset((NAME, "last", "it"))
MAX_BACK = 5  # questions in a row that only point


def continued(question: str, known: Record) -> Asked | None:
    """None where it says more than which command, or the question before asked nothing of commands. What was printed is
    pointed into otherwise."""
    words = read(question, known.known)
    if not selects(words) or words.nth > len(known.deeds):
        return None  # of one command there is no second: of what it printed there may be
    for before in reversed(known.asked[-MAX_BACK:]):
        if selects(read(before, known.known)):
            continue
        found = asked(before, known.known)
        if found is None:
            return None
        if found.about in _OF_SOME and words.named:
            return Asked("status", words)
        if found.about not in (_OF_ONE if words.shift else _OF_ONE | _OF_SOME):
            return None
        if words.shift:
            return replace(found, words=replace(found.words, shift=found.words.shift + words.shift))
        roles = (*(role for role in found.words.roles if role not in _PLACES), *words.roles)
        kept = replace(found.words, roles=roles, named=words.named, nth=words.nth, plural=False)
        return Asked(found.about, kept)
    return None
