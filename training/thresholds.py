"""From which confidence on a command is inserted: where nine in ten answers to left-out authors are right."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from terma.offline.trust.command import effect

TARGET = 0.9  # share right of what is inserted, on lines by authors that were not learned from
LEAST = 25  # answers that a threshold must stand on
EFFECTS = ("look", "change", "destroy")  # each at least as strict as the one before

Hit = tuple[float, bool, str]  # (confidence, right, command)


def needed(hits: Iterable[Hit]) -> dict[str, float]:
    """The least confidence for each effect, such that TARGET of all that is inserted from it on is right."""
    found: dict[str, float] = {}
    least = 0.0
    kept = [(confidence, right, effect(command)) for confidence, right, command in hits]
    for name in EFFECTS:
        least = max(least, _from([(c, right) for c, right, does in kept if does == name], least))
        found[name] = least
    return found


def inserted(hit: Hit, least: Mapping[str, float]) -> bool:
    """Whether an answer would be inserted with these thresholds."""
    return hit[0] >= least[effect(hit[2])]


def _from(hits: list[tuple[float, bool]], least: float) -> float:
    """The lowest confidence from which on TARGET are right; the highest that LEAST answers have where none is."""
    hits.sort(key=lambda hit: -hit[0])
    right, best = 0, None
    for n, (confidence, good) in enumerate(hits, 1):
        right += good
        last = n == len(hits) or hits[n][0] < confidence
        if last and n >= LEAST and right >= TARGET * n:
            best = confidence
    if best is None:
        best = hits[min(LEAST, len(hits)) - 1][0] if hits else 1.0
    return max(least, best)
