"""What the loop stands on: eyes that look, a person who is asked, limits that hold, and how a run may end."""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from typing import Literal, Protocol

from terma.config import eyes
from terma.errors import TermaError
from terma.vision.policy import Verdict
from terma.vision.types import Act, Frame, Image, TerminalState

Status = Literal["completed", "rehearsed", "stuck", "limit", "gave up", "password", "no picture", "stopped"]
CHANGED = "as you changed it"  # the reason of what a person proposes
Condition = Literal["text", "cleared", "notice", "black", "no signal", "off"]
NOTICE = "these look like a display's own words, not like the machine's text screen"


@dataclass(frozen=True, slots=True)
class Seen:
    """One look. `picture` is the rectified screen, None where a source has text alone. `condition` is what the screen
    is like as a whole: `black` is lit and shows nothing, `off` is not lit, `cleared` has a cursor at most, a `notice`
    is a few words afloat, as a monitor or a boot picture draws them."""

    frame: Frame
    state: TerminalState
    picture: Image | None = None
    condition: Condition = "text"

    @property
    def dark(self) -> bool:
        """Whether there is nothing to decide on: the machine starts, sleeps or is off."""
        unread = self.condition == "notice" and not self.state.text
        return unread or self.condition in ("black", "no signal", "off")


@dataclass(frozen=True, slots=True)
class Answer:
    """What a person says to a proposal: yes, no (`reason`, in their words), `action` instead, or stop."""

    what: Literal["yes", "no", "instead", "stop"]
    reason: str = ""
    action: Act | None = None


class Eye(Protocol):
    """Looks at the screen: the newest frame, held against drift, read whole. Raises EyesError where it cannot."""

    async def look(self) -> Seen: ...

    async def settle(self, seconds: float) -> Seen:
        """Look once nothing moves any more, after so many seconds at the latest."""
        ...


class Person(Protocol):
    """Who is asked. `approve` says whether an action may be typed, `why` being the strategy's reason; `password` is
    called when a secret is asked for on the screen: "" when the person typed it there, the name of a secret to type, or
    None to end the run. `reached` says whether the goal is, where its evidence stood on the screen already when the run
    began. `resume`: whether to go on after an error that did not go away."""

    async def approve(self, action: Act, verdict: Verdict, seen: Seen, why: str = "") -> Answer: ...
    async def resume(self, error: TermaError) -> bool: ...
    async def reached(self, evidence: str, seen: Seen) -> bool: ...
    async def password(self, seen: Seen) -> str | None: ...
    def told(self, what: str, text: str) -> None: ...


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a run ended, in a word and a sentence. `keys` were sent, `steps` decided."""

    status: Status
    reason: str
    steps: int = 0
    keys: int = 0


class Ended(Exception):
    """Leaves the loop with an outcome."""

    def __init__(self, status: Status, reason: str) -> None:
        super().__init__(reason)
        self.status, self.reason = status, reason


@dataclass
class Spent:
    """What a run has used of its limits."""

    limits: eyes.Limits
    steps: int = 0
    keys: int = 0
    tokens: int = 0
    cost: float = 0.0
    begun: float = field(default_factory=time.monotonic)

    def hold(self, keys: int = 0) -> None:
        """Raises Ended where a limit is reached, or would be with so many more keys."""
        limits = self.limits
        for name, used, most in (
            ("steps", self.steps, limits.steps),
            ("tokens", self.tokens, limits.tokens),
            ("US dollars", self.cost, limits.cost),
            ("seconds", time.monotonic() - self.begun, limits.seconds),
        ):
            if most and used >= most:
                raise Ended("limit", f"the limit of {most:g} {name} is reached")
        if self.keys + keys > limits.keys:
            raise Ended("limit", f"the limit of {limits.keys} keys is reached")
