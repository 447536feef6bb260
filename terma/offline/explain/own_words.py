"""Whether a message is the system's own, and not a sentence of an application that uses the same words.

A rule that is bound to no program reads what the C library, a shell or a service says. "Too many open files" is its word
where it stands as a clause of its own; in "too many open files in batch 3 (max 10)" an application speaks of its own
matters, and nothing that is true of the system follows from it."""

from __future__ import annotations

import errno
import os
import re
import signal
from collections.abc import Iterable
from contextlib import suppress
from functools import cache

# What services and resolvers say of the system in the same way, where no error number has the words.
_OTHERS = frozenset(
    (
        "out of memory",
        "disk full",
        "no display",
        "certificate has expired",
        "certificate expired",
        "name or service not known",
        "temporary failure in name resolution",
        "no address associated with hostname",
        "command not found",
        "illegal byte sequence",
        "access denied",
    )
)
# What may stand behind such a clause: the end of the line, an end of a clause, a number or a note in brackets, the place
# in a program that perl, ruby, php and go add, and after a colon one name, not a sentence.
_ENDS = (
    r"(?=\s*(?:$|[.!,;)\]}>'\"’”`|]|[(\[]|@ |-> | - "
    r"|: *(?:$|['\"‘“`][^'\"’”`]*['\"’”`](?:\s|$)|\S+\s*(?:$|[(\[]|->)|\.{0,2}/\S+:\d)"
    r"|(?:at|in) \S+ (?:on )?line \d|after \d|while (?:connecting|trying|reading|writing)|trying to ))"
)


def clauses(text: str, phrases: Iterable[str]) -> bool:
    """Whether one of `phrases` (lower case) stands in a line of `text` as a clause of its own."""
    return any(re.search(re.escape(phrase) + _ENDS, text, re.MULTILINE | re.IGNORECASE) for phrase in phrases)


def are_the_systems(text: str, signs: Iterable[str]) -> bool:
    """Whether `text` holds one of `signs` as the system says it. A sign that is no message of the system's stands for
    itself. `text` is in lower case."""
    present = [sign for sign in signs if sign in text]
    return any(sign not in _messages() for sign in present) or clauses(text, present)


def spoken_by(text: str, program: str, speakers: frozenset[str], signs: Iterable[str]) -> bool:
    """Whether `program`, or whoever begins a line of `text` that holds one of `signs`, is one of `speakers`."""
    if program in speakers:
        return True
    told = (line for line in text.splitlines() if any(sign in line for sign in signs))
    names = (re.match(r"(?:npm )?(?:\S*/)?([\w.+-]+)(?:\[\d+\])?(?::| )", line.lstrip()) for line in told)
    return any(name is not None and name[1] in speakers for name in names)


@cache
def _messages() -> frozenset[str]:
    """What the C library says of its error numbers and signals, in lower case."""
    said = {os.strerror(number) for number in errno.errorcode}
    for one in signal.Signals:
        with suppress(ValueError):
            said.add(signal.strsignal(one) or "")
    return frozenset(text.lower() for text in said if " " in text) | _OTHERS
