"""Whether a command reads a file that nobody named and that is not there: `/etc/uptime` made of the word "uptime"."""

from __future__ import annotations

import os

from terma import regex as re
from terma.offline.trust.command import effect, simples
from terma.offline.trust.facts import Facts

_SYSTEM = re.compile(r"/(?:etc|proc|sys|usr|var/log)/[\w.+/-]*\w")  # local, and quick to ask


def absent(facts: Facts, command: str) -> bool:
    """A path of the system in which a word of the sentence stands, in a directory that is there and does not have it. A
    path that the sentence itself names may be missing, and so may what the command writes."""
    tokens = facts.sentence.tokens
    said = {token.value for token in tokens}
    words = {token.text.lower() for token in tokens if token.kind in ("word", "ident")}
    return (
        any(
            _SYSTEM.fullmatch(path)
            and path not in said
            and not words.isdisjoint(re.split(r"[/.]", path.lower()))
            and os.path.isdir(os.path.dirname(path))  # noqa: PTH112, PTH120
            and not os.path.lexists(path)
            for simple in simples(command)
            for path in simple.operands
        )
        and effect(command) == "look"
    )
