"""Ordinary words that a command takes for names: allowed behind a word that announces a name, or where a thing of that
name exists; else a sign that the sentence was not understood."""

from __future__ import annotations

from terma.offline.draft import Context
from terma.offline.index import Index
from terma.offline.lexicon import STOP
from terma.offline.trust.command import simples
from terma.offline.trust.facts import Facts

_ANNOUNCE = frozenset(
    "called named name word string text message saying branch container service unit user group package host server "
    "table database db session job tag remote image pod namespace folder directory dir file vm script command program "
    "process variable module interface partition volume network stack project repo repository target task label key "
    "field column role account deployment deploy profile bucket context env environment alias function class app site "
    "topic queue index cluster node node's playbook inventory workspace release chart secret configmap daemon socket "
    "timer snapshot pool dataset device card label title with for of containing contain mention mentions matching like "
    "saying says to from into as in owner owned by machine domain plugin theme port pattern test make stage "
    "recipe".split()
)
STRONG = _ANNOUNCE - frozenset(
    "with for of to from into as in by like make command key file test process label".split()
)


def _inside(text: str, operands: set[str]) -> bool:
    """`*.exist`, `dir/de`: the word is a part of a name that the command made up."""
    return any(
        word in (f"*.{text}", f".{text}")
        or word.endswith("/" + text)
        or f"/{text}/" in word
        or word == f"*/{text}"
        for word in operands
    )


def bare_values(facts: Facts, command: str, context: Context, index: Index) -> tuple[int, ...]:
    """Tokens that are words of the vocabulary, stand in the command as operands, and are no names for all one sees."""
    tokens = facts.sentence.tokens
    parsed = simples(command)
    operands = {word for simple in parsed for word in (*simple.operands, *simple.writes)}
    found = []
    for i, token in enumerate(tokens):
        if token.kind != "word" or not (token.text in operands or _inside(token.text, operands)):
            continue
        if any(
            token.text in other.text
            for other in tokens
            if other is not token and len(other.text) > len(token.text)
        ):
            continue
        common = token.norm in index.weight or token.norm in STOP
        if not common or context.names().get(token.text) is not None:
            continue
        beside = [tokens[j].text.lower() for j in (i - 1, i + 1) if 0 <= j < len(tokens)]
        norms = [tokens[j].norm for j in (i - 1, i + 1) if 0 <= j < len(tokens)]
        strong = set(beside + norms) & STRONG
        before = tokens[i - 1].text.lower() if i else ""
        if token.norm in STOP:
            if before not in ("called", "named"):
                found.append(i)
        elif not strong and before not in _ANNOUNCE:
            found.append(i)
    return tuple(found)
