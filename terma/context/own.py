"""Words to terma: command lines that start it, which are no commands of a person's own."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

from terma import regex as re

if TYPE_CHECKING:
    from terma.risk.model import Call

QUOTED = re.compile(r"""\\['\"]|'[^']*'|"(?:\\.|[^"\\])*\"""", re.DOTALL)
# Plainly so: at the beginning of a command, also behind a pipe or in a list
_OWN = re.compile(
    r"(?:\A|[|;&\n])\s*(?:(?:command|builtin|exec|\\)\s*)?"
    r"(?:\?why\b|_terma_\w+|(?:\S*/)?(?:python[\d.]*\s+-m\s+)?terma(?=[\s;|&<>()]|\Z))"
)
_NAMED = re.compile(r"(?<![\w.-])terma(?![\w.-])")
_PYTHON = re.compile(r"python[\d.]*")
_MODULE = ("-m", "terma")
_LONGEST, _DEEPEST = 4000, 5  # code points; programs that run programs


def is_ours(command: str) -> bool:
    """Whether a line asks terma something, or tells it something: `terma …`, `python -m terma`, `?why`, alone or among
    other commands. It is never "the last command", and never offered as one."""
    if "?why" not in command and "terma" not in command:
        return False
    bare = QUOTED.sub("_", command)
    return bool(_OWN.search(bare)) or (bool(_NAMED.search(bare)) and _starts_terma(command))


def _starts_terma(command: str) -> bool:
    """Whether one of its commands is terma, also behind what another program runs (`nice`, `env`), a variable that is
    set for it, or in brackets."""
    from terma.risk.syntax import read
    from terma.risk.wrappers import inner_calls

    calls = read(command)[0] if len(command) <= _LONGEST else []
    for _ in range(_DEEPEST):
        if any(_is_terma(call) for call in calls):
            return True
        calls = [inner for call in calls for inner in inner_calls(call)]
    return False


def _is_terma(call: Call) -> bool:
    words = [word.text for word in call.args]
    return call.name == "terma" or (bool(_PYTHON.fullmatch(call.name)) and _MODULE in pairwise(words))
