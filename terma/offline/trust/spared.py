"""What is to be kept is not thrown away: neither by an option that nobody asked for (`down -v` where the volumes stay),
nor by its name among what goes."""

from __future__ import annotations

import shlex
from collections.abc import Iterator
from itertools import pairwise

from terma.offline.draft import Context
from terma.offline.lemma import norm
from terma.offline.trust.command import Simple, simples
from terma.offline.trust.effects import effect_of
from terma.offline.trust.facts import Facts
from terma.offline.trust.flow import ends

_KEEPS = frozenset("keep leave preserve retain spare save".split())
_STAYS = frozenset(("stay", "stays", "remain", "remains"))
_THROWS = frozenset("delete remove purge prune destroy wipe drop erase discard hard".split())


def spared(facts: Facts, command: str, _: Context) -> bool:
    """Whether no option throws away more than the same command would without it, where something is to be kept."""
    keeping = _keeping(facts)
    if not keeping:
        return True
    said = {token.norm for token in facts.sentence.tokens}
    kept, untouched = kept_names(facts), kept_names(facts, also_written=False)
    return not any(
        _throws(simple, said)
        or (kept and effect_of(simple) == "destroy" and not kept.isdisjoint(_goes(simple)))
        or not untouched.isdisjoint(ends(simple)[1])
        for simple in simples(command)
    )


_LOSES = frozenset("lose discard toss ditch scrap".split())
_GONE = frozenset((("original", "goes"), ("can", "go"), ("may", "go"), ("should", "go")))
_KEPT = frozenset("keep soft preserve".split())
_KEEP_SHORT = frozenset("gzip gunzip bzip2 bunzip2 xz unxz pigz pbzip2 lzma".split())  # -k is --keep to them


def let_go(facts: Facts, command: str, _: Context) -> bool:
    """Whether no option keeps what is to go: "lose the changes" is no `--soft`."""
    tokens = facts.sentence.tokens
    texts = [token.text.lower() for token in tokens]
    goes = any(token.norm in _LOSES and i not in facts.denied for i, token in enumerate(tokens))
    goes = goes or not _GONE.isdisjoint(pairwise(texts))
    return not goes or bool(_keeping(facts)) or not any(map(_keeps, simples(command)))


def _keeps(simple: Simple) -> bool:
    names = {part for option in simple.options if option.startswith("--") for part in option[2:].split("-")}
    return not names.isdisjoint(_KEPT) or (simple.program in _KEEP_SHORT and "-k" in simple.options)


def kept_names(facts: Facts, also_written: bool = True) -> frozenset[str]:
    """The names right behind what keeps: "keep app:2", "leave a.txt and b.txt". `also_written`: and behind "save",
    which may as well say where things go."""
    tokens = facts.sentence.tokens
    found = set()
    for at in _keeping(facts):
        if tokens[at].norm == "save" and not also_written:
            continue
        for i in range(at + 1, len(tokens)):
            if i in facts.literals:
                found.add(tokens[i].value)
            elif not tokens[i].stop:
                break
    return frozenset(found)


def _goes(simple: Simple) -> Iterator[str]:
    """The operands that no sign before them leaves out."""
    for before, word in pairwise(simple.words):
        if word[:1] != "-" and before[:1] not in ("-", "!"):
            yield word


def _keeping(facts: Facts) -> list[int]:
    """The words that say what is to be kept ("… but keep the volumes"); who says so first says what may go."""
    tokens = facts.sentence.tokens
    return [
        i
        for i, token in enumerate(tokens)
        if i > 1
        and i not in facts.denied
        and (token.norm in _KEEPS or token.text.lower() in _STAYS)
        and not (i + 1 < len(tokens) and tokens[i + 1].text.lower().endswith("ing"))
    ]


def _throws(simple: Simple, said: set[str]) -> bool:
    for option in simple.options:
        named = {norm(part) for part in option.strip("-").split("=")[0].split("-")} & _THROWS
        if named and option.startswith("--"):
            if not named & said:
                return True
        elif option in simple.words and _worse_with(simple.words, option):
            return True
    return False


def _worse_with(words: tuple[str, ...], option: str) -> bool:
    from terma.risk import assess  # here: its grammar is loaded when it is wanted

    without = shlex.join(word for word in words if word != option)
    return assess(shlex.join(words)).level == "high" != assess(without).level
