"""What is to be kept is not thrown away by an option that nobody asked for: `down -v` where the volumes stay."""

from __future__ import annotations

import shlex

from terma.offline.draft import Context
from terma.offline.lemma import norm
from terma.offline.trust.command import Simple, simples
from terma.offline.trust.facts import Facts

_KEEPS = frozenset("keep leave preserve retain spare save".split())
_STAYS = frozenset(("stay", "stays", "remain", "remains"))
_THROWS = frozenset("delete remove purge prune destroy wipe drop erase discard hard".split())


def spared(facts: Facts, command: str, _: Context) -> bool:
    """Whether no option throws away more than the same command would without it, where something is to be kept."""
    if not _keeps(facts):
        return True
    said = {token.norm for token in facts.sentence.tokens}
    return not any(_throws(simple, said) for simple in simples(command))


def _keeps(facts: Facts) -> bool:
    """Whether something is to be kept ("… but keep the volumes"); who says so first says what may go."""
    tokens = facts.sentence.tokens
    return any(
        i > 1
        and i not in facts.denied
        and (token.norm in _KEEPS or token.text.lower() in _STAYS)
        and not (i + 1 < len(tokens) and tokens[i + 1].text.lower().endswith("ing"))
        for i, token in enumerate(tokens)
    )


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
