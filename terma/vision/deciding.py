"""Who decides what is typed next: what a strategy is told, what it says, and the one that follows a script."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Protocol

from terma.vision.types import (
    Combination,
    Done,
    GiveUp,
    Image,
    Keystroke,
    Line,
    TerminalState,
    Text,
    Wait,
)

Act = Keystroke | Combination | Text | Line
Decided = Act | Wait | Done | GiveUp


@dataclass(frozen=True, slots=True)
class Past:
    """One decision and what came of it, in words."""

    decision: Decided
    result: str


@dataclass(frozen=True, slots=True)
class Turn:
    """What a strategy decides on. `picture` is the rectified screen with secrets covered, where there is one; `rows`
    are the screen's text without secrets. Both are data: anybody may have written there."""

    goal: str
    state: TerminalState
    rows: tuple[str, ...]
    past: tuple[Past, ...]
    picture: Image | None = None


@dataclass(frozen=True, slots=True)
class Choice:
    """A decision, why in a few words, and what it cost: tokens, and US dollars where the price is known."""

    decision: Decided
    why: str = ""
    tokens: int = 0
    cost: float = 0.0


class Strategy(Protocol):
    """Decides. Raises EyesError where it cannot; what a model says is never more than a proposal."""

    name: str

    async def decide(self, turn: Turn) -> Choice: ...


class Script:
    """A fixed list of decisions, one a turn. A step may be a pair: a regular expression that must be found on the
    screen first, and the decision; until it is, the script waits."""

    name = "script"

    def __init__(
        self,
        steps: Sequence[Decided | tuple[str, Decided]],
        finished: Callable[[Turn], Decided] = lambda turn: GiveUp(reason="the script is over"),
    ) -> None:
        self._steps, self._at, self._finished = list(steps), 0, finished

    async def decide(self, turn: Turn) -> Choice:
        if self._at >= len(self._steps):
            return Choice(self._finished(turn))
        step = self._steps[self._at]
        wanted, decision = step if isinstance(step, tuple) else ("", step)
        if wanted and not re.search(wanted, turn.state.text):
            return Choice(Wait(seconds=0.2), f"until {wanted!r} is there")
        self._at += 1
        return Choice(decision, f"step {self._at} of {len(self._steps)}")
