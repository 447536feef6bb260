"""Which number of a pair is whose: in `-p 8080:80` the first is the host's port and the second the container's, in
`-L 8080:db:5432` the first is the near end's, in `-R` the far end's."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from terma import regex as re
from terma.offline.draft import Context
from terma.offline.trust.command import Simple, simples
from terma.offline.trust.facts import Facts

_NEAR = frozenset("local localhost machine outside laptop here my".split())
_FAR = frozenset("container inside remote".split())
_ENGINES = frozenset(("docker", "podman", "nerdctl"))
_PUBLISHES = re.compile(r"-\w*p|--publish")
_SHELLS = frozenset(("ssh", "autossh"))
_FORWARDS, _BACK = re.compile(r"-\w*L"), re.compile(r"-\w*R")
_REACH = 3  # words between a number and what says whose it is
_LINKS = frozenset("port the a its in on of from inside".split())
_PAIR = re.compile(r"(?:[\d.]+:)?(\d+):(?:[\w.-]+:)?(\d+)(?:/\w+)?")


def mapped(facts: Facts, command: str, _: Context) -> bool:
    """Whether no pair of ports stands the other way round than the sentence says."""
    for simple in simples(command):
        pairs = list(_pairs(simple))
        if not pairs:
            continue
        docker = simple.program in _ENGINES  # "host" is the near end to it, and the far one to ssh
        near_words = _NEAR | {"host"} if docker else _NEAR
        whose = _whose(facts, near_words, _FAR if docker else _FAR | _hosts(simple))
        for near, far in pairs:
            if near != far and (whose.get(near) == "far" or whose.get(far) == "near"):
                return False
    return True


def _pairs(simple: Simple) -> Iterator[tuple[str, str]]:
    """(near, far) of each pair of ports: behind docker's -p, behind ssh's -L and -R."""
    if simple.program in _SHELLS:
        for before, word in pairwise(simple.words):
            match = _PAIR.fullmatch(word)
            if match and _FORWARDS.fullmatch(before):
                yield match[1], match[2]
            elif match and _BACK.fullmatch(before):
                yield match[2], match[1]
    elif simple.program in _ENGINES:
        behind = [word for before, word in pairwise(simple.words) if _PUBLISHES.fullmatch(before)]
        behind += [word.partition("=")[2] for word in simple.words if word.startswith("--publish=")]
        for match in filter(None, map(_PAIR.fullmatch, behind)):
            yield match[1], match[2]


def _hosts(simple: Simple) -> frozenset[str]:
    """The names of where ssh goes to."""
    return frozenset(word.rpartition("@")[2].lower() for word in simple.operands)


def _whose(facts: Facts, near: frozenset[str], far: frozenset[str]) -> dict[str, str]:
    """Number -> "near" or "far", where just one of them is said beside it."""
    tokens = facts.sentence.tokens
    found: dict[str, str] = {}
    for i, token in enumerate(tokens):
        if not token.value.isdigit():
            continue
        for step in (-1, 1):
            said = _beside(facts, i, step, near, far)
            if said:
                found.setdefault(token.value, said)
    return found


def _beside(facts: Facts, i: int, step: int, near: frozenset[str], far: frozenset[str]) -> str:
    tokens = facts.sentence.tokens
    for n in range(i + step, i + step * (_REACH + 1), step):
        if not 0 <= n < len(tokens):
            return ""
        text = tokens[n].text.lower()
        if text in near:
            return "near"
        if text in far:  # "8080 db1 5432": the name is of the number behind it
            return "" if n == i + 1 and text not in _FAR else "far"
        if text not in _LINKS:
            return ""
    return ""
