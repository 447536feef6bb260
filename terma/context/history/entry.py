"""One command of a history, with what its shell wrote down beside it."""

from __future__ import annotations

import re
from dataclasses import dataclass

_QUOTED = re.compile(r"""\\['\"]|'[^']*'|"(?:\\.|[^"\\])*\"""", re.DOTALL)
# `terma …`, also behind a pipe or in a list, `python -m terma` and `?why`: a person's words to terma are no commands
_OWN = re.compile(
    r"(?:\A|[|;&\n])\s*(?:(?:command|builtin|exec|\\)\s*)?(?:\?why\b|_terma_\w+|(?:\S*/)?(?:python[\d.]*\s+-m\s+)?terma(?![\w.-]))"
)


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
    return bool("?why" in command or "terma" in command) and bool(_OWN.search(_QUOTED.sub("_", command)))
