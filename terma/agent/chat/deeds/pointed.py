"""The command that a question why means by its words, where that is not the newest failure."""

from __future__ import annotations

from terma.agent.chat.deeds.record import REFUSED, Deed, Record
from terma.agent.chat.deeds.senses import Sense, meant_by, telling
from terma.agent.chat.deeds.words import spoken

MAX_LOOKED = 30  # commands whose doing is looked up, the newest


def pointed_at(question: str, known: Record, sense: Sense) -> Deed | None:
    """None where no word points, or one points at the newest failure too: by its command, or by what it printed. Of
    commands that no word names, those count that do what it says ("the deletion")."""
    asked = telling(question)
    words = set().union(*map(spoken, asked))
    failed = [deed for deed in known.deeds if deed.status > 0]
    if not words or (failed and words & spoken(f"{failed[-1].command}\n{failed[-1].output or ''}")):
        return None
    meant = [deed for deed in known.known if words & spoken(deed.command)]
    if not meant:
        verbs = frozenset().union(*map(meant_by, asked))
        meant = [deed for deed in known.known[-MAX_LOOKED:] if verbs & sense(deed.command)]
    ran = [deed for deed in meant if deed.by != REFUSED]
    bad = [deed for deed in ran if deed.status > 0]
    return next(
        (found[-1] for found in (bad, [deed for deed in meant if deed.by == REFUSED], ran) if found), None
    )
