"""A wish that is the name of an option of the very program: `dry run`, `quietly`, `without cache`, `jobs 4`."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator, Sequence

from terma.machine.options import options
from terma.machine.programs import where
from terma.shell_syntax import nodes as tree

_SAID = frozenset(
    "a an and also as be but do for in is it its just make me mode now of on only option please run set that the them"
    " then this to use used using with would".split()
)
_WITHOUT = frozenset(("without", "no", "not", "don't", "skip"))
_NEVER = frozenset(("--help", "--version"))  # then it does something else
_MOST = 5  # words of such a wish
DEEPEST = 3  # subcommands within each other


def by_name(wish: str, words: Sequence[tree.Word], path: str, cwd: str) -> tuple[int, str]:
    """(behind which of the command's `words` it belongs, the option); (-1, "") where none of them has that name."""
    said = wish.split()
    program = words[0].text
    file = where(program, path, cwd)
    if not file or not 0 < len(said) <= _MOST:
        return -1, ""
    at, sub = 0, list[str]()
    name = program.rpartition("/")[2]
    known = options(name, file)
    while known and known.commands and at + 1 < len(words) and len(sub) < DEEPEST:
        word = words[at + 1].literal or ""
        if not re.fullmatch(r"[a-z][a-z0-9-]*", word):
            break
        at, sub = at + 1, [*sub, word]
        if (below := options(name, file, tuple(sub))) is None:
            break  # what the program takes as such
        known = below
    if known is None:
        return -1, ""
    for option, value in _forms(said):
        if option in known.long and option not in _NEVER:
            if not value and (option not in known.takes or option in known.joins):
                return at, option
            if value and option in known.takes:
                return at, f"{option} {shlex.quote(value)}"
            if value and option in known.joins:
                return at, f"{option}={shlex.quote(value)}"
    return -1, ""


def _forms(said: Sequence[str]) -> Iterator[tuple[str, str]]:
    """(option, value) for each way in which the words may name one: as they are, without those that say nothing, and
    with the last of them as the value."""
    denied = ["no" if word.lower() in _WITHOUT else word for word in said]
    for words in (
        list(said),
        [word for word in said if word.lower() not in _SAID],
        [word for word in denied if word.lower() not in _SAID],
    ):
        if not words:
            continue
        yield _option(words), ""
        yield _option([re.sub(r"(?<=\w{3})ly$", "", word.lower()) for word in words]), ""
        if len(words) > 1 and re.search(r"[^a-z]", words[-1]):
            yield _option(words[:-1]), words[-1]


def _option(words: Sequence[str]) -> str:
    return f"--{'-'.join(words)}".lower()
