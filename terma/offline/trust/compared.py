"""Two states compared, the commits between them, or the lines of only one file: what is said to come first stands
first, for the same command turned round says the opposite."""

from __future__ import annotations

from terma import regex as re
from terma.offline.draft import Context
from terma.offline.trust.command import Simple, simples
from terma.offline.trust.facts import Facts

_DIFFS = frozenset("diff cmp sdiff colordiff vimdiff icdiff delta".split())
_RANGES = frozenset("diff log rev-list shortlog format-patch cherry".split())
_RANGE = re.compile(r"(?P<first>[^.\s][^\s]*?)\.{2,3}(?P<second>[^.\s][^\s]*)")


def in_order(facts: Facts, command: str, _: Context) -> bool:
    """From A to B is A before B; what one side has and A has not is `A..B`."""
    for simple in simples(command):
        for first, second, between in _pairs(simple):
            both = {first, second} <= {token.value for token in facts.sentence.tokens} and first != second
            for i, role in facts.roles.items():
                if both and facts.sentence.tokens[i].value == (second if role == "source" else first):
                    return False
            if between and any(facts.sentence.tokens[i].value == second for i in facts.denied):
                return False
        if simple.program == "comm" and not _lines_of_one(facts, simple):
            return False
    return True


def _lines_of_one(facts: Facts, simple: Simple) -> bool:
    """Lines that are not in a file are those in the column of the other one alone: `comm` leaves the rest out."""
    files = [word for word in simple.words[1:] if word[:1] != "-" or word == "-"]
    hidden = {letter for word in simple.words[1:] if word[:1] == "-" for letter in word[1:]}
    denied = {facts.sentence.tokens[i].value for i in facts.denied if i in facts.literals}
    holds = [any(value in word for value in denied) for word in files]
    if len(files) != 2 or holds[0] == holds[1]:
        return True
    return hidden == {"3", "1" if holds[0] else "2"}


def _pairs(simple: Simple) -> list[tuple[str, str, bool]]:
    """(what is compared, with what, whether it is the commits between) of a command."""
    words = [word for word in simple.words[1:] if word != simple.sub and word[:1] != "-"]
    if simple.program == "git":
        if simple.sub not in _RANGES:
            return []
        found = [match for word in words if (match := _RANGE.fullmatch(word))]
        if found:
            return [(match["first"], match["second"], simple.sub != "diff") for match in found]
        if simple.sub != "diff" or "--" in simple.words:
            return []
    elif simple.program not in _DIFFS:
        return []
    return [(words[0], words[1], False)] if len(words) == 2 else []
