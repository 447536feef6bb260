"""Who wants to see gets nothing that changes anything: "list the files to be deleted" deletes none, "show only what
would go" is a dry run."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import pairwise

from terma.offline.intent import CHANGE, SEEING
from terma.offline.lemma import lemma
from terma.offline.trust.answering import Table, only_looks
from terma.offline.trust.command import Simple, alters, effect, simples
from terma.offline.trust.effects import effect_of
from terma.offline.trust.facts import Facts
from terma.offline.trust.told import verbs

_REHEARSES = frozenset("rehearse simulate dry-run dryrun".split())
_ONLY = frozenset("only just merely".split())
_SHOWS = frozenset("show print preview display".split())
_WHAT = frozenset("what which whats what's".split())
_REACH = 4  # words between "what" and "would"
# A part of an option that is called so: its program shows what it would do.
_PREVIEWS = frozenset(
    "dry dryrun simulate simulation check preview noop pretend test print plan diff".split()
)
_SHORT = "-n"  # the letter that most programs have for it


def shown_first(facts: Facts, command: str, table: Table) -> bool:
    """Whether the command changes nothing where only what it would change is to be shown."""
    if facts.question or not _rehearsed([token.text.lower() for token in facts.sentence.tokens]):
        return True
    if effect(command) == "look" or only_looks(facts, command, table):
        return True
    parsed = simples(command)
    return any(_SHORT in simple.options or not _PREVIEWS.isdisjoint(_names(simple)) for simple in parsed)


def _rehearsed(texts: Sequence[str]) -> bool:
    pairs = list(pairwise(texts))
    if ("dry", "run") in pairs or not _REHEARSES.isdisjoint(texts):
        return True
    if any(one in _ONLY and two in _SHOWS for one, two in pairs):
        return True  # "only show", and not "show only the names"
    if texts[-2:-1] and texts[-1] in _ONLY and texts[-2] in _SHOWS:
        return True  # "…, show only"
    return any(
        text == "would" and not _WHAT.isdisjoint(texts[max(0, i - _REACH) : i])
        for i, text in enumerate(texts)
    )


def _names(simple: Simple) -> Iterable[str]:
    """The parts of the names of long options, and the subcommand."""
    yield simple.sub
    for option in simple.options:
        if option.startswith("--"):
            yield from re.split("[-_]", option[2:])


_ASKS_TO_SEE = SEEING | {"preview", "simulate", "tell"}
_JOINS = frozenset(("and", "then", "&", "or"))


def shown(facts: Facts, command: str, table: Table) -> bool:
    """Who asks to see is not answered by a change: "list the files to be deleted" deletes none."""
    tokens = facts.sentence.tokens
    first = next((token for token in tokens if not token.stop), None)
    if first is None or first.norm not in _ASKS_TO_SEE or only_looks(facts, command, table):
        return True
    parsed = simples(command)
    if not (alters(command) or any(map(verbs, parsed)) or any(map(_sets_a_state, parsed))):
        return True  # a program of which nothing is known
    return any(  # a change that is ordered behind it: "show a.txt, then delete it"
        token.norm in CHANGE
        and lemma(token.text.lower()) == token.text.lower()
        and (
            tokens[i - 1].text.lower() in _JOINS or "," in facts.sentence.raw[tokens[i - 1].end : token.start]
        )
        for i, token in enumerate(tokens)
        if i
    )


_STATES = frozenset("on off up down yes no enable disable".split())


def _sets_a_state(simple: Simple) -> bool:
    """ "See the blocks in the log" is not answered by `ufw logging on`."""
    return len(simple.words) > 2 and simple.words[-1].lower() in _STATES and effect_of(simple) != "look"


_ONLY_REHEARSES = frozenset("dry dryrun simulate noop pretend".split())
_BY_LETTER = {"rsync": "-n", "make": "-n"}
# Who says one of these may want to see first, or asks something.
_TELLS = (
    SEEING
    | _REHEARSES
    | frozenset(
        "dry rehearsal simulated simulation noop would preview pretend check test testing "
        "try what what's whats which differ differs different difference differences compare only first "
        "without not no don't dont trial verify validate look plan planned will tell is does just".split()
    )
)


def asked_for(facts: Facts, command: str, _: object) -> bool:
    """Whether a rehearsal was asked for: "sync a to b" is not done by `rsync -n`."""
    if not _TELLS.isdisjoint(token.text.lower() for token in facts.sentence.tokens):
        return True
    return not any(
        _BY_LETTER.get(simple.program, "") in simple.options
        or not _ONLY_REHEARSES.isdisjoint(_names(replace(simple, sub="")))
        for simple in simples(command)
    )
