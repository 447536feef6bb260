"""Which end of a file stays: who deletes the last lines does not want those alone, and who deletes all but the last
does not want them gone."""

from __future__ import annotations

from terma import regex as re
from terma.offline.draft import Context
from terma.offline.trust.command import Simple, simples
from terma.offline.trust.facts import Facts

_REMOVES = frozenset(
    "delete remove drop strip cut chop trim lose not except".split()
)  # norms: "without", "skip"
_BUT = frozenset(("but", "except"))
_LINES = frozenset(("line", "row", "entry", "record"))
_NEAR, _NEAR_BUT = 3, 5  # tokens between what removes and the end that it is about
_COUNT = re.compile(r"-(?:n=?|-lines=)?([+-]?)\d+\Z")


def right_end(facts: Facts, command: str, _: Context) -> bool:
    """Whether `head` and `tail` keep the end that is to stay."""
    stays = _stays(facts)
    return not stays or all((kept := _kept(simple)) == "" or kept == stays for simple in simples(command))


def _stays(facts: Facts) -> str:
    """Of the first end that is named: "first" or "last", "not first" or "not last"; "" where none is."""
    tokens = facts.sentence.tokens
    texts = [token.text.lower() for token in tokens]
    for i, text in enumerate(texts):
        if text in ("first", "last") and not _LINES.isdisjoint(token.norm for token in tokens[i + 1 : i + 3]):
            but = not _BUT.isdisjoint(texts[max(0, i - 3) : i])
            near = tokens[max(0, i - (_NEAR_BUT if but else _NEAR)) : i]
            removes = any(token.norm in _REMOVES and token.text.lower() not in _BUT for token in near)
            return text if removes == but else f"not {text}"
    return ""


def _kept(simple: Simple) -> str:
    """What one `head` or `tail` keeps of lines; "" of another program, or where it does not say how many."""
    if simple.program not in ("head", "tail"):
        return ""
    words = " ".join(simple.words[1:3]).replace("-n ", "-n")
    found = _COUNT.match(words.split(" ")[0]) if words else None
    if found is None:
        return ""
    if simple.program == "head":
        return "not last" if found[1] == "-" else "first"
    return "not first" if found[1] == "+" else "last"
