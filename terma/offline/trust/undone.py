"""No command undoes what the sentence orders: who says "mount" is not answered by `umount`, who says "ban" not by
`unbanip`."""

from __future__ import annotations

from collections.abc import Iterator

from terma.offline.draft import Context
from terma.offline.lemma import norm
from terma.offline.opposites import OPPOSITES
from terma.offline.trust.command import Simple, simples
from terma.offline.trust.facts import Facts

_BEFORE_NOUNS = frozenset("a an the every each this that my all in of".split())
_TAKES_BACK = frozenset(
    "remove lift release undo cancel revert clear drop delete end stop off out no not".split()
)
_SHORT = 3  # letters of a verb that "un" can stand before


def undone(facts: Facts, command: str, _: Context) -> bool:
    """Whether no program is the opposite of a verb of the sentence, and no word of it is that verb with "un" before."""
    tokens = facts.sentence.tokens
    said = {token.norm for token in tokens}
    verbs = set(_verbs(facts))
    against = {other for verb in verbs for other in OPPOSITES.get(verb, ())}
    if any(norm(simple.program) in against - said for simple in simples(command)):
        return False
    if not said.isdisjoint(_TAKES_BACK):
        return True  # "lift the ban"
    texts = {token.text.lower() for token in tokens}
    return not any(
        word not in texts and word.startswith(f"un{verb}")
        for simple in simples(command)
        for word in _own(simple)
        for verb in verbs
        if len(verb) >= _SHORT
    )


def _verbs(facts: Facts) -> Iterator[str]:
    """What may be ordered: no word behind an article, and none that tells how something is."""
    tokens = facts.sentence.tokens
    for i, token in enumerate(tokens):
        named = i and tokens[i - 1].text.lower() in _BEFORE_NOUNS
        told = token.text.endswith(("ed", "ing"))
        if token.kind == "word" and not named and not told and i not in facts.denied:
            yield token.norm


def _own(simple: Simple) -> Iterator[str]:
    """The words by which a program is told what to do."""
    for word in (simple.program, simple.sub, *simple.operands, *simple.options):
        if (name := word.lstrip("-").lower()).isalpha():
            yield name
