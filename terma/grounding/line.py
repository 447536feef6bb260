"""The commands of a line, with those that wrappers and `sh -c` start, as far as they run here."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from terma.risk.model import Call
from terma.risk.syntax import read
from terma.risk.wrapper_table import WRAPPERS
from terma.risk.wrappers import after, inner_calls, scripts

MAX_DEPTH = 5
_FUNCTIONS = re.compile(r"(?:^|[\s;&|({])(?:function\s+([\w.:+-]+)|([\w.:+-]+)\s*\(\s*\))")
_READ_AS_COMMANDS = frozenset("sh bash zsh dash ksh su runuser env eval watch script flock".split())


def calls_of(source: str, depth: int = 0) -> list[Call] | None:
    """The simple commands of `source` in order, each before what it starts; None when it cannot be read."""
    calls, _, whole = read(source)
    if not whole:
        return None
    found: list[Call] = []
    for call in calls:
        found += _with_inner(call, depth)
    return found


def functions_of(source: str) -> set[str]:
    """The functions that `source` defines."""
    return {first or second for first, second in _FUNCTIONS.findall(source)}


def _with_inner(call: Call, depth: int) -> Iterator[Call]:
    yield call
    if call.elsewhere or depth > MAX_DEPTH:
        return
    for inner in inner_calls(call):
        yield from _with_inner(inner, depth + 1)
    if call.name in _READ_AS_COMMANDS:
        for text in scripts(call):
            yield from calls_of(text, depth + 1) or ()


def own_words(call: Call) -> Call:
    """`call` without the words of the command that it starts."""
    wrapper = WRAPPERS.get(call.name)
    if wrapper:
        rest = after(call.args, wrapper)
        return replace(call, words=call.words[: len(call.words) - len(rest)])
    if call.name in ("find", "gfind", "fd", "fdfind"):
        for at, word in enumerate(call.words):
            if word.text in ("-exec", "-execdir", "-ok", "-okdir") or (
                call.name[0:2] == "fd" and word.text in ("-x", "-X", "--exec", "--exec-batch")
            ):
                return replace(call, words=call.words[:at])
    return call
