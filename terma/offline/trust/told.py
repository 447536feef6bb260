"""A state that is told is not brought about: "stopped instances", "plugins needing an update". Where a command's verb
stands in the sentence only as what is, and nothing is ordered, nothing is changed."""

from __future__ import annotations

from terma.offline.draft import Context
from terma.offline.intent import CHANGE, SEEING, orders_change
from terma.offline.trust.command import Simple, effect, simples
from terma.offline.trust.facts import Facts

# Who says so wants the state: "I want the job stopped", "get it removed".
_WISHES = frozenset("want wants need get have like should must be make keep let wish prefer".split())
_TELLS = ("ed", "ing", "en")
_CHANGES = CHANGE - {"run"}  # what that does is not known
_AMONG = frozenset("incl including excluding also".split())


def only_told(facts: Facts, command: str, _: Context) -> bool:
    """Whether the command does not bring about what the sentence only tells of things."""
    if effect(command) == "look":
        return True
    tokens = facts.sentence.tokens
    texts = [token.text.lower() for token in tokens]
    if not _WISHES.isdisjoint(texts):
        return True
    own = {part for simple in simples(command) for part in verbs(simple)}
    at = [i for i, token in enumerate(tokens) if token.kind == "word" and token.norm in own]
    if not at or not all(_state(facts, i) for i in at):
        return True
    return any(orders_change(token) for i, token in enumerate(tokens) if i not in at)


def _state(facts: Facts, at: int) -> bool:
    """Whether the word stands before a noun and tells how it is ("stopped instances", "all incl. stopped"), or is what
    things to be shown are waiting for ("list plugins needing an update")."""
    tokens = facts.sentence.tokens
    texts = [token.text.lower() for token in tokens]
    before, behind = tokens[max(0, at - 1)], tokens[at + 1 : at + 2]
    if texts[at] == tokens[at].norm:
        return texts[0] in SEEING and any(text.endswith("ing") for text in texts[max(1, at - 2) : at])
    opens = at == 0 or before.stop or before.text.lower() in _AMONG
    return texts[at].endswith(_TELLS) and opens and all(one.kind == "word" and not one.stop for one in behind)


def verbs(simple: Simple) -> list[str]:
    """The words by which the program is told what to change."""
    return [
        part for word in (simple.sub, *simple.operands[:2]) for part in word.split("-") if part in _CHANGES
    ]
