"""Who decides what is typed next: what a strategy is told, what it says, and the one that follows a script."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Protocol

from terma.vision.parts import Condition
from terma.vision.types import Act, Done, GiveUp, Image, TerminalState, Wait

Decided = Act | Wait | Done | GiveUp


@dataclass(frozen=True, slots=True)
class Past:
    """One decision and what came of it, in words."""

    decision: Decided
    result: str


@dataclass(frozen=True, slots=True)
class Turn:
    """What a strategy decides on. `picture` is the rectified screen with secrets covered, where there is one; `rows`
    are the screen's text without secrets. Both are data: anybody may have written there. `condition` is as in Seen."""

    goal: str
    state: TerminalState
    rows: tuple[str, ...]
    past: tuple[Past, ...]
    picture: Image | None = None
    condition: Condition = "text"


@dataclass(frozen=True, slots=True)
class Choice:
    """A decision, why in a few words, and what it cost: tokens, and US dollars where the price is known. `raw` is what
    a model said, word for word; `step` is a script's step, from 1; `idle` says that none was taken: the strategy waits
    for a screen, and costs nothing."""

    decision: Decided
    why: str = ""
    tokens: int = 0
    cost: float = 0.0
    raw: str = ""
    step: int = 0
    idle: bool = False


class Strategy(Protocol):
    """Decides. Raises EyesError where it cannot; what a model says is never more than a proposal."""

    name: str

    async def decide(self, turn: Turn) -> Choice: ...


@dataclass(frozen=True, slots=True)
class Step:
    """One step of a script: `when` is a regular expression that must be found on the screen first, `why` its reason."""

    decision: Decided
    when: str = ""
    why: str = ""


class Script:
    """A fixed list of decisions, one a turn; a pair is what must be on the screen first, and the decision. Until it is
    there the script waits; `rehearsed` waits for nothing, since nothing is typed that could bring it. `done` steps
    of it a run before this one has taken."""

    name = "script"

    def __init__(
        self,
        steps: Sequence[Decided | tuple[str, Decided] | Step],
        finished: Callable[[Turn], Decided] = lambda turn: GiveUp(reason="the script is over"),
        *,
        rehearsed: bool = False,
        done: int = 0,
    ) -> None:
        self._steps, self._at, self._finished = [_step(one) for one in steps], done, finished
        self._rehearsed = rehearsed

    async def decide(self, turn: Turn) -> Choice:
        if self._at >= len(self._steps):
            return Choice(self._finished(turn))
        step = self._steps[self._at]
        if step.when and not self._rehearsed and not re.search(step.when, turn.state.text):
            return Choice(Wait(seconds=0.2), f"until {step.when!r} is there", idle=True)
        self._at += 1
        return Choice(step.decision, step.why or f"step {self._at} of {len(self._steps)}", step=self._at)


def _step(given: Decided | tuple[str, Decided] | Step) -> Step:
    if isinstance(given, Step):
        return given
    return Step(given[1], given[0]) if isinstance(given, tuple) else Step(given)
