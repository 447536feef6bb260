"""Which number of a pair is whose: in `-p 8080:80` the first is the host's port and the second the container's, in
`-L 8080:db:5432` the first is the near end's."""

from __future__ import annotations

import re
from itertools import pairwise

from terma.offline.draft import Context
from terma.offline.trust.command import Simple, simples
from terma.offline.trust.facts import Facts

_NEAR = frozenset("local localhost machine outside laptop here".split())
_FAR = frozenset("container inside remote".split())
_ENGINES = frozenset(("docker", "podman", "nerdctl"))
_PUBLISHES = re.compile(r"-\w*p|--publish")
_SHELLS = frozenset(("ssh", "autossh"))
_FORWARDS = re.compile(r"-\w*L")
_REACH = 3  # words between a number and what says whose it is
_LINKS = frozenset("port the my a its in on of from inside".split())
_PAIR = re.compile(r"(?:[\d.]+:)?(\d+):(?:[\w.-]+:)?(\d+)(?:/\w+)?")


def mapped(facts: Facts, command: str, _: Context) -> bool:
    """Whether no pair of ports stands the other way round than the sentence says."""
    for simple in simples(command):
        near_words = _NEAR | {"host"} if simple.program in _ENGINES else _NEAR  # to ssh that is the far end
        whose = _whose(facts, near_words) if (pairs := _pairs(simple)) else {}
        for word in pairs:
            match = _PAIR.fullmatch(word)
            if match and match[1] != match[2]:
                near, far = match.groups()
                if whose.get(near) == "far" or whose.get(far) == "near":
                    return False
    return True


def _pairs(simple: Simple) -> list[str]:
    """The words that may be a pair: what is behind docker's -p, and behind ssh's -L."""
    option = _PUBLISHES if simple.program in _ENGINES else _FORWARDS if simple.program in _SHELLS else None
    if option is None:
        return []
    behind = [word for before, word in pairwise(simple.words) if option.fullmatch(before)]
    return behind + [word.partition("=")[2] for word in simple.words if word.startswith("--publish=")]


def _whose(facts: Facts, near: frozenset[str]) -> dict[str, str]:
    """Number -> "near" or "far", where just one of them is said beside it."""
    tokens = facts.sentence.tokens
    found: dict[str, str] = {}
    for i, token in enumerate(tokens):
        if not token.value.isdigit():
            continue
        for step in (-1, 1):
            said = _beside(facts, i, step, near)
            if said:
                found.setdefault(token.value, said)
    return found


def _beside(facts: Facts, i: int, step: int, near: frozenset[str]) -> str:
    tokens = facts.sentence.tokens
    for n in range(i + step, i + step * (_REACH + 1), step):
        if not 0 <= n < len(tokens):
            return ""
        text = tokens[n].text.lower()
        if text in near:
            return "near"
        if text in _FAR:
            return "far"
        if text not in _LINKS:
            return ""
    return ""
