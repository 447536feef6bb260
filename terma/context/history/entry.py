"""One command of a history, with what its shell wrote down beside it."""

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from terma.risk.model import Call

_QUOTED = re.compile(r"""\\['\"]|'[^']*'|"(?:\\.|[^"\\])*\"""", re.DOTALL)
# `terma …`, also behind a pipe or in a list, `python -m terma` and `?why`: a person's words to terma are no commands
_OWN = re.compile(
    r"(?:\A|[|;&\n])\s*(?:(?:command|builtin|exec|\\)\s*)?(?:\?why\b|_terma_\w+|(?:\S*/)?(?:python[\d.]*\s+-m\s+)?terma(?![\w.-]))"
)
_NAMED = re.compile(r"(?<![\w.-])terma(?![\w.-])")
_PYTHON = re.compile(r"python[\d.]*")
_MODULE = ("-m", "terma")
_LONGEST, _DEEPEST = 4000, 5  # code points; programs that run programs


@dataclass(frozen=True, slots=True)
class Entry:
    """`time` is the start in seconds since the epoch, 0 when unknown; `status` is -1 and `cwd` is "" when unknown;
    `duration` is in microseconds, 0 when unknown."""

    command: str
    time: float = 0.0
    status: int = -1
    duration: int = 0
    cwd: str = ""


def is_own(command: str) -> bool:
    """Whether a line asked terma something, or told it something: that is never offered as a command."""
    if "?why" not in command and "terma" not in command:
        return False
    bare = _QUOTED.sub("_", command)
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
