"""Who decides in `terma eyes run --strategy NAME`: a plug-in of another distribution, found by its entry point.

One of the group `terma.plugins`, named `vision.strategies.NAME`, which loads to a callable: it gets a `Given` and
returns a Strategy of terma.vision.deciding. What it proposes is judged, asked for and logged like a model's.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from terma import added, registry
from terma.errors import UsageError
from terma.vision.deciding import Strategy


@dataclass(frozen=True, slots=True)
class Given:
    """What a strategy may go by besides the screen: the goal, and what stood on the command line."""

    goal: str
    model: str | None = None
    script: Path | None = None
    dry: bool = False


def of(name: str, given: Given) -> Strategy:
    """Raises UsageError where no such strategy is installed."""
    try:
        make = registry.load(__name__, name)
    except UsageError:
        raise UsageError(
            f"there is no strategy {name!r} here",
            f"one is an entry point of the group {added.GROUP}: vision.strategies.{name}",
        ) from None
    made: Strategy = make(given)
    return made
