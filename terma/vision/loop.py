"""See, decide, ask, type, and look whether it arrived: the loop that works on another machine's screen.

Nothing is believed that the screen does not show: a line is entered only when it stands there as it was typed, and a
goal is reached only when its evidence is seen.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Sequence

from terma.chat import ModelError
from terma.config import eyes
from terma.vision import redacting
from terma.vision.asking import Asking
from terma.vision.errors import EyesError
from terma.vision.evidence import Sightings, shown, told_by_typing
from terma.vision.log import RunLog
from terma.vision.parts import Ended, Eye, Outcome, Person, Seen, Spent, Status
from terma.vision.policy import Policy
from terma.vision.sight import Sight
from terma.vision.strategy import Choice, Decided, Past, Strategy, Turn
from terma.vision.tolerance import Tolerance
from terma.vision.types import Act, Done, GiveUp, Keyboard, TerminalState, Wait
from terma.vision.typist import ECHO_SECONDS, Typist

STUCK = 3  # times the same decision on the same screen
_TOLD = 12  # past decisions that a strategy is told
_PROOF = 10.0  # seconds for evidence to come where no prompt tells that all is said
_DARK = 0.5  # seconds between two looks at a screen that shows nothing


class Loop:
    """One run towards one goal. `dry`: nothing is sent. `past`: what a run before this one did, for the strategy."""

    def __init__(
        self,
        eye: Eye,
        keyboard: Keyboard,
        strategy: Strategy,
        policy: Policy,
        person: Person,
        log: RunLog,
        limits: eyes.Limits,
        *,
        dry: bool = False,
        beat: Callable[[], None] = lambda: None,
        past: Sequence[Past] = (),
    ) -> None:
        self._sight, self._keyboard, self._strategy = Sight(eye, log, beat), keyboard, strategy
        self._person, self._log, self._dry = person, log, dry
        self._spent = Spent(limits)
        self._asking = Asking(policy, person, keyboard, log, dry=dry)
        self._typist = Typist(self._sight, keyboard, policy, self._asking, person, log, self._spent)
        self._tolerance = Tolerance(limits.errors, person, keyboard, log, dry=dry)
        self._past: list[Past] = list(past)
        self._same: tuple[tuple[str, str], int] = (("", ""), 0)
        self._sightings = Sightings()
        self._dark_since: float | None = None
        self._waits: str | None = None

    def stopped(self, reason: str) -> Outcome:
        """How a run ended that was cancelled from outside, with what it had used."""
        return Outcome("stopped", reason, self._spent.steps, self._spent.keys)

    async def run(self, goal: str) -> Outcome:
        """Work until the goal is seen to be reached, or cannot be. Raises EyesError when it cannot see or type, or
        ModelError, and that does not go away."""
        self._log.write("begin", goal=goal, strategy=self._strategy.name, dry=self._dry)
        try:
            async with asyncio.timeout(self._spent.limits.seconds):
                while True:
                    await self._attempt(goal)
        except Ended as end:
            return self._end(end.status, end.reason)
        except TimeoutError:
            return self._end("limit", f"the limit of {self._spent.limits.seconds:g} seconds is reached")
        except asyncio.CancelledError:
            self._keyboard.release_all()
            self._end("stopped", "it was told to stop")
            raise

    async def _attempt(self, goal: str) -> None:
        try:
            await self._step(goal)
        except (EyesError, ModelError) as error:
            await self._tolerance.take(error)
        else:
            self._tolerance.well()

    async def _step(self, goal: str) -> None:
        seen = await self._sight.settle(ECHO_SECONDS)
        if seen.dark:
            await self._await_picture(seen)
            return
        self._dark_since = None
        if seen.state.password:
            await self._pause(seen)
            return
        self._spent.hold()
        self._sightings.add(seen.state, entered=self._typist.brought(seen.state))
        choice = await self._decide(goal, seen)
        if choice is None:
            return
        decision = choice.decision
        if isinstance(decision, Done):
            if await self._proved(decision, seen, scripted=bool(choice.step)):
                raise Ended("completed", f"the screen shows {decision.evidence!r}")
        elif isinstance(decision, GiveUp):
            raise Ended("rehearsed" if self._dry else "gave up", decision.reason)
        elif isinstance(decision, Wait):
            await asyncio.sleep(decision.seconds)
            if not choice.idle:
                self._result(decision, "waited")
        else:
            await self._act(decision, choice.why, seen)

    async def _await_picture(self, seen: Seen) -> None:
        """The machine starts, or its screen sleeps: nothing is decided, and nothing that stood on a line stands there
        any more. Raises Ended when that takes too long."""
        now = time.monotonic()
        if self._dark_since is None:
            self._dark_since = now
            self._log.write("dark", condition=seen.condition)
            self._person.told("dark", f"the screen is {seen.condition}: waiting for a picture")
        self._typist.lost()
        if now - self._dark_since > self._spent.limits.dark:
            raise Ended(
                "no picture", f"the screen is {seen.condition}, for {self._spent.limits.dark:g} seconds"
            )
        await asyncio.sleep(_DARK)

    async def _proved(self, decision: Done, seen: Seen, *, scripted: bool) -> bool:
        """Whether the evidence stands there, and came by what was done; where it did not, or a program may only have
        said again what it was told, a person may say so. Who wrote a script chose both."""
        typed = [past.decision for past in self._past]
        seen = await self._said(decision.evidence, seen, typed)
        self._sightings.add(seen.state, entered=self._typist.brought(seen.state))
        again = not scripted and told_by_typing(decision.evidence, typed)
        if not again and self._sightings.new(decision.evidence, seen.state, typed):
            return True
        now = shown(decision.evidence, seen.state, typed)
        if self._dry and not now:
            raise Ended("rehearsed", f"it would look for {decision.evidence!r} now; no key was pressed")
        if not now:
            self._result(decision, "not believed: the screen does not show that evidence")
            return False
        said = not self._dry and await self._person.reached(decision.evidence, seen)
        self._log.write("old evidence", evidence=decision.evidence, believed=said)
        if not said:
            self._result(decision, "not believed: that may have stood there before, or is what was typed")
        return said

    async def _said(self, evidence: str, seen: Seen, typed: Sequence[Decided]) -> Seen:
        """The screen once it shows the evidence, or a prompt: what a command prints comes some time after its Enter.
        What was typed and not entered has nothing to print."""
        end = time.monotonic() + _PROOF
        entered = not self._dry and not self._typist.composer.text
        while entered and time.monotonic() < end:
            if seen.dark or seen.state.prompt or shown(evidence, seen.state, typed):
                break
            seen = await self._sight.settle(ECHO_SECONDS)
        return seen

    async def _decide(self, goal: str, seen: Seen) -> Choice | None:
        """What the strategy says; None where it could not, and the person wants it asked again."""
        clean = redacting.clean(seen.state, self._log.redactor)
        picture = seen.picture
        if picture is not None:
            picture = redacting.cover(picture, len(clean.rows), clean.covered)
        past = tuple(self._past[-_TOLD:])
        goal = self._log.redactor.redact(goal).text
        turn = Turn(goal, seen.state, clean.rows, past, picture, seen.condition)
        try:
            choice = await self._strategy.decide(turn)
        except (EyesError, ModelError) as error:
            await self._tolerance.undecided(error)
            return None
        spent = self._spent
        spent.steps, spent.tokens, spent.cost = (
            spent.steps + (not choice.idle),
            spent.tokens + choice.tokens,
            spent.cost + choice.cost,
        )
        place = {"step": choice.step} if choice.step else {}
        if choice.why != self._waits:  # one line for all looks at a screen that is waited for
            self._log.write("decide", decision=choice.decision.model_dump(), why=choice.why, **place)
        self._waits = choice.why if choice.idle else None
        if choice.raw:
            self._log.debug("said", raw=choice.raw)
        if not isinstance(choice.decision, Wait):
            self._hold_progress(choice.decision, seen.state)
        return choice

    def _hold_progress(self, decision: Decided, state: TerminalState) -> None:
        """Raises Ended at the third time of the same on the same screen."""
        pair = (decision.model_dump_json(), state.text)
        self._same = (pair, self._same[1] + 1 if self._same[0] == pair else 1)
        if self._same[1] >= STUCK:
            raise Ended("stuck", f"{STUCK} times the same, and the screen stayed as it was")

    async def _act(self, action: Act, why: str, seen: Seen) -> None:
        """Type it if it may be typed, as the person may have changed it."""
        passed = await self._asking.passed(action, why, seen, self._typist.composer)
        if isinstance(passed, str):
            self._result(action, passed)
            return
        result = await self._typist.type(passed, seen)
        self._result(passed.action, result if passed.action == action else f"changed by the person; {result}")

    async def _pause(self, seen: Seen) -> None:
        """Somebody is asked for a secret: that is the person's, and no model's."""
        self._log.write("pause", reason="a password is asked for")
        answer = None if self._dry else await self._person.password(seen)
        if answer is None:
            raise Ended("password", "a password is asked for, and nobody typed it")
        if answer:
            await self._typist.secret(answer, seen)

    def _result(self, decision: Decided, result: str) -> None:
        self._past.append(Past(decision, result))
        self._log.write("result", result=result)
        self._person.told("result", result)

    def _end(self, status: Status, reason: str) -> Outcome:
        self._log.write("end", status=status, reason=reason, steps=self._spent.steps, keys=self._spent.keys)
        return Outcome(status, reason, self._spent.steps, self._spent.keys)
