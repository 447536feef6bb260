"""Whose processes or files: the name of a program is no user's, unless the sentence calls it one ("kill all python
processes" is no `pkill -u python`)."""

from __future__ import annotations

from itertools import pairwise

from terma.offline.draft import Context
from terma.offline.trust.command import simples
from terma.offline.trust.facts import Facts

_OF_USER = {
    "pkill": ("-u", "-U", "--euid", "--uid"), "pgrep": ("-u", "-U", "--euid", "--uid"), "killall": ("-u", "--user"),
    "ps": ("-u", "-U", "--user"), "top": ("-u", "-U"), "htop": ("-u", "--user"), "lsof": ("-u",), "find": ("-user",),
}  # fmt: skip
_USER = frozenset("user users account by of owner owned belonging belong login".split())


def called_so(facts: Facts, command: str, context: Context) -> bool:
    """Whether no program of this machine stands where a user's name does, without a word that says so."""
    texts = [token.text.lower() for token in facts.sentence.tokens]
    return not any(
        context.has_program(name) and not _is_called_user(texts, name.lower())
        for simple in simples(command)
        for option, name in pairwise(simple.words)
        if option in _OF_USER.get(simple.program, ())
    )


def _is_called_user(texts: list[str], name: str) -> bool:
    return any(
        text == name and _USER & {*texts[max(0, i - 2) : i], *texts[i + 1 : i + 2]}
        for i, text in enumerate(texts)
    )
