"""Where a remembered command works, where its sentence named no place or another one did."""

from __future__ import annotations

from collections.abc import Callable

from terma.offline.cases.parts import SLOT
from terma.offline.trust.facts import Facts

_WHERE = frozenset("in under below inside within of from at beneath through".split())
_INSIDE = frozenset("in under below inside within beneath".split())
_IS_PLACE = frozenset(("path", "env", "ident", "quoted"))


def place_of(facts: Facts, used: set[int], words: dict[str, int], weigh: Callable[[str], float]) -> int:
    """The token behind "in", "under" ... that names a directory; -1 for none."""
    tokens = facts.sentence.tokens
    for i, token in enumerate(tokens):
        if i in used or token.norm in words:
            continue
        at = i - 1
        while at >= 0 and tokens[at].text.lower() in ("the", "my", "directory", "folder", "dir"):
            at -= 1
        cued = at >= 0 and tokens[at].text.lower() in _WHERE
        noun = i + 1 < len(tokens) and tokens[i + 1].norm == "directory"
        if token.kind == "path" and (cued or not any(c in token.text.rpartition("/")[2] for c in "*.")):
            return i
        if token.kind in _IS_PLACE and (cued or noun):
            return i
        if (
            token.kind == "word"
            and not token.stop
            and ((cued and weigh(token.norm) >= 1.0) or (at >= 0 and tokens[at].text.lower() in _INSIDE))
        ):
            return i
    return -1


def is_open(template: str, values: dict[int, int]) -> bool:
    """Whether the place in the template is still to be named."""
    return any(
        match[2] and (not match[1] or int(match[1]) not in values) for match in SLOT.finditer(template)
    )
