"""Comparisons in a sentence: "longer than 80", "at most 5 MB", "no older than 3 days", "10 or more"."""

from __future__ import annotations

from collections.abc import Sequence

ABOVE, BELOW = "above", "below"
OTHER = {ABOVE: BELOW, BELOW: ABOVE}
_COMPARATIVES = {
    **dict.fromkeys(
        "more longer larger bigger greater higher older heavier wider taller deeper".split(), ABOVE
    ),
    **dict.fromkeys("less fewer shorter smaller lower newer younger lighter narrower".split(), BELOW),
}
_BEFORE = {
    **dict.fromkeys("over above exceeding exceed exceeds beyond".split(), ABOVE),
    **dict.fromkeys("under below".split(), BELOW),
}
_PAIRS = {("at", "least"): ABOVE, ("at", "most"): BELOW, ("up", "to"): BELOW}
_BEHIND = {**_COMPARATIVES, "up": ABOVE, "above": ABOVE, "over": ABOVE, "below": BELOW, "under": BELOW}
_NEGATES = frozenset("no not never isn't isnt aren't arent doesn't doesnt don't dont".split())
_ABOUT = frozenset(("about", "around", "the", "roughly"))
_BETWEEN = 2  # words between a comparative and its "than": "more lines than"


def side_of(texts: Sequence[str], at: int) -> str:
    """From which side the value at `at` bounds (ABOVE, BELOW; "" where nothing is compared). `texts`: in lower case."""
    start = at - 1
    while start >= 0 and texts[start] in _ABOUT:
        start -= 1
    if start >= 0 and texts[start] == "than":
        found = next(
            (n for n in range(start - 1, max(-1, start - 2 - _BETWEEN), -1) if texts[n] in _COMPARATIVES), -1
        )
        if found < 0:
            return ""
        side = _COMPARATIVES[texts[found]]
        return OTHER[side] if negates(texts, found - 1) else side
    if start >= 0 and texts[start] in _BEFORE:
        side = _BEFORE[texts[start]]
        return OTHER[side] if start and texts[start - 1] in _NEGATES else side
    if start >= 1 and (pair := (texts[start - 1], texts[start])) in _PAIRS:
        return _PAIRS[pair]
    for behind in range(at + 1, min(at + 3, len(texts) - 1)):
        if texts[behind] in ("or", "and") and texts[behind + 1] in _BEHIND:
            return _BEHIND[texts[behind + 1]]
    return ""


def negates(texts: Sequence[str], at: int) -> bool:
    """Whether the word at `at` turns a comparison round ("no longer than"), and denies nothing."""
    return (
        at >= 0
        and texts[at] in _NEGATES
        and texts[at + 1 : at + 2] != []
        and texts[at + 1] in _COMPARATIVES
        and "than" in texts[at + 2 : at + 3 + _BETWEEN]
    )
