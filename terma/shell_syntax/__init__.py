"""Shell text as the shells read it: bash, zsh at a prompt and in a script, and POSIX sh, each with its own rules.

Aliases, functions and options of somebody's shell cannot be seen here: zsh's global and suffix aliases least of all.
"""

from __future__ import annotations

from terma.shell_syntax.dialects import (
    ANY_GIVEN,
    ANY_TYPED,
    BASH,
    BASH_PROMPT,
    DIALECTS,
    SH,
    ZSH,
    ZSH_PROMPT,
    Dialect,
    readings,
)
from terma.shell_syntax.errors import ShellSyntaxError
from terma.shell_syntax.parser import parse

__all__ = [
    "ANY_GIVEN",
    "ANY_TYPED",
    "BASH",
    "BASH_PROMPT",
    "DIALECTS",
    "SH",
    "ZSH",
    "ZSH_PROMPT",
    "Dialect",
    "ShellSyntaxError",
    "parse",
    "readings",
]
