"""Where in a `find` a further test belongs: before what is done with what was found."""

from __future__ import annotations

from collections.abc import Sequence

from terma.shell_syntax import nodes as tree

_ACTIONS = frozenset(
    "-delete -exec -execdir -ok -okdir -print -print0 -printf -fprint -fprint0 -fprintf -ls -fls -quit".split()
)
_EITHER = frozenset(("-o", "-or", ","))


def tests_end(words: Sequence[tree.Word]) -> int:
    """Behind how many of the words behind `find`; -1 where it has two sides, of which a test would be in one."""
    depth, found = 0, len(words)
    for at, word in enumerate(words):
        text = word.text
        depth += (text == "(") - (text == ")")
        if depth == 0 and text in _EITHER:
            return -1
        if depth == 0 and text in _ACTIONS:
            found = min(found, at)
    return found
