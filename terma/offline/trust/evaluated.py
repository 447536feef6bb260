"""Arithmetic that the shell can do: `$((17.5 * 2))` is an error everywhere but in zsh."""

from __future__ import annotations

from collections.abc import Iterable

from terma import regex as re
from terma.offline.draft import Context
from terma.offline.trust.facts import Facts
from terma.shell_syntax import BASH, ShellSyntaxError, parse
from terma.shell_syntax import nodes as tree

_FRACTION = re.compile(r"(?<![\w.])(?:\d+\.\d|\.\d)")


def in_whole_numbers(_: Facts, command: str, context: Context) -> bool:
    """Whether no fraction stands in the shell's own arithmetic, where the asking shell has none."""
    if "((" not in command or context.shell == "zsh":
        return True
    try:
        script = parse(command, BASH)
    except ShellSyntaxError:
        return True
    return not any(_fraction(word.parts) for one in tree.commands(script) for word in one.words)


def _fraction(parts: Iterable[tree.Part]) -> bool:
    return any(
        (isinstance(part, tree.ArithmeticExpansion) and bool(_FRACTION.search(part.source)))
        or (isinstance(part, tree.DoubleQuoted) and _fraction(part.parts))
        for part in parts
    )
