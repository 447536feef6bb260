"""Who decides in `terma eyes run --strategy NAME`: a plug-in of another distribution, found by its entry point.

One of the group `terma.plugins`, named `vision.strategies.NAME`, which loads to a callable: it gets a `Given` and
returns a Strategy of terma.vision.strategy. What it proposes is judged, asked for and logged like a model's.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from terma import added, registry
from terma.errors import TermaError, UsageError
from terma.text import one_line
from terma.vision.errors import EyesError
from terma.vision.strategy import Choice, Strategy, Turn


@dataclass(frozen=True, slots=True)
class Given:
    """What a strategy may go by besides the screen: the goal, and what stood on the command line."""

    goal: str
    model: str | None = None
    script: Path | None = None
    dry: bool = False


class _Added:
    """The edge of one plug-in: what it raises or returns costs a decision, and is told as its own."""

    def __init__(self, name: str, made: Strategy) -> None:
        self.name, self._made = name, made

    async def decide(self, turn: Turn) -> Choice:
        try:
            choice = await self._made.decide(turn)
        except TermaError:
            raise
        except Exception as error:
            raise self._wrong(f"failed: {_said(error)}") from error
        if not isinstance(choice, Choice):
            raise self._wrong(f"decided nothing: it returned {type(choice).__name__}, no Choice")
        return choice

    def _wrong(self, what: str) -> EyesError:
        return EyesError(f"the strategy {self.name} {what}", "that is in the plug-in, not in terma")


def _said(error: Exception) -> str:
    return one_line(f"{type(error).__name__}: {error}", 200)


def of(name: str, given: Given) -> Strategy:
    """Raises UsageError where no such strategy is installed, and where it cannot be had."""
    try:
        make = registry.load(__name__, name)
        return _Added(name, make(given))
    except UsageError:
        raise UsageError(
            f"there is no strategy {name!r} here",
            f"one is an entry point of the group {added.GROUP}: vision.strategies.{name}",
        ) from None
    except TermaError:
        raise
    except Exception as error:
        raise UsageError(
            f"the strategy {name} cannot be had: {_said(error)}", "that is in the plug-in, not in terma"
        ) from error
